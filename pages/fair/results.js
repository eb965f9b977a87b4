// Results of games in a table: which columns are results, which are labels, which are not used. The rules, their names
// and their words are those of fairness.heads, rows_of_players, rows_of_games and checking; the words that they know are
// those of fairness/words.json. Nothing in this part touches the page.
const results = ((known) => {
  "use strict";
  const { column: columnOf, cleaned, shown, casefold } = tables;
  const { meant } = distributions;
  const { say, later, refuse } = language;
  const { MOST_LABELS } = contests;
  const KINDS = ["side", "role", "seat", "player"];
  const NAMED = ["game", "winner", ...KINDS, "score"];
  const TOLERANCE = 1e-6;
  const [MANY, FEW] = [20, 5];
  const PLACES = ["table", "pod", "no", "nr"];
  const NO_SEATS = ["game", "won", "winner", "loser", "score", "rank", "draw", "when", "unused"];
  // What marks a winner, or a draw, where others have nothing.
  const MARKS = ["x", "X", "✓", "✔", "☑", "*", "●"];
  // What stands between several people in a cell.
  const SEVERAL = /[,;/&+|]| and | und | et /;
  const TOGETHER = /[;/&+|]| and | und | et /;
  const OPTIONS = {
    game: later("Game"), winner: later("Winner"), side: later("Side"), role: later("Role"), seat: later("Seat"), player: later("Player"),
    score: later("Score"), labels: later("Labels"), draws: later("Draws: nobody won some games"), lowest: later("Lowest score wins"),
  };
  const ADD_DRAWS = "tick Draws under How was it read? if it was a draw";
  const FORMS = "a row for each player of each game with its result; a row for each game with its players by seat and its winner; or the winners alone";

  // Heads and words of results

  const key = (text) => casefold(text.normalize("NFKC")).replace(/[^\p{L}\p{N}]/gu, "");

  const MEANINGS = new Map(Object.entries(known.heads).flatMap(([kind, all]) => all.map((word) => [key(word), kind])));
  const WORTH = { won: 1, lost: 0, draw: "draw" };
  const VALUES = new Map(Object.entries(known.results).flatMap(([kind, all]) => all.map((word) => [key(word), WORTH[kind]])));

  const meaningOf = (head) => MEANINGS.get(key(head)) ?? null;

  const meaning = (column) => meaningOf(column.name);

  const isDraw = (text) => meaningOf(text) === "draw" || ["=", "½", "1/2"].includes(text) || ofGame(text) === 0;

  const shortened = (name) => ([...name].length <= 40 ? name : `${[...name].slice(0, 39).join("")}…`);

  const nameList = (names) => {
    const text = names.map(shortened).join(", ");
    return text.length <= 200 ? text : `${text.slice(0, 199)}…`;
  };

  // For each text of a column: a share of a win, "draw", or null where it is no result.
  const valuesOf = (column) => column.texts.map((text, k) => {
    const plain = text.normalize("NFKC").replaceAll("⁄", "/").replaceAll(" ", "");
    if (plain === "1/2") return 0.5;
    const percent = /^(\d{1,3}(?:[.,]\d+)?)%$/.exec(plain);
    const number = percent ? Number(percent[1].replace(",", ".")) / 100 : column.numbers[k];
    if (number >= 0 && number <= 1) return number;
    return Number.isNaN(number) ? VALUES.get(key(text)) ?? null : null;
  });

  // A result such as 1-0 or 2:2: the number of the seat that won, 0 for a draw; null where it is none.
  const ofGame = (text) => {
    const plain = text.normalize("NFC").replace(/[–−—‑:]/g, "-").replaceAll(",", ".").replaceAll(" ", "");
    const found = /^(\d+(?:\.\d+)?|½|1\/2)-(\d+(?:\.\d+)?|½|1\/2)$/.exec(plain);
    if (!found) return null;
    const [one, other] = found.slice(1).map((part) => (part === "½" || part === "1/2" ? 0.5 : Number(part)));
    return one === other ? 0 : one > other ? 1 : 2;
  };

  // Columns whose heads differ in a number, or a letter, at their end alone, by what stands before it.
  const numbered = (columns) => {
    const groups = new Map();
    const add = (stem, number, column) => {
      const group = groups.get(stem) ?? groups.set(stem, new Map()).get(stem);
      if (!group.has(number)) group.set(number, column);
    };
    for (const column of columns) {
      const found = /^(.*?)(\d{1,3})$/s.exec(key(column.name));
      const lettered = /^(.+)[ _-]([A-Ha-h])$/.exec(column.name);
      if (found) add(found[1], Number(found[2]), column);
      else if (lettered) add(key(lettered[1]), "abcdefgh".indexOf(lettered[2].toLowerCase()) + 1, column);
    }
    return [...groups].filter(([, group]) => group.size > 1)
      .map(([stem, group]) => [stem, new Map([...group].sort(([one], [other]) => one - other))]);
  };

  const isCount = (column) => column.isNumeric || column.texts.every((text) => ofGame(text) !== null);

  // Numbered columns that may be seats: with names, if only some groups have them; called seats, if several are.
  const seatsByNumber = (columns) => {
    const groups = numbered(columns);
    const called = known.seats.map(key);
    const isCalled = ([stem]) => called.includes(stem);
    const names = groups.filter(([, group]) => ![...group.values()].every(isCount));
    const found = names.length ? names : groups.filter(isCalled);
    const calledSo = found.filter(isCalled);
    return (found.length > 1 && calledSo.length ? calledSo : found).map(([, group]) => group);
  };

  // Columns whose heads belong together, such as White and Black.
  const family = (columns) => {
    const byKey = new Map(columns.map((column) => [key(column.name), column]));
    return known.families.map((all) => all.map((word) => byKey.get(key(word))).filter(Boolean)).filter((group) => group.length > 1);
  };

  // A table, and which of its columns is what; `options` are those of read_games.
  const headsOf = (table, options) => {
    const listed = shown(table.names, 200);
    const named = (option, name) => {
      const wanted = cleaned(name);
      const same = table.columns.filter((column) => column.name === wanted);
      const found = same.length ? same : table.columns.filter((column) => casefold(column.name) === casefold(wanted));
      return found.length === 1 ? found[0] : refuse(say("{option}: no column is called “{name}”; the columns are {names}",
        { option: say(OPTIONS[option]), name: shortened(wanted), names: nameList(table.names) }));
    };
    const asked = Object.fromEntries(NAMED.filter((option) => options[option]?.length)
      .map((option) => [option, options[option].map((name) => named(option, name))]));
    const taken = Object.values(asked).flat();
    const kind = (column) => (taken.includes(column) ? null : meaning(column));
    const of = (what) => {
      if (asked[what]) return asked[what];
      const order = known.heads[what].map(key);
      return table.columns.filter((column) => kind(column) === what)
        .sort((one, other) => order.indexOf(key(one.name)) - order.indexOf(key(other.name)));
    };
    const told = (said, used) => {
      const rest = table.columns.filter((column) => !used.includes(column)).map((column) => column.name);
      const more = rest.length > 6 ? ` and ${rest.length - 6} more` : "";
      const unused = rest.length ? [`column${rest.length > 1 ? "s" : ""} ${rest.slice(0, 6).map(shortened).join(", ")}${more} not used`] : [];
      return [...said, ...unused, ...(table.encoding ? [`read as ${table.encoding}`] : [])].join("; ");
    };
    return {
      table, asked, kind, of, told, draws: options.draws ?? false, lowest: options.lowest ?? false,
      labels: (options.labels ?? []).map(cleaned), one: (what) => of(what)[0] ?? null,
      askedKind: KINDS.find((each) => (asked[each]?.length ?? 0) > 1) ?? null,
      refusal: (what) => refuse(`columns ${listed}: ${what}`),
    };
  };

  // Checks

  const count = (number, what) => `${number.toLocaleString("en-US")} ${what}${number === 1 ? "" : "s"}`;

  const tally = (game, games, weight = null) => {
    const found = new Float64Array(games);
    game.forEach((number, row) => { found[number] += weight ? weight[row] : 1; });
    return found;
  };

  // The least and the most that rows of each game have.
  const ends = (game, won, games) => {
    const [least, most] = [new Float64Array(games).fill(2), new Float64Array(games).fill(-1)];
    game.forEach((number, row) => {
      least[number] = Math.min(least[number], won[row]);
      most[number] = Math.max(most[number], won[row]);
    });
    return [least, most];
  };

  // The label of each row: whole numbers where all are, and none is too large for a double; else texts.
  const labelValues = ({ numbers, texts, codes }, order) => {
    const whole = texts.every((text) => /^-?(0|[1-9]\d*)(\.0+)?$/.test(text)) && numbers.every((number) => Math.abs(number) < 2 ** 53);
    const values = whole ? numbers.map((number) => number + 0) : texts;
    const labels = [...new Set(values)];
    const byLabel = new Map(labels.map((label, place) => [label, place]));
    const places = values.map((value) => byLabel.get(value));
    return { labels, codes: Int32Array.from(order, (row) => places[codes[row]]) };
  };

  const byGame = (game, games) => {
    const start = new Int32Array(games + 1);
    for (const number of game) start[number + 1] += 1;
    for (let k = 0; k < games; k += 1) start[k + 1] += start[k];
    const order = new Int32Array(game.length);
    game.forEach((number, row) => { order[start[number]++] = row; });
    return order;
  };

  // A row for each player of each game before it is checked: numbers of games, what they are called, what each row won,
  // columns of labels by kind, and which games were called draws.
  const longOf = (game, name, won, labels, drawn) => {
    const called = (number) => `game ${shortened(name(number))}`;
    return { game, won, labels, drawn, games: drawn.length, called, at: (row) => `row ${row + 1}, ${called(game[row])}` };
  };

  // Labels that are missing, or look like slips of the pen.
  const faultOf = (long, kind, column) => {
    if (column.empty) return `${long.at(column.codes.indexOf(-1))}: its ${kind} is empty`;
    if (kind === "player" || column.isNumeric) return null;
    const once = tally(column.codes, column.texts.length).indexOf(1);
    if (once >= 0) return `${kind} ${shown(column.texts[once])} appears once: nothing can be said about it, or it is a misprint`;
    const folded = new Map();
    for (const label of column.texts) {
      const first = folded.get(casefold(label));
      if (first !== undefined) return `${kind} ${shown(label)} and ${kind} ${shown(first)} differ only in their case`;
      folded.set(casefold(label), label);
    }
    return null;
  };

  const checkGames = (long, rows) => {
    const alone = tally(rows.game, long.games).findIndex((size) => size < 2);
    if (alone >= 0) refuse(`${long.called(alone)}: it has one row, and a game has two players or more`);
    for (const kind of ["seat", "player"].filter((each) => rows[each])) {
      const { labels, codes } = rows[kind];
      const seen = new Set();
      const place = rows.game.findIndex((number, row) => seen.size === seen.add(number * labels.length + codes[row]).size);
      if (place >= 0) refuse(`${long.called(rows.game[place])}: ${kind} ${shown(labels[codes[place]])} stands there twice (option game says what was one game)`);
    }
  };

  // The first row of each side of each game, if all rows of a side have the same result.
  const sidesOf = (long, { game, won, side }) => {
    const first = new Map();
    game.forEach((number, row) => {
      const unit = number * side.labels.length + side.codes[row];
      if (!first.has(unit)) first.set(unit, row);
      else if (won[first.get(unit)] !== won[row]) refuse(`${long.called(number)}: side ${shown(side.labels[side.codes[row]])} has won and lost it`);
    });
    const units = [...first.values()];
    const alone = tally(units.map((row) => game[row]), long.games).findIndex((size) => size < 2);
    if (alone >= 0) refuse(`${long.called(alone)}: it has one side, and a game has two or more`);
    return units;
  };

  // Refuses a game that nobody won, or everybody, or two sides, or in parts that do not add up.
  const checkWinners = (long, rows, draws) => {
    const { game, won, side } = rows;
    const [least, most] = ends(game, won, long.games);
    const units = side ? sidesOf(long, rows) : [...game.keys()];
    const total = tally(units.map((row) => game[row]), long.games, units.map((row) => won[row]));
    const parts = tally(game, long.games, won.map((share) => Number(share > 0 && share < 1)));
    const addsUp = (number) => Math.abs(total[number] - 1) <= TOLERANCE;
    const equal = (number) => least[number] === most[number];
    const undeclared = (number) => !long.drawn[number] && !draws;
    for (const [wrong, what] of [
      [(number) => equal(number) && most[number] === 1, "everybody won it: somebody has to lose"],
      [(number) => equal(number) && most[number] === 0 && undeclared(number), `nobody won it; ${ADD_DRAWS}`],
      [(number) => equal(number) && parts[number] && !addsUp(number) && undeclared(number), `all have the same share; ${ADD_DRAWS}`],
      [(number) => !equal(number) && parts[number] && !addsUp(number), "its shares of the win do not add up to 1"],
      [(number) => !equal(number) && side && !addsUp(number), "more than one side won it"],
    ]) {
      for (let number = 0; number < long.games; number += 1) if (wrong(number)) refuse(`${long.called(number)}: ${what}`);
    }
  };

  // The rows by game, if all of them make sense, and what is wrong with labels that cannot be asked for.
  const checked = (long, draws) => {
    const faults = {};
    const order = byGame(long.game, long.games);
    const rows = { game: long.game.map((_, k) => long.game[order[k]]), won: long.won.map((_, k) => long.won[order[k]]) };
    for (const [kind, column] of Object.entries(long.labels)) {
      const fault = faultOf(long, kind, column);
      if (fault) faults[kind] = fault;
      else rows[kind] = labelValues(column, order);
    }
    checkGames(long, rows);
    checkWinners(long, rows, draws);
    return { rows, faults };
  };

  // The games, if all of them make sense, and how they were read.
  const finished = (heads, long, noun, how, used, told = () => []) => {
    const { rows, faults } = checked(long, heads.draws);
    const size = tally(long.game, long.games);
    const [low, high] = [size.reduce((one, other) => Math.min(one, other)), size.reduce((one, other) => Math.max(one, other))];
    const [least, most] = ends(long.game, long.won, long.games);
    const drawn = least.filter((value, number) => value === most[number]).length;
    const shared = most.filter((value, number) => value > 0 && value < 1 && least[number] < value).length;
    const said = [
      `${count(long.games, "game")} of ${low === high ? low : `${low} to ${high}`} ${noun}`, how, ...(drawn ? [count(drawn, "draw")] : []),
      ...(shared ? [`${shared.toLocaleString("en-US")} with a shared win`] : []), ...told(faults),
    ];
    return { rows, faults, reading: heads.told(said, used) };
  };

  // A row for each player of each game

  const repeatedGame = (heads) => {
    if (heads.asked.game) return heads.asked.game;
    const found = heads.of("game").filter((column) => column.isRepeated);
    return found.length ? [found.find((column) => column.texts.length > 1) ?? found[0]] : null;
  };

  // The column that says who won, and in which way: a result for each row, the winner's name, or the best number.
  const resultOf = (heads, game) => {
    if (heads.asked.score) return heads.asked.score.length === 1 ? [heads.asked.score[0], "best"] : [null, ""];
    const named = [...heads.of("won"), ...heads.of("winner")].filter((column) => column.texts.length);
    for (const column of named) {
      const isOne = valuesOf(column).map((value) => value !== null);
      const whole = isOne.every(Boolean) || column.texts.every((text) => MARKS.includes(text));
      if (whole || ((isOne.some(Boolean) || column.isNumeric) && game && meaning(column) === "won")) return [column, "result"];
    }
    if (named.length) return [named.find((column) => heads.of("winner").includes(column)) ?? named[0], "winner"];
    return [heads.one("rank") ?? heads.one("score"), "best"];
  };

  // The number of the game of each row, as they first appear, and the first row of each.
  const numbersOf = (game, rows) => {
    for (const column of game) if (column.empty) refuse(`row ${column.codes.indexOf(-1) + 1}: its ${column.name} is empty`);
    const places = new Map();
    const first = [];
    const number = Int32Array.from({ length: rows }, (_, row) => {
      const together = game.reduce((total, column) => total * column.texts.length + column.codes[row], 0);
      if (!places.has(together)) places.set(together, first.push(row) - 1);
      return places.get(together);
    });
    return [number, first];
  };

  const isOfGames = (heads, column, way, game) => {
    if (column.texts.some((text) => ofGame(text) !== null) || heads.one("loser") || heads.one("opponent")) return true;
    if (way === "result" && meaning(column) === "won") return false;
    return !game || numbersOf(game, heads.table.rows)[1].length === heads.table.rows;
  };

  const labelsOf = (heads, result) => {
    const found = {};
    for (const kind of KINDS) if (heads.one(kind) && heads.one(kind) !== result) found[kind] = heads.one(kind);
    const place = heads.one("place");
    if (place && !found.seat && place !== result && !heads.asked.score) found.seat = place;
    return Object.keys(found).length ? found : heads.refusal("at least one of side, role, seat, player is needed; options of these names say which");
  };

  // The win of a game in equal parts for the rows that are best, or for the whole sides that they are of.
  const shared = (long, best) => {
    const side = long.labels.side && !long.labels.side.empty ? long.labels.side : null;
    if (!side) {
      const winners = tally(long.game, long.games, best);
      return long.won.map((own, row) => (best[row] ? 1 / winners[long.game[row]] : own));
    }
    const unit = (row) => long.game[row] * side.texts.length + side.codes[row];
    const sides = new Set();
    best.forEach((is, row) => { if (is) sides.add(unit(row)); });
    const several = new Float64Array(long.games);
    for (const one of sides) several[Math.floor(one / side.texts.length)] += 1;
    return long.won.map((own, row) => (sides.has(unit(row)) ? 1 / several[long.game[row]] : own));
  };

  // The rows that a column of draws says so of: by 0 and 1, in words or with a mark.
  const calledDraws = (heads) => {
    const found = new Float64Array(heads.table.rows);
    for (const column of heads.of("draw")) {
      const worth = valuesOf(column).map((value, k) => (MARKS.includes(column.texts[k]) ? 1 : value));
      if (worth.includes(null)) continue;
      column.codes.forEach((code, row) => { if (code >= 0 && worth[code] !== 0) found[row] = 1; });
    }
    return found;
  };

  // Refuses games that go on in another round, on another day or in another match: they are several.
  const refuseSeveralGames = (heads, game, used) => {
    for (const other of [...heads.of("when"), ...heads.of("game")]) {
      if (game.includes(other) || used.includes(other)) continue;
      const [number, first] = numbersOf(game, heads.table.rows);
      const row = other.codes.findIndex((code, k) => code >= 0 && code !== other.codes[first[number[k]]]);
      if (row < 0) continue;
      const names = [other, ...game].map((column) => column.name).join(",");
      heads.refusal(`${game[0].name} ${shown(game[0].cell(row))} goes on in another ${other.name} (row ${row + 1}): what was `
        + `one game? Option game names one column, or several together, such as ${names}`);
    }
  };

  const byResult = (long, column) => {
    const found = valuesOf(column);
    // Winners alone are marked.
    if (column.texts.every((text) => MARKS.includes(text)) || found.every((value) => value === 1)) {
      long.won = Float64Array.from(column.codes, (code) => Number(code >= 0));
      return;
    }
    const bad = column.codes.findIndex((code) => code < 0 || found[code] === null);
    if (bad >= 0) {
      const text = column.cell(bad);
      const value = text === null ? "empty" : Number.isNaN(column.numbers[column.codes[bad]]) ? shown(text) : [...text].slice(0, 20).join("");
      const score = column.isNumeric ? "; option score names a column of which the highest wins" : "";
      refuse(`${long.at(bad)}: ${column.name} is ${value}: 0, 1, a share of the win, or won, lost, draw is needed${score}`);
    }
    const drawn = Float64Array.from(column.codes, (code) => Number(found[code] === "draw"));
    long.won = Float64Array.from(column.codes, (code) => (found[code] === "draw" ? 0 : found[code]));
    if (!drawn.includes(1)) return;
    const [all, some, won] = [null, drawn, long.won].map((weight) => tally(long.game, long.games, weight));
    const both = some.findIndex((rows, number) => rows > 0 && won[number] > 0);
    if (both >= 0) refuse(`${long.called(both)}: somebody has won it, and somebody has drawn it`);
    long.drawn = all.map((rows, number) => Number(rows === some[number]));
    long.won = shared(long, drawn.map((is, row) => Number(is && !long.drawn[long.game[row]])));
  };

  // The winner's name beside each player: a label of some kind that is there in each game.
  const byWinnersName = (long, column) => {
    if (column.empty) refuse(`${long.at(column.codes.indexOf(-1))}: its ${column.name} is empty`);
    const names = new Set(Object.values(long.labels).flatMap((label) => label.texts.map(casefold)));
    const draw = column.texts.map((text) => isDraw(text) && !names.has(casefold(text)));
    const told = new Int32Array(long.games).fill(-1);
    column.codes.forEach((code, row) => {
      const game = long.game[row];
      if (told[game] < 0) told[game] = code;
      if (told[game] !== code) refuse(`${long.at(row)}: its ${column.name} is another than above`);
    });
    for (const label of ["player", "seat", "role", "side"].map((kind) => long.labels[kind]).filter(Boolean)) {
      const places = new Map(label.texts.map((text, place) => [casefold(text), place]));
      const wanted = column.texts.map((text) => places.get(casefold(text)) ?? -2);
      const won = Float64Array.from(column.codes, (code, row) => Number(label.codes[row] === wanted[code]));
      const winners = tally(long.game, long.games, won);
      if (told.some((code, game) => !winners[game] && !draw[code])) continue;
      long.won = won;
      long.drawn = Array.from(told, (code) => Number(draw[code]));
      return;
    }
    const row = column.codes.findIndex((code) => !draw[code]);
    refuse(`${long.at(row)}: its winner ${shown(column.cell(row))} is no label of each of its games`);
  };

  const lowestWins = (heads, column) => heads.lowest || meaning(column) === "rank";

  // The best rank or score wins, and equal ones share.
  const byBest = (long, column, heads) => {
    const bad = column.codes.findIndex((code) => code < 0 || !Number.isFinite(column.numbers[code]));
    if (bad >= 0) {
      const text = column.cell(bad);
      refuse(`${long.at(bad)}: its ${column.name} is ${text ? shown(text) : "empty"}: a number is needed`);
    }
    if (column.doubtful !== null) {
      refuse(`column ${column.name}: is ${column.doubtful} written with a decimal point, or with a mark for thousands? Write it without one`);
    }
    const sign = lowestWins(heads, column) ? -1 : 1;
    const best = new Float64Array(long.games).fill(-Infinity);
    const numbers = Float64Array.from(column.codes, (code) => sign * column.numbers[code]);
    numbers.forEach((number, row) => { best[long.game[row]] = Math.max(best[long.game[row]], number); });
    const notFirst = heads.kind(column) === "rank" ? best.findIndex((number) => number !== -1) : -1;
    if (notFirst >= 0) refuse(`${long.called(notFirst)}: its best ${column.name} is ${meant(-best[notFirst], 6)}, and 1 is needed (option score)`);
    long.won = shared({ ...long, won: new Float64Array(numbers.length) }, numbers.map((number, row) => Number(number === best[long.game[row]])));
  };

  // A column `place` that is 1 just where somebody won says how they finished, and not where they sat.
  const refuseRanksAsSeats = (long, heads) => {
    const place = long.labels.seat;
    if (!place || place !== heads.one("place")) return;
    const [lowest, highest] = [Infinity, -Infinity].map((end) => [0, 1].map(() => new Float64Array(long.games).fill(end)));
    place.codes.forEach((code, row) => {
      const [number, won, game] = [code < 0 ? NaN : place.numbers[code], Number(long.won[row] > 0), long.game[row]];
      lowest[won][game] = Math.min(lowest[won][game], number);
      highest[won][game] = Math.max(highest[won][game], number);
    });
    const decided = tally(long.game, long.games, long.won.map((won) => Number(won > 0)));
    const all = (below, above) => below.every((number, game) => !decided[game] || number < above[game]);
    if (!all(highest[1], lowest[0]) && !all(highest[0], lowest[1])) return;
    heads.refusal(`is ${shown(place.name)} where people sat, or how they finished? If they sat there, option seat names it; `
      + "else option score names what decides who wins, and that is no seat");
  };

  const ofPlayers = (heads) => {
    const game = repeatedGame(heads);
    const [column, way] = resultOf(heads, game);
    if (!column || isOfGames(heads, column, way, game)) return null;
    if (way === "winner" && ![...KINDS, "place"].some((kind) => heads.one(kind))) return null;
    if (!game) heads.refusal("a column that says what was one game is needed; option game names it");
    const labels = labelsOf(heads, column);
    if (!heads.asked.game) refuseSeveralGames(heads, game, [column, ...Object.values(labels)]);
    const [number, first] = numbersOf(game, heads.table.rows);
    const name = (place) => game.map((part) => part.texts[part.codes[first[place]]]).join(" ");
    const long = longOf(number, name, new Float64Array(number.length), labels, new Float64Array(first.length));
    ({ result: byResult, winner: byWinnersName, best: byBest })[way](long, column, heads);
    const how = way === "best" ? `${lowestWins(heads, column) ? "lowest" : "highest"} ${column.name} wins` : `${way} in column ${column.name}`;
    const called = tally(long.game, long.games, calledDraws(heads));
    long.drawn = Array.from(long.drawn, (is, number) => Number(is || called[number] > 0));
    refuseRanksAsSeats(long, heads);
    const noun = labels.seat || labels.player || labels.role ? "players" : "sides";
    const used = [...game, column, ...Object.values(labels), ...heads.of("draw")];
    return finished(heads, long, noun, how, used, (faults) =>
      Object.entries(faults).map(([kind, fault]) => `column ${labels[kind].name} cannot be judged by (${fault})`));
  };

  // A row for each game

  const oneRowEach = (heads) => {
    const all = heads.of("game");
    if (!all.length || PLACES.includes(key(all[0].name))) return;
    if (!all.every((column) => 2 * column.texts.length >= heads.table.rows && column.isRepeated)) return;
    const rows = tally(all[0].codes.filter((code) => code >= 0), all[0].texts.length);
    const twice = all[0].texts[rows.indexOf(rows.reduce((one, other) => Math.max(one, other)))];
    refuse(`${all[0].name} ${shown(twice)} stands there twice: is that one game, with a row for each player? Then option `
      + "winner names their results; else option game names what was one game");
  };

  const gamesColumn = (heads) => heads.of("game").filter((column) => !column.isRepeated).slice(0, 1);

  const nameOf = (heads) => (row) => gamesColumn(heads)[0]?.cell(row) || String(row + 1);

  // Columns that may be seats: those asked for, else all whose heads are not known to be something else.
  const candidatesOf = (heads, but = null) => {
    if (heads.askedKind) return heads.asked[heads.askedKind];
    const others = ["game", "winner", "score"].flatMap((name) => heads.asked[name] ?? []);
    return heads.table.columns.filter((column) => column !== but && column.texts.length
      && !NO_SEATS.includes(heads.kind(column)) && !others.includes(column) && !column.name.startsWith("(column "));
  };

  // The rows and the columns of all cells that are not empty, row by row; none without any.
  const takenOf = (heads, columns) => {
    const [row, place] = [[], []];
    for (let k = 0; k < heads.table.rows; k += 1) {
      columns.forEach((column, seat) => { if (column.codes[k] >= 0) row.push(k), place.push(seat); });
      if (row.at(-1) !== k) refuse(`game ${nameOf(heads)(k)}: its row is empty`);
    }
    return [Int32Array.from(row), Int32Array.from(place)];
  };

  // The numbers of columns whose heads differ in these alone.
  const seatNames = (columns) => {
    const found = numbered(columns).find(([, group]) => group.size === columns.length);
    if (!found || !columns.every((column) => /\p{Nd}$/u.test(column.name))) return null;
    return columns.map((column) => String([...found[1]].find(([, one]) => one === column)[0]));
  };

  // The place of each row's text, its letters in any case, among those of several columns; -1 where it is empty.
  const codedAmong = (column, places) => {
    const found = column.texts.map((text) => {
      const own = casefold(text);
      if (!places.has(own)) places.set(own, places.size);
      return places.get(own);
    });
    return column.codes.map((code) => (code < 0 ? -1 : found[code]));
  };

  // Texts by their small letters, those that differ in their case alone as they stand there first.
  const foldedOf = (texts) => {
    const found = new Map();
    for (const text of texts) if (!found.has(casefold(text))) found.set(casefold(text), text);
    return found;
  };

  const refuseByes = (texts) => {
    const bye = texts.find((text) => ["bye", "freilos"].includes(key(text)));
    if (bye !== undefined) refuse(`${shown(bye)} is nobody to play against: leave these rows out`);
  };

  // A column of the people who sit in several.
  const playersOf = (columns, row, place) => {
    const texts = new Map();
    const codes = columns.map((column) => codedAmong(column, texts));
    return columnOf("player", row.map((number, k) => codes[place[k]][number]), [...foldedOf(columns.flatMap((one) => one.texts)).values()]);
  };

  // Which games are called draws: in the winner's place, where that is nobody's name, or in a column of draws.
  const drawnOf = (heads, winner, names) => {
    const said = calledDraws(heads);
    if (!winner) return said;
    const draw = winner.texts.map((text) => isDraw(text) && !names.has(casefold(text)));
    const isSaid = (code) => code >= 0 && draw[code];
    const both = winner.codes.findIndex((code, row) => said[row] && code >= 0 && !isSaid(code));
    if (both >= 0) refuse(`game ${nameOf(heads)(both)}: it has a winner, and is called a draw`);
    return said.map((is, row) => Number(is || isSaid(winner.codes[row])));
  };

  // Games of people who sit in columns; `won` says what a seat won in a row.
  const seated = (heads, columns, won, drawn, how, used, persons) => {
    const [row, seat] = takenOf(heads, columns);
    const labels = { [heads.askedKind ?? "seat"]: columnOf("seat", seat, seatNames(columns) ?? columns.map((column) => column.name)) };
    if (persons) {
      labels.player = playersOf(columns, row, seat);
      refuseByes(labels.player.texts);
    }
    const long = longOf(row, nameOf(heads), Float64Array.from(row, (number, k) => Number(won(number, seat[k]))), labels, drawn);
    return finished(heads, long, "seats", how, [...used, ...columns, ...gamesColumn(heads)]);
  };

  // Seats that a way of reading finds: columns, and which of them won each row.
  const seatsOf = (columns, hit) => ({ columns, hit, won: (row, seat) => hit(row).includes(seat) });

  // Columns like those that the winners name: numbered alike, of one known set, or mostly with the same persons.
  const fellows = (hit, candidates) => {
    const group = [...seatsByNumber(candidates).map((one) => [...one.values()]), ...family(candidates)]
      .find((all) => hit.every((column) => all.includes(column)));
    if (group) return group;
    const seats = [...hit];
    const persons = new Set(hit.flatMap((column) => column.texts.map(casefold)));
    const mostly = (texts) => 2 * [...new Set(texts.map(casefold))].filter((text) => persons.has(text)).length >= texts.length;
    for (;;) {
      const more = candidates.filter((column) => !column.isNumeric && !seats.includes(column) && mostly(column.texts));
      if (!more.length) return candidates.filter((column) => seats.includes(column));
      seats.push(...more);
      more.forEach((column) => column.texts.forEach((text) => persons.add(casefold(text))));
    }
  };

  const byHead = (candidates, winner, named) => {
    const heads = new Map(candidates.map((column) => [key(column.name), column]));
    const wanted = winner.texts.map((text) => heads.get(key(text)));
    const hit = candidates.filter((column) => wanted.includes(column));
    if (!hit.length) return null;
    const seats = fellows(hit, candidates);
    const target = wanted.map((column) => seats.indexOf(column));
    return seatsOf(seats, (row) => (named[row] && target[winner.codes[row]] >= 0 ? [target[winner.codes[row]]] : []));
  };

  // Seats whose numbers are the winners: numbered ones, those of a known set, or those that were asked for.
  const byNumber = (heads, candidates, winner, named) => {
    const numbers = winner.texts.map((text) => Number(/^(?:[a-z]+)?[ #]*(\d{1,3})(?:\.0+)?$/.exec(casefold(text))?.[1] ?? NaN));
    const all = new Set([...winner.codes].filter((_, row) => named[row]).map((code) => numbers[code]));
    const people = new Set(candidates.flatMap((column) => column.texts.map(casefold)));
    // P1 may be a person.
    if (!all.size || all.has(NaN) || winner.texts.some((text) => !/^\p{Nd}/u.test(text) && people.has(casefold(text)))) return null;
    let groups = seatsByNumber(candidates);
    if (heads.askedKind || !groups.length) {
      const sets = heads.askedKind ? [candidates] : family(candidates);
      const whole = groups.filter((group) => group.size === candidates.length);
      groups = whole.length ? whole : sets.map((one) => new Map(one.map((column, place) => [place + 1, column])));
    }
    groups = groups.filter((group) => [...all].every((number) => group.has(number)));
    if (groups.length !== 1) return null;
    const places = [...groups[0].keys()];
    return seatsOf([...groups[0].values()], (row) => {
      const place = named[row] ? places.indexOf(numbers[winner.codes[row]]) : -1;
      return place < 0 ? [] : [place];
    });
  };

  // Seats in which the winners sit, and their fellows.
  const byName = (heads, candidates, winner, named) => {
    const texts = new Map();
    const wanted = codedAmong(winner, texts);
    const codes = new Map(candidates.map((column) => [column, codedAmong(column, texts)]));
    const isHit = (column, row) => named[row] && codes.get(column)[row] === wanted[row];
    const known = seatsByNumber(candidates).map((group) => [...group.values()]);
    const groups = known.filter((group) => named.every((is, row) => !is || group.some((column) => isHit(column, row))));
    let seats = heads.askedKind ? candidates : groups[0];
    if (!heads.askedKind && groups.length !== 1) {
      const hit = candidates.filter((column) => named.some((_, row) => isHit(column, row)));
      if (!hit.length) return null;
      if (known.filter((group) => group.some((column) => hit.includes(column))).length > 1) whichSeats(heads, hit);
      seats = fellows(hit, candidates);
      const twice = named.findIndex((_, row) => {
        const sitting = seats.map((column) => codes.get(column)[row]).filter((code) => code >= 0);
        return new Set(sitting).size < sitting.length;
      });
      if (twice >= 0) {
        heads.refusal(`in game ${nameOf(heads)(twice)} somebody stands in two of ${shown(seats.map((column) => column.name))}: `
          + "which are seats? Option seat names all of them");
      }
    }
    return seatsOf(seats, (row) => [...seats.keys()].filter((place) => isHit(seats[place], row)));
  };

  const whichSeats = (heads, columns) => {
    const seen = columns.length ? `${columns.map((column) => shown(column.name)).join(", ")} seems one` : "the winner tells none";
    heads.refusal(`which columns are seats? ${seen}; option seat names all of them`);
  };

  const byWinner = (heads, winner) => {
    const candidates = candidatesOf(heads, winner);
    const drawn = drawnOf(heads, winner, new Set(candidates.flatMap((column) => column.texts.map(casefold))));
    if (heads.labels.length && !heads.askedKind) return ofWinners(heads, winner, drawn, [winner, ...heads.of("draw")]);
    const named = Array.from(winner.codes, (code, row) => code >= 0 && !drawn[row]);
    const ways = {
      number: byNumber(heads, candidates, winner, named), head: byHead(candidates, winner, named), name: byName(heads, candidates, winner, named),
    };
    // 0 is a draw beside 1 and 2, where no seat has this number.
    const mayBe = !ways.number && winner.texts.includes("2");
    const nobody = Array.from(winner.codes, (code) => mayBe && code >= 0 && winner.texts[code] === "0");
    if (nobody.includes(true)) ways.number = byNumber(heads, candidates, winner, named.map((is, row) => is && !nobody[row]));
    const found = Object.entries(ways).filter(([, seats]) => seats);
    const whole = found.filter(([way, { hit }]) => named.every((is, row) => !is || (way === "number" && nobody[row]) || hit(row).length));
    if (!whole.length) return withoutHits(heads, winner, candidates, found.map(([, seats]) => seats), named, drawn);
    const [way, { columns, won, hit }] = whole[0];
    refuseTwoMeanings(winner, way, whole.length > 1 ? ways : { [way]: ways[way] }, named);
    const numeric = candidates.filter((column) => column.isNumeric && !columns.includes(column));
    if (columns.length < 2 || (way === "head" && numeric.length && columns.every((column) => column.isNumeric))) whichSeats(heads, columns);
    const always = new Set(named.flatMap((is, row) => hit(row)));
    const count = named.filter(Boolean).length;
    if (way === "name" && !heads.askedKind && always.size === 1 && count >= (seatNames(columns) ? MANY : FEW)) {
      heads.refusal(`each of the ${count} winners stands in ${shown(columns[[...always][0]].name)}: is that where they sat, or are `
        + "winners written there? If they sat there, option seat names all seats");
    }
    const persons = way === "name" || !columns.every((column) => column.isNumeric || !column.texts.length);
    const draws = way === "number" ? drawn.map((is, row) => Number(is || nobody[row])) : drawn;
    return seated(heads, columns, won, draws, `winner by ${way}`, [winner, ...heads.of("draw")], persons);
  };

  // Refuses winners who are numbers, or heads, and names of people as well.
  const refuseTwoMeanings = (winner, way, found, named) => {
    const { columns } = found[way];
    const people = new Set(columns.flatMap((column) => column.texts.map(casefold)));
    const both = winner.texts.find((text) => people.has(casefold(text)));
    if (way === "number" && both !== undefined) {
      refuse(`winner ${shown(both)} is the number of a seat, and the name of somebody who plays: write ${shown(columns[0].name)} or the like for a seat`);
    }
    const same = (one, other) => one.columns.length === other.columns.length
      && named.every((_, row) => one.hit(row).join() === other.hit(row).join());
    if (way === "head" && found.name && !same(found.head, found.name)) {
      refuse(`winner ${shown(winner.texts[0])} is the head of a column, and somebody who sits elsewhere`);
    }
  };

  // Winners who are no seats: results of two, winners and losers, or all that is known.
  const withoutHits = (heads, winner, candidates, found, named, drawn) => {
    const pair = pairOf(heads, candidates);
    const seats = pair ? ofPair(winner, pair) : [null];
    if (!seats.includes(null)) return ofTwo(heads, pair, winner, seats, named.map((is, row) => is || drawn[row] || heads.draws));
    const losers = heads.of("loser");
    if (losers.length) return byLosers(heads, winner, losers, drawn);
    const others = candidates.filter((column) => !column.isNumeric);
    const tokens = new Set(others.flatMap((column) => column.texts.flatMap((text) => text.split(SEVERAL).map((part) => casefold(part.trim())))));
    const rows = (one) => named.filter((_, row) => one.hit(row).length).length;
    if (found.some(rows) || pair || seatsByNumber(others).length || winner.texts.some((text) => tokens.has(casefold(text)))) {
      const best = found.reduce((one, other) => (one && rows(one) >= rows(other) ? one : other), null);
      const row = Math.max(0, named.findIndex((is, place) => is && !best?.hit(place).length));
      refuse(`game ${nameOf(heads)(row)}: its winner ${shown(winner.cell(row))} did not play in it, nor is it the head or the number `
        + "of a seat; a draw is written draw, and option seat names seats");
    }
    if (meaning(winner) === "won") heads.refusal(`${shown(winner.name)} says not who won which game: ${FORMS} is needed`);
    return ofWinners(heads, winner, drawn, [winner, ...heads.of("draw")]);
  };

  // The winner alone

  // A table of one column without a known head: winners, the first of whom stands in its place.
  const listOfWinners = (heads) => {
    const [given] = heads.table.columns;
    if (!given.texts.includes(given.name)) heads.refusal(`is ${shown(given.name)} the name of the column, or a winner? Option winner says`);
    const texts = [given.name, ...given.texts.filter((text) => text !== given.name)];
    const places = given.texts.map((text) => texts.indexOf(text));
    const codes = Int32Array.from([0, ...given.codes.map((code) => (code < 0 ? -1 : places[code]))]);
    const draw = texts.map(isDraw);
    return ofWinners(heads, columnOf("winner", codes, texts), codes.map((code) => Number(code >= 0 && draw[code])), heads.table.columns);
  };

  // Refuses cells of several people, of whom some stand in others, too.
  const refuseSeveral = (texts) => {
    const parts = texts.map((text) => [...new Set(text.split(TOGETHER).map((part) => casefold(part.trim())))]);
    const counts = new Map();
    for (const part of parts.flat()) counts.set(part, (counts.get(part) ?? 0) + 1);
    const several = parts.findIndex((each) => each.length > 1 && each.some((part) => counts.get(part) > 1));
    if (several >= 0) refuse(`${shown(texts[several])} is several: a row for each player of each game is needed`);
  };

  // Refuses cells that name nobody, or several, and winners beside those who were named.
  const refuseNoWinners = (heads, won, names) => {
    const letters = won.every((text) => [...text].length === 1);
    const nobody = won.find((text) => !key(text) || text.startsWith("#") || meaningOf(text) === "winner" || key(text).startsWith("total")
      || (letters && ["d", "x", "t"].includes(casefold(text))));
    if (nobody !== undefined) refuse(`winner ${shown(nobody)} may be nobody: leave this row out, or write draw for a draw`);
    refuseSeveral(won);
    if (heads.labels.length && names.length > heads.labels.length) {
      refuse(say("Labels: “{name}” has won a game and is not among these: {names}",
        { name: shortened(names.find((text) => !heads.labels.includes(text))), names: nameList(heads.labels) }));
    }
    if (names.length < 2) refuse(`${shown(names)} has won every game: option labels says who else plays`);
    if (names.length > MOST_LABELS) refuse(`${names.length.toLocaleString("en-US")} different winners; ${MOST_LABELS.toLocaleString("en-US")} are allowed`);
  };

  // Games of which only the winner is known: the same labels take part in each.
  const ofWinners = (heads, { codes, texts }, called, used) => {
    const draw = texts.map(() => false);
    codes.forEach((code, row) => { if (code >= 0 && called[row]) draw[code] = true; });
    const won = texts.filter((_, place) => !draw[place]);
    const folded = foldedOf([...heads.labels, ...won]);
    const labels = [...folded.values()];
    refuseNoWinners(heads, won, labels);
    const empty = heads.draws ? -1 : codes.findIndex((code, row) => code < 0 && !called[row]);
    if (empty >= 0) refuse(`game ${empty + 1}: nobody won it; ${ADD_DRAWS}`);
    const order = new Map([...folded.keys()].map((name, place) => [name, place]));
    const winners = codes.map((code) => (code < 0 || draw[code] ? -1 : order.get(casefold(texts[code]))));
    const wins = [...tally(winners.filter((code) => code >= 0), labels.length)];
    const draws = winners.filter((code) => code < 0).length;
    const listed = labels.slice(0, 6).map(shortened).join(", ") + (labels.length > 6 ? ` and ${labels.length - 6} more` : "");
    const play = heads.labels.length ? "play in each" : "are taken to play in each; whoever never won is not seen (option labels)";
    const said = [`${count(codes.length, "game")}, of which only the winner is known: ${listed} ${play}`, ...(draws ? [count(draws, "draw")] : [])];
    return { counts: { labels, wins, played: wins.map(() => codes.length), draws, single: true }, winners, faults: {}, reading: heads.told(said, used) };
  };

  // Two by two

  // The two seats of a table, if there are just two: of a known set, numbered, or asked for.
  const pairOf = (heads, candidates) => {
    const texts = candidates.filter((column) => !column.isNumeric);
    let found = family(heads.askedKind ? candidates : texts).filter((group) => group.length === 2);
    if (heads.askedKind && !found.length) found = [[...candidates]];
    if (!found.length) found = seatsByNumber(texts).map((group) => [...group.values()]);
    return found.length === 1 && found[0].length === 2 ? found[0] : null;
  };

  // For each text the number of the seat that won, 0 for a draw: by scores, the seat's name or its first letter.
  const ofPair = (result, pair) => {
    const heads = pair.map((column) => key(column.name));
    const letters = heads[0][0] === heads[1][0] ? new Map() : new Map(heads.map((head, place) => [head[0], place + 1]));
    const halves = ["0.5", "0,5", "½", "1/2"].some((text) => result.texts.includes(text));
    const worth = new Map(halves ? [["1", 1], ["0", 2], ["0.5", 0], ["0,5", 0]]
      : [["1", 1], ["2", 2], ...(result.texts.includes("2") ? [["0", 0]] : [])]);
    return result.texts.map((text) => {
      const name = key(text).replace(/(wins|won|win)$/, "");
      if (ofGame(text) !== null) return ofGame(text);
      if (isDraw(text) || (["d", "x", "draw"].includes(name) && !letters.has(name))) return 0;
      if (heads.includes(name)) return heads.indexOf(name) + 1;
      return worth.get(text) ?? letters.get(name) ?? null;
    });
  };

  // Games of two seats, of which one won, or none; `said` where that is known.
  const ofTwo = (heads, pair, result, found, said) => {
    const row = said.findIndex((is) => !is);
    if (row >= 0) refuse(`game ${nameOf(heads)(row)}: its ${result.name} is empty; ${ADD_DRAWS}`);
    const seat = Array.from(result.codes, (code) => (code < 0 ? 0 : found[code]));
    const drawn = Float64Array.from(seat, (one) => Number(one === 0));
    return seated(heads, pair, (number, place) => seat[number] === place + 1, drawn, `${result.name} of ${pair[0].name} and ${pair[1].name}`, [result], true);
  };

  // Results such as 1-0 of two seats.
  const byResults = (heads, result) => {
    const pair = pairOf(heads, candidatesOf(heads, result));
    if (!pair) heads.refusal(`which two columns are seats, with results such as ${result.texts[0]}? Option seat says`);
    const found = ofPair(result, pair);
    const bad = result.codes.findIndex((code) => code < 0 || found[code] === null);
    if (bad >= 0) {
      const value = result.cell(bad) ? shown(result.cell(bad)) : "empty";
      refuse(`game ${nameOf(heads)(bad)}: its ${result.name} is ${value}: 1-0, 0-1 or 1/2-1/2 is needed`);
    }
    return ofTwo(heads, pair, result, found, [true]);
  };

  // The winner and the losers of each game, by name.
  const byLosers = (heads, winner, losers, drawn) => {
    const empty = winner.codes.findIndex((code, row) => code < 0 || losers[0].codes[row] < 0);
    if (empty >= 0) refuse(`game ${nameOf(heads)(empty)}: its ${winner.name} or its ${losers[0].name} is empty`);
    const columns = [winner, ...losers];
    const [row, place] = takenOf(heads, columns);
    const player = playersOf(columns, row, place);
    refuseByes(player.texts);
    refuseSeveral(player.texts);
    const won = Float64Array.from(row, (number, k) => Number(place[k] === 0 && !drawn[number]));
    const how = `${winner.name} and ${losers.map((column) => column.name).join(", ")} by name`;
    const used = [...columns, ...heads.of("draw"), ...gamesColumn(heads)];
    return finished(heads, longOf(row, nameOf(heads), won, { player }, drawn), "players", how, used);
  };

  // What a player wrote of each game: the opponent, and how it ended for the player.
  const byLog = (heads) => {
    const [result, player, opponent] = ["won", "player", "opponent"].map(heads.one);
    if (!result || !player || !opponent || heads.one("winner")) return null;
    const found = valuesOf(result);
    if (found.includes(null) || result.empty) return null;
    const worth = Float64Array.from(result.codes, (code) => (found[code] === "draw" ? 0.5 : found[code]));
    const [row, place] = takenOf(heads, [player, opponent]);
    const drawn = worth.map((value) => Number(value === 0.5));
    const won = Float64Array.from(row, (number, k) => (drawn[number] ? 0 : place[k] === 0 ? worth[number] : 1 - worth[number]));
    const labels = { player: playersOf([player, opponent], row, place) };
    const used = [result, player, opponent, ...gamesColumn(heads)];
    return finished(heads, longOf(row, nameOf(heads), won, labels, drawn), "players", `${result.name} of ${player.name}`, used);
  };

  // What each label has won

  // A row for each cell, with its column, or the one named for it, as its label: a seat if numbered, else a role.
  const labelled = (heads, columns, named, judge) => {
    const [row, place] = takenOf(heads, columns);
    const texts = new Map();
    const codes = columns.map((column) => codedAmong(column, texts));
    const seats = seatNames(named);
    const kind = heads.askedKind === "player" ? "seat" : heads.askedKind ?? (seats ? "seat" : "role");
    const labels = { [kind]: columnOf(kind, place, seats ?? named.map((column) => column.name)) };
    const long = longOf(row, nameOf(heads), new Float64Array(row.length), labels, new Float64Array(heads.table.rows));
    judge(long, columnOf("won", row.map((number, k) => codes[place[k]][number]), [...texts.keys()], columns.some((column) => column.comma)), heads);
    if (kind === "role" && tally(row, long.games, long.won).every((won) => won <= 1 + TOLERANCE)) long.labels = { side: labels.role, ...labels };
    return long;
  };

  const nounOf = (long) => `${["seat", "role"].find((kind) => long.labels[kind]) ?? "side"}s`;

  // Refuses columns of 0 and 1 that need not be of those who win.
  const refuseDoubts = (heads, columns, long) => {
    const named = shown(columns.map((column) => column.name));
    const several = tally(long.game, long.games, long.won).findIndex((won) => won > 1 + TOLERANCE);
    if (several >= 0) heads.refusal(`${long.called(several)}: several of ${named} have won it: which of them play? Option role or side says`);
    const never = columns.find((column) => !valuesOf(column).some((value) => value));
    if (columns.length > 2 && never && !seatNames(columns)) {
      heads.refusal(`${shown(never.name)} never won: which of ${named} play? Option role or side says`);
    }
  };

  const byLabel = (heads) => {
    const all = candidatesOf(heads);
    const columns = all.filter((column) =>
      heads.askedKind || (heads.kind(column) === null && valuesOf(column).every((value) => value !== null)));
    if (!heads.askedKind && (columns.length < 2 || columns.length < all.length)) {
      heads.refusal(`${FORMS} is needed; options (game, winner, seat, role, side, score) name columns`);
    }
    const long = labelled(heads, columns, columns, byResult);
    const drawn = drawnOf(heads, null, new Set());
    long.drawn = Array.from(long.drawn, (is, game) => Number(is || drawn[game]));
    if (!heads.askedKind) refuseDoubts(heads, columns, long);
    const names = columns.map((column) => column.name).join(", ");
    const used = [...columns, ...heads.of("draw"), ...gamesColumn(heads)];
    return finished(heads, long, nounOf(long), `results in columns ${names}`, used);
  };

  // A score for each of several columns, of which the best wins; with their players, where as many are named.
  const byScores = (heads) => {
    const scores = heads.asked.score;
    const seats = heads.asked[heads.askedKind] ?? scores;
    if (seats.length !== scores.length) {
      heads.refusal(`${scores.length} columns of scores and ${seats.length} of seats were named: as many are needed`);
    }
    const long = labelled(heads, scores, seats, byBest);
    if (seats !== scores) {
      const [row, place] = takenOf(heads, scores);
      long.labels.player = playersOf(seats, row, place);
      refuseByes(long.labels.player.texts);
    }
    const best = `${heads.lowest ? "lowest" : "highest"} of columns ${scores.map((column) => column.name).join(", ")} wins`;
    return finished(heads, long, nounOf(long), best, [...scores, ...seats, ...gamesColumn(heads)]);
  };

  const ofGames = (heads) => {
    const named = [...heads.of("winner"), ...heads.of("won")].filter((column) => column.texts.length);
    oneRowEach(heads);
    if (heads.asked.score) return byScores(heads);
    const log = byLog(heads);
    if (log) return log;
    const result = named.find((column) => column.texts.some((text) => ofGame(text) !== null));
    const winner = heads.one("winner");
    if (result && (!winner || result === winner)) return byResults(heads, result);
    if (named.length) return byWinner(heads, named[0]);
    return heads.table.columns.length === 1 ? listOfWinners(heads) : byLabel(heads);
  };

  // Results of a table that `tables.read` gave: { rows or counts, winners, faults, reading }.
  const read = (table, options = {}) => {
    const heads = headsOf(table, options);
    if (new Set(heads.labels).size < heads.labels.length) refuse(say("Labels: the same one stands there twice: {names}", { names: nameList(heads.labels) }));
    return ofPlayers(heads) ?? ofGames(heads);
  };

  // The kinds of labels that results can be judged by.
  const kinds = (games) => (games.counts ? KINDS : KINDS.filter((kind) => games.rows[kind]));

  return { KINDS, NAMED, OPTIONS, read, kinds, meaning };
})(WORDS);
