// The page: what stands in its fields is all it knows; `update` reads them, looks the setting up, and draws.
(() => {
  "use strict";
  const { CHANGES, PLAYS, POINTS, REPORT, known } = grid;
  const { percent } = words;
  const BEST = 5;
  const LARGEST = 1000;
  const at = (id) => document.getElementById(id);

  // Elements

  const make = (name, properties = {}, ...children) => {
    const element = Object.assign(document.createElement(name), properties);
    element.append(...children);
    return element;
  };

  const draw = (name, attributes, ...children) => {
    const element = document.createElementNS(document.querySelector("svg").namespaceURI, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    element.append(...children);
    return element;
  };

  const say = (element, text) => {
    if (element.textContent !== text) element.textContent = text;
  };

  // Fields

  const numberOrNull = (text) => text === "" ? null : Number(text);

  const fields = () => ({
    changes: ["first", "second"].map((id) => numberOrNull(at(id).value)).filter((change) => change !== null),
    seating: numberOrNull(at("seating").value), play: at("play").value, points: readPoints(),
  });

  // The points; where there is no number, the report's, and a line that says so.
  const readPoints = () => {
    const wrong = POINTS.filter((name) => {
      const { value } = at(name);
      const right = value.trim() !== "" && Math.abs(Number(value)) <= LARGEST;
      at(name).setAttribute("aria-invalid", String(!right));
      return !right;
    });
    say(at("points-error"), wrong.map((name) =>
      `${words.POINT_NAMES[name]}: a number from −${LARGEST} to ${LARGEST} is needed; ${known.points[name]}, as in the report, is used instead.`).join(" "));
    if (wrong.length) at("points-box").open = true;
    return POINTS.map((name) => wrong.includes(name) ? known.points[name] : Number(at(name).value));
  };

  const listOf = (select) => {
    const groups = new Map();
    CHANGES.forEach(({ rule, said }, k) => groups.set(rule, [...(groups.get(rule) ?? []), make("option", { value: k }, said)]));
    select.append(make("option", { value: "" }, "Nothing"), ...[...groups].map(([label, options]) => make("optgroup", { label }, ...options)));
  };

  // A rule is changed once: the second list is without that of the first.
  const exclude = () => {
    const rule = CHANGES[at("first").value]?.rule;
    if (CHANGES[at("second").value]?.rule === rule) at("second").value = "";
    for (const group of at("second").querySelectorAll("optgroup")) group.hidden = group.disabled = group.label === rule;
  };

  const setFields = ({ changes, seating, play, points }) => {
    [at("first").value, at("second").value] = [changes[0] ?? "", changes[1] ?? ""];
    exclude();
    at("seating").value = seating ?? "";
    at("play").value = play;
    POINTS.forEach((name, k) => { at(name).value = points[k]; });
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

  const measure = (caption, now, before, text, { mean, scale }) => {
    const middle = mean ? now.reduce((all, value) => all + value, 0) / now.length : null;
    const rows = known.roles.map(({ english, chinese }, role) => make("tr", {},
      make("th", { scope: "row" }, `${english} `, make("span", { lang: "zh" }, chinese)),
      make("td", { className: "chart" }, bars(now[role], before[role], middle, scale)),
      make("td", {}, text(now[role])), make("td", { className: "before" }, text(before[role]))));
    const head = make("tr", {}, make("th", { scope: "col" }, make("span", { className: "unseen" }, "Role")), make("td"),
      make("th", { scope: "col" }, "yours"), make("th", { scope: "col" }, "report's"));
    return make("table", { className: "measure" }, make("caption", {}, caption), make("thead", {}, head), make("tbody", {}, ...rows));
  };

  const drawMeasures = (found, before) => {
    const scores = [...found.score, ...before.score, 0];
    const scale = [Math.min(...scores), Math.max(...scores, Math.min(...scores) + 1)];
    at("measures").replaceChildren(
      measure("Chance to survive", found.survival, before.survival, percent, { mean: true, scale: [0, 1] }),
      measure("Chance to win", found.wins, before.wins, percent, { mean: false, scale: [0, 1] }),
      measure("Expected points", found.score, before.score, words.points, { mean: true, scale }));
  };

  const drawPlays = (number, { seating, play, points }) => {
    at("plays").replaceChildren(...PLAYS.map((name) => {
      const [found, before] = [grid.outcome(number, name, seating, points), grid.outcome(0, name, seating, REPORT)];
      const cell = (text, value) => make("td", {}, found ? `${text(found[value])} ` : "not worked out ", make("span", {}, `(${text(before[value])})`));
      const row = make("tr", {}, make("th", { scope: "row" }, words.PLAY_NAMES[name]), cell(words.bal, "bal"), cell(words.rat, "rat"));
      if (name === play) row.setAttribute("aria-current", "true");
      return row;
    }));
  };

  const drawBest = (state) => {
    const link = (setting, bal) => {
      const next = { ...state, changes: setting };
      const anchor = make("a", { href: hash(next) }, words.said(setting));
      anchor.addEventListener("click", (event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        setFields(next);
        update();
        at("answer-head").focus();
      });
      return make("li", {}, anchor, " ", make("span", {}, `Bal ${words.bal(bal)}`));
    };
    const [one, two] = [1, 2].map((changes) => grid.best(changes, state.play, state.seating, BEST));
    for (const [id, { settings }] of [["one", one], ["two", two]]) at(id).replaceChildren(...settings.map(({ setting, bal }) => link(setting, bal)));
    say(at("best-hint"), words.bestText(state.play, one.of, two.of));
  };

  const drawAnswer = (number, { play, seating, points }) => {
    const [found, before] = [grid.outcome(number, play, seating, points), grid.outcome(0, play, seating, REPORT)];
    at("found").hidden = found === null;
    if (found === null) {
      say(at("sentence"), words.untriedText(grid.outcome(number, PLAYS[0], null, REPORT).bal));
      say(at("turns"), "");
      return;
    }
    const pointed = points.some((value, k) => value !== REPORT[k]);
    say(at("sentence"), words.sentence(found, before, number !== 0, pointed));
    say(at("turns"), words.turnsText(found.turns, before.turns, number !== 0));
    drawMeasures(found, before);
  };

  const update = () => {
    exclude();
    const state = fields();
    const { number, fewer } = grid.find(state.changes);
    say(at("same"), fewer ? `Together these two are no other rules than: ${words.said(known.settings[number])}` : "");
    say(at("play-text"), words.PLAY_TEXTS[state.play]);
    drawAnswer(number, state);
    drawPlays(number, state);
    drawBest(state);
    at("python").textContent = words.python(known.settings[number], state.play, state.seating, state.points);
    at("link").hidden = true;
    say(at("copied"), "");
    say(at("link-error"), "");
    save(state);
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
      else if (POINTS.includes(name) && value.trim() !== "" && Math.abs(Number(value)) <= LARGEST) state.points[POINTS.indexOf(name)] = Number(value);
      else wrong.push(`${name}=${value}`);
    }
    return { state, wrong };
  };

  const save = (state) => {
    try {
      const link = hash(state);
      history.replaceState(null, "", link === "#" && location.hash === "" ? location.href : link);
    } catch {
      // A page within a page may have no address of its own.
    }
  };

  const open = () => {
    const { state, wrong } = fromHash(location.hash);
    setFields(state);
    update();
    if (wrong.length) say(at("link-error"), `Not all of the link can be read, and the rest of it is set: ${wrong.join(", ")} is left out.`);
  };

  const copy = async () => {
    const inside = location.protocol === "about:";
    const link = (inside ? "" : location.href.split("#")[0]) + hash(fields());
    at("link").value = link;
    try {
      if (inside) throw new Error("A page within a page has no clipboard.");
      await navigator.clipboard.writeText(link);
      at("link").hidden = true;
      say(at("copied"), "Copied.");
    } catch {
      at("link").hidden = false;
      at("link").select();
      say(at("copied"), inside ? "Copy this, and put it behind the address of this page." : "Copy it from here.");
    }
  };

  // What happens

  const reset = () => {
    setFields(fromHash("").state);
    at("points-box").open = false;
    update();
  };

  const build = () => {
    for (const id of ["first", "second"]) listOf(at(id));
    at("seating").append(make("option", { value: "" }, "By lot: all six seatings, equally likely"),
      ...known.seatings.map((seating, k) => make("option", { value: k }, words.seated(seating))));
    at("play").append(...PLAYS.map((play) => make("option", { value: play }, words.PLAY_NAMES[play])));
    at("points").append(...POINTS.map((name) => {
      const field = make("input", { id: name, type: "number", step: "any", min: -LARGEST, max: LARGEST });
      field.setAttribute("aria-describedby", "points-error");
      return make("label", {}, make("span", {}, words.POINT_NAMES[name]), field);
    }));
    at("terms").append(...Object.entries(words.TERMS).flatMap(([term, text]) => [make("dt", {}, term), make("dd", {}, text)]));
    for (const field of document.querySelectorAll("select, #points input")) field.addEventListener("input", update);
    at("reset").addEventListener("click", reset);
    at("copy").addEventListener("click", copy);
    addEventListener("hashchange", open);
  };

  build();
  open();
})();
