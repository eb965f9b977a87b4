// Who wins, and how long it takes, exactly. Nothing in this part touches the page.
const mafia = (() => {
  "use strict";
  // Towns in which it is over, in place of a town's number.
  const [WON, LOST] = [0, 1];
  const MOST_NIGHTS = 2000;
  const MOST_TOWNS = 1_000_000;

  const mafiaHasWon = (mafiosi, town, phase, rules) => {
    if (town === 0) return true;
    const tested = rules.half_rule === "always" || (rules.half_rule === "morning" && phase === "morning");
    return tested && mafiosi >= town;
  };

  const votesOn = (day, living, rules) =>
    rules.votes === "every day" || (rules.votes === "odd number" ? living : day) % 2 === 1;

  // All towns of games with the same rules, the largest of which are `setups`. Each town has values for up to three
  // positions: evenings before odd days (0), mornings of odd days (1), and evenings before even days (2); the mornings
  // of these are like the evenings 0.
  const game = (rules, setups) => {
    const starts = setups.map((setup) => towns.townOf(setup, rules));
    const coder = towns.coder(towns.limitsOf(starts));
    const follow = memory(rules, coder);
    const [numbers, known, nights, days, values] = [new Map(), [null, null], [], [], [[1, 1, 1], [0, 0, 0]]];
    const lengths = [[0, 0, 0], [0, 0, 0]];
    const keyOf = (setup) => coder.encode(towns.townOf(setup, rules));
    const sides = (town) => [town[towns.MAFIA], towns.townspeople(town)];

    const numberOf = (key, phase) => {
      const town = known[numbers.get(key)] ?? coder.decode(key);
      const [mafiosi, others] = sides(town);
      if (mafiosi === 0) return WON;
      if (mafiaHasWon(mafiosi, others, phase, rules)) return LOST;
      if (!numbers.has(key)) {
        numbers.set(key, known.length);
        known.push(town);
      }
      return numbers.get(key);
    };

    const after = (number, dark) => {
      const found = new Map();
      follow(known[number], dark, (key, part) => towns.add(found, key, part));
      const phase = dark ? "morning" : "evening";
      return { to: Int32Array.from(found.keys(), (key) => numberOf(key, phase)), parts: Float64Array.from(found.values()) };
    };

    const votes = (number) => {
      const [mafiosi, others] = sides(known[number]);
      return !mafiaHasWon(mafiosi, others, "morning", rules) && votesOn(1, mafiosi + others, rules);
    };

    // What other towns contribute to a value, and the chance to stay.
    const collect = ({ to, parts }, number, table, position) => {
      let [sum, stay] = [0, 0];
      for (let k = 0; k < to.length; k += 1) {
        if (to[k] === number) stay += parts[k];
        else sum += parts[k] * table[to[k]][position];
      }
      return [sum, stay];
    };

    // Positions of one town lead to each other when nobody dies: linear equations around a ring.
    const valued = (number, table, night) => {
      const calendar = rules.votes === "odd days";
      const [dawn, asleep] = collect(nights[number], number, table, 1);
      if (!days[number] && !calendar) {
        const evening = (dawn + night) / (1 - asleep);
        return [evening, evening, evening];
      }
      const [dusk, awake] = days[number] ? collect(days[number], number, table, calendar ? 2 : 0) : [0, 0];
      if (!calendar) {
        const evening = (dawn + night + asleep * dusk) / (1 - asleep * awake);
        const morning = dusk + awake * evening;
        return [evening, morning, evening];
      }
      const [idle] = collect(nights[number], number, table, 0);
      const first = dawn + night + asleep * (dusk + awake * (idle + night));
      const odd = first / (1 - asleep * asleep * awake);
      const even = idle + night + asleep * odd;
      return [odd, dusk + awake * even, even];
    };

    // Values of a set-up; gives back how many towns it has seen, now and then. Lists of what follows are kept for
    // `nightsOf`, or else dropped.
    function* solve(setup, phase, keep = false) {
      const start = numberOf(keyOf(setup), phase);
      const pending = [start];
      let count = 0;
      while (pending.length) {
        const number = pending[pending.length - 1];
        if (!values[number] && !nights[number]) {
          nights[number] = after(number, true);
          days[number] = votes(number) ? after(number, false) : null;
          count += 1;
          if (known.length > MOST_TOWNS) throw new Error(language.say("More than {most} different towns can come of it: too many to go through here.", { most: words.whole(MOST_TOWNS) }));
          if (count % 16 === 0) yield known.length;
        }
        const before = pending.length;
        if (!values[number]) {
          for (const list of [nights[number], days[number]]) {
            for (const next of list ? list.to : []) if (next !== number && !values[next]) pending.push(next);
          }
        }
        if (pending.length === before) {
          pending.pop();
          if (values[number]) continue;
          values[number] = valued(number, values, 0);
          lengths[number] = valued(number, lengths, 1);
          if (!keep) nights[number] = days[number] = null;
        }
      }
      return { chance: values[start][phase === "morning" ? 1 : 0], nights: lengths[start][phase === "morning" ? 1 : 0] };
    }

    // After how many nights these shares of all games are over; null for more than anyone counts. Needs a kept solution.
    const nightsUntil = (setup, phase, shares) => {
      const found = shares.map(() => null);
      let [evenings, over] = [new Map(), 0];
      const pass = (list, part, position, to) => {
        for (let k = 0; k < list.to.length; k += 1) {
          if (list.to[k] <= LOST) over += part * list.parts[k];
          else towns.add(to, 4 * list.to[k] + position, part * list.parts[k]);
        }
      };
      // Positions as in `game`; 3 is the morning of an even day.
      const wakeUp = (mornings) => {
        evenings = new Map();
        for (const [place, part] of mornings) {
          const number = Math.floor(place / 4);
          if (place % 4 === 1 && days[number]) pass(days[number], part, rules.votes === "odd days" ? 2 : 0, evenings);
          else towns.add(evenings, 4 * number, part);
        }
      };
      const start = numberOf(keyOf(setup), phase);
      if (start <= LOST) return shares.map(() => 0);
      if (phase === "evening") evenings.set(4 * start, 1);
      else wakeUp(new Map([[4 * start + 1, 1]]));
      for (let played = 0; played <= MOST_NIGHTS && found.includes(null); played += 1) {
        shares.forEach((share, k) => { if (found[k] === null && over >= share - 1e-12) found[k] = played; });
        const mornings = new Map();
        for (const [place, part] of evenings) pass(nights[Math.floor(place / 4)], part, place % 4 === 2 ? 3 : 1, mornings);
        wakeUp(mornings);
      }
      return found;
    };

    return { solve, nightsUntil, keyOf };
  };

  return { game };
})();
