// What a night and a vote do to people by class, after the rules in gamebalance.mafia. Nothing in this part touches the page.
const night = (() => {
  "use strict";
  const {
    BODYGUARD, BULLETS, DETECTIVES, DOCTORS, FOUND, HEALING, MAFIA, POISON, TOLD, M_KNOWN, M_OTHER, H_OTHER, H_KNOWN,
    A_BODYGUARD, A_VIGILANTE, A_WITCH, A_SHERIFF, CLASSES, SINGLE, OTHERS, add, living, total,
  } = towns;

  // Weight of one person of each class when the town acts against somebody.
  const suspicion = (town, counts, rules) => Array.from({ length: CLASSES }, (_, place) => {
    if (counts[M_KNOWN]) return place === M_KNOWN ? 1 : 0;
    if (place === M_OTHER) return rules.odds;
    if (place === A_SHERIFF) return town[TOLD] ? 0 : 1;
    const single = SINGLE.find(([, other]) => other === place);
    if (single) return town[TOLD] && town[single[2]] ? 0 : 1;
    return OTHERS.includes(place) ? 1 : 0;
  });

  // A night up to the deaths. In the map are numbers of these bits: up to five victims of the mafia, four bits for the
  // class of each, sorted; four for whom the vigilante aims at; whether that is one of the victims; whether the bodyguard
  // steps in, once (1) or where the witch is shown it (2); whether a bullet is gone.
  const [AIMED, SAME, STEPS_IN, FIRED] = [20, 24, 25, 27];
  const victimsOf = (code) => {
    const found = [];
    for (let rest = code & 0xfffff; rest; rest >>= 4) found.push((rest & 15) - 1);
    return found;
  };
  const withVictims = (code, victims) => [...victims].sort((a, b) => a - b)
    .reduce((all, place) => all * 16 + place + 1, 0) | (code & ~0xfffff);
  const aimedAt = (code) => ((code >> AIMED) & 15) - 1;
  const isSame = (code) => (code >> SAME) & 1;
  const stepsIn = (code) => (code >> STEPS_IN) & 3;
  const without = (victims, place) => victims.toSpliced(victims.indexOf(place), 1);
  const unaimed = (code) => code & ~(31 << AIMED);

  const shots = (counts, town, rules) => {
    const agreed = rules.aim === "together" ? rules.agreement : 1;
    const aims = rules.kills[Math.min(town[MAFIA], rules.kills.length) - 1];
    let now = new Map([[0, 1]]);
    for (let k = 0; k < aims; k += 1) {
      const after = new Map();
      for (const [code, part] of now) {
        const victims = victimsOf(code);
        const apart = rules.aim === "apart";
        const free = counts.map((count, place) => (place <= M_OTHER ? 0
          : count - (apart ? 0 : victims.filter((one) => one === place).length)));
        const first = town[FOUND] && free[A_SHERIFF];
        const pool = first ? 1 : total(free);
        if (pool === 0) add(after, code, part);
        free.forEach((count, place) => {
          if (count === 0 || (first && place !== A_SHERIFF)) return;
          const again = apart ? victims.filter((one) => one === place).length : 0;
          if (again) add(after, code, (part * again) / pool);
          if (count > again) add(after, withVictims(code, [...victims, place]), (part * (count - again)) / pool);
        });
      }
      now = after;
    }
    const found = new Map();
    for (const [code, part] of now) add(found, code, part * agreed);
    if (agreed < 1) add(found, 0, 1 - agreed);
    return found;
  };

  const aim = (now, counts, town, rules) => {
    if (!town[BULLETS] || !rules.shot) return now;
    const weights = suspicion(town, counts, rules).map((weight, place) => (place === A_VIGILANTE ? 0 : weight * counts[place]));
    const pool = total(weights);
    const after = new Map();
    for (const [code, part] of now) {
      if (rules.shot < 1) add(after, code, part * (1 - rules.shot));
      const victims = victimsOf(code);
      weights.forEach((weight, place) => {
        if (!weight) return;
        const share = (part * rules.shot * weight) / pool;
        const hit = code | ((place + 1) << AIMED) | (1 << FIRED);
        const same = victims.filter((one) => one === place).length / counts[place];
        if (same) add(after, hit | (1 << SAME), share * same);
        if (same < 1) add(after, hit, share * (1 - same));
      });
    }
    return after;
  };

  // Each of those who are aimed at: class, how many, whether by the mafia, and what is left when they are safe.
  const targets = (code) => {
    const victims = victimsOf(code);
    const found = [...new Set(victims)].map((place) => {
      const same = isSame(code) && aimedAt(code) === place ? 1 : 0;
      const size = victims.filter((one) => one === place).length - same;
      return { place, size, mafia: true, safe: withVictims(code, without(victims, place)) };
    }).filter(({ size }) => size);
    if (aimedAt(code) < 0) return found;
    const mafia = isSame(code) === 1;
    const rest = mafia ? without(victims, aimedAt(code)) : victims;
    return [...found, { place: aimedAt(code), size: 1, mafia, safe: withVictims(unaimed(code), rest) }];
  };

  // Doctors guard one of `people`, or the bodyguard covers one of them and dies for him.
  const protect = (now, people, covers) => {
    const after = new Map();
    for (const [code, part] of now) {
      let rest = 1;
      for (const { place, size, mafia, safe } of targets(code)) {
        if (covers && place === A_BODYGUARD) continue;
        add(after, covers ? safe | ((mafia ? 2 : 1) << STEPS_IN) : safe, (part * size) / people);
        rest -= size / people;
      }
      if (rest > 1e-15) add(after, code, part * rest);
    }
    return after;
  };

  // From here on a number tells, in its lowest bits, which potions and whether a bullet are gone and whether the detectives
  // arrest somebody or clear him, and then how many of each class have died.
  const [HEALED, POISONED, SHOT, ARRESTS, CLEARS] = [1, 2, 4, 8, 16];
  const BITS = 32;

  const unitsOf = (counts) => {
    let unit = BITS;
    return counts.map((count) => {
      const own = unit;
      unit *= count + 1;
      return own;
    });
  };

  const deaths = (code, counts, units) => counts.map((count, place) => Math.floor(code / units[place]) % (count + 1));

  const dying = (code) => {
    const dead = Array(CLASSES).fill(0);
    for (const place of victimsOf(code)) dead[place] += 1;
    if (aimedAt(code) >= 0 && !isSame(code)) dead[aimedAt(code)] += 1;
    if (stepsIn(code) || dead[A_BODYGUARD]) dead[A_BODYGUARD] = 1;
    return dead;
  };

  const shown = (code) => {
    const found = Array(CLASSES).fill(0);
    for (const place of victimsOf(code)) found[place] += 1;
    if (stepsIn(code) === 2) found[A_BODYGUARD] = 1;
    return found;
  };

  // What the witch may do with her healing potion: chance, who is saved.
  const healings = (seen, town, rules) => {
    const pool = total(seen);
    if (!town[HEALING] || pool === 0) return [[1, -1]];
    const saved = seen.map((count, place) => [(rules.potion * count) / pool, place]);
    return [...saved, [1 - rules.potion, -1]].filter(([part]) => part > 0);
  };

  const poisonings = (seen, counts, town, rules) => {
    const free = counts.map((count, place) => (place === A_WITCH ? 0 : count - seen[place]));
    const pool = total(free);
    if (!town[POISON] || pool === 0) return [[1, -1]];
    const killed = free.map((count, place) => [(rules.potion * count) / pool, place]);
    return [...killed, [1 - rules.potion, -1]].filter(([part]) => part > 0);
  };

  const witch = (now, counts, units, town, rules) => {
    const after = new Map();
    for (const [code, part] of now) {
      const [seen, base] = [shown(code), (code >> FIRED) & 1 ? SHOT : 0];
      for (const [heals, saved] of healings(seen, town, rules)) {
        const dead = dying(code);
        if (saved >= 0) dead[saved] -= 1;
        for (const [poisons, killed] of poisonings(seen, counts, town, rules)) {
          const used = base + (saved >= 0 ? HEALED : 0) + (killed >= 0 ? POISONED : 0);
          const result = used + dead.reduce((all, count, place) => all + count * units[place], 0);
          // Of those whom she is not shown, some may die anyway.
          const doomed = killed < 0 ? 1 : (dead[killed] - (seen[killed] - (saved === killed ? 1 : 0))) / (counts[killed] - seen[killed]);
          if (doomed > 0) add(after, result, part * heals * poisons * doomed);
          if (doomed < 1) add(after, result + units[killed], part * heals * poisons * (1 - doomed));
        }
      }
    }
    return after;
  };

  // Once for an interrogation of a mafioso, and once for any other, each with chances that add up to one.
  const interrogate = (now, counts, units, town) => {
    if (!town[DETECTIVES]) return now;
    const after = new Map();
    for (const [code, part] of now) {
      add(after, code + CLEARS, part);
      const dead = deaths(code, counts, units);
      for (const place of [M_KNOWN, M_OTHER]) {
        if (dead[place]) add(after, code + ARRESTS, (part * dead[place]) / town[MAFIA]);
        const alive = counts[place] - dead[place];
        if (alive) add(after, code + ARRESTS + units[place], (part * alive) / town[MAFIA]);
      }
    }
    return after;
  };

  // Hunters who die take somebody along, who may be a hunter. Keys are 32 times a number as above, and shots to come.
  const lastShots = (now, counts, units) => {
    const found = new Map();
    let pending = new Map();
    for (const [code, part] of now) {
      const dead = deaths(code, counts, units);
      pending.set(code * 32 + dead[H_OTHER] + dead[H_KNOWN], part);
    }
    while (pending.size) {
      const after = new Map();
      for (const [key, part] of pending) {
        const code = Math.floor(key / 32);
        const dead = deaths(code, counts, units);
        const alive = total(counts) - total(dead);
        if (key % 32 === 0 || alive === 0) {
          add(found, code, part);
          continue;
        }
        counts.forEach((count, place) => {
          const more = place === H_OTHER || place === H_KNOWN ? 1 : 0;
          if (count > dead[place]) add(after, key + 32 * units[place] - 1 + more, (part * (count - dead[place])) / alive);
        });
      }
      pending = after;
    }
    return found;
  };

  const afterNight = (counts, units, town, rules) => {
    let now = aim(shots(counts, town, rules), counts, town, rules);
    if (town[DOCTORS]) now = protect(now, living(town), false);
    if (town[BODYGUARD]) now = protect(now, living(town) - 1, true);
    return interrogate(witch(now, counts, units, town, rules), counts, units, town);
  };

  const afterVote = (counts, units, town, rules) => {
    const weights = suspicion(town, counts, rules);
    const candidates = total(counts.map((count, place) => (weights[place] ? count : 0)));
    const found = new Map();
    let now = new Map([[0, 1]]);
    chance.leaving(living(town), candidates, counts[M_KNOWN] ? "lot" : rules.ties).forEach((share, gone) => {
      if (gone) now = voteOut(now, counts, units, weights);
      if (share > 0) for (const [code, part] of now) add(found, code, part * share);
    });
    return found;
  };

  const voteOut = (now, counts, units, weights) => {
    const after = new Map();
    for (const [code, part] of now) {
      const dead = deaths(code, counts, units);
      const left = counts.map((count, place) => weights[place] * (count - dead[place]));
      const pool = total(left);
      left.forEach((weight, place) => { if (weight > 0) add(after, code + units[place], (part * weight) / pool); });
    }
    return after;
  };

  return { afterNight, afterVote, lastShots, unitsOf, deaths, HEALED, POISONED, SHOT, ARRESTS, CLEARS, BITS };
})();
