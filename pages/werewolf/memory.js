// What lasts of a night or a vote: the towns that follow a town. Nothing in this part touches the page.
const memory = (() => {
  "use strict";
  const {
    BULLETS, CHECKED, CHECKED_MAFIA, CLEARED, DETECTIVES, DON, FOUND, HEALING, MAFIA, POISON, SEEN, SHERIFF, TOLD,
    FIELDS, M_KNOWN, M_OTHER, A_SHERIFF, COUNTED, OTHERS, SINGLE, divided, living, mayTell, settle, tellsAtDeath, townspeople,
  } = towns;
  // What may follow a town is kept for as many ways in all.
  const MOST_KEPT = 40_000;

  const changed = (town, ...pairs) => {
    const copy = [...town];
    for (const [field, value] of pairs) copy[field] = value;
    return copy;
  };

  const survivors = (town, left, code) => {
    const after = Array(FIELDS.length).fill(0);
    after[MAFIA] = left[M_KNOWN] + left[M_OTHER];
    for (const [role, place] of COUNTED) after[role] = left[place] + left[place + 1];
    for (const [role, place] of SINGLE) after[role] = left[place];
    after[SHERIFF] = left[A_SHERIFF];
    after[BULLETS] = town[BULLETS] - (code & night.SHOT ? 1 : 0);
    after[HEALING] = town[HEALING] - (code & night.HEALED ? 1 : 0);
    after[POISON] = town[POISON] - (code & night.POISONED ? 1 : 0);
    after[TOLD] = town[TOLD];
    return after;
  };

  // Everybody knows whom the sheriff has checked, and so it is with the one whom he checks in this night.
  const known = (town, after, counts, left, dark) => {
    const told = changed(after, [CHECKED_MAFIA, left[M_KNOWN]],
      [CHECKED, OTHERS.reduce((all, place) => all + left[place + 1], 0)],
      ...SINGLE.map(([, place, mark]) => [mark, left[place] && town[mark]]));
    const others = [[CHECKED_MAFIA, M_OTHER], ...OTHERS.map((place) => [CHECKED, place]),
      ...SINGLE.filter(([, , mark]) => !town[mark]).map(([, place, mark]) => [mark, place])];
    const pool = others.reduce((all, [, place]) => all + counts[place], 0);
    if (!dark || !town[SHERIFF] || pool === 0) return [[told, 1]];
    const alive = others.filter(([, place]) => left[place]);
    const found = alive.map(([field, place]) => [changed(told, [field, told[field] + 1]), left[place] / pool]);
    const dead = others.reduce((all, [, place]) => all + counts[place] - left[place], 0);
    return dead ? [...found, [told, dead / pool]] : found;
  };

  // What was known to the sheriff alone becomes known: whom of the living it is about.
  const revealed = (town, marks, finds, waits) => {
    let now = [[changed(town, [TOLD, 1], [CHECKED, marks], [CHECKED_MAFIA, finds]), 1]];
    let people = (waits ? 0 : town[MAFIA]) + townspeople(town) - town[SHERIFF];
    const parts = [...SINGLE.map(([role, , mark]) => [role, mark]), ...(waits ? [] : [[MAFIA, CHECKED_MAFIA]])];
    for (const [role, mark] of parts) {
      now = now.flatMap(([one, part]) => Array.from({ length: town[role] + 1 }, (_, count) =>
        [changed(one, [mark, count], [CHECKED, one[CHECKED] - count]), part * chance.marked(people, one[CHECKED], town[role], count)]));
      now = now.filter(([, part]) => part > 0);
      people -= town[role];
    }
    return now;
  };

  // How many of so many marks are left: all of the `people` are as likely to have died. Pairs of number times `unit`, chance.
  const kept = (people, marks, left, unit) => Array.from({ length: Math.min(marks, left) + 1 }, (_, count) =>
    [count * unit, chance.marked(people, marks, left, count)]).filter(([, part]) => part > 0);

  const STAYS = [[0, 1]];

  // `follow(town, dark, found)` calls found(key, chance) for each town after a night (or else a vote), perhaps repeatedly.
  const memory = (rules, coder) => {
    const { encode, unit } = coder;
    const ways = new Map();
    const waits = rules.tells !== "at death";
    let size = 0;
    const keyOf = (town) => encode(settle([...town], rules));
    const keysOf = (list) => list.map(([town, part]) => [keyOf(town), part]);

    // A town after deaths: its keys if the don lives, is dead, or the sheriff is found, before anything is remembered.
    const way = (town, counts, left, code, part, dark) => {
      const after = survivors(town, left, code);
      const over = after[MAFIA] === 0 || townspeople(after) === 0;
      const told = !over && town[TOLD] ? keysOf(known(town, after, counts, left, dark)) : null;
      const don = town[DON] ? after[MAFIA] / town[MAFIA] : 0;
      const keys = over || told ? [keyOf(after)] : [[[DON, 1]], [], [[FOUND, 1]]].map((fields) => keyOf(changed(after, ...fields)));
      return { after, part, over, told, don, keys, code, others: townspeople(after) - 1, open: null };
    };

    // All ways for people to die, whatever is remembered; they do not depend on that.
    const waysOf = (town, dark) => {
      const plain = changed(town, [SEEN, 0], [CLEARED, 0], ...(town[TOLD] ? [] : [[CHECKED, 0]]));
      const key = 2 * encode(plain) + (dark ? 1 : 0);
      const shared = town[DON] || rules.memory || (town[SHERIFF] && !town[TOLD]);
      if (shared && ways.has(key)) return ways.get(key);
      const found = [];
      for (const [part, counts] of divided(plain)) {
        const units = night.unitsOf(counts);
        const done = (dark ? night.afterNight : night.afterVote)(counts, units, plain, rules);
        for (const [code, share] of night.lastShots(done, counts, units)) {
          const dead = night.deaths(code, counts, units);
          found.push(way(plain, counts, counts.map((count, place) => count - dead[place]), code % night.BITS, part * share, dark));
        }
      }
      if (size > MOST_KEPT) {
        ways.clear();
        size = 0;
      }
      if (shared) {
        size += found.length;
        ways.set(key, found);
      }
      return found;
    };

    const open = (one, marks, finds) => {
      const key = 2 * marks + finds;
      one.open ??= new Map();
      if (!one.open.has(key)) one.open.set(key, keysOf(revealed(one.after, marks, finds, waits)));
      return one.open.get(key);
    };

    // Cases of what the sheriff learns in a night: chance, whether of a living mafioso, whether of somebody to keep in mind.
    const checks = (town, after, dark) => {
      const pool = living(town) - 1 - town[CHECKED];
      if (!dark || pool === 0) return [[1, 0, 0]];
      if (!waits) return [[1, 0, 1]];
      const [mafia, finds] = [town[MAFIA] / pool, after[MAFIA] / pool];
      return [[finds, 1, 0], [mafia - finds, 0, 0], [1 - mafia, 0, 1]].filter(([part]) => part > 0);
    };

    const speaks = (after, dark, finds) => {
      if (!after[SHERIFF]) return tellsAtDeath(rules);
      return dark && (rules.tells === "every morning" || (rules.tells === "at a find" && finds === 1));
    };

    // Keys and chances by what the sheriff keeps to himself: said to all, or added to a key.
    const learned = (town, one, dark) => {
      const [secret, said] = [[], []];
      const { after } = one;
      if (!town[SHERIFF] || !mayTell(rules)) return { secret: STAYS, said };
      const [people, left] = waits ? [townspeople(town) - 1, townspeople(after) - after[SHERIFF]]
        : [living(town) - 1, living(after) - after[SHERIFF]];
      for (const [part, finds, more] of checks(town, after, dark)) {
        const tells = speaks(after, dark, finds);
        for (const [marks, share] of kept(people, town[CHECKED] + more, left, 1)) {
          if (tells) for (const [key, last] of open(one, marks, finds)) said.push([key, part * share * last]);
          else secret.push([after[SHERIFF] ? marks * unit[CHECKED] : 0, part * share]);
        }
      }
      return { secret, said };
    };

    // The don looks for the sheriff: keys, each with what may be added to it.
    const looks = (town, one, dark) => {
      if (!one.after[SHERIFF] || !(town[FOUND] || town[DON])) return [[one.keys[1], 1, STAYS]];
      if (town[FOUND]) return [[one.keys[2], 1, STAYS]];
      const [all, more] = [townspeople(town), dark ? 1 : 0];
      const finds = dark ? 1 / (all - town[SEEN]) : 0;
      const found = [[one.keys[2], finds, STAYS], [one.keys[1], (1 - finds) * (1 - one.don), STAYS]];
      if (one.don && finds < 1) {
        found.push([one.keys[0], (1 - finds) * one.don, kept(all - 1, town[SEEN] + more, one.others, unit[SEEN])]);
      }
      return found.filter(([, part]) => part > 0);
    };

    const clears = (town, one) => {
      const more = one.code & night.CLEARS ? 1 : 0;
      if (!rules.memory || !one.after[DETECTIVES] || town[CLEARED] + more === 0) return STAYS;
      const [people, left] = [town, one.after].map((all) => townspeople(all) - all[DETECTIVES]);
      return kept(people, town[CLEARED] + more, left, unit[CLEARED]);
    };

    const follow = (town, dark, found) => {
      const innocent = townspeople(town) - town[DETECTIVES] - town[CLEARED];
      const guilty = town[MAFIA] / (town[MAFIA] + innocent);
      for (const one of waysOf(town, dark)) {
        const part = one.part * (one.code & night.ARRESTS ? guilty : one.code & night.CLEARS ? 1 - guilty : 1);
        if (part === 0) continue;
        if (one.over) {
          found(one.keys[0], part);
          continue;
        }
        const { secret, said } = one.told ? { secret: [], said: one.told } : learned(town, one, dark);
        const seen = secret.length ? looks(town, one, dark) : [];
        for (const [cleared, share] of clears(town, one)) {
          for (const [key, last] of said) found(key + cleared, part * share * last);
          for (const [key, chance, marks] of seen) {
            for (const [more, mine] of marks) {
              for (const [secretly, last] of secret) found(key + cleared + more + secretly, part * share * chance * mine * last);
            }
          }
        }
      }
    };

    return follow;
  };

  return memory;
})();
