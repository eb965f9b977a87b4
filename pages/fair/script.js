// The page: what stands in its fields, and the file that was opened, is all it knows; `update` judges and draws it.
(() => {
  "use strict";
  const { say, later, number } = language;
  // Their names, and the links that they are, with names of roles in them.
  const EXAMPLES = [
    [later("648 games by seat (published)"), () => "#by=seat&row=204__1&row=157__2&row=156__3&row=131__4"],
    [later("Wolves 30, village 25"), () => `#by=side&row=30__${say("wolves")}&row=25__${say("village")}`],
    [later("Roles counted apart (invented)"),
      () => `#by=role&row=41_150_${say("merchant")}&row=66_140_${say("thief")}&row=33_120_${say("knight")}&row=58_160_${say("wizard")}`],
  ];
  const GOAL = 100 * fairness.POWER;
  const MOST_SHOWN = 30;
  const { at, make, draw, put, tried, quiet } = elements;
  const { kindName, percent, plainNumber, shownNumber, gamesText } = fairness;

  // What is done again in another language: what was done last.
  let again = null;
  // What is shown: the last verdict, its outlook, the scale of its curve, and the number of games pointed at.
  let shown = null;
  let saving = 0;
  // A file, or a table that was pasted: its name and content, its table once that is read, the options it was read with,
  // and the games, or the error.
  let opened = null;

  // Elements

  const line = (kind, x1, y1, x2, y2) => draw("line", { class: kind, x1, y1, x2, y2 });

  const path = (points) => draw("polyline", { class: "data", points: points.map((point) => point.map((one) => one.toFixed(1)).join()).join(" ") });

  const words = (text, x, y, anchor = "middle", kind = "") => draw("text", { class: kind, x, y, "text-anchor": anchor }, text);

  // Fields

  const rowsOf = () => [...at("rows").querySelectorAll("tr.row")];

  const fieldsOf = (row) => [...row.querySelectorAll("input")];

  const typed = () => ({
    by: at("by").value, draws: at("draws").value, margin: at("margin").value, level: at("level").value, looks: at("looks").value, after: at("after").value,
    rows: rowsOf().map((row) => {
      const [label, wins, games] = fieldsOf(row).map((field) => field.value);
      return { label, wins, games };
    }),
  });

  const nameRows = () => {
    const by = kindName(at("by").value);
    rowsOf().forEach((row, k) => {
      const [label, wins, games] = fieldsOf(row);
      const name = label.value.trim() || say("row {number}", { number: k + 1 });
      label.setAttribute("aria-label", say("Name of {by} {number}", { by, number: k + 1 }));
      wins.setAttribute("aria-label", say("Wins of {name}", { name }));
      games.setAttribute("aria-label", say("Games of {name}", { name }));
      row.querySelector("button").setAttribute("aria-label", say("Remove {name}", { name }));
      row.querySelector("button").setAttribute("aria-disabled", String(rowsOf().length <= 2));
    });
    at("add").setAttribute("aria-disabled", String(rowsOf().length >= reading.MOST_ROWS));
  };

  const newRow = ({ label = "", wins = "", games = "" } = {}) => {
    const field = (value, inputMode, maxLength) =>
      make("td", {}, make("input", { value, inputMode, maxLength, autocomplete: "off", spellcheck: false }));
    const row = make("tr", { className: "row" }, field(label, "text", reading.LONGEST), field(wins, "decimal", 12),
      field(games, "numeric", 12), make("td", {}, make("button", { type: "button", onclick: () => removeRow(row) }, "×")));
    return row;
  };

  const addRow = () => {
    if (rowsOf().length >= reading.MOST_ROWS) return;
    const row = newRow();
    at("rows").append(row);
    fieldsOf(row)[0].focus();
    change();
  };

  const removeRow = (row) => {
    if (rowsOf().length <= 2) return;
    const place = rowsOf().indexOf(row);
    row.remove();
    const rows = rowsOf();
    rows[Math.min(place, rows.length - 1)].querySelector("button").focus();
    change();
  };

  const setRows = (rows) => at("rows").replaceChildren(...[...rows, {}, {}].slice(0, Math.max(2, rows.length)).map(newRow));

  const setFields = (state) => {
    opened = null;
    for (const name of ["by", "draws", "margin", "level", "looks", "after"]) at(name).value = state[name];
    setRows(state.rows);
    at("link-error").textContent = "";
    update();
  };

  // Errors

  const silence = () => {
    quiet();
    for (const field of document.querySelectorAll("[aria-describedby=row-error]")) field.removeAttribute("aria-describedby");
    for (const row of document.querySelectorAll("tr.wrong")) row.remove();
  };

  const complain = ({ field, place, cells, message }) => {
    if (field !== "row") {
      const told = opened && field === "rows" ? "file" : field;
      at(`${told}-error`).textContent = message;
      if (told !== "rows") at(told).setAttribute("aria-invalid", "true");
      return;
    }
    const row = rowsOf()[place];
    const alert = make("p", { className: "error", id: "row-error", role: "alert" }, message);
    row.after(make("tr", { className: "wrong" }, make("td", { colSpan: 4 }, alert)));
    for (const one of cells.map((k) => fieldsOf(row)[k])) {
      one.setAttribute("aria-invalid", "true");
      one.setAttribute("aria-describedby", "row-error");
    }
  };

  // Words

  const capital = (text) => text[0].toUpperCase() + text.slice(1);

  const nameOf = ({ by, labels }, k) => fairness.nameOf(by, labels[k]);

  const withSign = (share) => number(`${distributions.fixed(100 * share, 1)}%`);

  const difference = (share) => `${share > 0 ? "+" : share < 0 ? "−" : ""}${percent(Math.abs(share))}`;

  const size = (chance) => plainNumber(chance, 3);

  // What is within the margin of a label's even chance.
  const bandOf = ({ even, margin, decided }, k) => [even[k] - margin * decided, even[k] + margin * decided];

  const oneEven = ({ even }) => even.every((share) => share === even[0]);

  const drawVerdict = (verdict) => {
    const { sentence } = verdict;
    const end = sentence.search(/[:：]/) + 1;
    if (at("verdict").textContent === sentence) return;
    at("verdict").className = verdict.verdict;
    at("verdict").replaceChildren(make("strong", {}, sentence.slice(0, end)), sentence.slice(end));
  };

  // The places of the labels that are shown: all, or of very many those that are farthest from even.
  const picked = ({ labels, shares, even }) => {
    const places = [...labels.keys()];
    if (labels.length <= MOST_SHOWN) return places;
    const far = (k) => Math.abs(shares[k] - even[k]);
    return places.sort((one, other) => far(other) - far(one)).slice(0, MOST_SHOWN);
  };

  const drawNumbers = (verdict) => {
    const { labels, wins, plays, shares, low, high, even } = verdict;
    at("numbers-head").textContent = capital(kindName(verdict.by));
    at("numbers").replaceChildren(...picked(verdict).map((k) => make("tr", {}, make("th", { scope: "row" }, labels[k]),
      ...[say("{wins} of {games}", { wins: shownNumber(distributions.meant(wins[k], 6)), games: shownNumber(plays[k]) }), percent(shares[k]),
        say("{low} to {high}", { low: percent(low[k]), high: percent(high[k]) }),
        difference(distributions.meant(shares[k] - even[k], 9, 1e-12))].map((text) => make("td", {}, text)))));
    at("numbers").parentElement.classList.toggle("long", Math.max(...plays) >= 10_000);
    put(at("numbers-hint"), language.join(hints(verdict)));
  };

  const hints = (verdict) => {
    const { low, high, even, single, apart, decided, limits } = verdict;
    const wide = verdict.verdict === "fair" && low.some((end, k) => end < bandOf(verdict, k)[0] || high[k] > bandOf(verdict, k)[1]);
    const values = { confidence: fairness.confidence(limits[0]), number: low.length, shown: MOST_SHOWN, even: percent(even[0]) };
    return [
      low.length > MOST_SHOWN && say("Of {number} these {shown} are farthest from even.", values),
      apart ? say("The rows are taken as counted in different games.") : !single ? say("Results are compared within each game.")
        : decided < 1 ? say("Each game had one winner, or was drawn.") : say("Each game had one winner."),
      oneEven(verdict) ? say("Even is {even}%.", values) : say("Even is what fair games against the same others would give."),
      wide ? say("All intervals hold together with {confidence}% confidence; the verdict needs less than that, so they may reach beyond the margin.", values)
        : say("All intervals hold together with {confidence}% confidence.", values),
    ];
  };

  // A p-value, with its error, which does not break.
  const pText = (chance, error = 0) => {
    const values = { number: size(chance), error: size(distributions.meant(error, 2)) };
    return make("span", { className: "whole" }, error ? say("p-value {number} ± {error}", values) : say("p-value {number}", values));
  };

  const drawTests = (verdict) => {
    const { pValue, equivalencePValue, method, limits, gamesNeeded, games, nothing, untold } = verdict;
    const mark = "\0";
    const values = {
      points: fairness.points(verdict.margin), often: fairness.often(equivalencePValue), value: mark, method: say(method), limit: size(limits[0]),
      more: shownNumber(gamesNeeded ?? 0), games: shownNumber(games),
    };
    const none = nothing && say("these games tell nothing about it");
    const odds = { ...values, odds: none || fairness.odds(verdict) };
    const near = { ...values, limit: size(limits[1]), odds: none || say("a game with a chance {points} from even looks at least as even {often}", values) };
    const entries = [
      [say("Are all chances equal?"), pText(pValue, verdict.error), pValue <= limits[0] ? say("No: {odds} ({method}; {value}, the limit is {limit}).", odds)
        : say("They may be: {odds} ({method}; {value}, the limit is {limit}).", odds)],
      [say("Are all chances within {points} of even?", values), pText(equivalencePValue), equivalencePValue <= limits[1]
        ? say("Yes: {odds} ({value}, the limit is {limit}).", near) : say("Not shown: {odds} ({value}, the limit is {limit}).", near)],
      [say("Games still needed"), "", nothing ? say("No number of games like these would tell.") : untold === "last" ? say("No more looks were declared.")
        : untold ? say("{later}.", { later: fairness.notYet(verdict) })
          : gamesNeeded ? say("About {more} more than the {games} there are, to show one or the other in 4 of 5 cases, if the shares stay as they are.", values)
            : say("None: the verdict is in.")],
    ];
    at("tests").replaceChildren(...entries.flatMap(([term, value, text]) => {
      const [before, after = ""] = text.split(mark);
      return [make("dt", {}, term), make("dd", {}, before, value, after)];
    }));
  };

  // Pictures

  // About so many round steps between two numbers.
  const ticks = (low, high, count, least = 0) => {
    const rough = (high - low) / count;
    const power = 10 ** Math.floor(Math.log10(rough));
    const step = Math.max(least, power * [1, 2, 2.5, 5, 10].find((one) => one * power >= rough * 0.999));
    const found = [];
    for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; k += 1) found.push(k * step + 0);
    return found;
  };

  const lengthOf = (text) => {
    const probe = words(text, 0, 0);
    at("shares").append(probe);
    const length = probe.getComputedTextLength();
    probe.remove();
    return length || 7 * text.length;
  };

  // Both ends of a name that is too long, since names often differ in one of them.
  const fit = (name, width) => {
    let text = name;
    for (let most = name.length - 2; most > 1 && lengthOf(text) > width; most -= 1) {
      text = `${name.slice(0, Math.ceil(most / 2))}…${name.slice(name.length - Math.floor(most / 2))}`;
    }
    return text;
  };

  const frame = (svg, height) => {
    const width = Math.max(240, svg.parentElement.clientWidth);
    svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    svg.setAttribute("height", height);
    return width;
  };

  const drawShares = (verdict) => {
    const svg = at("shares");
    const { shares, low, high, even } = verdict;
    const places = picked(verdict);
    const [top, step] = [22, places.length > 5 ? 28 : 34];
    const bottom = top + step * places.length;
    const width = frame(svg, bottom + 22);
    const names = places.map((k) => fit(nameOf(verdict, k), width * 0.3));
    const left = 14 + Math.max(...names.map(lengthOf));
    const right = width - 64;
    // What is even, and within the margin: all the way down, or a piece for each label.
    const one = oneEven(verdict);
    const parts = (one ? places.slice(0, 1) : places).map((k, row) =>
      ({ share: even[k], band: bandOf(verdict, k), y1: top + step * row, y2: one ? bottom : top + step * (row + 1) }));
    const ends = [Math.min(...places.map((k) => low[k]), ...parts.map(({ band }) => band[0])),
      Math.max(...places.map((k) => high[k]), ...parts.map(({ band }) => band[1]))];
    const from = Math.max(0, ends[0] - 0.04 * (ends[1] - ends[0]));
    const to = Math.min(1, ends[1] + 0.04 * (ends[1] - ends[0]));
    const x = (share) => left + ((Math.min(to, Math.max(from, share)) - from) / (to - from)) * (right - left);
    const scale = ticks(100 * from, 100 * to, Math.min(7, Math.max(2, Math.floor((right - left) / 55))));
    svg.replaceChildren(
      ...parts.map(({ band: [begin, end], y1, y2 }) => draw("rect", { class: "band", x: x(begin), y: y1, width: x(end) - x(begin), height: y2 - y1 })),
      ...scale.flatMap((tick) => [line("grid", x(tick / 100), top, x(tick / 100), bottom),
        words(number(`${distributions.meant(tick)}%`), x(tick / 100), bottom + 16, "middle", "soft")]),
      ...parts.map(({ share, y1, y2 }) => line("even", x(share), y1 === top ? top - 4 : y1, x(share), y2)),
      words(one ? say("even: {share}", { share: withSign(even[0]) }) : say("even"), Math.min(right - 30, Math.max(left + 44, x(parts[0].share))), top - 9),
      ...places.flatMap((k, row) => {
        const y = top + step * (row + 0.5);
        return [words(names[row], 0, y + 4.5, "start"), line("data", x(low[k]), y, x(high[k]), y),
          draw("circle", { class: "dot", cx: x(shares[k]), cy: y, r: 5 }), words(withSign(shares[k]), width, y + 4.5, "end")];
      }));
    const told = places.map((k) => say("{name} {share}%, interval {low} to {high}%",
      { name: nameOf(verdict, k), share: percent(shares[k]), low: percent(low[k]), high: percent(high[k]) })).join("; ");
    const [near, far] = parts[0].band;
    const values = {
      told, even: percent(even[0]), low: percent(Math.max(0, near)), high: percent(Math.min(1, far)), points: fairness.points(verdict.margin),
    };
    svg.setAttribute("aria-label", one ? say("Shares of wins. {told}. Even: {even}%; margin: {low} to {high}%.", values) : say("Shares of wins. {told}.", values));
    at("band-text").parentElement.hidden = !verdict.decided;
    put(at("band-text"), verdict.decided < 1 ? say("within {points} of even, among decided games", values) : say("within {points} of even", values));
  };

  // Round numbers of games up to an end, below a picture.
  const numbersOfGames = (end, x, bottom) => ticks(0, end, Math.floor((x(end) - x(0)) / (24 + 7 * shownNumber(end).length)), 1)
    .map((tick) => words(shownNumber(tick), x(tick), bottom + 17, tick > 0.95 * end ? "end" : "middle", "soft"));

  // The evidence after each game, on a scale of logarithms.
  const drawCourse = () => {
    const { watched } = shown;
    at("watched").hidden = !watched;
    if (!watched) return;
    put(at("watched-text"), watched.sentence);
    const svg = at("course");
    const { course, bound, stoppedAt } = watched;
    const [left, top, bottom] = [62, 14, 164];
    const width = frame(svg, bottom + 24);
    const right = width - 14;
    const [low, high] = [course.reduce((one, other) => Math.min(one, other), -1), course.reduce((one, other) => Math.max(one, other), bound) * 1.1];
    const x = (game) => left + (game / course.length) * (right - left);
    const y = (evidence) => bottom - ((evidence - low) / (high - low)) * (bottom - top);
    const each = Math.ceil(course.length / 400);
    const shownAt = [...course.keys()].map((game) => game + 1).filter((game) => game % each === 0 || game === course.length || game === stoppedAt);
    const powers = ticks(low / Math.LN10, high / Math.LN10, 4, 1).filter((power) => Math.abs(y(power * Math.LN10) - y(bound)) > 14);
    const sizeOf = (evidence) => (evidence < Math.log(1e6) ? shownNumber(distributions.meant(Math.exp(evidence), 3)) : `1e${Math.round(evidence / Math.LN10)}`);
    svg.replaceChildren(
      ...powers.flatMap((power) => [line("grid", left, y(power * Math.LN10), right, y(power * Math.LN10)),
        words(sizeOf(power * Math.LN10), left - 8, y(power * Math.LN10) + 4, "end", "soft")]),
      line("goal", left, y(bound), right, y(bound)), words(say("limit {number}", { number: sizeOf(bound) }), left - 8, y(bound) + 4, "end"),
      ...numbersOfGames(course.length, x, bottom), ...(stoppedAt ? [line("played", x(stoppedAt), top - 4, x(stoppedAt), bottom)] : []),
      path([0, ...shownAt].map((game) => [x(game), y(game && course[game - 1])])));
    svg.setAttribute("aria-label", language.join([say("Evidence against equal chances after each of {games}: {number} at the end; the limit is {bound}.",
      { games: gamesText(course.length), number: sizeOf(watched.evidence), bound: sizeOf(bound) }), watched.sentence]));
  };

  const curveTexts = (verdict, outlook) => {
    const values = { games: gamesText(outlook.games), goal: GOAL, played: shownNumber(verdict.games), by: kindName(verdict.by) };
    return language.join([
      verdict.apart
        ? say("If the true chances are the shares above, {games} of the most-played {by}, and the others in proportion, would show a difference in at least {goal} of 100 cases; {played} were played.", values)
        : say("If the true chances are the shares above, {games} would show a difference in at least {goal} of 100 cases; {played} were played.", values),
      ["few", "silent"].includes(verdict.untold) && say("After so few games the true chances may be quite others."),
      say("Point at the curve, or move the slider, for other numbers."),
    ]);
  };

  const drawCurveText = () => {
    const { verdict, outlook } = shown;
    const none = verdict.nothing ? say("These games tell nothing about that.")
      : outlook.equal ? say("The shares are equal, and no number of games shows a difference.")
        : outlook.games > fairness.MOST_GAMES
          ? say("The shares are so near to equal that more than {most} games are needed.", { most: shownNumber(fairness.MOST_GAMES) }) : "";
    at("curve-box").hidden = none !== "";
    put(at("curve-text"), none || curveTexts(verdict, outlook));
    return none === "";
  };

  const drawCurve = () => {
    if (!drawCurveText()) return;
    const { verdict, outlook } = shown;
    const svg = at("curve");
    const [left, top, bottom] = [46, 24, 204];
    const width = frame(svg, bottom + 24);
    const right = width - 14;
    const end = Math.ceil(Math.max(10, 1.6 * outlook.games, Math.min(1.1 * verdict.games, 4 * outlook.games)));
    const x = (games) => left + (games / end) * (right - left);
    const y = (power) => bottom - power * (bottom - top);
    shown.curve = { x, y, end, left, right, svg };
    const far = verdict.games > end;
    const played = far ? right : x(verdict.games);
    const late = x(outlook.games) > right - 150;
    svg.replaceChildren(
      ...[0, 0.2, 0.4, 0.6, 0.8, 1].flatMap((power) => [line(power === fairness.POWER ? "goal" : "grid", left, y(power), right, y(power)),
        words(number(`${100 * power}%`), left - 8, y(power) + 4, "end", "soft")]),
      ...numbersOfGames(end, x, bottom), line("played", played, top - 4, played, bottom),
      words(`${say("{number} played", { number: shownNumber(verdict.games) })}${far ? " →" : ""}`, played, top - 9, played > right - 45 ? "end" : played < left + 45 ? "start" : "middle", "played"),
      path(Array.from({ length: 121 }, (_, k) => Math.max(k / 120, 1e-6) * end).map((games) => [x(games), y(outlook.at(games))])),
      draw("circle", { class: "dot", cx: x(outlook.games), cy: y(outlook.at(outlook.games)), r: 5 }),
      draw("g", { id: "pointing" }),
      words(say("{goal}: {games}", { goal: number(`${GOAL}%`), games: gamesText(outlook.games) }), x(outlook.games) + (late ? -6 : 8), y(fairness.POWER) + (late ? -9 : 17), late ? "end" : "start", "over"));
    svg.setAttribute("aria-label", say("Chance that games show a difference, by their number: {goal}% with {games}, {chance}% with the {played} played.",
      { goal: GOAL, games: gamesText(outlook.games), chance: percent(outlook.at(verdict.games)), played: shownNumber(verdict.games) }));
    Object.assign(at("pointer").style, { marginLeft: `${left - 10}px`, width: `${right - left + 20}px` });
    at("pointer").max = String(end);
    pointAt(shown.games ?? (far ? outlook.games : verdict.games));
  };

  const pointAt = (games) => {
    const { outlook, curve: { x, y, end } } = shown;
    const n = Math.min(end, Math.max(1, Math.round(games)));
    const power = outlook.at(n);
    const said = say("{games} would show a difference {often}.", { games: gamesText(n), often: fairness.often(power) });
    shown.games = n;
    at("pointer").value = String(n);
    at("pointer").setAttribute("aria-valuetext", said);
    put(at("pointer-text"), said);
    at("pointing").replaceChildren(line("pointer", x(n), y(0), x(n), y(1)), draw("circle", { class: "here", cx: x(n), cy: y(power), r: 4.5 }));
  };

  const followMouse = (event) => {
    const { left, right, svg, end } = shown.curve;
    const box = svg.getBoundingClientRect();
    const place = ((event.clientX - box.left) / box.width) * svg.viewBox.baseVal.width;
    pointAt(((place - left) / (right - left)) * end);
  };

  const STEPS = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -10, PageUp: 10 };

  const followKeys = (event) => {
    if (!Object.hasOwn(STEPS, event.key)) return;
    event.preventDefault();
    pointAt(Number(at("pointer").value) + STEPS[event.key] * Math.max(1, Math.round(shown.curve.end / 100)));
  };

  // Links

  const isWrong = () => at("found").classList.contains("stale");

  const save = () => {
    if (!isWrong() && !opened) links.save(reading.hash(typed()));
  };

  const load = (hash) => {
    const state = tried(() => reading.fromHash(hash), ({ message }) => {
      setFields(reading.fromHash(EXAMPLES[0][1]()));
      at("link-error").textContent = say("The link cannot be read, so this is an example ({reason}).", { reason: message });
      empty(say("No verdict: the link cannot be read."));
      again = () => load(hash);
    });
    if (state) setFields(state);
  };

  const openLink = () => load(location.hash.length > 1 ? location.hash : EXAMPLES[0][1]());

  const copy = () => {
    if (opened) put(at("copied"), say("A link holds numbers that are typed, and no file."));
    else if (isWrong()) put(at("copied"), say("The numbers need a correction first."));
    else links.copy(reading.hash(typed()));
  };

  // What happens

  const drawAll = () => {
    if (!shown) return;
    drawShares(shown.verdict);
    drawCourse();
    drawCurve();
  };

  // Why there is no verdict.
  const empty = (text) => {
    at("found").classList.add("stale");
    at("verdict").className = "none";
    put(at("verdict"), text);
  };

  // Files

  const optionFields = () => [...at("options").querySelectorAll("input")];

  const listOf = (text) => (opened.table?.names.includes(text.trim()) ? [text.trim()] : text.split(",").map((name) => name.trim()).filter(Boolean));

  const options = () => Object.fromEntries(optionFields().map(({ name, type, checked, value }) =>
    [name, type === "checkbox" ? checked : listOf(value)]));

  // The games of what was opened, read again where an option is another.
  const gamesOpened = () => {
    const key = JSON.stringify([language.tag, options()]);
    if (opened.key !== key) {
      Object.assign(opened, { key, error: null });
      opened.games = tried(() => {
        opened.table ??= tables.read(opened.content, opened.name);
        return results.read(opened.table, options());
      }, (error) => { opened.error = error; });
      showOpened();
    }
    if (opened.error) throw opened.error;
    return opened.games;
  };

  const showOpened = () => {
    const { table, games, error, name } = opened;
    at("heads").replaceChildren(...(table?.names ?? []).map((head) => make("option", { value: head })));
    if (error && table) at("how").open = true;
    if (!games) return;
    put(at("reading"), `${name}: ${games.reading}.`);
    const kinds = results.kinds(games);
    const before = at("kind").value;
    at("kind").replaceChildren(...kinds.map((kind) => make("option", { value: kind }, capital(kindName(kind)))));
    at("kind").value = kinds.includes(before) && before ? before : games.counts ? "role" : kinds[0] ?? "";
  };

  const open = (content, name) => {
    for (const field of optionFields()) Object.assign(field, { value: "", checked: false });
    Object.assign(at("how"), { open: false });
    at("kind").replaceChildren();
    opened = { content, name, table: null, key: null, games: null, error: null };
    update();
  };

  const openFile = async (file) => {
    if (file) open(new Uint8Array(await file.arrayBuffer()), tables.cleaned(file.name));
  };

  const close = () => {
    opened = null;
    at("file").value = "";
    update();
  };

  const watchedOf = ({ counts, rows, winners }, verdict) => {
    const seen = winners
      ? { names: counts.labels, results: Array.from(winners, (winner) => counts.labels.map((_, k) => Number(k === winner))) }
      : watching.winnersOf(contests.contestOf(rows, verdict.by));
    return seen && seen.names.length <= reading.MOST_ROWS ? watching.watch(seen, verdict) : null;
  };

  const askedOpened = () => {
    const { counts, rows, faults } = gamesOpened();
    return { by: at("kind").value || Object.keys(faults)[0], ...(counts ?? { rows, faults }), ...reading.settings(typed()) };
  };

  const update = () => {
    again = update;
    silence();
    nameRows();
    links.hide();
    const verdict = tried(() => fairness.judge(opened ? askedOpened() : reading.asked(typed())), complain);
    at("typing").hidden = Boolean(opened);
    at("type").hidden = !opened;
    at("opened").hidden = !opened?.games;
    at("how").hidden = !opened?.table;
    if (verdict === null) {
      empty(!opened ? say("No verdict: the numbers need a correction.") : opened.games ? say("No verdict: a correction is needed.")
        : say("No verdict: the games could not be read."));
      return;
    }
    at("found").classList.remove("stale");
    shown = { verdict, outlook: verdict.nothing ? null : fairness.outlook(verdict), curve: null, watched: opened && watchedOf(opened.games, verdict) };
    drawVerdict(verdict);
    drawNumbers(verdict);
    drawTests(verdict);
    drawAll();
  };

  const change = () => {
    update();
    clearTimeout(saving);
    saving = setTimeout(save, 400);
  };

  const hasHeads = (text) => tables.read(text, "").columns.some((column) => results.meaning(column));

  // Why an action is refused, or null.
  const refusalOf = (action) => {
    let refusal = null;
    tried(action, (error) => { refusal = error; });
    return refusal;
  };

  // A table of games if it can be read as one, or has heads like one; else lines of names and wins.
  const fillFrom = (text) => {
    silence();
    const pasted = say("What was pasted");
    const refused = refusalOf(() => results.read(tables.read(text, pasted)));
    const error = refused && refusalOf(() => reading.lines(text));
    let heads = false;
    if (error) refusalOf(() => { heads = hasHeads(text); });
    if (!refused || heads) {
      open(text, pasted);
      return;
    }
    if (error) {
      complain(error);
      empty(say("No verdict: what was pasted could not be read."));
      again = () => fillFrom(text);
      return;
    }
    const { rows, draws } = reading.lines(text);
    opened = null;
    setRows(rows);
    at("draws").value = draws ?? "";
    change();
  };

  const onPaste = (event) => {
    const text = event.clipboardData?.getData("text") ?? "";
    if (!/[\n\t]/.test(text.trim())) return;
    event.preventDefault();
    fillFrom(text);
  };

  // A field of an option, and its name, with that which a file's refusals call it.
  const optionField = (name) => {
    const field = make("input", { name, autocomplete: "off" });
    if (name !== "labels") field.setAttribute("list", "heads");
    return make("label", {}, make("span"), " ", field);
  };

  const tickField = (name) => make("label", { className: "tick" }, make("input", { type: "checkbox", name }), " ", make("span"));

  // What was made once and has words in it.
  const nameFields = () => {
    for (const field of optionFields()) {
      const told = say(results.OPTIONS[field.name]);
      put(field.parentElement.querySelector("span"), language.tag === "en" ? told : `${told} (${field.name})`);
    }
    [...at("examples").children].forEach((button, k) => put(button, say(EXAMPLES[k][0])));
    for (const option of at("kind").options) put(option, capital(kindName(option.value)));
    at("english").hidden = language.tag === "en";
  };

  const connect = () => {
    for (const id of ["rows", "draws", "margin", "looks", "after"]) at(id).addEventListener("input", change);
    for (const id of ["by", "level"]) at(id).addEventListener("change", change);
    at("rows").addEventListener("paste", onPaste);
    at("add").addEventListener("click", addRow);
    at("fill").addEventListener("click", () => fillFrom(at("paste").value));
    at("file").addEventListener("change", () => openFile(at("file").files[0]));
    at("type").addEventListener("click", close);
    at("kind").addEventListener("change", update);
    at("options").addEventListener("change", update);
    // The same file may be another by now.
    at("file").addEventListener("click", () => { at("file").value = ""; });
    addEventListener("dragover", (event) => { if (event.dataTransfer.types.includes("Files")) event.preventDefault(); });
    addEventListener("drop", (event) => {
      if (!event.dataTransfer.files.length) return;
      event.preventDefault();
      openFile(event.dataTransfer.files[0]);
    });
    at("options").append(...[...results.NAMED, "labels"].map(optionField), ...["draws", "lowest"].map(tickField));
    at("copy").addEventListener("click", copy);
    at("curve").addEventListener("pointermove", followMouse);
    at("curve").addEventListener("pointerdown", followMouse);
    at("pointer").addEventListener("keydown", followKeys);
    at("pointer").addEventListener("input", () => pointAt(Number(at("pointer").value)));
    addEventListener("hashchange", openLink);
    addEventListener("resize", drawAll);
    at("examples").append(...EXAMPLES.map(([, hash]) =>
      make("button", { type: "button", onclick: () => { setFields(reading.fromHash(hash())); change(); } })));
    nameFields();
    language.onChange(() => { nameFields(); again(); });
  };

  connect();
  openLink();
})();
