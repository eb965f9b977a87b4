// The votes at which the model's town wins as often as a table's own results say. Nothing in this part touches the page.
const fit = (() => {
  "use strict";
  // Between which odds those of a share are sought, and how exactly their logarithm is found.
  const [LEAST, MOST] = [0.01, 100];
  const EXACT = 1e-7;
  // What lies no further beyond all odds looks the same in per cent.
  const CLOSE = 0.0005;

  // The share of games that were won, with the ends of its 95 % interval.
  const interval = (won, games) => {
    const [low, high] = distributions.clopperPearson(won, games, 0.95);
    return [low, won / games, high];
  };

  const logit = (share) => Math.log(Math.max(share, 1e-300)) - Math.log(Math.max(1 - share, 1e-300));

  // Points [log of the odds, logit of the chance] that are known, in order; a line through the nearest two of them leads
  // on, or the middle between them where it is slow to. The chance is taken to rise with the odds, as `search.worst` says.
  function* oddsAt(share, points, chanceAt) {
    const wanted = logit(share);
    if (wanted <= points[0][1]) return LEAST;
    if (wanted >= points.at(-1)[1]) return MOST;
    for (let k = 0; ; k += 1) {
      const place = points.findIndex(([, value]) => value >= wanted);
      const [[left, below], [right, above]] = [points[place - 1], points[place]];
      const line = left + ((right - left) * (wanted - below)) / (above - below);
      const next = k % 3 === 2 ? (left + right) / 2 : line;
      if (right - left < EXACT || Math.min(line - left, right - line) < EXACT / 10 && k > 20) return Math.exp(line);
      const value = logit(yield* chanceAt(Math.exp(next)));
      if (Math.abs(value - wanted) < EXACT) return Math.exp(next);
      points.splice(place, 0, [next, value]);
    }
  }

  // The odds of a share and of the ends of its interval, each an end of what is sought where none gives it, and whether
  // that is so for a part of the interval; null where all of it is beyond; and what the town wins at the ends of what is
  // sought. `chanceAt(odds)` is a generator.
  function* votes(shares, chanceAt) {
    const ends = [yield* chanceAt(LEAST), yield* chanceAt(MOST)];
    if (shares[2] < ends[0] || shares[0] > ends[1]) return { odds: null, ends };
    const partly = shares[0] < ends[0] - CLOSE || shares[2] > ends[1] + CLOSE;
    const points = [[Math.log(LEAST), logit(ends[0])], [Math.log(MOST), logit(ends[1])]];
    const odds = [];
    for (const share of shares) odds.push(yield* oddsAt(share, points, chanceAt));
    return { odds, ends, partly, shares };
  }

  return { LEAST, MOST, interval, votes };
})();
