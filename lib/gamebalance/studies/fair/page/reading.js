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
  const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)$/;
  // 1,000 and 1 000; a point may be either mark there, and is not guessed at.
  const THOUSANDS = /^[+-]?[1-9]\d{0,2}([,' ’]\d{3})+$/;
  const UNSURE = /^[+-]?[1-9]\d{0,2}(\.\d{3})+$/;

  // `field` is what was refused: "row" (its place from 0, and which of name, wins and games), "rows", "draws", "margin",
  // "looks", "after", "paste" or "link".
  const refuse = (message, field, place = -1, cells = []) => {
    throw Object.assign(new Error(message), { field, place, cells });
  };

  const clean = (text) => String(text).replace(/\s+/g, " ").trim();

  // Numbers as numbers, in any width of digits, with a decimal comma or marks for thousands; anything else as NaN.
  const value = (text) => {
    const plain = clean(text).normalize("NFKC").replace("−", "-");
    if (THOUSANDS.test(plain)) return Number(plain.replace(/[,' ’]/g, ""));
    const pointed = plain.replace(/^([+-]?\d*),(\d{1,2}|\d{4,})$/, "$1.$2");
    return NUMBER.test(pointed) ? Number(pointed) : NaN;
  };

  const count = (text) => (UNSURE.test(clean(text).normalize("NFKC")) ? NaN : value(text));

  const short = (text) => (text.length > 60 ? `${text.slice(0, 59)}…` : text);

  const nameOf = (by, label) => short(fairness.isNumber(label) ? `${by} ${label}` : label);

  const { shownNumber } = fairness;

  const wholeNumber = (name, text, field, least, most = Infinity) => {
    const number = count(text);
    if (Number.isInteger(number) && least <= number && number <= most) return number;
    return refuse(`${name}: type a whole number${most === Infinity ? `, ${least} or more` : ` from ${least} to ${shownNumber(most)}`}`, field);
  };

  const filled = ({ label, wins, games }) => [label, wins, games].some((text) => clean(text) !== "");

  const SEVERAL = `type the wins of two or more, to ${MOST_ROWS}`;

  // The rows that are not empty, each with its place, once every label stands there once and nothing is missing.
  const wholeRows = ({ by, rows }) => {
    const used = rows.map((row, place) => ({ ...row, label: clean(row.label), place })).filter(filled);
    if (used.length < 2 || rows.length > MOST_ROWS) refuse(`${rows.length > MOST_ROWS ? rows.length : used.length || "No"} row${used.length === 1 ? "" : "s"}: ${SEVERAL}`, "rows");
    const some = used.some(({ games }) => clean(games) !== "");
    used.forEach(({ label, wins, games, place }, k) => {
      const name = nameOf(by, label);
      if (label === "") refuse(`Row ${place + 1}: type the name of a ${by}`, "row", place, [0]);
      if (used.findIndex((row) => row.label === label) < k) refuse(`${name} stands there twice: type another name`, "row", place, [0]);
      if (clean(wins) === "") refuse(`Wins of ${name}: type a whole number`, "row", place, [1]);
      if (some && clean(games) === "") refuse(`Games of ${name}: type them in every row, or in none`, "row", place, [2]);
    });
    return { used, some };
  };

  // Wins and games of each row, where games are given.
  const pairs = (by, used) => used.map(({ label, wins, games, place }) => {
    const [won, played] = [count(wins), count(games)];
    const name = nameOf(by, label);
    if (!(won >= 0)) refuse(`Wins of ${name}: type a number, 0 or more`, "row", place, [1]);
    if (!(played >= 1) || played % 1) refuse(`Games of ${name}: type a whole number, 1 or more`, "row", place, [2]);
    if (won > played) refuse(`${name}: ${shownNumber(won)} wins are more than ${shownNumber(played)} games`, "row", place, [1, 2]);
    if (played > fairness.MOST_GAMES) tooMany(played, "row", place, [2]);
    return [won, played];
  });

  const tooMany = (games, ...where) => refuse(`${shownNumber(games)} games: at most ${shownNumber(fairness.MOST_GAMES)} are judged here`, ...where);

  // The same where each game had one winner, or was drawn.
  const winners = (by, used, draws) => {
    const wins = used.map(({ label, wins: text, place }) => {
      const won = count(text);
      if (Number.isInteger(won) && won >= 0) return won;
      return refuse(`Wins of ${nameOf(by, label)}: type a whole number`, "row", place, [1]);
    });
    const games = wins.reduce((total, won) => total + won, draws);
    if (games > fairness.MOST_GAMES) tooMany(games, "rows");
    return wins.map((won) => [won, games]);
  };

  // Wins and games that were typed, by the rules of Games.from_counts.
  const counts = (typed) => {
    const { by } = typed;
    const { used, some } = wholeRows(typed);
    const draws = clean(typed.draws) === "" ? 0 : wholeNumber("Draws", typed.draws, "draws", 0);
    const found = some ? pairs(by, used) : winners(by, used, draws);
    const [wins, played] = [found.map(([won]) => won), found.map(([, games]) => games)];
    const total = wins.reduce((all, won) => all + won, draws);
    const single = played.every((games) => games === total) && wins.every((won) => won % 1 === 0);
    if (!single && draws) refuse("Draws: wins and draws together are not the games that each has played", "draws");
    if (Math.max(...played) < 2) refuse("Two games or more are needed", "rows");
    return { labels: used.map(({ label }) => label), wins, played, draws, single };
  };

  const settings = (typed) => {
    const margin = value(typed.margin);
    if (!(margin > 0 && margin < 100)) refuse("Margin: type a number between 0 and 100", "margin");
    const after = clean(typed.after).normalize("NFKC").split(/[ ,;]+/).filter(Boolean).map(Number);
    if (!after.every((games) => Number.isInteger(games) && games > 0)) refuse("Looked after: type numbers of games, such as 55, 900", "after");
    return {
      margin: margin / 100, level: Number(typed.level) / 100, lookedAfter: after,
      looks: clean(typed.looks) === "" ? null : wholeNumber("Looks in all", typed.looks, "looks", 1, MOST_LOOKS),
    };
  };

  // What `fairness.judge` takes.
  const asked = (typed) => ({ by: typed.by, ...counts(typed), ...settings(typed) });

  // Lines such as "wolves 30", "wolves, 30, 55", "seat 1<TAB>204" and "wolves: 30 of 55"

  const numeric = (text) => !Number.isNaN(count(text));

  const row = (label, wins, games = "") => {
    const letters = [...clean(label).replace(/^"(.*)"$/, "$1")];
    return { label: letters.slice(0, LONGEST).join(""), wins, games };
  };

  // How many of the last fields are numbers of wins and games.
  const numbersAtEnd = (fields) => (fields.length > 2 && numeric(fields.at(-2)) && numeric(fields.at(-1)) ? 2 : 1);

  const rowOf = (fields, numbers, between) => row(fields.slice(0, -numbers).join(between), ...fields.slice(-numbers));

  // A tab, a semicolon and the like come before a comma, which may stand within numbers.
  const separated = (line) => {
    const parts = /^(.*?)[\s,;:|]+([\d.,+-]+)\s*(?:of|\/)\s*([\d.,+-]+)$/i.exec(line.normalize("NFKC"));
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
    if (all.length > 1 && !/\p{Nd}/u.test(all[0].line)) all.shift();
    if (!all.length) refuse("Nothing was pasted: lines with names and their wins are needed, such as wolves 30 or wolves 30 of 55", "paste");
    // One more than rows may be the draws.
    if (all.length > MOST_ROWS + 1) refuse(`${all.length} rows: ${SEVERAL}`, "paste");
    const wrong = ({ number, line }) => refuse(`Line ${number}, ${short(clean(line.slice(0, LONGEST_LINE)))}: a name and its wins are needed, such as wolves 30 or wolves 30 of 55`, "paste");
    all.filter(({ line }) => line.length > LONGEST_LINE).forEach(wrong);
    const rows = all.map(({ line }) => separated(line));
    const rest = spaced(all.filter((_, k) => !rows[k]).map(({ line }) => line.split(/\s+/)));
    const found = rows.map((one) => one ?? rest.shift());
    found.forEach(({ label, wins, games }, k) => {
      if (!label || !numeric(wins) || (games !== "" && !numeric(games))) wrong(all[k]);
    });
    const draws = found.find(({ label }) => /^draws?$/i.test(label));
    const kept = found.filter((one) => one !== draws);
    if (kept.length > MOST_ROWS) refuse(`${kept.length} rows: ${SEVERAL}`, "paste");
    return { rows: kept, draws: draws?.wins ?? null };
  };

  // Links

  const hash = ({ by, rows, draws, margin, level, looks, after }) => {
    const parts = new URLSearchParams({ by });
    for (const { label, wins, games } of rows.filter(filled)) {
      parts.append("row", [clean(wins), clean(games), clean(label)].join("_"));
    }
    for (const [name, text, usual] of [["draws", draws, ""], ["margin", margin, "5"], ["level", level, "95"], ["looks", looks, ""], ["after", after, ""]]) {
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
      looks: said("looks", ""), after: said("after", ""), rows: rows.map(([, wins, games, label]) => row(label, clean(wins), clean(games))),
    };
    for (const [name, allowed] of [["by", KINDS], ["level", LEVELS]]) {
      if (!allowed.includes(typed[name])) refuse(`${name} is ${short(typed[name])}, and not one of ${allowed.join(", ")}`, "link");
    }
    fairness.judge(asked(typed));
    return typed;
  };

  return { KINDS, LEVELS, MOST_ROWS, LONGEST, asked, settings, lines, hash, fromHash };
})();
