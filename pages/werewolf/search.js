// Which set-ups are nearest to even, and what the smallest change does. Nothing in this part touches the page. Long work is
// a generator, which tells now and then how much of it is done.
const search = (() => {
  "use strict";
  const ROLES = ["mafiosi", "innocents", "detectives", "doctors", "witches", "hunters", "dons", "sheriffs", "vigilantes", "bodyguards"];
  const SINGLE = ["witches", "dons", "sheriffs", "vigilantes", "bodyguards"];
  const SPECIAL = ["dons", "sheriffs", "detectives", "doctors", "bodyguards", "vigilantes", "witches", "hunters"];
  // Mafiosi are added as long as the town wins at least this share of games at the lowest odds.
  const HOPE = 0.1;
  const SHOWN = 10;
  // How much nearer to even a change must bring the game to be named.
  const GAIN = 0.01;

  const playersOf = (setup) => ROLES.reduce((all, role) => all + setup[role], 0);

  const mafiaOf = (setup) => setup.mafiosi + setup.dons;

  // How far from even at worst, of the chances at all odds. If the chance rises with the odds, no odds between the ends of
  // a range are worse than both. That it rises is not proved: it did in all random tables tried, and a test tries some.
  const worst = (chances) => Math.max(...chances.map((won) => Math.abs(won - 0.5)));

  const gamesAt = (odds, rules, setups) => odds.map((one) => mafia.game({ ...rules, odds: one }, setups));

  function* solved(game, setup, phase, tell) {
    const work = game.solve(setup, phase);
    for (;;) {
      const step = work.next();
      if (step.done) return step.value.chance;
      yield tell;
    }
  }

  // The chances at all odds, the lowest first; those after the first only while the worst may still be below a limit.
  function* chancesOf(games, setup, phase, tell, limit = Infinity) {
    const found = [];
    for (const game of games) {
      found.push(yield* solved(game, setup, phase, tell));
      if (worst(found) >= limit) break;
    }
    return found;
  }

  const nearest = (found) => [...found].sort((one, other) => worst(one.chances) - worst(other.chances));

  // Set-ups of so many players with these roles, at most one of each, without those that come to the same as a simpler one.
  const possible = (players, may) => {
    const sets = may.reduce((all, role) => [...all, ...all.map((roles) => [...roles, role])], [[]]);
    return sets.sort((one, other) => one.length - other.length).map((roles) => {
      const found = [];
      for (let mafia = 1; 2 * mafia <= players; mafia += 1) {
        const setup = Object.fromEntries(ROLES.map((role) => [role, roles.includes(role) ? 1 : 0]));
        setup.mafiosi = mafia - setup.dons;
        setup.innocents = players - mafia - roles.length + setup.dons;
        if (setup.innocents >= 0) found.push(setup);
      }
      return found;
    });
  };

  // Why roles can do nothing under these rules: a copy of `idle_roles` in lib/gamebalance/mafia/idle.py; change both.
  const idle = (setup, rules) => {
    const why = [];
    const shots = Array.from({ length: mafiaOf(setup) }, (_, k) => rules.kills[Math.min(k + 1, rules.kills.length) - 1]);
    const most = Math.max(1, ...shots);
    const [drinks, shoots] = [setup.witches && rules.potion > 0, setup.vigilantes && rules.bullets > 0 && rules.shot > 0];
    if (setup.witches && !drinks) why.push("idle");
    if (setup.vigilantes && !shoots) why.push(rules.bullets ? "peaceful" : "unloaded");
    const busy = setup.detectives || setup.doctors || setup.hunters || drinks || shoots;
    const heard = setup.sheriffs && towns.mayTell(rules);
    if (setup.bodyguards && !busy && !heard && most === 1) why.push("alike");
    const alike = !busy && (setup.bodyguards === 0 || why.includes("alike")) && (most === 1 || rules.aim === "together");
    const silent = setup.sheriffs && !heard && (alike || !setup.dons);
    if (silent) why.push(rules.tells === "never" ? "silent" : "doubted");
    if (setup.dons && !setup.sheriffs) why.push("alone");
    else if (setup.dons && rules.tells === "every morning") why.push("known");
    else if (setup.dons && silent) why.push("harmless");
    return why;
  };

  // The set-ups nearest to even where they are worst: [{ setup, chances }], a chance for each of the odds;
  // none with a role that can do nothing, which comes to the same as a simpler one.
  function* fairest(players, may, rules, phase, odds) {
    const families = possible(players, may);
    const all = families.flat();
    if (all.length === 0) return [];
    const games = gamesAt(odds, rules, all);
    const seen = new Set();
    let found = [];
    for (const [k, family] of families.entries()) {
      for (const setup of family) {
        const key = games[0].keyOf(setup);
        if (seen.has(key) || idle(setup, rules).length) continue;
        seen.add(key);
        const limit = found.length < SHOWN ? Infinity : worst(found.at(-1).chances);
        const chances = yield* chancesOf(games, setup, phase, { done: k, of: families.length }, limit);
        if (worst(chances) < limit) found = nearest([...found, { setup, chances }]).slice(0, SHOWN);
        if (chances[0] < HOPE) break;
      }
    }
    return found;
  }

  const withOne = (setup, role, more) => ({ ...setup, [role]: setup[role] + more });

  const fits = (setup) => mafiaOf(setup) > 0 && ROLES.every((role) => setup[role] >= 0 && (setup[role] <= 1 || !SINGLE.includes(role)));

  // Everything that changes one thing: one citizen, one person's role (to one that is there or may be used), or one rule.
  const changes = ({ setup, rules, phase, may }, choices) => {
    const found = [];
    for (const more of [1, -1]) found.push({ kind: "citizen", more, setup: withOne(setup, "innocents", more), rules, phase });
    const usable = ROLES.filter((role) => setup[role] || may.includes(role) || ["mafiosi", "innocents"].includes(role));
    for (const from of ROLES.filter((role) => setup[role])) {
      for (const to of usable.filter((role) => role !== from)) {
        found.push({ kind: "role", from, to, setup: withOne(withOne(setup, from, -1), to, 1), rules, phase });
      }
    }
    for (const [name, values] of Object.entries(choices)) {
      for (const value of values) {
        if (String(value) === String(name === "phase" ? phase : rules[name])) continue;
        const next = name === "phase" ? { rules, phase: value } : { rules: { ...rules, [name]: value }, phase };
        if (next.rules.aim === "together" || next.rules.agreement === 1) found.push({ kind: "rule", name, value, setup, ...next });
      }
    }
    return found.filter((change) => fits(change.setup));
  };

  // These changes with their chances at all odds, those of the same rules together; what cannot be below the limit at worst
  // has the first of its chances alone.
  function* tried(all, odds, limit) {
    const groups = new Map();
    for (const change of all) {
      const name = JSON.stringify(change.rules);
      groups.set(name, [...(groups.get(name) ?? []), change]);
    }
    const found = [];
    for (const group of groups.values()) {
      const games = gamesAt(odds, group[0].rules, group.map(({ setup }) => setup));
      for (const change of group) {
        const chances = yield* chancesOf(games, change.setup, change.phase, { done: found.length, of: all.length, found }, limit);
        found.push({ ...change, chances });
      }
    }
    return found;
  }

  // The best changes: nearer to even at worst than now, the nearest first.
  const repairs = (found, now, count) => nearest(found.filter(({ chances }) => worst(chances) <= worst(now) - GAIN)).slice(0, count);

  return { ROLES, SINGLE, SPECIAL, playersOf, mafiaOf, worst, fairest, changes, tried, repairs, idle };
})();
