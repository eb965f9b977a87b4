// The town as numbers, after the rules in gamebalance.mafia. Nothing in this part touches the page.
//
// A town is a list of numbers, named below. Who has been cleared by the detectives, seen by the don or, as long as the
// sheriff has not told, checked by him does not matter to anyone else: each of the people whom it may be is as likely,
// so that a town only counts them. Once the sheriff has told, the witch, the vigilante and the bodyguard have a mark
// each, and the others are counted.
const towns = (() => {
  "use strict";
  const FIELDS = [
    "mafia", "don", "citizens", "detectives", "doctors", "hunters", "vigilante", "bullets", "bodyguard", "witch", "healing",
    "poison", "sheriff", "cleared", "seen", "found", "told", "checked", "checkedMafia", "checkedVigilante",
    "checkedBodyguard", "checkedWitch",
  ];
  const [
    MAFIA, DON, CITIZENS, DETECTIVES, DOCTORS, HUNTERS, VIGILANTE, BULLETS, BODYGUARD, WITCH, HEALING, POISON, SHERIFF,
    CLEARED, SEEN, FOUND, TOLD, CHECKED, CHECKED_MAFIA, CHECKED_VIGILANTE, CHECKED_BODYGUARD, CHECKED_WITCH,
  ] = FIELDS.keys();
  // Within one night or day people are counted by class: what they are, and for most whether everybody knows their side.
  const CLASSES = 14;
  const [
    M_KNOWN, M_OTHER, C_OTHER, C_KNOWN, D_OTHER, D_KNOWN, P_OTHER, P_KNOWN, H_OTHER, H_KNOWN, A_VIGILANTE, A_BODYGUARD,
    A_WITCH, A_SHERIFF,
  ] = Array(CLASSES).keys();
  const COUNTED = [[CITIZENS, C_OTHER], [DETECTIVES, D_OTHER], [DOCTORS, P_OTHER], [HUNTERS, H_OTHER]];
  const SINGLE = [
    [VIGILANTE, A_VIGILANTE, CHECKED_VIGILANTE], [BODYGUARD, A_BODYGUARD, CHECKED_BODYGUARD], [WITCH, A_WITCH, CHECKED_WITCH],
  ];
  const OTHERS = [C_OTHER, D_OTHER, P_OTHER, H_OTHER];

  const total = (counts) => counts.reduce((all, count) => all + count, 0);

  const townspeople = (town) => town[CITIZENS] + town[DETECTIVES] + town[DOCTORS] + town[HUNTERS] + town[VIGILANTE]
    + town[BODYGUARD] + town[WITCH] + town[SHERIFF];

  const living = (town) => town[MAFIA] + townspeople(town);

  const tellsAtDeath = (rules) => rules.tells !== "never" && rules.dead_roles === "shown";

  const mayTell = (rules) => ["at a find", "every morning"].includes(rules.tells) || tellsAtDeath(rules);

  const add = (map, key, part) => map.set(key, (map.get(key) ?? 0) + part);

  // Where each of these numbers leads to: pairs of chance and number, once or more, for a number and its chance.
  const spread = (now, ways) => {
    const after = new Map();
    for (const [code, part] of now) {
      for (const [share, next] of ways(code, part)) if (share > 0) add(after, next, part * share);
    }
    return after;
  };

  // The town without what can no longer matter: who has used up what he has is a citizen.
  const settle = (town, rules) => {
    if (!town[VIGILANTE]) town[BULLETS] = 0;
    if (!town[WITCH]) town[HEALING] = town[POISON] = 0;
    if (!town[SHERIFF] && !SINGLE.some(([, , known]) => town[known]) && !town[CHECKED] && !town[CHECKED_MAFIA]) town[TOLD] = 0;
    if (town[TOLD] && town[SHERIFF]) town[FOUND] = 1;
    if (!town[SHERIFF]) town[FOUND] = 0;
    if (!town[SHERIFF] || town[FOUND]) town[DON] = 0;
    if (!town[DON]) town[SEEN] = 0;
    if (!rules.memory || !town[DETECTIVES]) town[CLEARED] = 0;
    if (town[TOLD]) return town;
    if (!town[SHERIFF] || !mayTell(rules)) town[CHECKED] = 0;
    const spent = [];
    if (!town[BULLETS]) spent.push(VIGILANTE);
    if (!town[HEALING] && !town[POISON]) spent.push(WITCH);
    if (!town[FOUND] && !town[DON] && !mayTell(rules)) spent.push(SHERIFF);
    for (const role of spent) {
      town[CITIZENS] += town[role];
      town[role] = 0;
    }
    return town;
  };

  // The people of a town by class, with the chance of each way in which those of whom everybody knows can be divided.
  const divided = (town) => {
    const counts = Array(CLASSES).fill(0);
    counts[M_KNOWN] = town[TOLD] ? town[CHECKED_MAFIA] : 0;
    counts[M_OTHER] = town[MAFIA] - counts[M_KNOWN];
    counts[A_SHERIFF] = town[SHERIFF];
    for (const [role, place] of SINGLE) counts[place] = town[role];
    let found = [[1, counts, town[TOLD] ? town[CHECKED] : 0]];
    let people = COUNTED.reduce((all, [role]) => all + town[role], 0);
    for (const [role, place] of COUNTED) {
      const size = town[role];
      found = found.flatMap(([part, before, marks]) => Array.from({ length: size + 1 }, (_, known) => {
        const after = [...before];
        after[place] = size - known;
        after[place + 1] = known;
        return [part * chance.marked(people, marks, size, known), after, marks - known];
      })).filter(([part]) => part > 0);
      people -= size;
    }
    return found;
  };

  // The town of a set-up before anything has happened.
  const townOf = (setup, rules) => {
    const town = Array(FIELDS.length).fill(0);
    const given = [
      [MAFIA, "mafiosi"], [CITIZENS, "innocents"], [DETECTIVES, "detectives"], [DOCTORS, "doctors"], [HUNTERS, "hunters"],
      [VIGILANTE, "vigilantes"], [BODYGUARD, "bodyguards"], [WITCH, "witches"], [SHERIFF, "sheriffs"], [DON, "dons"],
    ];
    for (const [field, name] of given) town[field] = setup[name] ?? 0;
    town[MAFIA] += town[DON];
    town[BULLETS] = rules.shot > 0 ? rules.bullets : 0;
    town[HEALING] = town[POISON] = rules.potion > 0 ? 1 : 0;
    return settle(town, rules);
  };

  // Towns as one number each; `limits` is the largest of every field.
  const coder = (limits) => {
    const unit = limits.map(() => 1);
    for (let field = limits.length - 2; field >= 0; field -= 1) unit[field] = unit[field + 1] * (limits[field + 1] + 1);
    if (unit[0] * (limits[0] + 1) > Number.MAX_SAFE_INTEGER) throw new Error("too many kinds of towns for one number");
    const encode = (town) => {
      let key = 0;
      for (let field = 0; field < unit.length; field += 1) key += town[field] * unit[field];
      return key;
    };
    const decode = (key) => unit.map((one, field) => Math.floor(key / one) % (limits[field] + 1));
    return { encode, decode, unit };
  };

  // The numbers that towns of these games can need: who has used up what he has is a citizen.
  const limitsOf = (starts) => {
    const most = (value) => Math.max(...starts.map(value));
    const people = most(townspeople);
    return FIELDS.map((name, field) => {
      if (name === "citizens" || name === "checked") return people + most((town) => town[MAFIA]);
      if (name === "cleared") return most((town) => town[DETECTIVES]) ? people : 0;
      if (name === "seen") return most((town) => town[DON]) ? people : 0;
      if (name === "checkedMafia") return most((town) => town[MAFIA]);
      return ["found", "told"].includes(name) || name.startsWith("checked") ? 1 : most((town) => town[field]);
    });
  };

  return {
    MAFIA, DON, DETECTIVES, DOCTORS, BULLETS, BODYGUARD, HEALING, POISON, SHERIFF, CLEARED, SEEN, FOUND, TOLD, CHECKED,
    CHECKED_MAFIA,
    M_KNOWN, M_OTHER, H_OTHER, H_KNOWN, A_BODYGUARD, A_VIGILANTE, A_WITCH, A_SHERIFF,
    FIELDS, CLASSES, COUNTED, SINGLE, OTHERS, total, townspeople, living, tellsAtDeath, mayTell, add, spread, settle, divided,
    townOf, coder, limitsOf,
  };
})();
