// The fields of the page: what stands in them is all it knows.
const fields = (() => {
  "use strict";
  const ONE_OR_NONE = search.SINGLE;
  const FIELDS = ["mafiosi", "dons", "sheriffs", "vigilantes", "bodyguards", "witches", "detectives", "doctors", "hunters"];
  const VOTES = ["games", "won", "odds", "odds_to"];
  const { at, make, put } = elements;

  // Elements with their texts, which are found again when another language is chosen.
  const spoken = [];
  const told = (element, text) => {
    spoken.push([element, text]);
    return put(element, text());
  };
  const translate = () => { for (const [element, text] of spoken) put(element, text()); };

  const numberField = (id, error, more) =>
    make("input", { type: "text", id, inputMode: "decimal", autocomplete: "off", maxLength: 20, "aria-describedby": error, ...more });

  // A whole number that two buttons and two keys change, too.
  const roleField = (role, change) => {
    if (ONE_OR_NONE.includes(role)) {
      return make("label", { className: "check" }, make("input", { type: "checkbox", id: role }), told(make("span"), () => words.label(role)));
    }
    const step = (more) => {
      field.value = String(Math.max(role === "players" ? 2 : 0, Math.min(reading.MOST_PLAYERS, (Number(field.value) || 0) + more)));
      change();
    };
    const stepper = (sign, more) => make("button", { type: "button", tabIndex: -1, "aria-hidden": true, onclick: () => step(more) }, sign);
    const onkeydown = (event) => {
      const more = { ArrowUp: 1, ArrowDown: -1 }[event.key];
      if (!more) return;
      event.preventDefault();
      step(more);
    };
    const field = numberField(role, "players-error", { inputMode: "numeric", onkeydown });
    const label = told(make("label", { htmlFor: role }), () => words.label(role));
    return make("div", { className: "count" }, label, stepper("−", -1), field, stepper("+", 1));
  };

  const ruleField = (name, options) => {
    const field = options ? make("select", { id: name, "aria-describedby": "rules-error" }, ...Object.keys(options).map((value) =>
      told(make("option", { value }), () => words.rule(name)[1][value]))) : numberField(name, "rules-error");
    return make("label", {}, told(make("span"), () => words.label(name)), field);
  };

  const ruleNames = words.RULES().flatMap(([, group]) => Object.keys(group));

  const kind = () => reading.KINDS.find((name) => at(`voting-${name}`).checked);

  const state = () => {
    const counts = Object.fromEntries(FIELDS.map((role) => [role, ONE_OR_NONE.includes(role) ? Number(at(role).checked) : at(role).value]));
    const { phase, ...texts } = Object.fromEntries(ruleNames.map((name) => [name, at(name).value]));
    const votes = Object.fromEntries(VOTES.map((name) => [name, at(name).value]));
    return {
      setup: reading.filled(at("players").value, counts), rules: reading.rules(texts), phase,
      may: search.SPECIAL.filter((role) => at(`may-${role}`).checked), voting: reading.voting({ voting: kind(), ...votes }),
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

  const setVoting = ({ kind: chosen, ...votes }) => {
    at(`voting-${chosen}`).checked = true;
    for (const [name, value] of Object.entries(votes)) at(name).value = name === "odds_to" && value === votes.odds ? "" : String(value);
  };

  const set = ({ setup, rules, phase, may, voting }) => {
    setPeople(setup);
    setRules(rules, phase);
    setVoting(voting);
    for (const role of search.SPECIAL) at(`may-${role}`).checked = may.includes(role);
    at("link-error").textContent = "";
  };

  // Errors

  const complain = ({ field, message }) => {
    const box = field === "setup" ? "setup" : VOTES.includes(field) ? "voting" : ruleNames.includes(field) ? "rules" : "players";
    at(`${box}-error`).textContent = message;
    const wrong = at(field);
    wrong?.setAttribute("aria-invalid", "true");
    const group = wrong?.closest("details");
    if (!group) return;
    group.open = true;
    wrong.closest("label").after(at("rules-error"));
  };

  // `change` is called when a button or a key has changed a field.
  const build = (change) => {
    at("counts").append(...["players", ...FIELDS].map((role) => roleField(role, change)));
    at("rules").append(...words.RULES().map(([, group], k) => make("details", { open: k === 0 },
      told(make("summary"), () => words.RULES()[k][0]), ...Object.entries(group).map(([rule, [, options]]) => ruleField(rule, options)))));
    at("may").append(...search.SPECIAL.map((role) => make("label", { className: "check" },
      make("input", { type: "checkbox", id: `may-${role}` }), told(make("span"), () => words.role(role)))));
    at("terms").append(...words.TERMS().flatMap((pair, k) => pair.map((_, place) =>
      told(make(place ? "dd" : "dt"), () => words.TERMS()[k][place]))));
    for (const name of VOTES) {
      at("results").append(make("label", { className: name.startsWith("odds") ? "odds" : "own" }, told(make("span"), () => words.label(name)), numberField(name, "voting-error")));
    }
  };

  return { told, translate, build, state, kind, set, setPeople, setRules, setVoting, complain };
})();
