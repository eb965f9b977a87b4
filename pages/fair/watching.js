// Looking after every game: the evidence against equal chances, and when it was decided, as fairness.bets and
// fairness.monitor have them where no chances are named. Nothing in this part touches the page.
const watching = (() => {
  "use strict";
  const { meant, crossing, logGamma } = distributions;
  const { counted, percent, plainNumber, points, gamesText, shownNumber, nameOf } = fairness;
  const { say, later } = language;
  const [FOCUS, BROAD, GROSS] = [80, 5, 0.1];
  const SLACK = 1e-9;
  const MOST_LABELS = 10;

  const partsOf = (groups) => [[1 - GROSS, FOCUS / groups ** 0.75], [GROSS, BROAD]];

  const added = (logs) => {
    const most = Math.max(...logs);
    return most === -Infinity ? most : most + Math.log(logs.reduce((total, each) => total + Math.exp(each - most), 0));
  };

  // The bet where no chances are named; a result is a list of [place, part of the win].
  const mixture = (groups) => {
    const counts = new Float64Array(groups);
    let [total, squares] = [0, 0];
    const logs = partsOf(groups).map(([weight]) => Math.log(weight));
    const gain = (own, place) => {
      const all = own * groups + total;
      const apart = (groups * squares - total ** 2) / (groups - 1);
      const after = (groups * (squares + 2 * counts[place] + 1) - (total + 1) ** 2) / (groups - 1);
      return (groups * (own + counts[place]) * (after + all + 1)) / ((all + 2) * (apart + all));
    };
    const add = (result) => {
      partsOf(groups).forEach(([, own], part) => {
        logs[part] += Math.log(result.reduce((sum, [place, share]) => sum + gain(own, place) * share, 0));
      });
      for (const [place, share] of result) {
        squares += share * (2 * counts[place] + share);
        counts[place] += share;
        total += share;
      }
    };
    return { add, evidence: () => added(logs) };
  };

  const beta = (one, other) => logGamma(one) + logGamma(other) - logGamma(one + other);

  // The mean squared distance of a beta variable from a chance.
  const squared = (one, other, chance) => {
    const total = one + other;
    return (one * other) / total ** 2 / (total + 1) + (one / total - chance) ** 2;
  };

  // Logarithm of the evidence against a chance of one label, between 0 and 1, after so many wins and losses.
  const against = (wins, losses, even, chance, margin, groups) => {
    const flat = Math.min(1, Math.abs(chance - even) / margin);
    const found = partsOf(groups).map(([weight, parameter]) => {
      const [own, others] = [parameter * groups * even, parameter * groups * (1 - even)];
      const bent = flat < 1 ? ((1 - flat) * squared(own + wins, others + losses, chance)) / squared(own, others, chance) : 0;
      return Math.log(weight) + beta(own + wins, others + losses) - beta(own, others) + Math.log(flat + bent);
    });
    return added(found) - wins * Math.log(chance) - losses * Math.log1p(-chance);
  };

  // Those who can win, labels that always win together being one, and by game, in order, the parts of the win, null for
  // a draw; null if not one of the same few labels wins each game, or they share it.
  const winnersOf = (contest) => {
    const { labels, size, games, tally, even } = contest;
    if (tally.place.length < size * games || Math.max(...even) - Math.min(...even) > 1e-9) return null;
    const each = contests.columnsOf(contest);
    const groups = [];
    each.forEach((column, label) => {
      const same = groups.find(([first]) => each[first].every((share, game) => share === column[game]));
      if (same) same.push(label);
      else groups.push([label]);
    });
    if (groups.length < 2 || groups.length > MOST_LABELS) return null;
    const results = Array.from({ length: games }, (_, game) => groups.map(([first]) => each[first][game]));
    const whole = (row) => Math.abs(row.reduce((total, part) => total + part, 0) - 1) <= 1e-9;
    if (results.some((row) => row.some((part) => part) && !whole(row))) return null;
    return { names: groups.map((group) => (group.length > 1 ? group.map((label) => labels[label]).join(", ") : labels[group[0]])), results };
  };

  // What a monitor says of results in their order, each a list of parts of the win by label.
  const watch = ({ names, results }, { by, level, margin }) => {
    const groups = names.length;
    const even = 1 / groups;
    const risk = meant(1 - level);
    const upper = Math.log(1 / risk) - SLACK;
    const bound = Math.log((groups > 2 ? groups : 1) / risk) - SLACK;
    const bet = mixture(groups);
    const wins = new Float64Array(groups);
    const found = { verdict: "undecided", stoppedAt: null, games: results.length, draws: 0, most: 0, course: [] };
    const isWithin = (place, decided) => {
      const [near, far] = [even - margin, even + margin];
      if ((near > 0 && wins[place] <= near * decided) || (far < 1 && wins[place] >= far * decided)) return false;
      return [near, far].filter((end) => end > 0 && end < 1)
        .every((end) => against(wins[place], decided - wins[place], even, end, margin, groups) >= bound);
    };
    results.forEach((row, game) => {
      if (row.every((part) => part === row[0])) found.draws += 1;
      else {
        bet.add(row.map((part, place) => [place, part]).filter(([, part]) => part));
        row.forEach((part, place) => { wins[place] += part; });
        const [evidence, decided] = [bet.evidence(), game + 1 - found.draws];
        found.most = Math.max(found.most, evidence);
        if (found.stoppedAt === null) {
          const within = names.every((_, place) => isWithin(place, decided));
          found.verdict = within ? "fair" : evidence >= upper ? "unfair" : "undecided";
          found.stoppedAt = found.verdict === "undecided" ? null : game + 1;
        }
      }
      found.course.push(bet.evidence());
    });
    const decided = found.games - found.draws;
    const endOf = (hits, own) => {
      if (hits <= 0) return 0;
      const excess = (log) => bound - against(hits, decided - hits, own, Math.exp(log), margin, groups);
      return Math.exp(crossing(excess, -700, Math.min(Math.log(hits / decided), -1e-15)));
    };
    const result = {
      ...found, by, names, level, margin, even, decided, bound: upper, evidence: bet.evidence(), pValue: meant(Math.exp(-found.most)),
      shares: [...wins].map((won) => meant(won / decided)),
      low: [...wins].map((won) => meant(endOf(won, even))), high: [...wins].map((won) => meant(1 - endOf(decided - won, 1 - even))),
    };
    return { ...result, get sentence() { return sentence(result); } };
  };

  // A bound of a chance in words, rounded up.
  const atMost = (chance) => {
    if (chance < 1e-5) return say("in less than 1 of 100,000 cases");
    const times = chance >= 0.01 ? 100 : 10_000;
    const unit = 10 ** (1 - Math.floor(Math.log10(times * chance)));
    const values = { number: plainNumber(Math.ceil(meant(times * chance * unit)) / unit, 6) };
    return times === 100 ? say("in at most {number} of 100 cases", values) : say("in at most {number} of 10,000 cases", values);
  };

  const sentence = ({ verdict, stoppedAt, by, names, shares, low, high, even, decided, draws, level, margin, evidence, pValue }) => {
    if (!decided) return say("Cannot tell: no game was decided yet.");
    const far = shares.map((share) => Math.abs(share - even));
    const k = far.indexOf(Math.max(...far));
    const values = {
      who: nameOf(by, names[k]), share: percent(shares[k]), games: gamesText(decided), draws: counted(draws, later("{number} draw"), later("{number} draws")), low: percent(low[k]),
      high: percent(high[k]), even: percent(even),
    };
    const seen = draws
      ? say("{who} won {share}% of {games}, not counting {draws} (interval {low} to {high}%), where {even}% would be even", values)
      : say("{who} won {share}% of {games} (interval {low} to {high}%), where {even}% would be even", values);
    const told = { seen, points: points(margin), level: plainNumber(100 * level), game: shownNumber(stoppedAt ?? 0), often: atMost(pValue) };
    if (verdict === "undecided") {
      const size = evidence < Math.log(1e6) ? plainNumber(Math.exp(evidence), 3) : say("more than a million");
      return say("Cannot tell: {seen}. The evidence against equal chances is {size}; it decides at {bound}.",
        { seen, size, bound: plainNumber(1 / meant(1 - level), 4) });
    }
    if (verdict === "fair") return say("Fair within {points}, decided at game {game}, with {level}% confidence at all times: {seen}.", told);
    return low[k] > even || even > high[k]
      ? say("Unfair, decided at game {game}: {seen}; fair games ever give so much evidence {often}.", told)
      : say("Unfair, decided at game {game}: {seen}; fair games ever give so much evidence {often}; this interval alone does not show it.", told);
  };

  return { winnersOf, watch };
})();
