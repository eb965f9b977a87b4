// Is it fair? The tests, intervals, power and verdicts of gamebalance.fairness, under the names they have there. Nothing
// in this part touches the page.
const fairness = (() => {
  "use strict";
  const {
    fixed, meant, normalCdf, normalQuantile, crossing, chiSquareTail, chiSquareCritical, noncentralTail, noncentrality,
    poissonDensity, betaCdf, clopperPearson, binomialCdf, binomialTail, studentTail, studentCritical,
  } = distributions;
  const POWER = 0.8;
  const MOST_STEPS = 5e7;
  const FAR = 1e-3;
  const MOST_TABLES = 50_000;
  const FEW = 10;
  const [FIRST, LATER] = [0.98, 0.4];
  const FEWEST = 30;
  const MOST_GAMES = 1e9;
  const { say, later, number, refuse } = language;

  const sum = (values) => values.reduce((total, value) => total + value, 0);

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

  const tailSteps = (games, groups, least) =>
    (groups <= 4 ? 50 * (games + 1) ** (groups - 2) : ((groups - 4) * (games + 1) ** 2 * (least + 1)) / 8);

  // Chances of one group after the other, over the games that are left and the squares so far, where all that will end
  // at `least` or above is one; `finish` gets them for the last two groups.
  const throughTables = (games, groups, least, base, finish) => {
    const width = least + 1;
    const cells = Array.from({ length: games + 1 }, (_, won) => poissonDensity(won, games / groups));
    let table = new Float64Array((games + 1) * width);
    table[games * width] = 1;
    for (let others = groups - 1; others > 1; others -= 1) {
      const next = new Float64Array(table.length);
      table.forEach((weight, place) => {
        if (!weight) return;
        const [left, squares] = [Math.floor(place / width), place % width];
        for (let won = 0; won <= left; won += 1) {
          const [rest, sums] = [left - won, squares + (won - base) ** 2];
          const far = others * sums + (rest - others * base) ** 2 >= others * least;
          next[rest * width + (far ? least : sums)] += weight * cells[won];
        }
      });
      table = next;
    }
    table.forEach((weight, place) => { if (weight) finish(Math.floor(place / width), place % width, weight); });
  };

  // The chance that the excess of 3 or more equal groups is at least so large; fairness.multinomial explains it.
  const farChance = (games, groups, least) => {
    const base = Math.floor(games / groups);
    let found = 0;
    const finish = (left, squares, weight) => {
      const apart = Math.ceil(Math.sqrt(Math.max(2 * (least - squares) - (left - 2 * base) ** 2, 0)));
      if (apart > left) return;
      const last = apart > 0 ? 2 * binomialCdf(Math.floor((left - apart) / 2), left, 0.5) : 1;
      found += weight * last * poissonDensity(left, (2 * games) / groups);
    };
    // Three or four groups, from the mean outwards, until what is left is too little to matter.
    const outwards = (left, squares, weight, others) => {
      if (others === 2) {
        finish(left, squares, weight);
        return;
      }
      for (let far = 0; far <= games; far += 1) {
        let most = 0;
        for (const won of new Set([base - far, base + far])) {
          if (won < 0 || won > left) continue;
          const chance = weight * poissonDensity(won, games / groups);
          most = Math.max(most, chance);
          outwards(left - won, squares + far * far, chance, others - 1);
        }
        if (base - far <= left && most * games < 1e-12 * found) break;
      }
    };
    if (groups <= 4) outwards(games, 0, 1, groups);
    else throughTables(games, groups, least, base, finish);
    return found / poissonDensity(games, games);
  };

  const singleWinnerPValue = (wins) => {
    const games = sum(wins);
    const groups = wins.length;
    if (!games) return [1, later("no test: no game was decided")];
    if (groups === 2) return [Math.min(1, 2 * binomialCdf(Math.min(...wins), games, 0.5)), later("exact binomial test")];
    const found = excess(wins);
    const rough = chiSquareTail(pearson(wins), groups - 1);
    if (rough < FAR && tailSteps(games, groups, found) <= MOST_STEPS) {
      return [farChance(games, groups, found), later("exact multinomial test")];
    }
    if (steps(games, groups, found) > MOST_STEPS) return [rough, later("chi-square test")];
    const below = found ? evenChance(games, groups, found - 1) : 0;
    return [Math.min(1, Math.max(0, 1 - below)), later("exact multinomial test")];
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
    for (let down = 0; down < steps; down += 1) found.push(found[down] + Math.log((most - down) / (games - most + down + 1)));
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
    if (!rarer) return [1, later("no test: nothing could differ")];
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
    return [Math.min(1, extreme / all), rest.length === 1 ? later("exact test of a table") : later("chi-square test of a table")];
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

  // What each look may call unfair, or fair, as fairness.looks has it

  // The last whole number between two, the first of them one, for which something holds that holds for all below.
  const lastWhole = (low, high, holds) => {
    while (high > low) {
      const middle = Math.ceil((low + high) / 2);
      if (holds(middle)) low = middle;
      else high = middle - 1;
    }
    return low;
  };

  const wholeCdf = (wins, games, chance) => (wins < 0 ? 0 : binomialCdf(wins, games, chance));

  const sameSize = (games, limit) => limit;

  // How often the binomial test calls an even game of two unfair.
  const unfairSize = (games, limit) =>
    2 * wholeCdf(lastWhole(-1, games, (wins) => 2 * wholeCdf(wins, games, 0.5) <= limit), games, 0.5);

  // How often, at most, a label whose chance is as far from even as the margin is shown to be within it.
  const fairSize = (even, margin) => (games, limit) => {
    const [near, far] = [even - margin, even + margin];
    const most = far < 1 ? lastWhole(-1, games, (wins) => meant(wholeCdf(wins, games, far)) <= limit) : games;
    const least = near > 0 ? games - lastWhole(-1, games, (lost) => meant(binomialTail(games - lost, games, near)) <= limit) : 0;
    const within = [near, far].filter((edge) => edge > 0 && edge < 1)
      .map((edge) => wholeCdf(most, games, edge) - wholeCdf(least - 1, games, edge));
    return Math.max(0, ...within);
  };

  // The largest p-value that tells, at the look after those `before`.
  const limitOf = (risk, looks, before, size) => {
    if (looks !== null) return meant(risk / looks);
    let [left, part] = [risk, FIRST];
    for (const games of before) {
      left -= (size(games, meant(part * left)) * FIRST) / part;
      part = LATER;
    }
    return meant(part * left);
  };

  // Verdicts, as fairness.verdicts has them

  const twoDigits = (games) => {
    const up = wholeUp(games);
    const digits = 10 ** Math.max(0, BigInt(up).toString().length - 2);
    return Math.ceil(up / digits) * digits;
  };

  // Games in all that would tell, if shares stay as they are: that they differ, or that they are within the margin.
  const gamesThatTell = (effect, freedom, apart, errors, margin, limits) => {
    const critical = normalQuantile(1 - limits[1]);
    const differ = freedom ? chiSquareCritical(limits[0], freedom) : Infinity;
    if ((effect <= 1e-12 || !freedom) && apart.some((far) => far >= margin)) return Infinity;
    const told = (games) => {
      const missed = apart.map((far, k) => {
        const scale = Math.sqrt(games) / errors[k];
        return normalCdf(critical - (margin - far) * scale) + normalCdf(critical - (margin + far) * scale);
      });
      // Of two one is near where the other is.
      const within = freedom === 1 ? Math.max(...missed) : sum(missed);
      // Of many labels the shares are uneven in fair games, too: they show only if they really stay as they are.
      const shift = effect * games;
      return (freedom === 1 || shift >= differ ? noncentralTail(differ, freedom, shift) : 0) + Math.max(0, 1 - within);
    };
    let high = 1;
    while (told(high) < POWER) high *= 2;
    return crossing((games) => told(games) - POWER, high / 2, high);
  };

  const oneWinner = ({ single: { wins, groups, draws }, margin, limit, then }) => {
    const count = wins.length;
    const decided = sum(wins);
    const games = decided + draws;
    const level = 1 - limit / (count > 2 || draws ? count : 1);
    const far = 1 / count + margin;
    const near = 1 / count - margin;
    const intervals = wins.map((won) => clopperPearson(won, games, level));
    const found = {
      even: groups.map(() => decided / games / count), intervals: groups.map((group) => intervals[group]),
      test: singleWinnerPValue(wins), games, decided: decided / games, freedom: count - 1, fair: [1 / count],
    };
    if (!decided) return { ...found, equivalence: 1, needed: Infinity };
    const looks = wins.map((won) => Math.max(far < 1 ? binomialCdf(won, decided, far) : 0,
      near > 0 ? binomialTail(won, decided, near) : 0));
    const chances = wins.map((won) => won / decided);
    const errors = chances.map((share) => Math.sqrt(Math.max(share * (1 - share), 1 / (4 * decided))));
    const apart = chances.map((share) => Math.abs(share - 1 / count));
    const tell = gamesThatTell(pearson(wins) / decided, count - 1, apart, errors, margin, then);
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

  const countedApart = ({ wins, plays, margin, limit, then }) => {
    const games = Math.max(...plays);
    const shares = wins.map((won, k) => won / plays[k]);
    const even = sum(wins) / sum(plays);
    const found = {
      even: wins.map(() => even), intervals: wins.map((won, k) => clopperPearson(won, plays[k], 1 - limit / wins.length)),
      test: countedApartPValue(wins, plays), games, freedom: wins.length - 1, fair: [even],
    };
    const spread = even * (1 - even);
    if (!spread) return { ...found, equivalence: 1, needed: Infinity };
    const part = plays.map((count) => count / sum(plays));
    const apart = shares.map((share) => Math.abs(share - even));
    const variance = shares.map((share, k) => (share * (1 - share)) / plays[k]);
    const shared = sum(variance.map((one, k) => part[k] ** 2 * one));
    const errors = variance.map((one, k) =>
      Math.max(Math.sqrt((1 - part[k]) ** 2 * one + shared - part[k] ** 2 * one), 0.5 / plays[k]));
    const effect = sum(apart.map((far, k) => plays[k] * far ** 2)) / spread / games;
    const inOneGame = errors.map((error) => error * Math.sqrt(games));
    const looks = shares.map((share, k) => nearPValue(share, even, errors[k], plays[k], margin));
    return {
      ...found, equivalence: Math.max(...looks), effect,
      needed: gamesThatTell(effect, found.freedom, apart, inOneGame, margin, then),
    };
  };

  // Of as many independent games as have the same standard error, and no more.
  const clusterInterval = (share, error, taken, risk) => {
    const spread = share * (1 - share);
    const same = spread > 0 && error > 0 ? spread / error ** 2 : taken;
    const few = normalQuantile(risk / 2) / studentCritical(risk / 2, Math.max(taken - 1, 1));
    const size = Math.min(same * few ** 2, taken);
    return clopperPearson(share * size, size, 1 - risk);
  };

  // Games of any kind: results dealt anew within each game, and errors clustered by game.
  const byGame = ({ contest, labels, wins, plays, taken, margin, limit, then }) => {
    const { even, games } = contest;
    const shares = wins.map((won, k) => won / plays[k]);
    const far = contests.statistic(contest);
    const own = contests.errorsOf(contest, shares, 0);
    const found = {
      even, intervals: shares.map((share, k) => clusterInterval(share, own[k], taken[k], limit / labels.length)),
      test: contests.contestPValue(contest, far), games, freedom: far.freedom, fair: even,
    };
    if (!far.freedom) return { ...found, equivalence: 1, needed: Infinity };
    const apart = shares.map((share, k) => share - even[k]);
    const errors = contests.errorsOf(contest, apart, 1).map((error, k) => Math.max(error, 0.5 / taken[k]));
    // The labels that are not free have their even share whatever happens.
    const free = labels.map((_, k) => k).filter((k) => far.free[k]);
    const looks = free.map((k) => nearPValue(shares[k], even[k], errors[k], taken[k], margin));
    const effect = far.found / games;
    return {
      ...found, equivalence: Math.max(...looks), effect,
      needed: gamesThatTell(effect, far.freedom, free.map((k) => Math.abs(apart[k])), free.map((k) => errors[k] * Math.sqrt(games)), margin, then),
    };
  };

  // Results of games row by row in the form of counts.
  const fromRows = (given) => {
    const { by, rows, faults = {} } = given;
    if (faults[by]) refuse(faults[by]);
    const contest = contests.contestOf(given.rows, given.by);
    const { labels, games } = contest;
    if (labels.length < 2) refuse(say("{name} is the only {by}, and two are needed to compare", { name: labels[0], by: kindName(by) }));
    if (games < 2) refuse(say("Two games or more are needed"));
    const [wins, plays, taken] = [contest.wins, contest.plays, contest.taken].map((values) => [...values]);
    return { ...given, contest: { ...contest, even: [...contest.even] }, labels, wins, plays, taken, single: contests.singleWinner(contest) };
  };

  const fromCounts = (given) => {
    const { wins, played, draws, single } = given;
    return { ...given, plays: played, taken: played, single: single ? { wins, draws, groups: wins.map((_, k) => k) } : null };
  };

  const checkLooks = ({ looks, lookedAfter }, games) => {
    if (lookedAfter.some((count, k) => count <= (lookedAfter[k - 1] ?? 0) || count >= games)) {
      refuse(say("Looked after: type numbers that rise, each below the {number} games there are now", { number: shownNumber(games) }), "after");
    }
    if (looks !== null && lookedAfter.length >= looks) {
      refuse(say("Looked after: with this look these are more than the {number} under Looks in all", { number: shownNumber(looks) }), "after");
    }
  };

  // Even is among the games that were decided; nothing is beyond a margin that reaches from 0 to 1 everywhere.
  const checkMargin = (margin, fair) => {
    const most = Math.max(...fair.map((even) => Math.max(even, 1 - even)));
    if (margin >= most) refuse(say("Margin: type less than {number} here, or every chance is within it", { number: plainNumber(100 * most, 6) }), "margin");
  };

  // How often fair games are called unfair, and games at the margin fair; the limit where that cannot be found.
  const sizesOf = ({ single, margin }) => {
    if (!single || single.draws) return [sameSize, sameSize];
    return [single.wins.length === 2 ? unfairSize : sameSize, fairSize(1 / single.wins.length, margin)];
  };

  // Whether so few games tell nothing, whatever their results.
  const saysNothing = ({ single, margin }, games, limits) => {
    if (!single) return games === 2;
    const count = single.wins.length;
    return count ** (1 - games) > limits[0] && !fairSize(1 / count, margin)(games, limits[1]);
  };

  // What results say: counts, which `reading.counts` has checked, labels, wins, played, draws and single; or rows, as
  // contests.js has them; with by, margin, level, looks (null where their number is open) and lookedAfter.
  const judge = (given) => {
    const counts = given.rows ? fromRows(given) : fromCounts(given);
    const { labels, wins, plays, taken, by, margin, level, looks, lookedAfter, single, contest, draws } = counts;
    const played = contest?.games ?? (single ? sum(wins) + draws : Math.round(Math.max(...plays)));
    checkLooks(given, played);
    const sizes = sizesOf(counts);
    const [limits, then] = [lookedAfter, [...lookedAfter, played]].map((before) =>
      sizes.map((size) => limitOf(1 - level, looks, before, size)));
    const found = (single ? oneWinner : contest ? byGame : countedApart)({ ...counts, limit: limits[0], then });
    checkMargin(margin, found.fair);
    const round = (value) => meant(value, 9, 1e-12);
    const [, method, error = 0] = found.test;
    const pValue = meant(found.test[0]);
    const equivalencePValue = meant(found.equivalence);
    const verdict = equivalencePValue <= limits[1] ? "fair" : pValue <= limits[0] ? "unfair" : "undecided";
    const decided = found.decided ?? 1;
    const reasons = {
      silent: saysNothing(counts, played, limits), last: lookedAfter.length + 1 === looks, equal: !Number.isFinite(found.needed),
      few: meant(Math.min(...taken) * decided) < FEWEST,
    };
    // Why it is not said how many games more would tell.
    const untold = verdict === "undecided" ? Object.keys(reasons).find((reason) => reasons[reason]) ?? "" : "";
    const result = {
      verdict, by, labels, wins: wins.map(round), plays, taken, games: found.games, limits, margin, level, looks, lookedAfter, pValue, error,
      equivalencePValue, method, gamesNeeded: verdict !== "undecided" ? 0 : untold ? null : twoDigits(found.needed - found.games), untold,
      shares: wins.map((won, k) => round(won / plays[k])), even: found.even.map(round),
      low: found.intervals.map(([low]) => round(low)), high: found.intervals.map(([, high]) => round(high)),
      apart: !single && !contest, single: Boolean(single), chances: found.chances, decided,
      effect: found.effect, freedom: found.freedom, nothing: verdict === "undecided" && reasons.equal,
    };
    return { ...result, get sentence() { return sentence(result); } };
  };

  // The chance that so many games show a difference, and the number of games with power 80%, if chances are as counted;
  // not asked for where games tell nothing.
  const outlook = ({ single, chances, decided, effect, freedom, limits: [risk] }) => {
    const equal = single ? Math.max(...chances) - Math.min(...chances) < 1e-9 : effect <= 1e-12;
    if (equal) return { equal, games: Infinity, at: () => risk };
    const games = single ? gamesForPower(chances, POWER, risk) / decided : noncentrality(freedom, POWER, risk) / effect;
    const at = (n) => (single ? power(chances, n * decided, risk) : tablePower(effect, freedom, n, risk));
    return { equal, games: wholeUp(games), at };
  };

  // Words, in the language of the page

  const KINDS = { role: later("role"), seat: later("seat"), side: later("side"), player: later("player") };

  const kindName = (by) => {
    const word = KINDS[by] ?? by;
    return say(word);
  };

  const shownNumber = (value) => number(value.toLocaleString("en-US"));

  const plainNumber = (value, digits = 9) => number(String(meant(value, digits)));

  const percent = (share) => number(fixed(100 * share, 1));

  const often = (chance) => {
    if (chance >= 0.995) return say("nearly always");
    if (chance >= 0.00995) return say("in {number} of 100 cases", { number: fixed(100 * chance, 0) });
    if (chance < 1e-5) return say("in less than 1 of 100,000 cases");
    return say("in {number} of 10,000 cases", { number: plainNumber(chance * 10_000, 2) });
  };

  const points = (margin) => {
    const values = { number: plainNumber(100 * margin, 6) };
    return margin === 0.01 ? say("{number} percentage point", values) : say("{number} percentage points", values);
  };

  const counted = (count, one, several) => {
    const text = count === 1 ? one : several;
    return say(text, { number: shownNumber(count) });
  };

  const gamesText = (count) => counted(count, later("{number} game"), later("{number} games"));

  const isNumber = (label) => /^\p{Nd}+$/u.test(label);

  const nameOf = (by, label) => (isNumber(label) ? `${kindName(by)} ${label}` : label);

  // The place of the label that is farthest from even: by its share where the game is fair, else as its interval tells.
  const farthest = ({ verdict, shares, low, high, even }) => {
    const far = shares.map((share, k) => {
      const apart = Math.abs(share - even[k]);
      const told = verdict === "fair" ? apart : meant(apart / (share > even[k] ? share - low[k] : high[k] - share));
      return Number.isNaN(told) ? Infinity : told;
    });
    return far.indexOf(Math.max(...far));
  };

  const odds = ({ pValue }) => say("a fair game looks at least as uneven {often}", { often: often(pValue) });

  // In percent, how often something is right that is wrong so seldom.
  const confidence = (risk) => plainNumber(100 - meant(100 * risk, 2));

  // When it can be said how many games more would tell.
  const notYet = ({ by, decided }) => {
    const values = { by: kindName(by), number: FEWEST };
    return decided < 1 ? say("Once each {by} has played {number} decided games, it can be said how many more would tell", values)
      : say("Once each {by} has played {number} games, it can be said how many more would tell", values);
  };

  const sentence = (result) => {
    const { verdict, by, labels, shares, low, high, even, taken, pValue, margin, level, limits, games, gamesNeeded, untold, decided } = result;
    if (untold === "silent") return say("Cannot tell: {games} say nothing, whoever wins them.", { games: gamesText(games) });
    const k = farthest(result);
    const seen = say("{who} won {share}% of {games} ({confidence}% interval {low} to {high}%), where {even}% would be even", {
      who: nameOf(by, labels[k]), share: percent(shares[k]), games: gamesText(taken[k]), confidence: confidence(limits[0]),
      low: percent(low[k]), high: percent(high[k]), even: percent(even[k]),
    });
    const told = { seen, odds: odds(result), by: kindName(by), points: points(margin), level: plainNumber(100 * level) };
    if (verdict === "fair") {
      return pValue <= limits[0] ? say("Fair within {points}, with {level}% confidence: {seen}; the small difference is real ({odds}).", told)
        : say("Fair within {points}, with {level}% confidence: {seen}.", told);
    }
    if (verdict === "unfair") {
      if (low[k] > even[k] || even[k] > high[k]) return say("Unfair: {seen}; {odds}.", told);
      return labels.length > 2 ? say("Unfair: {seen}; {odds}; no single {by} is shown to differ, but all together do.", told)
        : decided < 1 ? say("Unfair: {seen}; {odds}; the interval allows for chance in draws, too, and the test does not.", told)
          : say("Unfair: {seen}; {odds}; this interval alone does not show it.", told);
    }
    if (untold === "last") return say("Cannot tell: {seen}; {odds}. No more looks were declared.", told);
    if (untold === "equal") return say("Cannot tell: {seen}; these games tell nothing, and more like them would not.", told);
    const again = { ...told, after: [...result.lookedAfter, games].join(", ") };
    if (untold) return say("Cannot tell: {seen}; {odds}. {later}; then judge all of them with {after} under Looked after.", { ...again, later: notYet(result) });
    return say("Cannot tell: {seen}; {odds}. About {more} would probably (4 in 5) tell, if the shares stay as they are; "
      + "then judge all of them with {after} under Looked after.", { ...again, more: counted(gamesNeeded, later("{number} more game"), later("{number} more games")) });
  };

  return {
    POWER, MOST_GAMES, judge, outlook, power, counted, kindName, nameOf, percent, plainNumber, points, gamesText, odds, often,
    confidence, notYet, shownNumber,
  };
})();
