// What was typed or came with a link, as set-up and rules; refused in one line that says why. Nothing in this part touches
// the page. Names and words are those of gamebalance.mafia.
const reading = (() => {
  "use strict";
  const { ROLES, SINGLE, SPECIAL } = search;
  const MOST_PLAYERS = 24;
  const WRITTEN = {
    dons: ["don", "dons"], mafiosi: ["mafioso", "mafiosi"], sheriffs: ["sheriff", "sheriffs"], detectives: ["detective", "detectives"],
    doctors: ["doctor", "doctors"], bodyguards: ["bodyguard", "bodyguards"], vigilantes: ["vigilante", "vigilantes"],
    witches: ["witch", "witches"], hunters: ["hunter", "hunters"], innocents: ["citizen", "citizens"],
  };
  const SYNONYMS = {
    dons: "godfather godfathers", mafiosi: "mafia werewolf werewolves wolf wolves", sheriffs: "cop cops seer seers",
    doctors: "medic medics", innocents: "innocent innocents villager villagers townsperson townspeople townie townies",
  };
  const NAMES = new Map(Object.entries(SYNONYMS).flatMap(([role, words]) => words.split(" ").map((word) => [word, role])));
  for (const [role, words] of Object.entries(WRITTEN)) for (const word of words) NAMES.set(word, role);

  // The rules that are chosen among values, the usual one first; and those that are numbers: usual, least, most.
  const CHOICES = {
    half_rule: ["morning", "always", "never"], votes: ["every day", "odd number", "odd days"],
    ties: ["lot", "nobody", "all", "again, then nobody", "again, then all"], aim: ["together", "apart"],
    tells: ["never", "at death", "at a find", "every morning"], dead_roles: ["shown", "hidden"], memory: [false, true],
  };
  const PHASES = ["evening", "morning"];
  const NUMBERS = { odds: [1, 0.001, 1000], agreement: [1, 0.001, 1], potion: [0.5, 0, 1], shot: [0.5, 0, 1], bullets: [1, 0, 9] };
  const [MOST_KILLS, MOST_STEPS] = [5, 9];

  const refuse = (message, field) => { throw Object.assign(new Error(message), { field }); };

  const clean = (text) => String(text).replace(/\s+/g, " ").trim();

  const quoted = (text) => (text.includes("'") && !text.includes('"') ? `"${text}"` : `'${text.replaceAll("'", "\\'")}'`);

  const shown = (text) => {
    const short = quoted(clean(text));
    return short.length > 60 ? `${short.slice(0, 59)}…` : short;
  };

  const numeric = (text) => /^[+-]?(\d+\.?\d*|\.\d+)$/.test(text);

  const whole = (name, text, least, most, field = name) => {
    const given = clean(text);
    if (numeric(given) && Number.isInteger(Number(given)) && least <= Number(given) && Number(given) <= most) return Number(given);
    return refuse(`${name} = ${numeric(given) ? given : shown(given)}: a whole number from ${least} to ${most} is needed`, field);
  };

  const number = (name, text) => {
    const [, least, most] = NUMBERS[name];
    const given = clean(text);
    if (name === "bullets") return whole(name, given, least, most);
    if (numeric(given) && least <= Number(given) && Number(given) <= most) return Number(given);
    return refuse(`${name} = ${numeric(given) ? given : shown(given)}: a number from ${least} to ${most} is needed`, name);
  };

  // Set-ups

  const check = (setup, field) => {
    const players = search.playersOf(setup);
    if (players < 2 || players > MOST_PLAYERS) refuse(`players = ${players}: 2 to ${MOST_PLAYERS} can be gone through here`, field);
    for (const role of ROLES) whole(role, setup[role], 0, SINGLE.includes(role) ? 1 : MOST_PLAYERS, field);
    if (search.mafiaOf(setup) === 0) refuse("mafiosi = 0: a mafioso or a don is needed", field);
    return setup;
  };

  const whom = (counts) => Object.fromEntries(ROLES.map((role) => [role, counts[role] ?? 0]));

  const part = (text, all) => {
    const found = /^(?:(\d{1,6})\s*)?([A-Za-z]+)$/.exec(text.trim());
    const role = found && NAMES.get(found[2].toLowerCase());
    if (!role) refuse(`setup = ${shown(all)}: ${shown(text)} is no number and role; roles are ${Object.values(WRITTEN).map(([one]) => one).join(", ")}`, "setup");
    return [role, Number(found[1] ?? 1)];
  };

  // As `Setup.read` does: "10: don, 2 mafiosi, sheriff, 6 citizens".
  const setup = (text) => {
    if (clean(text) === "") refuse("setup = '': a text such as '10: don, 2 mafiosi, sheriff, 6 citizens' is needed", "setup");
    const [, total, people] = /^(?:\s*(\d{1,6})\s*:)?(.*)$/s.exec(text);
    const counts = {};
    for (const one of people.split(",")) {
      const [role, count] = part(one, text);
      if (role in counts) refuse(`setup = ${shown(text)}: ${WRITTEN[role][1]} are named twice, once is allowed`, "setup");
      counts[role] = count;
    }
    const named = () => search.playersOf(whom(counts));
    if (total && !("innocents" in counts)) counts.innocents = Math.max(0, Number(total) - named());
    if (total && named() !== Number(total)) refuse(`setup = ${shown(text)}: ${named()} people are named, ${Number(total)} are needed`, "setup");
    return check(whom(counts), "setup");
  };

  const written = (people) => {
    const named = Object.entries(WRITTEN).filter(([role]) => people[role])
      .map(([role, [one, several]]) => (people[role] === 1 ? one : `${people[role]} ${several}`));
    return `${search.playersOf(people)}: ${named.join(", ")}`;
  };

  // From fields: all others are citizens.
  const filled = (players, counts) => {
    const all = whole("players", players, 2, MOST_PLAYERS);
    const found = whom({});
    for (const role of ROLES) if (role !== "innocents") found[role] = whole(role, counts[role], 0, SINGLE.includes(role) ? 1 : MOST_PLAYERS);
    const roles = search.playersOf(found);
    if (roles > all) refuse(`players = ${all}: ${roles} have a role, as many or fewer are needed`, "players");
    found.innocents = all - roles;
    return check(found, "mafiosi");
  };

  // Rules

  const kills = (text) => {
    const parts = clean(text).split(/\s*[,;\s]\s*/);
    if (parts.length > MOST_STEPS) refuse(`kills = ${shown(text)}: one to nine numbers by living mafiosi are needed`, "kills");
    const found = parts.map((one) => whole("kills", one, 1, MOST_KILLS));
    while (found.length > 1 && found.at(-1) === found.at(-2)) found.pop();
    return found;
  };

  const choice = (name, text, allowed) => allowed.find((value) => String(value) === text)
    ?? refuse(`${name} = ${shown(text)}: one of ${allowed.map((value) => quoted(String(value))).join(", ")} is needed`, name);

  const usual = () => ({
    ...Object.fromEntries(Object.entries(CHOICES).map(([name, [first]]) => [name, first])),
    ...Object.fromEntries(Object.entries(NUMBERS).map(([name, [first]]) => [name, first])),
    kills: [1],
  });

  // Rules from texts by name.
  const rules = (texts) => {
    const found = usual();
    for (const [name, allowed] of Object.entries(CHOICES)) if (name in texts) found[name] = choice(name, texts[name], allowed);
    for (const name of Object.keys(NUMBERS)) if (name in texts) found[name] = number(name, texts[name]);
    if ("kills" in texts) found.kills = kills(texts.kills);
    if (found.aim === "apart" && found.agreement !== 1) {
      refuse(`aim = 'apart', agreement = ${found.agreement}: 1 is needed, who aims apart need not agree`, "agreement");
    }
    return found;
  };

  // Links: everything that is not usual.
  const hash = ({ setup: people, rules: given, phase, may }) => {
    const parts = new URLSearchParams({ setup: written(people) });
    const first = usual();
    for (const name of Object.keys(first)) if (String(given[name]) !== String(first[name])) parts.append(name, String(given[name]));
    if (phase !== PHASES[0]) parts.append("phase", phase);
    parts.append("may", may.join());
    return `#${parts}`;
  };

  const fromHash = (text) => {
    const parts = Object.fromEntries(new URLSearchParams(text.replace(/^#/, "")));
    const { setup: people, phase = PHASES[0], may = "", ...texts } = parts;
    if (people === undefined) refuse("a link with setup= is needed", "link");
    const unknown = Object.keys(texts).find((name) => !(name in usual()));
    if (unknown) refuse(`${shown(unknown)} is no rule`, "link");
    const roles = may.split(",").filter(Boolean);
    for (const role of roles) choice("may", role, SPECIAL);
    return { setup: setup(people), rules: rules(texts), phase: choice("phase", phase, PHASES), may: SPECIAL.filter((role) => roles.includes(role)) };
  };

  return { MOST_PLAYERS, WRITTEN, CHOICES, PHASES, NUMBERS, setup, written, filled, rules, hash, fromHash };
})();
