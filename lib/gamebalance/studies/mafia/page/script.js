// The page: what stands in its fields is all it knows; `update` reads them, and `compute` works through what follows.
(() => {
  "use strict";
  const { EXAMPLES, RULES, TERMS, capital, changeText, leadText, lengthText, modelText, parityText, percent } = words;
  const ONE_OR_NONE = search.SINGLE;
  const FIELDS = ["mafiosi", "dons", "sheriffs", "vigilantes", "bodyguards", "witches", "detectives", "doctors", "hunters"];
  const REPAIRS = 3;
  const SLICE = 30;
  const MORE_KILLS = [[1], [2]];
  const at = (id) => document.getElementById(id);
  const STOPPED = new Error("stopped");

  // What is worked on (a number that every new task and Stop change), the state that it is about, and what is left to do.
  let [task, shown, left, waiting, saving] = [0, null, [], 0, 0];

  // Elements

  const make = (name, properties = {}, ...children) => {
    const element = Object.assign(document.createElement(name), properties);
    element.append(...children);
    return element;
  };

  const say = (element, text) => {
    if (element.textContent !== text) element.textContent = text;
  };

  // Fields

  const fieldFor = (role) => {
    const [one, several] = reading.WRITTEN[role] ?? [];
    if (ONE_OR_NONE.includes(role)) {
      return make("label", { className: "check" }, make("input", { type: "checkbox", id: role }), capital(one));
    }
    const name = role === "players" ? "Players" : capital(several);
    const field = make("input", { type: "number", id: role, min: role === "players" ? 2 : 0, max: reading.MOST_PLAYERS, inputMode: "numeric" });
    field.setAttribute("aria-describedby", "players-error");
    const step = (sign, more) => {
      const button = make("button", { type: "button", tabIndex: -1 }, sign);
      button.setAttribute("aria-hidden", "true");
      button.addEventListener("click", () => {
        field[more > 0 ? "stepUp" : "stepDown"]();
        change();
      });
      return button;
    };
    return make("div", { className: "count" }, make("label", { htmlFor: role }, name), step("−", -1), field, step("+", 1));
  };

  const ruleField = (name, label, options) => {
    const field = options ? make("select", { id: name }, ...Object.entries(options).map(([value, text]) => make("option", { value }, text)))
      : make("input", { type: "text", id: name, inputMode: "decimal", autocomplete: "off", maxLength: 20 });
    field.setAttribute("aria-describedby", "rules-error");
    return make("label", {}, `${label} `, field);
  };

  const ruleNames = RULES.flatMap(([, group]) => Object.keys(group));

  const state = () => {
    const counts = Object.fromEntries(FIELDS.map((role) => [role, ONE_OR_NONE.includes(role) ? Number(at(role).checked) : at(role).value]));
    const { phase, ...texts } = Object.fromEntries(ruleNames.map((name) => [name, at(name).value]));
    return {
      setup: reading.filled(at("players").value, counts), rules: reading.rules(texts), phase,
      may: search.SPECIAL.filter((role) => at(`may-${role}`).checked),
    };
  };

  const setPeople = (setup) => {
    for (const role of FIELDS) {
      if (ONE_OR_NONE.includes(role)) at(role).checked = setup[role] === 1;
      else at(role).value = String(setup[role]);
    }
    at("players").value = String(search.playersOf(setup));
  };

  const setRules = (rules, phase) => {
    for (const name of ruleNames) at(name).value = name === "phase" ? phase : String(rules[name]).replaceAll(",", name === "kills" ? ", " : ",");
  };

  const setFields = ({ setup, rules, phase, may }) => {
    setPeople(setup);
    setRules(rules, phase);
    for (const role of search.SPECIAL) at(`may-${role}`).checked = may.includes(role);
    at("link-error").textContent = "";
  };

  // Errors

  const quiet = () => {
    for (const field of document.querySelectorAll("[aria-invalid]")) field.removeAttribute("aria-invalid");
    for (const name of ["setup", "players", "rules"]) at(`${name}-error`).textContent = "";
  };

  const complain = ({ field, message }) => {
    const box = field === "setup" ? "setup" : ruleNames.includes(field) ? "rules" : "players";
    at(`${box}-error`).textContent = message;
    const wrong = at(field);
    wrong?.setAttribute("aria-invalid", "true");
    const group = wrong?.closest("details");
    if (!group) return;
    group.open = true;
    wrong.closest("label").after(at("rules-error"));
  };

  const tried = (action) => {
    try {
      return action();
    } catch (error) {
      if (!error.field) throw error;
      complain(error);
      return null;
    }
  };

  // What is found

  const drawAnswer = ({ chance: won, nights, until }) => {
    say(at("sentence"), `The town wins ${percent(won)}% of games, the mafia ${percent(1 - won)}%. ${leadText(won)}`);
    at("bar").hidden = false;
    at("bar-town").style.width = `${100 * won}%`;
    at("bar-mafia").style.width = `${100 - 100 * won}%`;
    at("bar-town").textContent = won > 0.2 ? "town" : "";
    at("bar-mafia").textContent = won < 0.8 ? "mafia" : "";
    say(at("length"), lengthText(nights, until));
    say(at("model"), modelText(shown.rules));
  };

  // Instead of an answer.
  const unknown = (text) => {
    say(at("sentence"), text);
    at("bar").hidden = true;
    for (const id of ["length", "model"]) say(at(id), "");
  };

  const drawParity = (found) => {
    const [more, fewer] = [1, -1].map((step) => found.find((change) => change.more === step)?.chance);
    const { text, beware } = parityText(shown.chance, more, fewer);
    at("parity-box").hidden = text === "";
    at("parity").classList.toggle("warning", beware);
    say(at("parity"), text);
  };

  const useButton = (text, action) => {
    const button = make("button", { type: "button" }, "Use");
    button.setAttribute("aria-label", `Use: ${text}`);
    button.addEventListener("click", () => {
      action();
      change();
      at("answer-head").focus();
    });
    return button;
  };

  // Drawn again only where the best have changed, as the focus may be among them.
  const drawRepairs = (found, of) => {
    const best = search.repairs(found, shown.chance, REPAIRS);
    const all = found.length === of ? `${of}` : `the first ${found.length} of ${of}`;
    at("repairs-box").hidden = false;
    say(at("repairs-text"), best.length ? `Of ${all} changes of one citizen, one role or one rule, these come nearest to an even game:`
      : `Of ${all} changes of one citizen, one role or one rule, none comes nearer to an even game.`);
    const texts = best.map(changeText);
    if (texts.join() === at("repairs").dataset.texts) return;
    at("repairs").dataset.texts = texts.join();
    at("repairs").replaceChildren(...best.map((change, k) => make("li", {},
      make("span", {}, `${texts[k]} – the town wins `, make("strong", {}, `${percent(change.chance)}%`)), " ",
      useButton(texts[k], () => { setPeople(change.setup); setRules(change.rules, change.phase); }))));
  };

  const drawFairest = (found) => {
    const here = reading.written(shown.setup);
    at("fairest-box").hidden = found.length === 0;
    say(at("fairest-hint"), found.length ? "Under your rules. Mafiosi were added as long as the town still won one game in ten." : "No set-up of so many players with these roles.");
    at("fairest").replaceChildren(...found.map(({ setup, chance: won }) => {
      const text = reading.written(setup);
      const row = make("tr", {}, make("th", { scope: "row" }, text.replace(/^\d+: /, "")), make("td", {}, `${percent(won)}%`),
        make("td", {}, text === here ? "your table" : useButton(text, () => setPeople(setup))));
      if (text === here) row.setAttribute("aria-current", "true");
      return row;
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
    at("doing").textContent = text;
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

  const TASKS = {
    answer: async (ticket) => {
      const { setup, rules, phase } = shown;
      const game = mafia.game(rules, [setup]);
      const found = await inSlices(game.solve(setup, phase, true), ticket, (seen) => {
        unknown("Working it out …");
        doing(`${seen.toLocaleString("en-US")} different towns so far`);
      });
      shown.chance = found.chance;
      drawAnswer({ ...found, until: game.nightsUntil(setup, phase, [0.1, 0.5, 0.9]) });
    },
    parity: async (ticket) => {
      const all = search.changes(shown, {}).filter(({ kind }) => kind === "citizen");
      shown.parity = await inSlices(search.tried(all), ticket, () => doing("One citizen more or fewer"));
      drawParity(shown.parity);
    },
    fairest: async (ticket) => {
      const { setup, rules, phase, may } = shown;
      const work = search.fairest(search.playersOf(setup), may, rules, phase);
      drawFairest(await inSlices(work, ticket, (progress) => doing(`Combinations of roles tried: ${progress.done} of ${progress.of}`, progress)));
    },
    repairs: async (ticket) => {
      const { parity } = shown;
      const rest = search.changes(shown, useful()).filter(({ kind }) => kind !== "citizen");
      const of = rest.length + parity.length;
      const tell = ({ done, found }) => {
        doing(`Changes tried: ${done + parity.length} of ${of}`, { done: done + parity.length, of });
        drawRepairs([...parity, ...found], of);
      };
      drawRepairs([...parity, ...await inSlices(search.tried(rest), ticket, tell)], of);
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
      else say(at("fairest-hint"), error.message);
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
    if (shown === null) return;
    try {
      history.replaceState(null, "", reading.hash(shown));
    } catch {
      // A page within a page may have no address of its own.
    }
  };

  const open = () => {
    try {
      setFields(reading.fromHash(location.hash.length > 1 ? location.hash : EXAMPLES[0][1]));
    } catch (error) {
      if (!error.field) throw error;
      setFields(reading.fromHash(EXAMPLES[0][1]));
      at("link-error").textContent = `The link cannot be read, so this is an example (${error.message}).`;
    }
    update();
  };

  const copy = async () => {
    if (shown === null) {
      say(at("copied"), "The table needs a correction first.");
      return;
    }
    const inside = location.protocol === "about:";
    const link = (inside ? "" : location.href.split("#")[0]) + reading.hash(shown);
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

  const refused = () => {
    task += 1;
    shown = null;
    at("work").hidden = at("stopped").hidden = at("found").hidden = true;
    unknown("No answer: the table needs a correction.");
    say(at("citizens"), "");
    busy(false);
  };

  const update = (names = ["answer", "parity", "fairest", "repairs"]) => {
    quiet();
    at("link").hidden = true;
    say(at("copied"), "");
    const next = tried(state);
    if (next === null) {
      refused();
      return;
    }
    shown = { ...next, chance: shown?.chance, parity: shown?.parity };
    at("found").hidden = false;
    at("setup").value = reading.written(next.setup);
    at("citizens").textContent = String(next.setup.innocents);
    at("fairest-players").textContent = String(search.playersOf(next.setup));
    for (const id of [...(names.includes("parity") ? ["parity-box"] : []), "repairs-box", "fairest-box"]) at(id).hidden = true;
    at("repairs").replaceChildren();
    at("repairs").dataset.texts = "";
    say(at("fairest-hint"), "");
    compute(names);
  };

  const soon = (names) => {
    clearTimeout(waiting);
    clearTimeout(saving);
    task += 1;
    busy(true);
    waiting = setTimeout(() => update(names), 120);
    saving = setTimeout(save, 500);
  };

  // A change of what may be used leaves the answers alone that are there.
  const change = () => soon();
  const changeMay = () => soon(["answer", "parity"].includes(left[0]) ? undefined : ["fairest", "repairs"]);

  const read = () => {
    quiet();
    const people = tried(() => reading.setup(at("setup").value));
    if (people === null) refused();
    else {
      setPeople(people);
      change();
    }
  };

  const build = () => {
    at("counts").append(...["players", ...FIELDS].map(fieldFor));
    at("rules").append(...RULES.map(([name, group], k) => make("details", { open: k === 0 }, make("summary", {}, name),
      ...Object.entries(group).map(([rule, [label, options]]) => ruleField(rule, label, options)))));
    at("may").append(...search.SPECIAL.map((role) => make("label", { className: "check" },
      make("input", { type: "checkbox", id: `may-${role}` }), reading.WRITTEN[role][0])));
    at("terms").append(...Object.entries(TERMS).flatMap(([term, text]) => [make("dt", {}, term), make("dd", {}, text)]));
    at("examples").append(...EXAMPLES.map(([name, hash]) => {
      const button = make("button", { type: "button" }, name);
      button.addEventListener("click", () => { setFields(reading.fromHash(hash)); change(); });
      return button;
    }));
  };

  const connect = () => {
    for (const id of ["counts", "rules"]) at(id).addEventListener("input", change);
    at("may").addEventListener("input", changeMay);
    at("read").addEventListener("click", read);
    at("setup").addEventListener("keydown", (event) => { if (event.key === "Enter") read(); });
    at("usual").addEventListener("click", () => { setRules(reading.rules({}), reading.PHASES[0]); change(); });
    at("cancel").addEventListener("click", stop);
    at("again").addEventListener("click", () => compute(left));
    at("copy").addEventListener("click", copy);
    addEventListener("hashchange", open);
  };

  build();
  connect();
  open();
})();
