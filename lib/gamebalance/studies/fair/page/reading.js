// What was typed, pasted or came with a link, as counts; refused in one line that names the place. Nothing in this part
// touches the page. What was typed is { by, rows: [{ label, wins, games }], draws, margin, level, looks }, all texts.
const reading = (() => {
  "use strict";
  const KINDS = ["role", "seat", "side", "player"];
  const LEVELS = ["90", "95", "99"];
  const MOST_ROWS = 10;
  const MOST_LOOKS = 1e6;
  const LONGEST = 40;
  const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)$/;

  // `field` is what was refused: "row" (its place from 0, and which of name, wins and games), "rows", "draws", "margin",
  // "looks", "paste" or "link".
  const refuse = (message, field, place = -1, cells = []) => {
    throw Object.assign(new Error(message), { field, place, cells });
  };

  const clean = (text) => String(text).replace(/\s+/g, " ").trim();

  // Numbers as numbers, anything else as the text it is.
  const value = (text) => (NUMBER.test(clean(text)) ? Number(clean(text)) : clean(text));

  const quoted = (text) => {
    const mark = text.includes("'") && !text.includes('"') ? '"' : "'";
    return mark + text.replace(/\\/g, "\\\\").replaceAll(mark, `\\${mark}`) + mark;
  };

  // As Python shows it.
  const shown = (thing) => {
    if (typeof thing === "string") return quoted(thing);
    return Number.isInteger(thing) ? BigInt(thing).toString() : String(thing);
  };

  const short = (text) => (text.length > 60 ? `${text.slice(0, 59)}…` : text);

  const nameOf = (label) => (fairness.isNumber(label) ? label : quoted(label));

  const wholeNumber = (name, text, field, least, most = Infinity) => {
    const number = value(text);
    if (Number.isInteger(number) && least <= number && number <= most) return number;
    const allowed = most === Infinity ? `a whole number, ${least} or more,` : `a whole number from ${least} to ${most}`;
    return refuse(`${name} = ${short(shown(number))}: ${allowed} is needed`, field);
  };

  const pairText = ({ wins, games }) => short(`(${shown(value(wins))}, ${shown(value(games))})`);

  const filled = ({ label, wins, games }) => [label, wins, games].some((text) => clean(text) !== "");

  // The rows that are not empty, each with its place, once every label stands there once and nothing is missing.
  const wholeRows = ({ by, rows }) => {
    const used = rows.map((row, place) => ({ ...row, label: clean(row.label), place })).filter(filled);
    if (rows.length > MOST_ROWS) refuse(`${rows.length} rows: wins and games of two or more, to ${MOST_ROWS}, are needed`, "rows");
    if (used.length < 2) {
      const counts = used.map((row) => `${nameOf(row.label)}: ${pairText(row)}`).join("");
      refuse(`counts = ${short(`{${counts}}`)}: wins and games of two or more, to ${MOST_ROWS}, are needed`, "rows");
    }
    const some = used.some(({ games }) => clean(games) !== "");
    used.forEach(({ label, wins, games, place }, k) => {
      if (label === "") refuse(`row ${place + 1}: its ${by} is empty`, "row", place, [0]);
      if (used.findIndex((row) => row.label === label) < k) refuse(`${by} ${nameOf(label)} stands there twice`, "row", place, [0]);
      if (clean(wins) === "") refuse(`row ${place + 1}: its wins are empty`, "row", place, [1]);
      if (some && clean(games) === "") refuse(`row ${place + 1}: its games are empty; give them in every row, or in none`, "row", place, [2]);
    });
    return { used, some };
  };

  // Wins and games of each row, where games are given.
  const pairs = (used) => used.map((row) => {
    const [won, played] = [value(row.wins), value(row.games)];
    const numbers = typeof won === "number" && typeof played === "number";
    if (!numbers || won < 0 || won > played || played < 1 || played % 1) {
      const needed = "(wins, games) with 0 <= wins <= games is needed, games from 1";
      refuse(`counts[${nameOf(row.label)}] = ${pairText(row)}: ${needed}`, "row", row.place, [1, 2]);
    }
    if (played > fairness.MOST_GAMES) wholeGames(played, "row", row.place, [2]);
    return [won, played];
  });

  const wholeGames = (games, ...where) =>
    refuse(`games = ${shown(games)}: a whole number from 1 to ${fairness.MOST_GAMES} is needed`, ...where);

  // The same where each game had one winner, or was drawn.
  const winners = (used, draws) => {
    const wins = used.map(({ label, wins: text, place }) => {
      const won = value(text);
      if (Number.isInteger(won) && won >= 0) return won;
      return refuse(`counts[${nameOf(label)}] = ${short(shown(won))}: a whole number, 0 or more, is needed`, "row", place, [1]);
    });
    const games = wins.reduce((total, won) => total + won, draws);
    if (games > fairness.MOST_GAMES) wholeGames(games, "rows");
    return wins.map((won) => [won, games]);
  };

  // What `fairness.judge` takes: the rules of Games.from_counts.
  const counts = (typed) => {
    const { used, some } = wholeRows(typed);
    const draws = clean(typed.draws) === "" ? 0 : wholeNumber("draws", typed.draws, "draws", 0);
    const found = some ? pairs(used) : winners(used, draws);
    const [wins, played] = [found.map(([won]) => won), found.map(([, games]) => games)];
    const total = wins.reduce((all, won) => all + won, draws);
    const single = played.every((games) => games === total) && wins.every((won) => won % 1 === 0);
    if (!single && draws) refuse(`draws = ${draws}: with the wins they are not the games that each has played`, "draws");
    if (Math.max(...played) < 2) refuse("games: two or more are needed", "rows");
    return {
      by: typed.by, labels: used.map(({ label }) => label), wins, played, draws, single, ...settings(typed),
    };
  };

  const settings = (typed) => {
    const margin = value(typed.margin);
    if (typeof margin !== "number" || margin <= 0 || margin >= 100) {
      refuse(`margin = ${short(shown(margin))}: a number between 0 and 100 is needed`, "margin");
    }
    return {
      margin: margin / 100, level: Number(typed.level) / 100,
      looks: wholeNumber("looks", typed.looks, "looks", 1, MOST_LOOKS),
    };
  };

  // Lines such as "wolves 30", "wolves, 30, 55", "seat 1<TAB>204" and "wolves: 30 of 55"

  const numeric = (text) => NUMBER.test(text);

  const row = (label, wins, games = "") => {
    const letters = [...clean(label).replace(/^"(.*)"$/, "$1")];
    return { label: letters.slice(0, LONGEST).join(""), wins, games };
  };

  // How many of the last fields are numbers of wins and games.
  const numbersAtEnd = (fields) => (fields.length > 2 && numeric(fields.at(-2)) && numeric(fields.at(-1)) ? 2 : 1);

  const rowOf = (fields, numbers, between) => row(fields.slice(0, -numbers).join(between), ...fields.slice(-numbers));

  const separated = (line) => {
    const parts = /^(.*?)[\s,;:|]+([\d.+-]+)\s*(?:of|\/)\s*([\d.+-]+)$/i.exec(line);
    if (parts) return row(...parts.slice(1));
    const fields = line.split(/\s*[\t,;:|]\s*/).filter(Boolean);
    return fields.length > 1 ? rowOf(fields, numbersAtEnd(fields), " ") : null;
  };

  // "seat 1 204" has the wins alone at its end, "wolves 30 55" the games too: there the names differ without the numbers.
  const spaced = (all) => {
    const both = all.map((fields) => rowOf(fields, numbersAtEnd(fields), " "));
    const named = new Set(both.map(({ label }) => label)).size === all.length;
    return named && both.every(({ games }) => games !== "") ? both : all.map((fields) => rowOf(fields, 1, " "));
  };

  // The rows of a text, and its draws if a line names them.
  const lines = (text) => {
    const all = text.split(/\r\n|\r|\n/).map((line, k) => ({ line: line.trim(), number: k + 1 })).filter(({ line }) => line !== "");
    if (all.length > 1 && !/\d/.test(all[0].line)) all.shift();
    if (!all.length) refuse("no lines: names and their wins are needed, such as wolves 30 or wolves 30 of 55", "paste");
    const rows = all.map(({ line }) => separated(line));
    const rest = spaced(all.filter((_, k) => !rows[k]).map(({ line }) => line.split(/\s+/)));
    const found = rows.map((one) => one ?? rest.shift());
    found.forEach(({ label, wins, games }, k) => {
      if (label && numeric(wins) && (games === "" || numeric(games))) return;
      refuse(`line ${all[k].number}: ${short(quoted(clean(all[k].line)))}: a name and its wins are needed, such as wolves 30 or wolves 30 of 55`, "paste");
    });
    const draws = found.find(({ label }) => /^draws?$/i.test(label));
    const kept = found.filter((one) => one !== draws);
    if (kept.length > MOST_ROWS) refuse(`${kept.length} rows: wins and games of two or more, to ${MOST_ROWS}, are needed`, "paste");
    return { rows: kept, draws: draws?.wins ?? null };
  };

  // Links

  const hash = ({ by, rows, draws, margin, level, looks }) => {
    const parts = new URLSearchParams({ by });
    for (const { label, wins, games } of rows.filter(filled)) {
      parts.append("row", [clean(wins), clean(games), clean(label)].join("_"));
    }
    for (const [name, text, usual] of [["draws", draws, ""], ["margin", margin, "5"], ["level", level, "95"], ["looks", looks, "1"]]) {
      if (clean(text) !== usual) parts.append(name, clean(text));
    }
    return `#${parts}`;
  };

  // What a link says, if there is a verdict on it.
  const fromHash = (text) => {
    const parts = new URLSearchParams(text.replace(/^#/, ""));
    const said = (name, usual) => parts.get(name) ?? usual;
    const rows = parts.getAll("row").map((one) => /^([^_]*)_([^_]*)_(.*)$/s.exec(one));
    if (!rows.length || rows.includes(null)) refuse("rows of the form wins_games_name are needed", "link");
    const typed = {
      by: said("by", "role"), draws: said("draws", ""), margin: said("margin", "5"), level: said("level", "95"),
      looks: said("looks", "1"), rows: rows.map(([, wins, games, label]) => row(label, clean(wins), clean(games))),
    };
    for (const [name, allowed] of [["by", KINDS], ["level", LEVELS]]) {
      if (!allowed.includes(typed[name])) refuse(`${name} = ${short(quoted(typed[name]))}: one of ${allowed.join(", ")} is needed`, "link");
    }
    counts(typed);
    return typed;
  };

  return { KINDS, LEVELS, MOST_ROWS, LONGEST, counts, lines, hash, fromHash };
})();
