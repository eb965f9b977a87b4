// The page: what stands in its fields is all it knows; `update` judges and draws it.
(() => {
  "use strict";
  const EXAMPLES = [
    ["648 games by seat (published)", "#by=seat&row=204__1&row=157__2&row=156__3&row=131__4"],
    ["Wolves 30, village 25", "#by=side&row=30__wolves&row=25__village"],
    ["Roles counted apart (invented)", "#by=role&row=41_150_merchant&row=66_140_thief&row=33_120_knight&row=58_160_wizard"],
  ];
  const GOAL = 100 * fairness.POWER;
  const at = (id) => document.getElementById(id);
  const { percent, shownNumber, gamesText } = fairness;

  // What is shown: the last verdict, its outlook, the scale of its curve, and the number of games pointed at.
  let shown = null;
  let saving = 0;

  // Elements

  const make = (name, properties = {}, ...children) => {
    const element = Object.assign(document.createElement(name), properties);
    element.append(...children);
    return element;
  };

  const draw = (name, properties = {}, ...children) => {
    const element = document.createElementNS(at("shares").namespaceURI, name);
    for (const [key, value] of Object.entries(properties)) element.setAttribute(key, String(value));
    element.append(...children);
    return element;
  };

  const line = (kind, x1, y1, x2, y2) => draw("line", { class: kind, x1, y1, x2, y2 });

  const words = (text, x, y, anchor = "middle", kind = "") => draw("text", { class: kind, x, y, "text-anchor": anchor }, text);

  const say = (element, text) => {
    if (element.textContent !== text) element.textContent = text;
  };

  // Fields

  const rowsOf = () => [...at("rows").querySelectorAll("tr.row")];

  const fieldsOf = (row) => [...row.querySelectorAll("input")];

  const typed = () => ({
    by: at("by").value, draws: at("draws").value, margin: at("margin").value, level: at("level").value, looks: at("looks").value,
    rows: rowsOf().map((row) => {
      const [label, wins, games] = fieldsOf(row).map((field) => field.value);
      return { label, wins, games };
    }),
  });

  const nameRows = () => {
    const by = at("by").value;
    rowsOf().forEach((row, k) => {
      const [label, ...rest] = fieldsOf(row);
      const name = label.value.trim() || `row ${k + 1}`;
      label.setAttribute("aria-label", `Name of ${by} ${k + 1}`);
      rest.forEach((field, place) => field.setAttribute("aria-label", `${place ? "Games" : "Wins"} of ${name}`));
      row.querySelector("button").setAttribute("aria-label", `Remove ${name}`);
      row.querySelector("button").setAttribute("aria-disabled", String(rowsOf().length <= 2));
    });
    at("add").setAttribute("aria-disabled", String(rowsOf().length >= reading.MOST_ROWS));
  };

  const newRow = ({ label = "", wins = "", games = "" } = {}) => {
    const field = (value, mode, maxLength) =>
      make("td", {}, make("input", { value, inputMode: mode, maxLength, autocomplete: "off", spellcheck: false }));
    const remove = make("button", { type: "button" }, "×");
    const row = make("tr", { className: "row" }, field(label, "text", reading.LONGEST), field(wins, "decimal", 12),
      field(games, "numeric", 12), make("td", {}, remove));
    remove.addEventListener("click", () => removeRow(row));
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
    for (const name of ["by", "draws", "margin", "level", "looks"]) at(name).value = state[name];
    setRows(state.rows);
    at("link-error").textContent = "";
    update();
  };

  // Errors

  const quiet = () => {
    for (const field of document.querySelectorAll("[aria-invalid]")) field.removeAttribute("aria-invalid");
    for (const field of document.querySelectorAll("[aria-describedby=row-error]")) field.removeAttribute("aria-describedby");
    for (const row of document.querySelectorAll("tr.wrong")) row.remove();
    for (const name of ["rows", "draws", "margin", "looks", "paste"]) at(`${name}-error`).textContent = "";
  };

  const complain = ({ field, place, cells, message }) => {
    if (field !== "row") {
      at(`${field}-error`).textContent = message;
      if (field !== "rows") at(field).setAttribute("aria-invalid", "true");
      return;
    }
    const row = rowsOf()[place];
    const cell = make("td", { colSpan: 4 }, make("p", { className: "error", id: "row-error" }, message));
    cell.firstChild.setAttribute("role", "alert");
    row.after(make("tr", { className: "wrong" }, cell));
    for (const one of cells.map((k) => fieldsOf(row)[k])) {
      one.setAttribute("aria-invalid", "true");
      one.setAttribute("aria-describedby", "row-error");
    }
  };

  // What `action` gives, or null where it was refused.
  const tried = (action) => {
    try {
      return action();
    } catch (error) {
      if (!error.field) throw error;
      complain(error);
      return null;
    }
  };

  // Words

  const capital = (text) => text[0].toUpperCase() + text.slice(1);

  const nameOf = ({ by, labels }, k) => (fairness.isNumber(labels[k]) ? `${by} ${labels[k]}` : labels[k]);

  const difference = (share) => `${share > 0 ? "+" : share < 0 ? "−" : ""}${percent(Math.abs(share))}`;

  const size = (chance) => (chance < 1e-4 ? "below 0.0001" : String(distributions.meant(chance, 3)));


  const bandOf = ({ even, margin, decided }) => [even - margin * decided, even + margin * decided];

  const drawVerdict = (verdict) => {
    const { sentence } = verdict;
    const end = sentence.indexOf(":") + 1;
    if (at("verdict").textContent === sentence) return;
    at("verdict").className = verdict.verdict;
    at("verdict").replaceChildren(make("strong", {}, sentence.slice(0, end)), sentence.slice(end));
  };

  const drawNumbers = (verdict) => {
    const { labels, wins, plays, shares, low, high, even } = verdict;
    at("numbers-head").textContent = capital(verdict.by);
    at("numbers").replaceChildren(...labels.map((label, k) => make("tr", {}, make("th", { scope: "row" }, label),
      ...[`${shownNumber(wins[k])} of ${shownNumber(plays[k])}`, percent(shares[k]), `${percent(low[k])} to ${percent(high[k])}`,
        difference(distributions.meant(shares[k] - even, 9, 1e-12))].map((text) => make("td", {}, text)))));
    at("numbers").parentElement.classList.toggle("long", Math.max(...plays) >= 10_000);
    say(at("numbers-hint"), hints(verdict).join(" "));
  };

  const hints = (verdict) => {
    const { low, high, even, single, decided, level, looks } = verdict;
    const won = `Each game had one winner${decided < 1 ? ", or was drawn" : ""}.`;
    const [from, to] = bandOf(verdict);
    const wide = verdict.verdict === "fair" && (Math.min(...low) < from || Math.max(...high) > to);
    const held = `All intervals hold together with ${Math.round(100 * level)}% confidence${looks > 1 ? `, over ${shownNumber(looks)} looks` : ""}`;
    return [single ? won : "The rows are taken as counted in different games.", `Even is ${percent(even)}%.`,
      `${held}${wide ? "; the verdict needs less than that, so they may reach beyond the margin" : ""}.`];
  };

  const drawTests = (verdict) => {
    const { pValue, equivalencePValue, method, risk, gamesNeeded, games } = verdict;
    const far = fairness.points(verdict.margin);
    const value = (chance) => make("span", { className: "whole" }, `p-value ${size(chance)}`);
    const limit = `, the limit is ${size(risk)}).`;
    const nothing = gamesNeeded === null && "these games tell nothing about it";
    const entries = [
      ["Are all chances equal?", `${pValue <= risk ? "No" : "They may be"}: ${nothing || fairness.odds(verdict)} (${method}; `, value(pValue), limit],
      [`Are all chances within ${far} of even?`, `${equivalencePValue <= risk ? "Yes" : "Not shown"}: ${nothing || `a game with a chance ${far} from even looks at least as even ${fairness.often(equivalencePValue)}`} (`, value(equivalencePValue), limit],
      ["Games still needed", nothing ? "No number of games like these would tell."
        : gamesNeeded ? `About ${shownNumber(gamesNeeded)} more than the ${shownNumber(games)} there are, to show one or the other, if the shares stay as they are.` : "None: the verdict is in."],
    ];
    at("tests").replaceChildren(...entries.flatMap(([term, ...parts]) => [make("dt", {}, term), make("dd", {}, ...parts)]));
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
    const { labels, shares, low, high, even } = verdict;
    const [top, step] = [22, labels.length > 5 ? 28 : 34];
    const bottom = top + step * labels.length;
    const width = frame(svg, bottom + 22);
    const names = labels.map((_, k) => fit(nameOf(verdict, k), width * 0.3));
    const left = 14 + Math.max(...names.map(lengthOf));
    const right = width - 64;
    const band = bandOf(verdict);
    const ends = [Math.min(...low, band[0]), Math.max(...high, band[1])];
    const from = Math.max(0, ends[0] - 0.04 * (ends[1] - ends[0]));
    const to = Math.min(1, ends[1] + 0.04 * (ends[1] - ends[0]));
    const x = (share) => left + ((Math.min(to, Math.max(from, share)) - from) / (to - from)) * (right - left);
    const scale = ticks(100 * from, 100 * to, Math.min(7, Math.max(2, Math.floor((right - left) / 55))));
    svg.replaceChildren(
      draw("rect", { class: "band", x: x(band[0]), y: top, width: x(band[1]) - x(band[0]), height: bottom - top }),
      ...scale.flatMap((tick) => [line("grid", x(tick / 100), top, x(tick / 100), bottom),
        words(`${distributions.meant(tick)}%`, x(tick / 100), bottom + 16, "middle", "soft")]),
      line("even", x(even), top - 4, x(even), bottom),
      words(`even: ${percent(even)}%`, Math.min(right - 30, Math.max(left + 44, x(even))), top - 9),
      ...labels.flatMap((_, k) => {
        const y = top + step * (k + 0.5);
        return [words(names[k], 0, y + 4.5, "start"), line("data", x(low[k]), y, x(high[k]), y),
          draw("circle", { class: "dot", cx: x(shares[k]), cy: y, r: 5 }), words(`${percent(shares[k])}%`, width, y + 4.5, "end")];
      }));
    const told = labels.map((_, k) => `${nameOf(verdict, k)} ${percent(shares[k])}%, interval ${percent(low[k])} to ${percent(high[k])}%`);
    svg.setAttribute("aria-label", `Shares of wins. ${told.join("; ")}. Even: ${percent(even)}%; margin: ${percent(Math.max(0, band[0]))} to ${percent(Math.min(1, band[1]))}%.`);
    at("band-text").parentElement.hidden = !verdict.decided;
    say(at("band-text"), `within ${fairness.points(verdict.margin)} of even${verdict.decided < 1 ? ", among decided games" : ""}`);
  };

  const drawCurveText = () => {
    const { verdict, outlook } = shown;
    const single = verdict.single ? "games" : `games of the most-played ${verdict.by}, and the others in proportion,`;
    const none = verdict.gamesNeeded === null ? "These games tell nothing about that." : outlook.equal ? "The shares are equal, and no number of games shows a difference."
      : outlook.games > fairness.MOST_GAMES ? `The shares are so near to equal that more than ${shownNumber(fairness.MOST_GAMES)} games are needed.` : "";
    at("curve-box").hidden = none !== "";
    say(at("curve-text"), none || `If the true chances are the shares above, ${shownNumber(outlook.games)} ${single} would show a difference in at least ${GOAL} of 100 cases; ${shownNumber(verdict.games)} were played. Point at the curve, or move the slider, for other numbers.`);
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
    const path = Array.from({ length: 121 }, (_, k) => Math.max(k / 120, 1e-6) * end)
      .map((games) => `${x(games).toFixed(1)},${y(outlook.at(games)).toFixed(1)}`);
    const far = verdict.games > end;
    const played = far ? right : x(verdict.games);
    const late = x(outlook.games) > right - 150;
    svg.replaceChildren(
      ...[0, 0.2, 0.4, 0.6, 0.8, 1].flatMap((power) => [line(power === fairness.POWER ? "goal" : "grid", left, y(power), right, y(power)),
        words(`${100 * power}%`, left - 8, y(power) + 4, "end", "soft")]),
      ...ticks(0, end, Math.floor((right - left) / (24 + 7 * shownNumber(end).length)), 1).map((tick) => words(shownNumber(tick), x(tick), bottom + 17, tick > 0.95 * end ? "end" : "middle", "soft")),
      line("played", played, top - 4, played, bottom),
      words(`${shownNumber(verdict.games)} played${far ? " →" : ""}`, played, top - 9, played > right - 45 ? "end" : played < left + 45 ? "start" : "middle", "played"),
      draw("polyline", { class: "data", points: path.join(" ") }),
      draw("circle", { class: "dot", cx: x(outlook.games), cy: y(outlook.at(outlook.games)), r: 5 }),
      draw("g", { id: "pointing" }),
      words(`${GOAL}%: ${shownNumber(outlook.games)} games`, x(outlook.games) + (late ? -6 : 8), y(fairness.POWER) + (late ? -9 : 17), late ? "end" : "start", "over"));
    svg.setAttribute("aria-label", `Chance that games show a difference, by their number: ${GOAL}% with ${shownNumber(outlook.games)} games, ${percent(outlook.at(verdict.games))}% with the ${shownNumber(verdict.games)} played.`);
    Object.assign(at("pointer").style, { marginLeft: `${left - 10}px`, width: `${right - left + 20}px` });
    at("pointer").max = String(end);
    pointAt(shown.games ?? (far ? outlook.games : verdict.games));
  };

  const pointAt = (games) => {
    const { outlook, curve: { x, y, end } } = shown;
    const n = Math.min(end, Math.max(1, Math.round(games)));
    const power = outlook.at(n);
    const said = `${gamesText(n)} would show a difference ${fairness.often(power)}.`;
    shown.games = n;
    at("pointer").value = String(n);
    at("pointer").setAttribute("aria-valuetext", said);
    say(at("pointer-text"), said);
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
    if (isWrong()) return;
    try {
      history.replaceState(null, "", reading.hash(typed()));
    } catch {
      // A page within a page may have no address of its own.
    }
  };

  const load = (hash) => {
    try {
      setFields(reading.fromHash(hash));
    } catch (error) {
      if (!error.field) throw error;
      setFields(reading.fromHash(EXAMPLES[0][1]));
      at("link-error").textContent = `The link cannot be read, so this is an example (${error.message}).`;
    }
  };

  const open = () => load(location.hash.length > 1 ? location.hash : EXAMPLES[0][1]);

  const copy = async () => {
    if (isWrong()) {
      say(at("copied"), "The numbers need a correction first.");
      return;
    }
    const inside = location.protocol === "about:";
    const link = (inside ? "" : location.href.split("#")[0]) + reading.hash(typed());
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

  const drawAll = () => {
    drawShares(shown.verdict);
    drawCurve();
  };

  const update = () => {
    quiet();
    nameRows();
    say(at("copied"), "");
    at("link").hidden = true;
    const counts = tried(() => reading.counts(typed()));
    at("found").classList.toggle("stale", counts === null);
    if (counts === null) {
      at("verdict").className = "none";
      say(at("verdict"), "No verdict: the numbers need a correction.");
      return;
    }
    const verdict = fairness.judge(counts);
    shown = { verdict, outlook: verdict.gamesNeeded === null ? null : fairness.outlook(verdict), curve: null };
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

  const fillFrom = (text) => {
    const { rows, draws } = reading.lines(text);
    setRows(rows);
    at("draws").value = draws ?? "";
    change();
  };

  const onPaste = (event) => {
    const text = event.clipboardData?.getData("text") ?? "";
    if (!/[\n\t]/.test(text.trim())) return;
    event.preventDefault();
    quiet();
    tried(() => fillFrom(text));
  };

  const connect = () => {
    for (const id of ["rows", "draws", "margin", "looks"]) at(id).addEventListener("input", change);
    for (const id of ["by", "level"]) at(id).addEventListener("change", change);
    at("rows").addEventListener("paste", onPaste);
    at("add").addEventListener("click", addRow);
    at("fill").addEventListener("click", () => { quiet(); tried(() => fillFrom(at("paste").value)); });
    at("copy").addEventListener("click", copy);
    at("curve").addEventListener("pointermove", followMouse);
    at("curve").addEventListener("pointerdown", followMouse);
    at("pointer").addEventListener("keydown", followKeys);
    at("pointer").addEventListener("input", () => pointAt(Number(at("pointer").value)));
    addEventListener("hashchange", open);
    addEventListener("resize", drawAll);
    at("examples").append(...EXAMPLES.map(([name, hash]) => {
      const button = make("button", { type: "button" }, name);
      button.addEventListener("click", () => { setFields(reading.fromHash(hash)); change(); });
      return button;
    }));
  };

  connect();
  open();
})();
