// Chances by counting: ties of a vote, and marks among people of whom some leave. Nothing in this part touches the page.
const chance = (() => {
  "use strict";
  const MOST = 32;
  const CHOOSE = Array.from({ length: MOST + 1 }, () => Array(MOST + 1).fill(0));
  for (let n = 0; n <= MOST; n += 1) {
    for (let k = 0; k <= n; k += 1) CHOOSE[n][k] = k === 0 ? 1 : CHOOSE[n - 1][k - 1] + CHOOSE[n - 1][k];
  }
  const FACTORIAL = [1];
  for (let n = 1; n <= MOST; n += 1) FACTORIAL.push(FACTORIAL[n - 1] * n);

  // Of so many people some are marked, and some are drawn: chance that so many of these are marked.
  const marked = (people, marks, drawn, found) => {
    if (found < 0 || found > marks || drawn - found < 0 || drawn - found > people - marks) return 0;
    return (CHOOSE[marks][found] * CHOOSE[people - marks][drawn - found]) / CHOOSE[people][drawn];
  };

  const remembered = (key, compute) => {
    const known = new Map();
    return (...given) => {
      const name = key(...given);
      if (!known.has(name)) known.set(name, compute(...given));
      return known.get(name);
    };
  };

  const product = (one, other, degree) => {
    const found = Array(degree + 1).fill(0);
    for (let k = 0; k <= degree; k += 1) for (let j = 0; j <= k; j += 1) found[k] += one[j] * other[k - j];
    return found;
  };

  // Powers of 1 + x + x^2 / 2! + … + x^limit / limit!: candidates who get at most so many votes.
  const powers = (limit, count, degree) => {
    const one = Array.from({ length: degree + 1 }, (_, k) => (k <= limit ? 1 / FACTORIAL[k] : 0));
    const found = [[1, ...Array(degree).fill(0)]];
    for (let k = 0; k < count; k += 1) found.push(product(found[k], one, degree));
    return found;
  };

  // Chances that 0, 1, 2, … of the candidates have most votes: inclusion and exclusion of those who vote for themselves,
  // whose terms fall like 1 / k!, so that nothing is lost in floating point.
  const tied = remembered((voters, candidates) => 100 * voters + candidates, (voters, candidates) => {
    if (candidates === 1) return [0, 1];
    const found = Array(candidates + 1).fill(0);
    for (let most = Math.ceil(voters / candidates); most <= voters; most += 1) {
      const [free, own] = [powers(most - 1, candidates, voters), powers(most - 2, candidates, voters)];
      for (let first = 1; first <= Math.min(candidates, Math.floor(voters / most)); first += 1) {
        found[first] += CHOOSE[candidates][first] * ballots(voters, candidates, first, most, free, own);
      }
    }
    const all = (candidates - 1) ** candidates * candidates ** (voters - candidates);
    return found.map((count) => count / all);
  });

  // Ballots in which certain candidates, so many of them `first`, get `most` votes and all others fewer.
  const ballots = (voters, candidates, first, most, free, own) => {
    const others = candidates - first;
    let total = 0;
    for (let a = 0; a <= first; a += 1) {
      for (let b = 0; b <= others; b += 1) {
        const left = voters - b - first * most;
        if (left < 0 || (most === 1 && b > 0)) continue;
        let below = 0;
        for (let k = 0; k <= left; k += 1) below += own[b][k] * free[others - b][left - k];
        const ways = (FACTORIAL[voters - a - b] * below) / (FACTORIAL[most - 1] ** a * FACTORIAL[most] ** (first - a));
        total += (-1) ** (a + b) * CHOOSE[first][a] * CHOOSE[others][b] * ways;
      }
    }
    return total;
  };

  // Chances that 0, 1, 2, … candidates leave after a vote.
  const leaving = remembered((...given) => given.join(), (voters, candidates, ties) => {
    if (ties === "lot") return [0, 1];
    const chances = tied(voters, candidates);
    if (ties === "nobody") return [1 - chances[1], chances[1]];
    if (ties === "all") return chances;
    const leave = Array(candidates + 1).fill(0);
    chances.forEach((part, first) => {
      if (first === 1) leave[1] += part;
      if (first > 1 && part > 0) {
        tied(voters, first).forEach((again, k) => { leave[k === 1 || ties === "again, then all" ? k : 0] += part * again; });
      }
    });
    return leave;
  });

  return { marked, tied, leaving };
})();
