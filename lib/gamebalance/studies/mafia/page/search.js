// Which set-ups are nearest to even, and what the smallest change does. Nothing in this part touches the page. Long work is
// a generator, which tells now and then how much of it is done.
const search = (() => {
  "use strict";
  const ROLES = ["mafiosi", "innocents", "detectives", "doctors", "witches", "hunters", "dons", "sheriffs", "vigilantes", "bodyguards"];
  const SINGLE = ["witches", "dons", "sheriffs", "vigilantes", "bodyguards"];
  const SPECIAL = ["dons", "sheriffs", "detectives", "doctors", "bodyguards", "vigilantes", "witches", "hunters"];
  // Mafiosi are added as long as the town wins at least this share of games.
  const HOPE = 0.1;
  const SHOWN = 10;

  const playersOf = (setup) => ROLES.reduce((all, role) => all + setup[role], 0);

  const mafiaOf = (setup) => setup.mafiosi + setup.dons;

  const fromEven = ({ chance: won }) => Math.abs(won - 0.5);

  function* solved(game, setup, phase, tell) {
    const work = game.solve(setup, phase);
    for (;;) {
      const step = work.next();
      if (step.done) return step.value.chance;
      yield tell;
    }
  }

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

  // The set-ups nearest to even: [{ setup, chance }].
  function* fairest(players, may, rules, phase) {
    const families = possible(players, may);
    const all = families.flat();
    if (all.length === 0) return [];
    const game = mafia.game(rules, all);
    const [found, seen] = [[], new Set()];
    for (const [k, family] of families.entries()) {
      for (const setup of family) {
        const key = game.keyOf(setup);
        if (seen.has(key)) continue;
        seen.add(key);
        const won = yield* solved(game, setup, phase, { done: k, of: families.length });
        found.push({ setup, chance: won });
        if (won < HOPE) break;
      }
    }
    return found.sort((one, other) => fromEven(one) - fromEven(other)).slice(0, SHOWN);
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

  // All of these changes with the chance of each, those of the same rules together.
  function* tried(all) {
    const games = new Map();
    for (const change of all) {
      const name = JSON.stringify(change.rules);
      games.set(name, [...(games.get(name) ?? []), change]);
    }
    const found = [];
    for (const group of games.values()) {
      const game = mafia.game(group[0].rules, group.map(({ setup }) => setup));
      for (const change of group) {
        const won = yield* solved(game, change.setup, change.phase, { done: found.length, of: all.length, found });
        found.push({ ...change, chance: won });
      }
    }
    return found;
  }

  // The best changes: nearer to even than now, the nearest first.
  const repairs = (found, now, count) => found.filter((change) => fromEven(change) < Math.abs(now - 0.5) - 1e-9)
    .sort((one, other) => fromEven(one) - fromEven(other)).slice(0, count);

  return { ROLES, SINGLE, SPECIAL, playersOf, mafiaOf, fairest, changes, tried, repairs };
})();
