// Results of games row by row: who could win each game, how far wins are from even, and how often results dealt anew
// are as far; under the names of fairness.games, fairness.tallies and fairness.equality. Nothing in this part touches
// the page. Rows are { game, won } with any of side, role, seat, player: games numbered from 0, one after the other;
// a column is { labels, codes }, the codes being places among the labels.
const contests = (() => {
  "use strict";
  const { chiSquareTail } = distributions;
  const { refuse } = language;
  const MOST_LABELS = 1000;
  const MOST_GROUPS = 64;
  const TOLERANCE = 1e-6;
  const MOST_DEALT = 2000;
  const DEALS = 9999;

  const sum = (values) => values.reduce((total, value) => total + value, 0);

  // The labels of a column, numbers in order and texts as they first appear, and the place of each row's label.
  const coded = ({ labels, codes }) => {
    const place = new Int32Array(labels.length).fill(-1);
    const kept = [];
    for (const code of codes) if (place[code] < 0) place[code] = kept.push(code) - 1;
    if (kept.every((code) => typeof labels[code] === "number")) kept.sort((one, other) => labels[one] - labels[other]);
    kept.forEach((code, k) => { place[code] = k; });
    return { labels: kept.map((code) => labels[code]), codes: codes.map((code) => place[code]) };
  };

  // The first place of each game, and the end of the last.
  const startsOf = (game) => {
    const starts = [];
    game.forEach((number, place) => { if (place === 0 || number !== game[place - 1]) starts.push(place); });
    return Int32Array.from([...starts, game.length]);
  };

  // Sides, where sides are what wins

  // Mean result of each label in each game, row after row; nan where it did not play.
  const sharesOf = ({ game, won }, codes, size) => {
    const games = game.at(-1) + 1;
    const [played, total] = [new Float64Array(games * size), new Float64Array(games * size)];
    game.forEach((number, row) => {
      played[number * size + codes[row]] += 1;
      total[number * size + codes[row]] += won[row];
    });
    return total.map((value, place) => value / played[place]);
  };

  // Whether two labels won together once, and never had different results in a game of both.
  const neverApart = (shares, size, one, other) => {
    let together = false;
    for (let row = 0; row < shares.length; row += size) {
      const [first, second] = [shares[row + one], shares[row + other]];
      if (first !== second && !Number.isNaN(first) && !Number.isNaN(second)) return false;
      together ||= first === 1 && second === 1;
    }
    return together;
  };

  const sidesOfRoles = (rows, codes, size) => {
    if (size > MOST_GROUPS) return null;
    const shares = sharesOf(rows, codes, size);
    const side = Array.from({ length: size }, (_, label) => label);
    for (let one = 0; one < size; one += 1) {
      for (let other = 0; other < one; other += 1) {
        if (!neverApart(shares, size, one, other)) continue;
        const [from, to] = [side[one], side[other]];
        side.forEach((number, label) => { if (number === from) side[label] = to; });
      }
    }
    const winners = new Float64Array(rows.game.at(-1) + 1);
    rows.game.forEach((number, row) => { winners[number] += rows.won[row]; });
    const never = side.map((_, label) => label).filter((label) => !shares.some((share, place) => place % size === label && share > 0));
    if (winners.some((count) => count > 1 + TOLERANCE)) never.forEach((label) => { side[label] = never[0]; });
    const own = codes.map((code) => side[code]);
    const told = sharesOf(rows, own, size);
    for (let row = 0; row < told.length; row += size) {
      const values = told.subarray(row, row + size).filter((value) => value);
      if (values.some((value) => value !== 1) || values.length > 1) return null;
    }
    return own;
  };

  // Sides as large as each other in each game; without a column side, those who won and those who did not.
  const equalSides = (rows) => {
    const side = rows.side ? coded(rows.side).codes : Int32Array.from(rows.won, (won) => Number(won > 0));
    if (rows.won.some((won) => won !== 0 && won !== 1)) return null;
    const starts = startsOf(rows.game);
    let largest = 0;
    for (let game = 0; game < starts.length - 1; game += 1) {
      const members = new Map();
      for (let row = starts[game]; row < starts[game + 1]; row += 1) members.set(side[row], (members.get(side[row]) ?? 0) + 1);
      const [first] = members.values();
      if ([...members.values()].some((count) => count !== first)) return null;
      largest = Math.max(largest, first);
    }
    return largest > 1 ? side : null;
  };

  const sidesOf = (rows, by, codes, size) => {
    if (by === "seat" || by === "player") return equalSides(rows);
    return rows.side ? coded(rows.side).codes : sidesOfRoles(rows, codes, size);
  };

  // Contests

  // Rows of numbers at places: `start` of each row among `place` and `value`; one that has a place already adds to it.
  const sparse = (size) => {
    const [start, place, value] = [[0], [], []];
    const last = new Int32Array(size).fill(-1);
    return {
      start, place, value,
      add: (label, number) => {
        if (last[label] >= start.at(-1)) value[last[label]] += number;
        else last[label] = place.push(label) - 1, value.push(number);
      },
      end: () => start.push(place.length),
    };
  };

  // Who could win each game: contestants, players or whole sides, in the order of the games and of their sides.
  const contestOf = (rows, by) => {
    const { labels, codes } = coded(rows[by]);
    const size = labels.length;
    if (size > MOST_LABELS) refuse(`${size.toLocaleString("en-US")} different labels, ${MOST_LABELS.toLocaleString("en-US")} are allowed`);
    const side = sidesOf(rows, by, codes, size);
    const starts = startsOf(rows.game);
    const members = sparse(size);
    const [result, game] = [[], []];
    for (let number = 0; number < starts.length - 1; number += 1) {
      const places = Array.from({ length: starts[number + 1] - starts[number] }, (_, k) => starts[number] + k);
      if (side) places.sort((one, other) => side[one] - side[other]);
      places.forEach((row, k) => {
        members.add(codes[row], 1);
        const next = places[k + 1];
        if (side && next !== undefined && side[next] === side[row]) return;
        members.end();
        game.push(number);
      });
      const firsts = side ? places.filter((row, k) => !k || side[row] !== side[places[k - 1]]) : places;
      result.push(...firsts.map((row) => rows.won[row]));
    }
    if (by === "side") members.value.fill(1);
    return tallied({ labels, size, members, result: Float64Array.from(result), starts: startsOf(game) });
  };

  // With the plays and wins of each label in each game, and what each contestant wins on the average, were it fair.
  const tallied = (contest) => {
    const { size, members, result, starts } = contest;
    const tally = sparse(size);
    const won = [];
    const games = starts.length - 1;
    const [plays, wins, taken, fair] = Array.from({ length: 4 }, () => new Float64Array(size));
    const mean = new Float64Array(games);
    const total = new Float64Array(size);
    for (let game = 0; game < games; game += 1) {
      for (let one = starts[game]; one < starts[game + 1]; one += 1) {
        mean[game] += result[one];
        for (let k = members.start[one]; k < members.start[one + 1]; k += 1) {
          tally.add(members.place[k], members.value[k]);
          total[members.place[k]] += members.value[k] * result[one];
        }
      }
      mean[game] /= starts[game + 1] - starts[game];
      tally.end();
      for (let k = tally.start[game]; k < tally.start[game + 1]; k += 1) {
        const label = tally.place[k];
        won.push(total[label]);
        plays[label] += tally.value[k];
        wins[label] += total[label];
        fair[label] += mean[game] * tally.value[k];
        taken[label] += 1;
        total[label] = 0;
      }
    }
    const even = fair.map((value, label) => value / plays[label]);
    return { ...contest, games, mean, tally: { ...tally, won }, plays, wins, taken, fair, even };
  };

  // One of K wins

  // Whether two labels are part of the same contestants.
  const samePlaces = ({ size, members }) => {
    const shared = new Float64Array(size * size);
    for (let row = 0; row < members.start.length - 1; row += 1) {
      const own = members.place.slice(members.start[row], members.start[row + 1]);
      for (const one of own) for (const other of own) shared[one * size + other] += 1;
    }
    return (one, other) => [one, other].every((label) => shared[label * size + label] === shared[one * size + other]);
  };

  // The share of each label in each game, where all of them play in each.
  const columnsOf = ({ size, games, tally }) => {
    const found = Array.from({ length: size }, () => new Float64Array(games));
    for (let game = 0; game < games; game += 1) {
      for (let k = tally.start[game]; k < tally.start[game + 1]; k += 1) found[tally.place[k]][game] = tally.won[k] / tally.value[k];
    }
    return found;
  };

  // The same games as "one of K wins", if they are that: wins of each of the K, which of them each label is, and draws.
  const singleWinner = (contest) => {
    const { size, games, tally } = contest;
    if (size > MOST_GROUPS || tally.place.length < size * games) return null;
    const columns = columnsOf(contest);
    const teams = columns[0].some((_, game) => sum(tally.won.slice(tally.start[game], tally.start[game + 1])) > 1);
    const same = samePlaces(contest);
    const kept = [];
    const groups = columns.map((column, label) => {
      const sure = column.some((share) => share);
      const place = kept.findIndex((first) => columns[first].every((share, game) => share === column[game])
        && (sure || teams || same(first, label)));
      return place < 0 ? kept.push(label) - 1 : place;
    });
    const won = kept.map((label) => columns[label]);
    if (kept.length < 2 || won.some((column) => column.some((share) => share !== 0 && share !== 1))) return null;
    const winners = Array.from({ length: games }, (_, game) => sum(won.map((column) => column[game])));
    if (winners.some((count) => count > 1)) return null;
    return { wins: won.map((column) => sum(column)), groups, draws: winners.filter((count) => count === 0).length };
  };

  // How far wins are from even

  // Standard errors of shares less even ones, by games.
  const errorsOf = ({ size, games, tally, mean, plays }, center, against) => {
    const squares = new Float64Array(size);
    for (let game = 0; game < games; game += 1) {
      for (let k = tally.start[game]; k < tally.start[game + 1]; k += 1) {
        const label = tally.place[k];
        squares[label] += (tally.won[k] - (center[label] + against * mean[game]) * tally.value[k]) ** 2;
      }
    }
    return squares.map((square, label) => (games > 1 ? Math.sqrt(square * games / (games - 1)) / plays[label] : NaN));
  };

  // Covariance of wins less even ones, were results dealt at random within each game.
  const fairCovariance = ({ size, games, starts, members, tally, mean, result }) => {
    const found = Array.from({ length: size }, () => new Float64Array(size));
    const add = ({ start, place, value }, row, factor) => {
      for (let j = start[row]; j < start[row + 1]; j += 1) {
        for (let k = start[row]; k < start[row + 1]; k += 1) found[place[j]][place[k]] += factor * value[j] * value[k];
      }
    };
    for (let game = 0; game < games; game += 1) {
      const count = starts[game + 1] - starts[game];
      let spread = 0;
      for (let one = starts[game]; one < starts[game + 1]; one += 1) spread += (result[one] - mean[game]) ** 2;
      spread /= Math.max(count - 1, 1);
      if (!spread) continue;
      for (let one = starts[game]; one < starts[game + 1]; one += 1) add(members, one, spread);
      add(tally, game, -spread / count);
    }
    return found;
  };

  // What sums of wins are multiplied by, so that the squares of what comes out add up to the statistic: a row for each
  // label but those whose sums are told by others. By Cholesky's method, the largest variance that is left first.
  const alongOf = (covariance) => {
    const size = covariance.length;
    const left = covariance.map((row, k) => row[k]);
    const limit = 1e-9 * Math.max(1, ...left);
    const [root, pivots] = [[], []];
    for (;;) {
      const next = left.indexOf(Math.max(...left));
      if (pivots.length === size || left[next] <= limit) break;
      const column = Float64Array.from(covariance[next]);
      for (const earlier of root) {
        const factor = earlier[next];
        for (let k = 0; k < size; k += 1) column[k] -= factor * earlier[k];
      }
      const scale = Math.sqrt(left[next]);
      for (let k = 0; k < size; k += 1) {
        column[k] /= scale;
        left[k] -= column[k] ** 2;
      }
      pivots.push(next);
      for (const pivot of pivots) left[pivot] = -Infinity;
      root.push(column);
    }
    const rows = pivots.map((_, first) => {
      const row = new Float64Array(pivots.length);
      for (let k = first; k < pivots.length; k += 1) {
        let rest = Number(k === first);
        for (let j = first; j < k; j += 1) rest -= root[j][pivots[k]] * row[j];
        row[k] = rest / root[k][pivots[k]];
      }
      return row;
    });
    return { pivots, rows };
  };

  // What sums of wins come out as, added to what is there.
  const added = (found, sums, { pivots, rows }) => {
    for (let first = 0; first < rows.length; first += 1) {
      const [value, row] = [sums[pivots[first]], rows[first]];
      if (value) for (let k = first; k < rows.length; k += 1) found[k] += value * row[k];
    }
    return found;
  };

  const square = (values) => values.reduce((total, value) => total + value * value, 0);

  // The statistic, its degrees of freedom, which labels can differ, what sums of wins are multiplied by, and what even
  // sums come out as, less than nothing.
  const statistic = (contest) => {
    const covariance = fairCovariance(contest);
    const along = alongOf(covariance);
    const freedom = along.rows.length;
    const less = added(new Float64Array(freedom), contest.fair.map((value) => -value), along);
    const found = square(added(less.slice(), contest.wins, along));
    return { found, freedom, free: covariance.map((row, label) => row[label] > 1e-9), along, less };
  };

  // Random numbers in the order of numpy's default_rng(20261122): a permuted congruential generator of 128 bits (O'Neill
  // 2014), here in parts of 22 bits, lowest first; whole numbers below 2^53.
  const generator = () => {
    const whole = 2 ** 22;
    const rest = (total) => total - whole * Math.floor(total / whole);
    const parts = (number) => Array.from({ length: 6 }, (_, k) => Number((BigInt(number) >> BigInt(22 * k)) & 0x3fffffn));
    const [m0, m1, m2, m3, m4, m5] = parts("0x2360ed051fc65da44385df649fccf645");
    const [i0, i1, i2, i3, i4, i5] = parts("227545092632529702032305629452684732711");
    let [a, b, c, d, e, f] = parts("281776022383248833235790369681545423085");
    return () => {
      const t0 = i0 + a * m0;
      const t1 = i1 + a * m1 + b * m0 + Math.floor(t0 / whole);
      const t2 = i2 + a * m2 + b * m1 + c * m0 + Math.floor(t1 / whole);
      const t3 = i3 + a * m3 + b * m2 + c * m1 + d * m0 + Math.floor(t2 / whole);
      const t4 = i4 + a * m4 + b * m3 + c * m2 + d * m1 + e * m0 + Math.floor(t3 / whole);
      const t5 = i5 + a * m5 + b * m4 + c * m3 + d * m2 + e * m1 + f * m0 + Math.floor(t4 / whole);
      a = rest(t0); b = rest(t1); c = rest(t2); d = rest(t3); e = rest(t4); f = rest(t5) & 0x3ffff;
      const one = (a | (b << 22)) ^ ((c >>> 20) | (d << 2) | (e << 24));
      const other = ((b >>> 10) | (c << 12)) ^ ((e >>> 8) | (f << 14));
      const [low, high] = f >>> 17 ? [other, one] : [one, other];
      const turn = (f >>> 12) & 31;
      const upper = turn ? (high >>> turn) | (low << (32 - turn)) : high;
      const lower = turn ? (low >>> turn) | (high << (32 - turn)) : low;
      return (upper >>> 0) * 2 ** 21 + (lower >>> 11);
    };
  };

  // How many of the deals, in which each game's results go to its contestants in random order, are as far from even.
  const extremeDeals = ({ size, games, starts, members, result }, { along, less, found }) => {
    const random = generator();
    const drawn = new Float64Array(result.length);
    const sums = new Float64Array(size);
    let extreme = 0;
    for (let deal = 0; deal < DEALS; deal += 1) {
      for (let k = 0; k < drawn.length; k += 1) drawn[k] = random();
      sums.fill(0);
      for (let game = 0; game < games; game += 1) {
        for (let one = starts[game]; one < starts[game + 1]; one += 1) {
          if (!result[one]) continue;
          let place = starts[game];
          for (let other = starts[game]; other < starts[game + 1]; other += 1) place += Number(drawn[other] < drawn[one]);
          for (let k = members.start[place]; k < members.start[place + 1]; k += 1) sums[members.place[k]] += result[one] * members.value[k];
        }
      }
      extreme += Number(square(added(less.slice(), sums, along)) >= found * (1 - 1e-9) - 1e-12);
    }
    return extreme;
  };

  // What a game adds to the variance of the statistic beyond that of a normal sum; fairness.equality explains it.
  const fourthMoment = (result, products) => {
    const size = result.length;
    const mean = sum(result) / size;
    const second = sum(result.map((value) => (value - mean) ** 2)) ** 2;
    const fourth = sum(result.map((value) => (value - mean) ** 4));
    const trace = sum(result.map((_, k) => products[k * size + k])) ** 2;
    const same = sum(result.map((_, k) => products[k * size + k] ** 2));
    const both = sum(products.map((value) => value * value));
    let found = fourth * same / size + (4 * fourth * same + (second - fourth) * (trace + 2 * both - 3 * same)) / (size * (size - 1));
    if (size > 2) found += (2 * fourth - second) * (12 * same - 2 * trace - 4 * both) / (size * (size - 1) * (size - 2));
    if (size > 3) found += (3 * second - 6 * fourth) * (trace + 2 * both - 6 * same) / (size * (size - 1) * (size - 2) * (size - 3));
    return found - second / (size - 1) ** 2 * (trace + 2 * both);
  };

  // A table about the means of its rows and columns.
  const centred = (table, size) => {
    const means = Array.from({ length: size }, (_, k) => sum(table.subarray(k * size, (k + 1) * size)) / size);
    const mean = sum(means) / size;
    return table.map((value, place) => value - means[Math.floor(place / size)] - means[place % size] + mean);
  };

  // The variance of the statistic over all deals.
  const dealtVariance = ({ size, games, starts, members, result, mean }, along) => {
    const byLabel = Array.from({ length: size }, () => new Float64Array(size));
    along.rows.forEach((one, j) => along.rows.forEach((other, k) => {
      let total = 0;
      for (let at = Math.max(j, k); at < one.length; at += 1) total += one[at] * other[at];
      byLabel[along.pivots[j]][along.pivots[k]] = total;
    }));
    const product = (one, other) => {
      let total = 0;
      for (let j = members.start[one]; j < members.start[one + 1]; j += 1) {
        const row = byLabel[members.place[j]];
        for (let k = members.start[other]; k < members.start[other + 1]; k += 1) total += members.value[j] * members.value[k] * row[members.place[k]];
      }
      return total;
    };
    let found = 2 * along.rows.length;
    for (let game = 0; game < games; game += 1) {
      const own = result.subarray(starts[game], starts[game + 1]);
      if (own.every((value) => value === own[0])) continue;
      const products = new Float64Array(own.length ** 2);
      own.forEach((_, j) => own.forEach((__, k) => {
        products[j * own.length + k] = k < j ? products[k * own.length + j] : product(starts[game] + j, starts[game] + k);
      }));
      found += fourthMoment(own, centred(products, own.length));
    }
    return found;
  };

  // How often results dealt anew within each game are at least so uneven, the name of the test, and its standard error.
  const contestPValue = (contest, far) => {
    const { found, freedom, along } = far;
    if (!freedom) return [1, language.later("no test: nothing could differ"), 0];
    if (contest.result.length > MOST_DEALT) {
      const scale = Math.max(dealtVariance(contest, along) / (2 * freedom), 1e-9);
      return [chiSquareTail(found / scale, freedom / scale), language.later("Mantel-Haenszel test, game by game"), 0];
    }
    const chance = (1 + extremeDeals(contest, far)) / (DEALS + 1);
    return [chance, language.later("randomization test within games, 9,999 deals"), Math.sqrt(chance * (1 - chance) / DEALS)];
  };

  return { MOST_LABELS, generator, contestOf, columnsOf, singleWinner, errorsOf, statistic, contestPValue };
})();
