// What a night and a vote do to people by class, after the rules in gamebalance.mafia. Nothing in this part touches the page.
const night = (() => {
  "use strict";
  const {
    BODYGUARD, BULLETS, DETECTIVES, DOCTORS, FOUND, HEALING, MAFIA, POISON, TOLD, M_KNOWN, M_OTHER, H_OTHER, H_KNOWN,
    A_BODYGUARD, A_VIGILANTE, A_WITCH, A_SHERIFF, CLASSES, SINGLE, OTHERS, add, living, spread, total,
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
  const times = (victims, place) => victims.filter((one) => one === place).length;
  const without = (victims, place) => victims.toSpliced(victims.indexOf(place), 1);
  const unaimed = (code) => code & ~(31 << AIMED);

  const shots = (counts, town, rules) => {
    const apart = rules.aim === "apart";
    const agreed = apart ? 1 : rules.agreement;
    const next = (code) => {
      const victims = victimsOf(code);
      const free = counts.map((count, place) => (place <= M_OTHER ? 0 : count - (apart ? 0 : times(victims, place))));
      const first = town[FOUND] && free[A_SHERIFF];
      const pool = first ? 1 : total(free);
      if (pool === 0) return [[1, code]];
      return free.flatMap((count, place) => {
        if (count === 0 || (first && place !== A_SHERIFF)) return [];
        const again = apart ? times(victims, place) : 0;
        return [[again / pool, code], [(count - again) / pool, withVictims(code, [...victims, place])]];
      });
    };
    let now = new Map([[0, 1]]);
    for (let k = 0; k < rules.kills[Math.min(town[MAFIA], rules.kills.length) - 1]; k += 1) now = spread(now, next);
    return spread(now, (code) => [[agreed, code], [1 - agreed, 0]]);
  };

  const aim = (now, counts, town, rules) => {
    if (!town[BULLETS] || !rules.shot) return now;
    const weights = suspicion(town, counts, rules).map((weight, place) => (place === A_VIGILANTE ? 0 : weight * counts[place]));
    const pool = total(weights);
    return spread(now, (code) => [[1 - rules.shot, code], ...weights.flatMap((weight, place) => {
      if (!weight) return [];
      const [share, same] = [(rules.shot * weight) / pool, times(victimsOf(code), place) / counts[place]];
      const hit = code | ((place + 1) << AIMED) | (1 << FIRED);
      return [[share * same, hit | (1 << SAME)], [share * (1 - same), hit]];
    })]);
  };

  // Each of those who are aimed at: class, how many, whether by the mafia, and what is left when they are safe.
  const targets = (code) => {
    const victims = victimsOf(code);
    const found = [...new Set(victims)].map((place) => {
      const same = isSame(code) && aimedAt(code) === place ? 1 : 0;
      const size = times(victims, place) - same;
      return { place, size, mafia: true, safe: withVictims(code, without(victims, place)) };
    }).filter(({ size }) => size);
    if (aimedAt(code) < 0) return found;
    const mafia = isSame(code) === 1;
    const rest = mafia ? without(victims, aimedAt(code)) : victims;
    return [...found, { place: aimedAt(code), size: 1, mafia, safe: withVictims(unaimed(code), rest) }];
  };

  // Doctors guard one of `people`, or the bodyguard covers one of them and dies for him.
  const protect = (now, people, covers) => spread(now, (code) => {
    const aimed = targets(code).filter(({ place }) => !covers || place !== A_BODYGUARD);
    const rest = 1 - total(aimed.map(({ size }) => size)) / people;
    return [...aimed.map(({ size, mafia, safe }) => [size / people, covers ? safe | ((mafia ? 2 : 1) << STEPS_IN) : safe]),
      [rest > 1e-15 ? rest : 0, code]];
  });

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

  // What the witch may do with a potion: chance, and the class of whom she gives it to, of so many; -1 for nobody.
  const potions = (left, counts, rules) => {
    const pool = total(counts);
    if (!left || pool === 0) return [[1, -1]];
    return [...counts.map((count, place) => [(rules.potion * count) / pool, place]), [1 - rules.potion, -1]].filter(([part]) => part > 0);
  };

  const witch = (now, counts, units, town, rules) => spread(now, (code) => {
    const [seen, base] = [shown(code), (code >> FIRED) & 1 ? SHOT : 0];
    const unseen = counts.map((count, place) => (place === A_WITCH ? 0 : count - seen[place]));
    return potions(town[HEALING], seen, rules).flatMap(([heals, saved]) => {
      const dead = dying(code);
      if (saved >= 0) dead[saved] -= 1;
      return potions(town[POISON], unseen, rules).flatMap(([poisons, killed]) => {
        const used = base + (saved >= 0 ? HEALED : 0) + (killed >= 0 ? POISONED : 0);
        const result = used + dead.reduce((all, count, place) => all + count * units[place], 0);
        // Of those whom she is not shown, some may die anyway.
        const doomed = killed < 0 ? 1 : (dead[killed] - (seen[killed] - (saved === killed ? 1 : 0))) / unseen[killed];
        return [[heals * poisons * doomed, result], [heals * poisons * (1 - doomed), result + units[killed]]];
      });
    });
  });

  // Once for an interrogation of a mafioso, and once for any other, each with chances that add up to one.
  const interrogate = (now, counts, units, town) => (!town[DETECTIVES] ? now : spread(now, (code) => {
    const dead = deaths(code, counts, units);
    return [[1, code + CLEARS], ...[M_KNOWN, M_OTHER].flatMap((place) => [
      [dead[place] / town[MAFIA], code + ARRESTS], [(counts[place] - dead[place]) / town[MAFIA], code + ARRESTS + units[place]],
    ])];
  }));

  // Hunters who die take somebody along, who may be a hunter. Keys are 32 times a number as above, and shots to come.
  const lastShots = (now, counts, units) => {
    const found = new Map();
    let pending = spread(now, (code) => {
      const dead = deaths(code, counts, units);
      return [[1, code * 32 + dead[H_OTHER] + dead[H_KNOWN]]];
    });
    while (pending.size) {
      pending = spread(pending, (key, part) => {
        const code = Math.floor(key / 32);
        const left = deaths(code, counts, units).map((count, place) => counts[place] - count);
        const alive = total(left);
        if (key % 32 === 0 || alive === 0) {
          add(found, code, part);
          return [];
        }
        const more = (place) => (place === H_OTHER || place === H_KNOWN ? 1 : 0);
        return left.map((count, place) => [count / alive, key + 32 * units[place] - 1 + more(place)]);
      });
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

  const voteOut = (now, counts, units, weights) => spread(now, (code) => {
    const left = deaths(code, counts, units).map((dead, place) => weights[place] * (counts[place] - dead));
    const pool = total(left);
    return left.map((weight, place) => [weight / pool, code + units[place]]);
  });

  return { afterNight, afterVote, lastShots, unitsOf, deaths, HEALED, POISONED, SHOT, ARRESTS, CLEARS, BITS };
})();
