// Is it fair? The tests, intervals, power and verdicts of gamebalance.fairness, under the names they have there. Nothing
// in this part touches the page.
const fairness = (() => {
  "use strict";
  const {
    fixed, meant, normalCdf, normalQuantile, crossing, chiSquareTail, chiSquareCritical, noncentralTail, noncentrality,
    poissonDensity, betaCdf, betaQuantile, binomialCdf, binomialTail, studentTail,
  } = distributions;
  const POWER = 0.8;
  const MOST_STEPS = 5e7;
  const MOST_TABLES = 50_000;
  const FEW = 10;
  const MOST_GAMES = 1e9;

  const sum = (values) => values.reduce((total, value) => total + value, 0);

  const shownNumber = (value) => value.toLocaleString("en-US");

  const clopperPearson = (won, played, level) => {
    const tail = (1 - level) / 2;
    const lost = played - won;
    const low = won === 0 ? 0 : betaQuantile(tail, won, lost + 1);
    return [low, lost === 0 ? 1 : 1 - betaQuantile(1 - (1 - tail), lost, won + 1)];
  };

  // Tests of equal chances, as fairness.equality has them

  const pearson = (wins) => {
    const mean = sum(wins) / wins.length;
    return sum(wins.map((count) => (count - mean) ** 2)) / mean;
  };

  const excess = (wins) => {
    const base = Math.floor(sum(wins) / wins.length);
    return sum(wins.map((count) => (count - base) ** 2));
  };

  const whole = (value) => Math.floor(Math.sqrt(value));

  const reach = (games, groups, most) => Math.min(whole(Math.floor((groups * most) / 2)) + groups, games);

  const steps = (games, groups, most) =>
    (groups - 2) * (2 * reach(games, groups, most) + 1) * (most + 1) * (whole(most) + 1);

  // One group more: sums of differences (rows) and of their squares (columns), which are odd together or even together.
  const withGroup = (table, cells, first, width, groups, left, rest) => {
    const most = width - 1;
    const middle = (table.length / width - 1) / 2;
    const found = new Float64Array(table.length);
    for (let total = -middle; total <= middle; total += 1) {
      let least = Math.ceil((total * total) / groups);
      least += (least ^ total) & 1;
      const row = (middle + total) * width;
      for (let k = 0; k < cells.length; k += 1) {
        const reached = total + first + k;
        const square = (first + k) ** 2;
        const last = most - square - Math.floor((rest - reached) ** 2 / left);
        if (Math.abs(reached) > middle || last < least) continue;
        const target = (middle + reached) * width + square;
        const chance = cells[k];
        for (let q = least; q <= last; q += 2) found[target + q] += chance * table[row + q];
      }
    }
    return found;
  };

  // The chance that a fair game spreads its wins with no more than some excess; fairness.multinomial explains it.
  const evenChance = (games, groups, most) => {
    const base = Math.floor(games / groups);
    const rest = games - base * groups;
    const first = -Math.min(whole(most), base);
    const cells = Array.from({ length: whole(most) - first + 1 }, (_, k) => poissonDensity(base + first + k, games / groups));
    const width = most + 1;
    const middle = reach(games, groups, most);
    let table = new Float64Array((2 * middle + 1) * width);
    cells.forEach((chance, k) => {
      if (Math.abs(first + k) <= middle) table[(middle + first + k) * width + (first + k) ** 2] = chance;
    });
    for (let group = 2; group < groups; group += 1) {
      table = withGroup(table, cells, first, width, group - 1, groups - group, rest);
    }
    let found = 0;
    cells.forEach((chance, k) => {
      const row = middle + rest - first - k;
      if (row < 0 || row > 2 * middle) return;
      for (let q = 0; q <= most - (first + k) ** 2; q += 1) found += chance * table[row * width + q];
    });
    return found / poissonDensity(games, games);
  };

  const singleWinnerPValue = (wins) => {
    const games = sum(wins);
    const groups = wins.length;
    if (!games) return [1, "no test: no game was decided"];
    if (groups === 2) return [Math.min(1, 2 * binomialCdf(Math.min(...wins), games, 0.5)), "exact binomial test"];
    const found = excess(wins);
    if (steps(games, groups, found) > MOST_STEPS) return [chiSquareTail(pearson(wins), groups - 1), "chi-square test"];
    const below = found ? evenChance(games, groups, found - 1) : 0;
    return [Math.min(1, Math.max(0, 1 - below)), "exact multinomial test"];
  };

  const tableStatistic = (won, played) => {
    const mean = sum(won) / sum(played);
    return sum(won.map((wins, k) => {
      const spread = played[k] * mean * (1 - mean);
      return spread > 0 ? (wins - played[k] * mean) ** 2 / spread : 0;
    }));
  };

  // Logarithms of the ways in which none, one, ... of so many games are won, or lost.
  const logWays = (games, most) => {
    const found = [0];
    for (let won = 0; won < most; won += 1) found.push(found[won] + Math.log((games - won) / (won + 1)));
    return found;
  };

  // The same for fewer and fewer than `most` wins, or than all of the games, of which the ways are as one.
  const logWaysDown = (games, most, steps) => {
    const found = [0];
    for (let down = 0; down < steps; down += 1) {
      found.push(found[down] + Math.log((most - down) / (games - most + down + 1)));
    }
    return found;
  };

  // How many labels, those with the fewest games first, have their wins listed; never the last one's.
  const listedLabels = (played, rarer) => {
    let affordable = 0;
    for (let tables = 1; affordable < played.length - 1; affordable += 1) {
      tables *= Math.min(played[affordable], rarer) + 1;
      if (tables > MOST_TABLES) break;
    }
    if (affordable === played.length - 1) return affordable;
    return Math.min(affordable, played.filter((count) => count * rarer / sum(played) < FEW).length);
  };

  // Visits every table of the listed labels' wins that leaves a possible number to the others.
  const eachTable = (ways, left, possible, visit, table = [], log = 0) => {
    if (table.length === ways.length) {
      if (left <= possible) visit(table, left, log);
      return;
    }
    const own = ways[table.length];
    for (let won = 0; won < own.length && won <= left; won += 1) {
      eachTable(ways, left - won, possible, visit, [...table, won], log + own[won]);
    }
  };

  // How often differences among labels that are not listed make up for what is missing.
  const restChance = (beyond, left, rest, spread) => {
    if (rest.length === 1) return Number(beyond <= 0);
    const whole = sum(rest);
    const within = left / whole * (1 - left / whole);
    const needed = within > 0 ? beyond * spread / within : beyond > 0 ? Infinity : 0;
    return needed === Infinity ? 0 : chiSquareTail(Math.max(needed, 0) * (1 - 1 / whole), rest.length - 1);
  };

  const countedApartPValue = (won, played) => {
    const found = tableStatistic(won, played);
    const games = sum(played);
    const rarer = Math.min(sum(won), games - sum(won));
    if (!rarer) return [1, "no test: nothing could differ"];
    const sorted = [...played].sort((one, other) => one - other);
    const count = won.some((wins) => wins % 1) ? 0 : listedLabels(sorted, rarer);
    const listed = sorted.slice(0, count);
    const rest = sorted.slice(count);
    const whole = sum(rest);
    const ways = listed.map((own) => logWays(own, Math.min(own, rarer)));
    const most = Math.min(rarer, whole);
    const down = logWaysDown(whole, most, Math.min(most, sum(ways.map((own) => own.length - 1))));
    const visited = [];
    eachTable(ways, rarer, whole, (table, left, log) => {
      const beyond = found - tableStatistic([...table, left], [...listed, whole]);
      const near = Math.abs(beyond) <= 1e-9 * Math.max(1, found) ? 0 : beyond;
      visited.push([log + down[most - left], restChance(near, left, rest, rarer / games * (1 - rarer / games))]);
    });
    const top = visited.reduce((highest, [log]) => Math.max(highest, log), -Infinity);
    const all = sum(visited.map(([log]) => Math.exp(log - top)));
    const extreme = sum(visited.map(([log, chance]) => Math.exp(log - top) * chance));
    return [Math.min(1, extreme / all), `${rest.length === 1 ? "exact" : "chi-square"} test of a table`];
  };

  // How many games, as fairness.planning has it

  const effectOf = (shares) => sum(shares.map((share) => (share * shares.length - 1) ** 2)) / shares.length;

  // The chance that so many games show a difference, by the usual formula; shares add up to 1.
  const power = (shares, games, level) => {
    if (shares.length > 2) return tablePower(effectOf(shares), shares.length - 1, games, level);
    const apart = Math.abs(shares[0] - 0.5) * Math.sqrt(games);
    const error = Math.sqrt(shares[0] * shares[1]);
    const far = normalQuantile(1 - level / 2) / 2;
    if (error === 0) return Number(apart >= far);
    return normalCdf((apart - far) / error) + normalCdf((-apart - far) / error);
  };

  // The same where each game adds so much to a statistic about chi-square.
  const tablePower = (effect, freedom, games, level) =>
    noncentralTail(chiSquareCritical(level, freedom), freedom, games * effect);

  const wholeUp = (games) => Math.max(1, Math.ceil(meant(games)));

  const gamesForPower = (shares, goal, level) => {
    if (shares.length > 2) return noncentrality(shares.length - 1, goal, level) / effectOf(shares);
    const far = normalQuantile(1 - level / 2) / 2 + normalQuantile(goal) * Math.sqrt(shares[0] * shares[1]);
    return (far / (shares[0] - 0.5)) ** 2;
  };

  // Verdicts, as fairness.verdicts has them

  const twoDigits = (games) => {
    const up = wholeUp(games);
    const digits = 10 ** Math.max(0, BigInt(up).toString().length - 2);
    return Math.ceil(up / digits) * digits;
  };

  // Games in all that would tell, if shares stay as they are: that they differ, or that they are within the margin.
  const gamesThatTell = (effect, freedom, apart, errors, margin, risk) => {
    const enough = Math.max(noncentrality(freedom, POWER, risk), chiSquareCritical(risk, freedom));
    const differ = effect > 1e-12 ? enough / effect : Infinity;
    if (apart.some((far) => far >= margin)) return differ;
    const critical = normalQuantile(1 - risk);
    const missed = (games) => sum(apart.map((far, k) => {
      const scale = Math.sqrt(games) / errors[k];
      return normalCdf(critical - (margin - far) * scale) + normalCdf(critical - (margin + far) * scale);
    }));
    let high = 1;
    while (missed(high) > 1 - POWER) high *= 2;
    return Math.min(differ, crossing((games) => 1 - POWER - missed(games), high / 2, high));
  };

  const oneWinner = ({ wins, draws, margin, risk }) => {
    const groups = wins.length;
    const decided = sum(wins);
    const games = decided + draws;
    const level = 1 - risk / (groups > 2 || draws ? groups : 1);
    const far = 1 / groups + margin;
    const near = 1 / groups - margin;
    const found = {
      even: decided / games / groups, intervals: wins.map((won) => clopperPearson(won, games, level)),
      test: singleWinnerPValue(wins), games, decided,
    };
    if (!decided) return { ...found, equivalence: 1, needed: Infinity };
    const looks = wins.map((won) => Math.max(far < 1 ? binomialCdf(won, decided, far) : 0,
      near > 0 ? binomialTail(won, decided, near) : 0));
    const chances = wins.map((won) => won / decided);
    const errors = chances.map((share) => Math.sqrt(Math.max(share * (1 - share), 1 / (4 * decided))));
    const apart = chances.map((share) => Math.abs(share - 1 / groups));
    const tell = gamesThatTell(pearson(wins) / decided, groups - 1, apart, errors, margin, risk);
    return { ...found, equivalence: Math.max(...looks), chances, needed: (tell * games) / decided };
  };

  // How often a share as far from even as the margin looks at least so near: Student's t, and the binomial tails of as
  // many games as have the same error.
  const nearPValue = (share, even, error, games, margin) => {
    const spread = share * (1 - share);
    const size = spread > 0 ? spread / error ** 2 : games;
    const [won, lost] = [share * size, (1 - share) * size];
    const [far, close] = [Math.min(even + margin, 1), Math.max(even - margin, 0)];
    const above = lost > 0 ? betaCdf(1 - far, far, lost, won + 1) : Number(far < 1);
    const below = won > 0 ? betaCdf(close, 1 - close, won, lost + 1) : Number(close > 0);
    return Math.max(studentTail((margin - Math.abs(share - even)) / error, Math.max(games - 1, 1)), above, below);
  };

  const countedApart = ({ wins, played, margin, risk }) => {
    const games = Math.max(...played);
    const shares = wins.map((won, k) => won / played[k]);
    const even = sum(wins) / sum(played);
    const found = {
      even, intervals: wins.map((won, k) => clopperPearson(won, played[k], 1 - risk / wins.length)),
      test: countedApartPValue(wins, played), games,
    };
    const spread = even * (1 - even);
    if (!spread) return { ...found, equivalence: 1, needed: Infinity };
    const part = played.map((count) => count / sum(played));
    const apart = shares.map((share) => Math.abs(share - even));
    const variance = shares.map((share, k) => (share * (1 - share)) / played[k]);
    const shared = sum(variance.map((one, k) => part[k] ** 2 * one));
    const errors = variance.map((one, k) =>
      Math.max(Math.sqrt((1 - part[k]) ** 2 * one + shared - part[k] ** 2 * one), 0.5 / played[k]));
    const effect = sum(apart.map((far, k) => played[k] * far ** 2)) / spread / games;
    const inOneGame = errors.map((error) => error * Math.sqrt(games));
    const looks = shares.map((share, k) => nearPValue(share, even, errors[k], played[k], margin));
    return {
      ...found, equivalence: Math.max(...looks), effect,
      needed: gamesThatTell(effect, wins.length - 1, apart, inOneGame, margin, risk),
    };
  };

  // What `counts` say, which `reading.counts` has checked: labels, wins, played, draws, single, by, margin, level, looks.
  const judge = (counts) => {
    const { labels, wins, played, by, margin, level, looks, single } = counts;
    const risk = meant((1 - level) / looks);
    const found = (single ? oneWinner : countedApart)({ ...counts, risk });
    const round = (value) => meant(value, 9, 1e-12);
    const pValue = round(found.test[0]);
    const equivalencePValue = round(found.equivalence);
    const verdict = equivalencePValue <= risk ? "fair" : pValue <= risk ? "unfair" : "undecided";
    const more = Number.isFinite(found.needed) ? twoDigits(found.needed - found.games) : null;
    const result = {
      verdict, by, labels, wins, plays: played, games: found.games, risk, margin, level, looks, pValue,
      equivalencePValue, method: found.test[1], gamesNeeded: verdict === "undecided" ? more : 0,
      shares: wins.map((won, k) => round(won / played[k])), even: round(found.even),
      low: found.intervals.map(([low]) => round(low)), high: found.intervals.map(([, high]) => round(high)),
      single, chances: found.chances, decided: single ? found.decided / found.games : 1, effect: found.effect,
    };
    return { ...result, sentence: sentence(result) };
  };

  // The chance that so many games show a difference, and the number of games with power 80%, if chances are as counted;
  // not asked for where games tell nothing.
  const outlook = ({ single, chances, decided, effect, labels, risk }) => {
    const freedom = labels.length - 1;
    const equal = single ? Math.max(...chances) - Math.min(...chances) < 1e-9 : effect <= 1e-12;
    if (equal) return { equal, games: Infinity, at: () => risk };
    const games = single ? gamesForPower(chances, POWER, risk) / decided : noncentrality(freedom, POWER, risk) / effect;
    const at = (n) => (single ? power(chances, n * decided, risk) : tablePower(effect, freedom, n, risk));
    return { equal, games: wholeUp(games), at };
  };

  // Words

  const percent = (share) => fixed(100 * share, 1);

  const often = (chance) => {
    if (chance >= 0.995) return "nearly always";
    if (chance >= 0.00995) return `in ${fixed(100 * chance, 0)} of 100 cases`;
    return chance < 1e-5 ? "in less than 1 of 100,000 cases" : `in ${meant(chance * 10_000, 2)} of 10,000 cases`;
  };

  const points = (margin) => `${meant(100 * margin, 6)} percentage ${margin === 0.01 ? "point" : "points"}`;

  const gamesText = (count, more = "") => `${shownNumber(count)} ${more}${count === 1 ? "game" : "games"}`;

  const isNumber = (label) => /^\p{Nd}+$/u.test(label);

  // The place of the label that is farthest from even: by its share where the game is fair, else as its interval tells.
  const farthest = ({ verdict, shares, low, high, even }) => {
    const far = shares.map((share, k) => {
      const apart = Math.abs(share - even);
      const told = verdict === "fair" ? apart : meant(apart / (share > even ? share - low[k] : high[k] - share));
      return Number.isNaN(told) ? Infinity : told;
    });
    return far.indexOf(Math.max(...far));
  };

  const odds = ({ pValue }) => `a fair game looks at least as uneven ${often(pValue)}`;

  const sentence = (result) => {
    const { verdict, by, labels, shares, low, high, even, plays, pValue, margin, level, risk, gamesNeeded } = result;
    const k = farthest(result);
    const who = isNumber(labels[k]) ? `${by} ${labels[k]}` : labels[k];
    const confidence = `${meant(100 * level)}%`;
    const seen = `${who} won ${percent(shares[k])}% of ${gamesText(plays[k])} (${confidence} interval `
      + `${percent(low[k])} to ${percent(high[k])}%), where ${percent(even)}% would be even`;
    if (verdict === "unfair") return `Unfair: ${seen}; ${odds(result)}.`;
    if (gamesNeeded === null) return `Cannot tell: ${seen}; these games tell nothing, and more like them would not.`;
    if (verdict === "undecided") {
      return `Cannot tell: ${seen}; ${odds(result)}. About ${gamesText(gamesNeeded, "more ")} would tell, if the shares stay as they are.`;
    }
    const real = pValue <= risk ? `; the small difference is real (${odds(result)})` : "";
    return `Fair within ${points(margin)}, with ${confidence} confidence: ${seen}${real}.`;
  };

  return {
    POWER, MOST_GAMES, judge, outlook, power, gamesForPower, wholeUp, percent, points, gamesText, odds, often, isNumber, shownNumber,
  };
})();
