// The page: `update` reads the fields, and `compute` works through what follows.
(() => {
  "use strict";
  const { say } = language;
  const { at, make, put, tried, quiet } = elements;
  const { known } = reading;
  const REPAIRS = 3;
  const SLICE = 30;
  const MORE_KILLS = [[1], [2]];
  const STOPPED = new Error("stopped");
  const EVERYTHING = ["answer", "parity", "fairest", "repairs"];

  // What is worked on (a number that every new task and Stop change), the state that it is about, what is left to do, and
  // what is due once a change has waited.
  let [task, shown, left, waiting, saving, due] = [0, null, [], 0, 0, null];

  // What is found. What is drawn is drawn again in another language.

  const drawn = new Map();
  const draw = (name, action) => {
    drawn.set(name, action);
    action();
  };

  const drawBar = (chances) => {
    const [low, high] = [chances[0], chances.at(-1)];
    at("bar").hidden = false;
    for (const [id, share] of [["town", low], ["between", high - low], ["mafia", 1 - high]]) at(`bar-${id}`).style.width = `${100 * share}%`;
    put(at("bar-town"), low > 0.2 ? say("town") : "");
    put(at("bar-mafia"), high < 0.8 ? say("mafia") : "");
  };

  const drawAnswer = (found) => {
    const { setup, rules, voting, odds, fitted, chances } = shown;
    put(at("sentence"), words.sentence(chances, voting, fitted));
    drawBar(chances);
    const record = known.records.find((one) => one.setup === reading.written(setup));
    at("record-box").hidden = !record;
    put(at("record"), record ? words.recordText(record) : "");
    at("fit").hidden = voting.kind === "own" && voting.games === record?.games && voting.won === record?.won;
    at("idle").replaceChildren(...words.idleTexts(setup, rules).map((text) => make("p", { className: "warning" }, text)));
    put(at("length"), words.lengthText(found));
    put(at("model"), words.modelText(voting, odds, fitted));
    at("keep-box").hidden = voting.kind !== "own";
  };

  // Instead of an answer.
  const unknown = (text) => {
    put(at("sentence"), text);
    at("bar").hidden = at("record-box").hidden = at("keep-box").hidden = true;
    at("idle").replaceChildren();
    for (const id of ["length", "model"]) put(at(id), "");
  };

  const drawParity = (found) => {
    const [more, fewer] = [1, -1].map((step) => found.find((change) => change.more === step)?.chances);
    const { text, beware } = words.parityText(shown.chances, more, fewer);
    at("parity-box").hidden = text === "";
    at("parity").classList.toggle("warning", beware);
    put(at("parity"), text);
  };

  // The fitted odds in place of the results, which belong to another table from now on.
  const keep = () => {
    const [low, high] = [shown.odds[0], shown.odds.at(-1)].map((one) => Number(one.toPrecision(3)));
    fields.setVoting({ kind: "odds", odds: low, odds_to: high });
  };

  const use = (action) => {
    if (shown.voting.kind === "own") keep();
    action();
    change();
    at("answer-head").focus();
  };

  const useButton = (text, action) =>
    make("button", { type: "button", "aria-label": say("Use: {text}", { text }), onclick: () => use(action) }, say("Use"));

  // Drawn again only where the best have changed, as the focus may be among them.
  const drawRepairs = (found, of) => {
    const best = search.repairs(found, shown.chances, REPAIRS);
    at("repairs-box").hidden = false;
    put(at("repairs-text"), words.repairsText(found.length === of ? `${of}` : `${found.length} / ${of}`, best.length > 0, shown.odds.length > 1));
    const texts = best.map((change) => say("{change} – the town wins {shares}", { change: words.changeText(change), shares: words.shares(change.chances) }));
    if (texts.join() === at("repairs").dataset.texts) return;
    at("repairs").dataset.texts = texts.join();
    at("repairs").replaceChildren(...best.map((change, k) => make("li", {}, make("span", {}, texts[k]), " ",
      useButton(words.changeText(change), () => { fields.setPeople(change.setup); fields.setRules(change.rules, change.phase); }))));
  };

  const drawFairest = (found) => {
    const here = reading.written(shown.setup);
    at("fairest-box").hidden = found.length === 0;
    put(at("fairest-hint"), words.fairestText(found, shown.odds.length > 1));
    at("fairest").replaceChildren(...found.map(({ setup, chances }) => {
      const own = reading.written(setup) === here;
      return make("tr", { "aria-current": own || undefined }, make("th", { scope: "row" }, words.people(setup)),
        make("td", {}, words.shares(chances)),
        make("td", {}, own ? say("your table") : useButton(words.written(setup), () => fields.setPeople(setup))));
    }));
  };

  // Long work, in slices

  const pause = () => new Promise((go) => { setTimeout(go, 0); });

  const busy = (yes) => at("found").setAttribute("aria-busy", String(yes));

  const inSlices = async (work, ticket, tell) => {
    for (;;) {
      const end = performance.now() + SLICE;
      let step = work.next();
      while (!step.done && performance.now() < end) step = work.next();
      if (step.done) return step.value;
      tell(step.value);
      await pause();
      if (ticket !== task) throw STOPPED;
    }
  };

  const doing = (text, progress) => {
    at("work").hidden = false;
    put(at("doing"), text);
    if (progress) Object.assign(at("progress"), { max: progress.of, value: progress.done });
    else at("progress").removeAttribute("value");
  };

  const useful = () => {
    const { setup, rules } = shown;
    const without = ({
      memory: setup.detectives === 0, aim: rules.kills.every((shots) => shots === 1), tells: setup.sheriffs === 0,
      dead_roles: setup.sheriffs === 0 || rules.tells === "never",
    });
    const named = { phase: reading.PHASES, ...reading.CHOICES, kills: MORE_KILLS };
    return Object.fromEntries(Object.entries(named).filter(([name]) => !without[name]));
  };

  // The odds of the lowest and the best votes, for results of one's own those that fit best and more; null where none fit.
  const votesOf = async ({ setup, rules, phase, voting }, ticket, tell) => {
    const given = { recorded: known.odds, random: [1, 1], odds: [voting.odds, voting.odds_to] }[voting.kind];
    if (given) return { odds: [given[0], null, given[1]] };
    const chanceAt = function* (odds) {
      return (yield* mafia.game({ ...rules, odds }, [setup]).solve(setup, phase)).chance;
    };
    return inSlices(fit.votes(fit.interval(voting.won, voting.games), chanceAt), ticket, tell);
  };

  const TASKS = {
    answer: async (ticket) => {
      const { setup, rules, phase } = shown;
      const tell = (seen) => {
        unknown(say("Working it out …"));
        doing(say("{count} different towns so far", { count: words.whole(seen) }));
      };
      const fitted = await votesOf(shown, ticket, tell);
      if (!fitted.odds) {
        draw("answer", () => unknown(words.unfit(fitted.ends)));
        at("found").hidden = true;
        left.length = 1;
        return;
      }
      const [low, , high] = fitted.odds;
      const found = [];
      for (const one of low === high ? [low] : [low, high]) {
        const game = mafia.game({ ...rules, odds: one }, [setup]);
        const solution = await inSlices(game.solve(setup, phase, true), ticket, tell);
        found.push({ ...solution, until: game.nightsUntil(setup, phase, [0.9]), odds: one });
      }
      Object.assign(shown, { odds: found.map((one) => one.odds), chances: found.map((one) => one.chance), fitted });
      draw("answer", () => drawAnswer(found));
    },
    parity: async (ticket) => {
      const all = search.changes(shown, {}).filter(({ kind }) => kind === "citizen");
      shown.parity = await inSlices(search.tried(all, shown.odds), ticket, () => doing(say("One citizen more or fewer")));
      draw("parity", () => drawParity(shown.parity));
    },
    fairest: async (ticket) => {
      const { setup, rules, phase, may, odds } = shown;
      const work = search.fairest(search.playersOf(setup), may, rules, phase, odds);
      const found = await inSlices(work, ticket, (progress) => doing(say("Combinations of roles tried: {done} of {of}", progress), progress));
      draw("fairest", () => drawFairest(found));
    },
    repairs: async (ticket) => {
      const { parity, chances, odds } = shown;
      const rest = search.changes(shown, useful()).filter(({ kind }) => kind !== "citizen");
      const of = rest.length + parity.length;
      const tell = ({ done, found }) => {
        const progress = { done: done + parity.length, of };
        doing(say("Changes tried: {done} of {of}", progress), progress);
        draw("repairs", () => drawRepairs([...parity, ...found], of));
      };
      const found = await inSlices(search.tried(rest, odds, search.worst(chances)), ticket, tell);
      draw("repairs", () => drawRepairs([...parity, ...found], of));
    },
  };

  const compute = async (names) => {
    task += 1;
    const ticket = task;
    left = [...names];
    at("stopped").hidden = true;
    busy(true);
    try {
      while (left.length) {
        await TASKS[left[0]](ticket);
        left.shift();
      }
      at("work").hidden = true;
      busy(false);
    } catch (error) {
      if (error === STOPPED) return;
      at("work").hidden = true;
      busy(false);
      if (left[0] === "answer") unknown(error.message);
      else put(at("fairest-hint"), error.message);
    }
  };

  const stop = () => {
    task += 1;
    at("work").hidden = true;
    at("stopped").hidden = false;
    busy(false);
    at("again").focus();
  };

  // Links

  const save = () => {
    if (shown !== null) links.save(reading.hash(shown));
  };

  const example = (k) => reading.fromHash(words.EXAMPLES(known.records)[k][1]);

  const open = () => {
    let reason = "";
    const asked = location.hash.length > 1 && tried(() => reading.fromHash(location.hash), ({ message }) => { reason = message.replace(/[.\u3002]$/, ""); });
    fields.set(asked || example(0));
    if (reason) at("link-error").textContent = say("The link cannot be read, so this is an example ({reason}).", { reason });
    update();
  };

  const copy = () => {
    settle();
    if (shown === null) put(at("copied"), say("The table needs a correction first."));
    else links.copy(reading.hash(shown));
  };

  // What happens

  const refused = () => {
    task += 1;
    shown = null;
    drawn.clear();
    at("work").hidden = at("stopped").hidden = at("found").hidden = true;
    unknown(say("No answer yet: something on this page needs a correction."));
    put(at("citizens"), "");
    busy(false);
  };

  const drawPeople = () => {
    at("setup").value = words.written(shown.setup);
    put(at("about"), words.written(shown.setup));
    put(at("fairest-head"), say("The fairest set-ups for {players} players", { players: search.playersOf(shown.setup) }));
  };

  const drawVoting = () => {
    at("results").dataset.kind = fields.kind();
    put(at("voting-hint"), words.votingHint({ kind: fields.kind() }, known));
  };

  const update = (names = EVERYTHING) => {
    quiet();
    drawVoting();
    links.hide();
    const next = tried(fields.state, fields.complain);
    if (next === null) {
      refused();
      return;
    }
    const { odds, fitted, chances, parity } = shown ?? {};
    shown = { ...next, odds, fitted, chances, parity };
    at("found").hidden = false;
    put(at("citizens"), String(next.setup.innocents));
    drawPeople();
    for (const id of [...(names.includes("parity") ? ["parity-box"] : []), "repairs-box", "fairest-box"]) at(id).hidden = true;
    for (const name of names) drawn.delete(name);
    at("repairs").replaceChildren();
    at("repairs").dataset.texts = "";
    put(at("fairest-hint"), "");
    compute(names);
  };

  // A change that waits is worked on at once.
  const settle = () => {
    clearTimeout(waiting);
    const names = due;
    due = null;
    if (names) update(names);
  };

  // One that waits already and asks for everything does so whatever comes after it.
  const soon = (names = EVERYTHING) => {
    clearTimeout(waiting);
    clearTimeout(saving);
    task += 1;
    busy(true);
    if (due !== EVERYTHING) due = names;
    waiting = setTimeout(settle, 120);
    saving = setTimeout(save, 500);
  };

  // A change of what may be used leaves the answers alone that are there.
  const change = () => soon();
  const changeMay = () => soon(["answer", "parity"].includes(left[0]) ? undefined : ["fairest", "repairs"]);

  const changeVoting = () => {
    drawVoting();
    change();
  };

  const read = () => {
    quiet();
    const people = tried(() => reading.setup(at("setup").value), fields.complain);
    if (people === null) refused();
    else {
      fields.setPeople(people);
      change();
    }
  };

  const fitRecord = () => {
    const { games, won } = known.records.find((one) => one.setup === reading.written(shown.setup));
    fields.setVoting({ kind: "own", games, won });
    changeVoting();
  };

  const translate = () => {
    fields.translate();
    for (const id of ["link-error", "copied", "doing"]) put(at(id), "");
    if (shown === null) {
      update();
      return;
    }
    drawVoting();
    drawPeople();
    if (!drawn.has("answer")) unknown(say("Working it out …"));
    for (const action of drawn.values()) action();
  };

  fields.build(change);
  at("examples").append(...words.EXAMPLES(known.records).map((_, k) => fields.told(
    make("button", { type: "button", onclick: () => { fields.set(example(k)); changeVoting(); } }), () => words.EXAMPLES(known.records)[k][0])));
  for (const id of ["counts", "rules"]) at(id).addEventListener("input", change);
  at("voting").addEventListener("input", changeVoting);
  at("may").addEventListener("input", changeMay);
  at("read").addEventListener("click", read);
  at("setup").addEventListener("keydown", (event) => { if (event.key === "Enter") read(); });
  at("usual").addEventListener("click", () => { fields.setRules(reading.rules({}), reading.PHASES[0]); change(); });
  at("fit").addEventListener("click", fitRecord);
  at("keep").addEventListener("click", () => { keep(); changeVoting(); });
  at("cancel").addEventListener("click", stop);
  at("again").addEventListener("click", () => compute(left));
  at("copy").addEventListener("click", copy);
  addEventListener("hashchange", open);
  language.onChange(translate);
  open();
})();
