// What was typed, pasted or came with a link, as counts; refused in one line that names the place. Nothing in this part
// touches the page. What was typed is { by, rows: [{ label, wins, games }], draws, margin, level, looks, after }, all texts.
const reading = (() => {
  "use strict";
  const KINDS = ["role", "seat", "side", "player"];
  const LEVELS = ["90", "95", "99"];
  const MOST_ROWS = 10;
  const MOST_LOOKS = 1e6;
  const LONGEST = 40;
  const LONGEST_LINE = 500;

  const count = (text) => (isUnsure(text) ? NaN : value(text));

  const { kindName, gamesText, shownNumber } = fairness;
  // The field of a refusal is "row" (its place from 0, and which of name, wins and games), "rows", "draws", "margin",
  // "looks", "after", "paste" or "link".
  const { say, value, isUnsure, refuse, clean, short } = language;

  const nameOf = (by, label) => short(fairness.nameOf(by, label));

  // A number that was typed into a field of this name, if it is at least, and at most, so large; `where` is for refusals.
  const numberIn = (name, text, { least, most = Infinity, parts = false }, ...where) => {
    const number = count(text);
    if (least <= number && number <= most && (parts || number % 1 === 0)) return number;
    const values = { name, text: short(clean(text)), least, most: shownNumber(most) };
    return refuse(isUnsure(text) ? say("{name}: {text} can be read in two ways, so type it without a point or comma", values)
      : parts ? say("{name}: type a number, {least} or more", values)
        : most < Infinity ? say("{name}: type a whole number from {least} to {most}", values)
          : say("{name}: type a whole number, {least} or more", values), ...where);
  };

  const filled = ({ label, wins, games }) => [label, wins, games].some((text) => clean(text) !== "");

  const severalNeeded = (number) => say("Rows: type the wins of two or more, to {most}, and not of {number}", { most: MOST_ROWS, number: shownNumber(number) });

  // The rows that are not empty, each with its place, once every label stands there once and nothing is missing.
  const wholeRows = ({ by, rows }) => {
    const used = rows.map((row, place) => ({ ...row, label: clean(row.label), place })).filter(filled);
    if (used.length < 2 || rows.length > MOST_ROWS) refuse(severalNeeded(rows.length > MOST_ROWS ? rows.length : used.length), "rows");
    const some = used.some(({ games }) => clean(games) !== "");
    used.forEach(({ label, wins, games, place }, k) => {
      const name = nameOf(by, label);
      if (label === "") refuse(say("Row {number}: type the name of a {by}", { number: place + 1, by: kindName(by) }), "row", place, [0]);
      if (used.findIndex((row) => row.label === label) < k) refuse(say("{name} stands there twice: type another name", { name }), "row", place, [0]);
      if (some && clean(games) === "") refuse(say("Games of {name}: type them in every row, or in none", { name }), "row", place, [2]);
    });
    return { used, some };
  };

  // Wins and games of each row, where games are given.
  const pairs = (by, used) => used.map(({ label, wins, games, place }) => {
    const name = nameOf(by, label);
    const won = numberIn(say("Wins of {name}", { name }), wins, { least: 0, parts: true }, "row", place, [1]);
    const played = numberIn(say("Games of {name}", { name }), games, { least: 1 }, "row", place, [2]);
    if (won > played) refuse(say("{name}: {wins} wins are more than {games}", { name, wins: shownNumber(won), games: gamesText(played) }), "row", place, [1, 2]);
    if (played > fairness.MOST_GAMES) tooMany(played, "row", place, [2]);
    return [won, played];
  });

  const tooMany = (games, ...where) =>
    refuse(say("{games}: at most {most} are judged here", { games: gamesText(games), most: shownNumber(fairness.MOST_GAMES) }), ...where);

  // The same where each game had one winner, or was drawn.
  const winners = (by, used, draws) => {
    const wins = used.map(({ label, wins: text, place }) => numberIn(say("Wins of {name}", { name: nameOf(by, label) }), text, { least: 0 }, "row", place, [1]));
    const games = wins.reduce((total, won) => total + won, draws);
    if (games > fairness.MOST_GAMES) tooMany(games, "rows");
    return wins.map((won) => [won, games]);
  };

  // Wins and games that were typed, by the rules of Games.from_counts.
  const counts = (typed) => {
    const { by } = typed;
    const { used, some } = wholeRows(typed);
    const draws = clean(typed.draws) === "" ? 0 : numberIn(say("Draws"), typed.draws, { least: 0 }, "draws");
    const found = some ? pairs(by, used) : winners(by, used, draws);
    const [wins, played] = [found.map(([won]) => won), found.map(([, games]) => games)];
    const total = wins.reduce((all, won) => all + won, draws);
    const single = played.every((games) => games === total) && wins.every((won) => won % 1 === 0);
    if (!single && draws) refuse(say("Draws: wins and draws together are not the games that each has played"), "draws");
    if (Math.max(...played) < 2) refuse(say("Two games or more are needed"), "rows");
    return { labels: used.map(({ label }) => label), wins, played, draws, single };
  };

  const settings = (typed) => {
    const margin = value(typed.margin);
    if (!(margin > 0 && margin < 100)) refuse(say("Margin: type a number between 0 and 100"), "margin");
    return {
      margin: margin / 100, level: Number(typed.level) / 100, lookedAfter: numbersOf(typed.after),
      looks: clean(typed.looks) === "" ? null : numberIn(say("Looks in all"), typed.looks, { least: 1, most: MOST_LOOKS }, "looks"),
    };
  };

  // Numbers of games, between commas with blanks or semicolons; a comma or a blank alone may be a mark for thousands.
  const numbersOf = (text) => clean(text).normalize("NFKC").replaceAll("、", ";").split(/,? ?; ?|, | ,/).filter(Boolean).map((part) => {
    const games = count(part);
    if (/^[1-9]\d{0,2}([, ][1-9]\d{2})+$/.test(part)) {
      refuse(say("Looked after: {text} can be one number or several, so type 55, 900 for two", { text: short(part) }), "after");
    }
    if (Number.isInteger(games) && games > 0) return [games];
    const several = part.split(/[, ]/).filter(Boolean).map(Number);
    return several.every((one) => Number.isInteger(one) && one > 0) ? several : refuse(say("Looked after: type numbers of games, such as 55, 900"), "after");
  }).flat();

  // What `fairness.judge` takes.
  const asked = (typed) => ({ by: typed.by, ...counts(typed), ...settings(typed) });

  // Lines such as "wolves 30", "wolves, 30, 55", "seat 1<TAB>204" and "wolves: 30 of 55"

  // Digits and marks in their plain form, without blanks between thousands: those that break no line, and 1 030, where
  // 030 is no number of its own. Letters stay as they are.
  const narrow = (line) => line.replace(/[\uff0b-\uff1b\uff5c]/g, (mark) => mark.normalize("NFKC")).replaceAll("、", ",")
    .replace(/(?<=\d)[\u00a0\u2009\u202f](?=\d{3}(?!\d))/g, "")
    .replace(/(?<!\S)[1-9]\d{0,2}( \d{3})+(?!\S)/g, (number) => (/ 0/.test(number) ? number.replaceAll(" ", "") : number));

  const numeric = (text) => isUnsure(text) || !Number.isNaN(value(text));

  const row = (label, wins, games = "") => {
    const letters = [...clean(label).replace(/^"(.*)"$/, "$1")];
    return { label: letters.slice(0, LONGEST).join(""), wins, games };
  };

  // How many of the last fields are numbers of wins and games.
  const numbersAtEnd = (fields) => (fields.length > 2 && numeric(fields.at(-2)) && numeric(fields.at(-1)) ? 2 : 1);

  const rowOf = (fields, numbers, between) => row(fields.slice(0, -numbers).join(between), ...fields.slice(-numbers));

  // A tab, a semicolon and the like come before a comma, which may stand within numbers.
  const separated = (line) => {
    const parts = /^(.*?)(?<![\s,;:|])[\s,;:|]+([\d.,+-]+)\s*(?:of|sur|\/)\s*([\d.,+-]+)$/i.exec(line);
    if (parts) return row(...parts.slice(1));
    const between = ["\t", ";", "|", ":", ","].find((mark) => line.includes(mark));
    const fields = between ? line.split(between).map(clean).filter(Boolean) : [];
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
    for (const each of all) if (each.line.length <= LONGEST_LINE) each.line = narrow(each.line);
    if (all.length > 1 && !/\p{Nd}/u.test(all[0].line)) all.shift();
    if (!all.length) refuse(say("Nothing was pasted: lines with names and their wins are needed, such as wolves 30 or wolves 30 of 55"), "paste");
    // One more than rows may be the draws.
    if (all.length > MOST_ROWS + 1) refuse(severalNeeded(all.length), "paste");
    const wrong = ({ number, line }) => refuse(say("Line {number}, {text}: a name and its wins are needed, such as wolves 30 or wolves 30 of 55",
      { number, text: short(clean(line.slice(0, LONGEST_LINE))) }), "paste");
    all.filter(({ line }) => line.length > LONGEST_LINE).forEach(wrong);
    const rows = all.map(({ line }) => separated(line));
    const rest = spaced(all.filter((_, k) => !rows[k]).map(({ line }) => line.split(/\s+/)));
    const found = rows.map((one) => one ?? rest.shift());
    found.forEach(({ label, wins, games }, k) => {
      if (!label || !numeric(wins) || (games !== "" && !numeric(games))) wrong(all[k]);
    });
    const draws = found.find(({ label }) => results.meaning({ name: label }) === "draw");
    const kept = found.filter((one) => one !== draws);
    if (kept.length > MOST_ROWS) refuse(severalNeeded(kept.length), "paste");
    return { rows: kept, draws: draws?.wins ?? null };
  };

  // Links

  // Numbers in links are the same in each language; `language.number` writes them into fields.
  const linked = (text) => (Number.isNaN(value(text)) ? clean(text) : String(value(text)));

  const hash = ({ by, rows, draws, margin, level, looks, after }) => {
    const parts = new URLSearchParams({ by });
    for (const { label, wins, games } of rows.filter(filled)) {
      parts.append("row", [linked(wins), linked(games), clean(label)].join("_"));
    }
    const usual = { draws: "", margin: "5", level: "95", looks: "", after: "" };
    const said = { draws: linked(draws), margin: linked(margin), level, looks: linked(looks), after: numbersOf(after).join(", ") };
    for (const [name, text] of Object.entries(said)) if (text !== usual[name]) parts.append(name, text);
    return `#${parts}`;
  };

  // What a link says, if there is a verdict on it.
  const fromHash = (text) => {
    const parts = new URLSearchParams(text.replace(/^#/, ""));
    const said = (name, usual) => parts.get(name) ?? usual;
    const numeral = (name, usual) => language.number(clean(said(name, usual)));
    const rows = parts.getAll("row").map((one) => /^([^_]*)_([^_]*)_(.*)$/s.exec(one));
    if (!rows.length || rows.includes(null)) refuse(say("rows of the form wins_games_name are needed"), "link");
    const typed = {
      by: said("by", "role"), draws: numeral("draws", ""), margin: numeral("margin", "5"), level: said("level", "95"),
      looks: numeral("looks", ""), after: said("after", ""),
      rows: rows.map(([, wins, games, label]) => row(label, ...[wins, games].map((text) => language.number(clean(text))))),
    };
    for (const [name, allowed] of [["by", KINDS], ["level", LEVELS]]) {
      if (!allowed.includes(typed[name])) refuse(say("{name} is {text}, and not one of {allowed}", { name, text: short(typed[name]), allowed: allowed.join(", ") }), "link");
    }
    fairness.judge(asked(typed));
    return typed;
  };

  return { MOST_ROWS, LONGEST, asked, settings, lines, hash, fromHash };
})();
