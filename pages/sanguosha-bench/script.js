// The page: what stands in its fields is all it knows; `update` reads them, looks the setting up, and draws.
(() => {
  "use strict";
  const { CHANGES, PLAYS, POINTS, REPORT, SIDES, known } = grid;
  const { percent } = words;
  const { say } = language;
  const BEST = 5;
  const LARGEST = 1000;
  const { at, make, draw, put } = elements;

  // Fields

  const numberOrNull = (text) => text === "" ? null : Number(text);

  const fields = () => ({
    changes: ["first", "second"].map((id) => numberOrNull(at(id).value)).filter((change) => change !== null),
    seating: numberOrNull(at("seating").value), play: at("play").value, points: readPoints(),
  });

  const allowed = (value) => Math.abs(value) <= LARGEST ? value : NaN;

  // The points; where there is no number, the report's, and a line that says so.
  const readPoints = () => {
    const values = POINTS.map((name) => allowed(language.value(at(name).value)));
    POINTS.forEach((name, k) => at(name).setAttribute("aria-invalid", String(Number.isNaN(values[k]))));
    const wrong = POINTS.filter((_, k) => Number.isNaN(values[k]));
    put(at("points-error"), language.join(wrong.map((name) => say("{name}: a number from −{largest} to {largest} is needed; {value}, as in the report, is used instead.",
      { name: say(words.POINT_NAMES[name]), largest: language.number(LARGEST.toLocaleString("en-US")), value: language.number(String(known.points[name])) }))));
    if (wrong.length) at("points-box").open = true;
    return values.map((value, k) => Number.isNaN(value) ? REPORT[k] : value);
  };

  // All that stands in fields and beside them, in the language that is chosen.
  const nameFields = () => {
    for (const id of ["first", "second"]) {
      const groups = new Map();
      CHANGES.forEach(({ rule, said }, k) => groups.set(rule, [...(groups.get(rule) ?? []), make("option", { value: k }, say(said))]));
      refill(at(id), make("option", { value: "" }, say("Nothing")),
        ...[...groups].map(([rule, options]) => make("optgroup", { label: say(rule), "data-rule": rule }, ...options)));
    }
    refill(at("seating"), ...[null, ...known.seatings.keys()].map((seating) => make("option", { value: seating ?? "" }, words.seats(seating))));
    refill(at("play"), ...PLAYS.map((play) => make("option", { value: play }, say(words.PLAY_NAMES[play]))));
    for (const name of POINTS) put(at(name).previousSibling, say(words.POINT_NAMES[name]));
    at("terms").replaceChildren(...words.TERMS.flatMap(([term, text]) => [make("dt", {}, say(term)), make("dd", {}, say(text))]));
  };

  const refill = (select, ...options) => {
    const { value } = select;
    select.replaceChildren(...options);
    select.value = value;
  };

  // A rule is changed once: the second list is without that of the first.
  const exclude = () => {
    const rule = CHANGES[at("first").value]?.rule;
    if (CHANGES[at("second").value]?.rule === rule) at("second").value = "";
    for (const group of at("second").querySelectorAll("optgroup")) group.hidden = group.disabled = group.dataset.rule === rule;
  };

  const setFields = ({ changes, seating, play, points }) => {
    [at("first").value, at("second").value] = [changes[0] ?? "", changes[1] ?? ""];
    exclude();
    at("seating").value = seating ?? "";
    at("play").value = play;
    POINTS.forEach((name, k) => { at(name).value = language.number(String(points[k])); });
    at("points-box").open ||= points.some((value, k) => value !== REPORT[k]);
  };

  // What is found

  // A row of a picture: two bars from zero, and the mean, between the least and the largest number of the scale.
  const bars = (now, before, mean, [least, largest]) => {
    const place = (value) => 100 * (value - least) / (largest - least);
    const bar = (value, kind, y, height) => draw("rect", {
      class: kind, x: `${place(Math.min(0, value))}%`, width: `${Math.abs(place(value) - place(0))}%`, y, height,
    });
    const line = (value, kind) => draw("line", { class: kind, x1: `${place(value)}%`, x2: `${place(value)}%`, y1: 0, y2: 26 });
    return draw("svg", { "aria-hidden": "true", height: 26, width: "100%" },
      bar(now, "now", 3, 12), bar(before, "old", 18, 5), line(0, "zero"), ...(mean === null ? [] : [line(mean, "mean")]));
  };

  const roleName = ({ english, chinese }) => language.tag === "zh-Hans" ? [chinese] : [`${say(english)} `, make("span", { lang: "zh" }, chinese)];

  const measure = (caption, names, now, before, text, scale) => {
    const middle = now.reduce((all, value) => all + value, 0) / now.length;
    const rows = names.map((name, k) => make("tr", {},
      make("th", { scope: "row" }, ...name), make("td", { className: "chart" }, bars(now[k], before[k], middle, scale)),
      make("td", {}, text(now[k])), make("td", { className: "before" }, text(before[k]))));
    const head = make("tr", {}, make("th", { scope: "col" }, make("span", { className: "unseen" }, say("Who"))), make("td"),
      make("th", { scope: "col" }, say("yours")), make("th", { scope: "col" }, say("report's")));
    return make("table", { className: "measure" }, make("caption", {}, caption), make("thead", {}, head), make("tbody", {}, ...rows));
  };

  const drawMeasures = (found, before) => {
    const scores = [...found.score, ...before.score, 0];
    const scale = [Math.min(...scores), Math.max(...scores, Math.min(...scores) + 1)];
    const roles = () => known.roles.map(roleName);
    const sides = SIDES.map((role, k) => role === 0 ? [say(words.SIDE_NAMES[k])] : roleName(known.roles[role]));
    at("measures").replaceChildren(
      measure(say("Chance to win"), sides, found.sides, before.sides, percent, [0, 1]),
      measure(say("Chance to survive"), roles(), found.survival, before.survival, percent, [0, 1]),
      measure(say("Expected points"), roles(), found.score, before.score, words.points, scale));
  };

  const drawPlays = (number, { seating, play, points }) => {
    at("plays").replaceChildren(...PLAYS.map((name) => {
      const [found, before] = [grid.outcome(number, name, seating, points), grid.outcome(0, name, seating, REPORT)];
      const cell = (text, value) => make("td", {}, ...(found ? [`${text(value(found))} `] : []), make("span", {}, `(${text(value(before))})`));
      return make("tr", { "aria-current": name === play || undefined },
        make("th", { scope: "row" }, say(words.PLAY_NAMES[name]), ...(found ? [] : [make("span", {}, ` ${say("not worked out")}`)])),
        ...SIDES.map((_, k) => cell(percent, ({ sides }) => sides[k])), cell(words.bal, ({ bal }) => bal), cell(words.rat, ({ rat }) => rat));
    }));
  };

  const drawBest = (state) => {
    const follow = (event, next) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      setFields(next);
      update();
      at("answer-head").focus();
    };
    const link = (setting) => {
      const next = { ...state, changes: setting };
      return make("a", { href: hash(next), onclick: (event) => follow(event, next) }, words.said(setting));
    };
    const plays = [state.play, ...PLAYS.filter((play) => play !== state.play)];
    const line = (number, play) => {
      const found = grid.outcome(number, play, state.seating, REPORT);
      const cells = found ? [...found.sides.map((share) => percent(share)), words.apart(found.gap)].map((text) => make("td", {}, text))
        : [make("td", { colSpan: 4 }, say("not worked out"))];
      return make("tr", {}, make("th", { scope: "row" }, say(words.PLAYED[play])), ...cells);
    };
    const [one, two] = [1, 2].map((changes) => grid.best(changes, state.play, state.seating, BEST));
    for (const [id, { settings }] of [["one", one], ["two", two]]) {
      const heads = [...words.SIDE_NAMES.map((name) => say(name)), say("Apart")].map((text) => make("th", { scope: "col" }, text));
      const bodies = settings.map(({ setting, number }, k) => {
        const head = make("th", { scope: "rowgroup", colSpan: 5 }, `${k + 1}. `, link(setting));
        return make("tbody", {}, make("tr", {}, head), ...plays.map((play) => line(number, play)));
      });
      if (!bodies.length) bodies.push(make("tbody", {}, make("tr", {}, make("td", { colSpan: 5 }, say("not worked out")))));
      at(id).replaceChildren(make("thead", {}, make("tr", {}, make("td"), ...heads)), ...bodies);
    }
    put(at("best-hint"), words.bestText(state.play, one.of, two.of));
  };

  const drawAnswer = (number, state) => {
    const { play, seating, points } = state;
    const [found, before] = [grid.outcome(number, play, seating, points), grid.outcome(0, play, seating, REPORT)];
    at("found").hidden = found === null;
    if (found === null) {
      put(at("sentence"), say("This setting was not worked out for this way to play: choose the fixed rule to see who wins."));
      put(at("gap"), words.untriedText(play, grid.outcome(number, PLAYS[0], null, REPORT).bal));
      for (const id of ["uneven", "turns"]) put(at(id), "");
      return;
    }
    put(at("sentence"), words.sentence(found, before, number !== 0));
    put(at("gap"), words.gapText(found, before, state));
    put(at("uneven"), words.unevenText(found, before));
    put(at("turns"), words.turnsText(found.turns, before.turns, number !== 0));
    drawMeasures(found, before);
  };

  const update = () => {
    exclude();
    const state = fields();
    const { number, fewer } = grid.find(state.changes);
    put(at("same"), fewer ? say("Together these two are no other rules than: {rules}", { rules: words.said(known.settings[number]) }) : "");
    put(at("play-text"), say(words.PLAY_TEXTS[state.play], { unfinished: words.percent(known.unfinished) }));
    drawAnswer(number, state);
    drawPlays(number, state);
    drawBest(state);
    at("python").textContent = words.python(known.settings[number], state.play, state.seating, state.points);
    links.hide();
    put(at("link-error"), "");
    links.save(hash(state));
  };

  // Links

  const hash = ({ changes, seating, play, points }) => {
    const parts = changes.map((change) => `change=${CHANGES[change].name}`);
    if (seating !== null) parts.push(`seating=${known.seatings[seating]}`);
    if (play !== PLAYS[0]) parts.push(`play=${play}`);
    POINTS.forEach((name, k) => { if (points[k] !== REPORT[k]) parts.push(`${name}=${points[k]}`); });
    return `#${parts.join("&")}`;
  };

  // What a link says, and what of it cannot be read.
  const fromHash = (text) => {
    const [state, wrong] = [{ changes: [], seating: null, play: PLAYS[0], points: [...REPORT] }, []];
    const place = (list, value) => list.indexOf(value) >= 0 ? list.indexOf(value) : null;
    for (const [name, value] of new URLSearchParams(text.slice(1))) {
      const change = place(CHANGES.map((one) => one.name), value);
      if (name === "change" && change !== null && state.changes.length < 2 && CHANGES[state.changes[0]]?.rule !== CHANGES[change].rule) state.changes.push(change);
      else if (name === "seating" && known.seatings.includes(value)) state.seating = place(known.seatings, value);
      else if (name === "play" && PLAYS.includes(value)) state.play = value;
      else if (POINTS.includes(name) && value !== "" && !Number.isNaN(allowed(value))) state.points[POINTS.indexOf(name)] = Number(value);
      else wrong.push(`${name}=${value}`);
    }
    return { state, wrong };
  };

  const open = () => {
    const { state, wrong } = fromHash(location.hash);
    setFields(state);
    update();
    if (wrong.length) put(at("link-error"), say("This page does not know all that the link asks for. The rest of it is set, and this is left out: {parts}", { parts: wrong.join(", ") }));
  };

  // What happens

  const reset = () => {
    setFields(fromHash("").state);
    at("points-box").open = false;
    update();
  };

  const build = () => {
    const settings = { inputMode: "text", autocomplete: "off", maxLength: 12, "aria-describedby": "points-error", "data-number": "" };
    at("points").append(...POINTS.map((id) => make("label", {}, make("span"), make("input", { id, ...settings }))));
    nameFields();
    for (const field of document.querySelectorAll("select, #points input")) field.addEventListener("input", update);
    at("reset").addEventListener("click", reset);
    at("copy").addEventListener("click", () => links.copy(hash(fields())));
    addEventListener("hashchange", open);
    language.onChange(() => {
      const state = fields();
      nameFields();
      setFields(state);
      update();
    });
  };

  build();
  open();
})();
