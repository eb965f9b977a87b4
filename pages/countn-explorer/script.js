// The page: one state, `game`, which every action changes and `draw` shows.
(() => {
  "use strict";
  const { say, later } = language;
  const { at, make, put, tried } = elements;
  const NAMES = [later("First player"), later("Second player")];
  const SIDES = [later("first"), later("second")];
  const ENDS = [
    { big: later("First player has withdrawn both hands and wins big: second player still shows both."),
      small: later("First player has withdrawn both hands and wins small: second player shows one.") },
    { big: later("Second player has withdrawn both hands and wins big: first player still shows both."),
      small: later("Second player has withdrawn both hands and wins small: first player shows one.") },
  ];
  const START = "1,1 v 1,1";
  const SIGNS = { 2: "▲▲", 1: "▲", 0: "=", "-1": "▼", "-2": "▼▼" };
  const still = matchMedia("(prefers-reduced-motion: reduce)");

  // steps[k] = { position, side, move }: who is to move there, and the move that led there. `now` is the step shown;
  // what lies behind it can be stepped into.
  const game = { n: 8, overflow: "one", steps: [], now: 0, note: () => "" };
  let timer = 0;

  const here = () => game.steps[game.now];
  const isComputer = (side) => at(`player-${side}`).value === "perfect";
  const showsValues = () => at("values").checked;

  // Elements

  const tag = (outcome) => {
    const kind = outcome.value > 0 ? "win" : outcome.value < 0 ? "loss" : "even";
    const sign = make("span", { className: "sign", "aria-hidden": true }, SIGNS[outcome.value]);
    return make("span", { className: `tag ${kind}` }, sign, countN.outcomeText(outcome));
  };

  // What is said

  const repeats = () => {
    const text = countN.positionText(here().position);
    return game.steps.findIndex((step, k) => k < game.now && step.side === here().side && countN.positionText(step.position) === text);
  };

  const endText = ({ position, side }) => {
    const { big, small } = ENDS[1 - side];
    return position.mover.includes(0) ? say(small) : say(big);
  };

  const statusText = () => {
    const { position, side, move } = here();
    const last = move ? say("{player} played {move}.", { player: say(NAMES[1 - side]), move: countN.moveText(game, move) }) : "";
    if (countN.isOver(position)) return language.join([last, endText(here())]);
    const turn = { player: say(NAMES[side]), position: countN.positionText(position), outcome: countN.outcomeText(countN.outcome(game, position)) };
    const earlier = repeats();
    return language.join([last,
      showsValues() ? say("{player} to move, {position}: {outcome}.", turn) : say("{player} to move, {position}.", turn),
      earlier < 0 ? "" : say("This position stood after ply {ply} already: play can repeat for ever, which is a draw.", { ply: earlier }),
      game.note()]);
  };

  // Drawing

  const card = (hand, used, changed) => {
    const away = hand === 0;
    return make("div", { className: `card${away ? " away" : ""}${changed ? " changed" : ""}`, "data-hand": used },
      make("span", { className: "number" }, away ? "–" : hand),
      make("span", { className: "small" }, away ? say("withdrawn") : say("needs {missing}", { missing: game.n - hand })));
  };

  const changedHand = (side) => {
    const { move, side: toMove, position } = here();
    if (!move || toMove === side) return -1;
    const before = [...game.steps[game.now - 1].position.mover];
    before.splice(before.indexOf(move.own), 1);
    return position.opponent[0] === before[0] ? 1 : 0;
  };

  const drawSide = (side) => {
    const { position, side: toMove } = here();
    const turn = toMove === side && !countN.isOver(position);
    const hands = toMove === side ? position.mover : position.opponent;
    const box = at(`side-${side}`);
    const [first, second] = hands.map((hand) => hand || say("withdrawn"));
    const who = isComputer(side) ? say("perfect play") : say("person");
    const named = { player: say(NAMES[side]), who, first, second };
    box.classList.toggle("turn", turn);
    box.setAttribute("aria-label", turn ? say("{player}, {who}, to move: hands {first} and {second}", named) : say("{player}, {who}: hands {first} and {second}", named));
    const head = make("p", { className: "who" }, make("strong", {}, named.player), make("span", {}, who));
    if (turn) head.append(make("span", { className: "badge" }, say("to move")));
    const fresh = changedHand(side);
    const cards = hands.map((hand, k) => card(hand, `${side} ${hand}`, k === fresh));
    box.replaceChildren(head, make("div", { className: "cards" }, ...cards));
  };

  const point = (option, on) => {
    const { side } = here();
    for (const used of [`${side} ${option.move.own}`, `${1 - side} ${option.move.added}`]) {
      document.querySelector(`.card[data-hand="${used}"]`)?.classList.toggle("used", on);
    }
  };

  const moveButton = (option, number, isBest) => {
    const [mark, unmark] = [() => point(option, true), () => point(option, false)];
    const best = isBest ? [" ", make("span", { className: "badge" }, say("best"))] : [];
    return make("li", {}, make("button", {
      type: "button", className: "move", "aria-keyshortcuts": number, "aria-disabled": held() || undefined,
      onclick: () => playAsPerson(option.move), onmouseenter: mark, onfocus: mark, onmouseleave: unmark, onblur: unmark,
    }, make("kbd", { "aria-hidden": true }, number), make("span", { className: "sum" }, countN.moveText(game, option.move)),
    make("span", { className: "leads" }, ` → ${countN.positionText(countN.after(here().position, option.move))}`),
    ...(showsValues() ? [make("span", { className: "worth" }, " ", tag(option), ...best)] : [])));
  };

  const waiting = () => timer !== 0;

  // Undone to a turn of perfect play: a person may go on as it did, not move for it.
  const held = () => isComputer(here().side) && !waiting() && !countN.isOver(here().position);

  const drawMoves = () => {
    const { position, side } = here();
    const hadFocus = at("moves").contains(document.activeElement) || document.activeElement === at("moves-head");
    const all = waiting() ? [] : countN.options(game, position);
    const good = all.length ? countN.best(game, position).map(({ move }) => countN.pairText(move.hands)) : [];
    at("moves").replaceChildren(...all.map((option, k) =>
      moveButton(option, k + 1, good.includes(countN.pairText(option.move.hands)))));
    const player = say(NAMES[side]);
    at("no-moves").textContent = waiting() ? say("{player} is about to move.", { player })
      : held() ? say("{player} is perfect play: go on with Forward or Best move.", { player })
        : all.length ? "" : say("None: the game is over.");
    if (hadFocus) (at("moves").querySelector("button") ?? at("moves-head")).focus();
  };

  const historyRow = (step, k) => {
    const next = game.steps[k + 1];
    return make("tr", { className: k > game.now ? "ahead" : "", "aria-current": k === game.now ? "step" : undefined },
      make("th", { scope: "row" }, k),
      make("td", {}, say(SIDES[step.side])),
      make("td", { className: "position" }, countN.positionText(step.position)),
      make("td", {}, showsValues() ? tag(countN.outcome(game, step.position)) : say("hidden")),
      make("td", {}, next ? countN.moveText(game, next.move) : ""));
  };

  const drawHistory = () => {
    at("history").replaceChildren(...game.steps.map(historyRow));
    const box = at("history").closest(".scroll");
    const row = at("history").children[game.now];
    box.scrollTop = row.offsetTop - box.clientHeight / 2;
  };

  const draw = () => {
    at("title-n").textContent = at("rule-n").textContent = String(game.n);
    at("rule-overflow").textContent = game.overflow === "one" ? say("go beyond and it shows 1") : say("go beyond and {n} is taken off", { n: game.n });
    drawSide(0);
    drawSide(1);
    drawMoves();
    drawHistory();
    const over = countN.isOver(here().position);
    for (const [id, off] of [["undo", game.now === 0], ["forward", game.now + 1 === game.steps.length],
      ["best", over], ["main-line", over]]) at(id).setAttribute("aria-disabled", String(off));
    put(at("status"), statusText());
  };

  // Actions

  const show = (note = () => "") => {
    clearTimeout(timer);
    timer = 0;
    game.note = note;
    draw();
  };

  // A computer moves at the end of what was played, never into a line ahead, and two do not go round in a circle.
  const goOn = (note = () => "") => {
    show(note);
    const { position, side } = here();
    const last = game.now + 1 === game.steps.length;
    const endless = isComputer(0) && isComputer(1) && repeats() >= 0;
    if (!last || !isComputer(side) || countN.isOver(position) || endless) return;
    timer = setTimeout(() => play(countN.choice(game, here().position)), still.matches ? 0 : 700);
    drawMoves();
  };

  const extended = (steps, moves) => moves.reduce((all, move) => {
    const { position, side } = all[all.length - 1];
    return [...all, { position: countN.after(position, move), side: 1 - side, move }];
  }, steps);

  const play = (move) => {
    game.steps = extended(game.steps.slice(0, game.now + 1), [move]);
    game.now += 1;
    goOn();
  };

  const playAsPerson = (move) => {
    if (!waiting() && !held()) play(move);
  };

  const playNumber = (number) => {
    const move = countN.moves(game, here().position)[number - 1];
    if (move) playAsPerson(move);
  };

  const playBest = () => {
    if (!countN.isOver(here().position)) play(countN.choice(game, here().position));
  };

  const forward = () => {
    if (game.now + 1 < game.steps.length) game.now += 1;
    show();
  };

  // Back to the last move of a person, so that the answer of a computer is taken back with it.
  const undo = () => {
    const both = isComputer(0) === isComputer(1);
    if (game.now > 0) game.now -= 1;
    while (!both && game.now > 0 && isComputer(here().side)) game.now -= 1;
    show();
  };

  const mainLine = () => {
    const { position } = here();
    if (countN.isOver(position)) return;
    const line = countN.mainLine(game, position);
    game.steps = extended(game.steps.slice(0, game.now + 1), line);
    const text = countN.outcome(game, position).value ? later("Main line ahead: {plies} to the end. Step with Forward.")
      : later("Main line ahead: {plies}, then a position comes back. Step with Forward.");
    show(() => {
      const so = { plies: countN.plies(line.length) };
      return showsValues() ? say(text, so) : say("Main line ahead: {plies}. Step with Forward.", so);
    });
  };

  const complain = (message) => {
    at("position").setAttribute("aria-invalid", String(message !== ""));
    at("position-error").textContent = message;
  };

  const begin = (position, moves = []) => {
    complain("");
    game.steps = extended([{ position, side: 0, move: null }], moves);
    game.now = 0;
    goOn(() => moves.length ? say("{plies} ahead: step with Forward.", { plies: countN.plies(moves.length) }) : "");
  };

  const restart = () => begin(game.steps[0].position);

  const choose = () => {
    game.n = Number(at("size").value);
    game.overflow = at("overflow").value;
    begin(countN.parse(game, START));
  };

  const loadPreset = () => {
    const preset = countN.data.presets[Number(at("preset").value)];
    at("size").value = String(preset.n);
    at("overflow").value = preset.overflow;
    choose();
    const line = [preset.position, ...preset.line].map((text) => countN.parse(game, text));
    begin(line[0], line.slice(1).map((next, k) => countN.moves(game, line[k])
      .find((move) => countN.pairText(move.hands) === countN.pairText(next.opponent))));
  };

  const setPosition = () => {
    const position = tried(() => countN.parse(game, at("position").value), ({ message }) => complain(message));
    if (position) begin(position);
  };

  // Keys

  const focusMove = (step) => {
    const buttons = [...at("moves").querySelectorAll("button")];
    const k = buttons.indexOf(document.activeElement);
    if (k < 0) return false;
    buttons[(k + step + buttons.length) % buttons.length].focus();
    return true;
  };

  const KEYS = {
    u: undo, ArrowLeft: undo, f: forward, ArrowRight: forward, b: playBest, m: mainLine, r: restart,
    v: () => at("values").click(), ArrowDown: () => focusMove(1), ArrowUp: () => focusMove(-1),
  };

  const onKey = (event) => {
    const typing = event.target.closest?.("input[type=text], select, .scroll");
    if (typing || event.ctrlKey || event.metaKey || event.altKey || !at("shortcuts").checked) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (/^[1-4]$/.test(key)) playNumber(Number(key));
    else if (!Object.hasOwn(KEYS, key) || KEYS[key]() === false) return;
    event.preventDefault();
  };

  const connect = () => {
    const actions = { undo, forward, best: playBest, "main-line": mainLine, restart, load: loadPreset, set: setPosition };
    for (const [id, action] of Object.entries(actions)) at(id).addEventListener("click", action);
    for (const id of ["size", "overflow"]) at(id).addEventListener("change", choose);
    for (const id of ["player-0", "player-1"]) at(id).addEventListener("change", () => goOn());
    at("values").addEventListener("change", draw);
    at("position").addEventListener("keydown", (event) => { if (event.key === "Enter") setPosition(); });
    document.addEventListener("keydown", onKey);
    language.onChange(() => {
      complain("");
      namePresets();
      draw();
    });
  };

  const namePresets = () => {
    const { value } = at("preset");
    at("preset").replaceChildren(...countN.data.presets.map(({ name }, k) => make("option", { value: String(k) }, say(name))));
    at("preset").value = value || "0";
  };

  const sizes = Object.keys(countN.data.games);
  at("size").append(...sizes.map((n) => make("option", { value: n }, n)));
  at("size").value = sizes.includes("8") ? "8" : sizes[0];
  namePresets();
  connect();
  choose();
})();
