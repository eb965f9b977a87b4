// Rounding as Python rounds, and the distributions that the tests need. Nothing in this part touches the page. DLMF is
// the NIST Digital Library of Mathematical Functions, by number of equation; Loader: Fast and accurate computation of
// binomial probabilities (2000).
const distributions = (() => {
  "use strict";

  // Digits. Python rounds an exact half to the even digit; toFixed and toExponential round it up.

  const halfToEven = (exact, kept, rounded) => {
    const tie = /^\.?50*$/.test(exact.slice(kept));
    return tie && "02468".includes(exact.slice(0, kept).at(-1)) ? exact.slice(0, kept) : rounded;
  };

  const fixed = (value, digits) => {
    const exact = value.toFixed(digits + 40);
    return halfToEven(exact, exact.length - 40 - (digits ? 0 : 1), value.toFixed(digits));
  };

  // The digits that are meant, as base.rounding has them.
  const meant = (value, digits = 9, residue = 0) => {
    if (Math.abs(value) <= residue) return 0;
    if (!Number.isFinite(value) || value < 0) return value < 0 ? -meant(-value, digits) : value;
    const [exact, power] = value.toExponential(digits + 39).split("e");
    const [rounded, roundedPower] = value.toExponential(digits - 1).split("e");
    const head = halfToEven(exact, digits + 1, null);
    return Number(head === null ? `${rounded}e${roundedPower}` : `${head}e${power}`);
  };

  // The place between two bounds where a function that is below 0 at the first and not at the second changes its sign.
  const crossing = (difference, low, high) => {
    for (let k = 0; k < 200; k += 1) {
      const middle = (low + high) / 2;
      if (middle <= low || middle >= high) break;
      if (difference(middle) < 0) low = middle;
      else high = middle;
    }
    return high;
  };

  // Loader's densities

  // ln Gamma(n + 1) less Stirling's formula: its series from 16 on (DLMF 5.11.1), one step at a time below.
  const stirlingError = (n) => {
    let steps = 0;
    while (n < 16) {
      steps += (n + 0.5) * Math.log1p(1 / n) - 1;
      n += 1;
    }
    const square = n * n;
    return steps + (1 / 12 - (1 / 360 - (1 / 1260 - (1 / 1680 - 1 / 1188 / square) / square) / square) / square) / n;
  };

  const logGamma = (x) => (x - 1) * Math.log(x - 1) - (x - 1) + Math.log(2 * Math.PI * (x - 1)) / 2 + stirlingError(x - 1);

  // x ln(x / mean) + mean - x, without the cancellation near the mean.
  const deviance = (x, mean) => {
    const ratio = (x - mean) / (x + mean);
    if (Math.abs(ratio) >= 0.1) return x * Math.log(x / mean) + mean - x;
    let total = (x - mean) * ratio;
    let term = 2 * x * ratio;
    for (let k = 3; ; k += 2) {
      term *= ratio * ratio;
      const next = total + term / k;
      if (next === total) return total;
      total = next;
    }
  };

  const poissonDensity = (x, mean) =>
    x === 0 ? Math.exp(-mean) : Math.exp(-stirlingError(x) - deviance(x, mean)) / Math.sqrt(2 * Math.PI * x);

  // The incomplete gamma function Q(a, x): DLMF 8.7.1 below the mean, else the continued fraction 8.9.2 by Lentz's method.
  const gammaTail = (a, x) => {
    if (x <= 0) return 1;
    if (x < a + 1) {
      let term = 1;
      let total = 0;
      for (let n = 1; term > 1e-17 * total; n += 1) {
        total += term;
        term *= x / (a + n);
      }
      return 1 - poissonDensity(a, x) * total;
    }
    let under = x + 1 - a;
    let [c, d] = [1e300, 1 / under];
    let found = d;
    for (let n = 1; n < 1e6; n += 1) {
      const top = n * (a - n);
      under += 2;
      d = 1 / (under + top * d);
      c = under + top / c;
      found *= c * d;
      if (Math.abs(c * d - 1) < 1e-16) break;
    }
    return poissonDensity(a, x) * a * found;
  };

  const erfc = (x) => (x < 0 ? 2 - erfc(-x) : gammaTail(0.5, x * x));

  const normalCdf = (z) => erfc(-z / Math.SQRT2) / 2;

  const normalQuantile = (chance) => {
    if (chance > 0.5) return -normalQuantile(1 - chance);
    return chance === 0 ? -Infinity : crossing((z) => normalCdf(z) - chance, -40, 0);
  };

  const chiSquareTail = (x, freedom) => gammaTail(freedom / 2, x / 2);

  const chiSquareCritical = (level, freedom) => crossing((x) => level - chiSquareTail(x, freedom), 0, 4000);

  // The noncentral chi-square distribution, of whole degrees of freedom

  // Tails of more and more degrees of freedom, each from the last by DLMF 8.8.2: Q(a + 1, x) = Q(a, x) + x^a e^-x /
  // Gamma(a + 1), weighted as Poisson; beyond 1400 all is found at any level in use.
  const noncentralTail = (x, freedom, far) => {
    if (far > 1400) return 1;
    let [weight, tail, step] = [Math.exp(-far / 2), chiSquareTail(x, freedom), poissonDensity(freedom / 2, x / 2)];
    let found = 0;
    for (let k = 1; k <= far / 2 || weight > 1e-18; k += 1) {
      found += weight * tail;
      tail += step;
      step *= x / (freedom + 2 * k);
      weight *= far / 2 / k;
    }
    return Math.min(1, found);
  };

  const noncentrality = (freedom, goal, level) => {
    const critical = chiSquareCritical(level, freedom);
    return crossing((far) => noncentralTail(critical, freedom, far) - goal, 1e-9, 1400);
  };

  // Of x in n, both above 0 and not whole perhaps, where `chance` and `other` add up to 1.
  const binomialDensity = (x, n, chance, other) => {
    const errors = stirlingError(n) - stirlingError(x) - stirlingError(n - x);
    const log = errors - deviance(x, n * chance) - deviance(n - x, n * other);
    return Math.exp(log) * Math.sqrt(n / (2 * Math.PI * x * (n - x)));
  };

  // The beta distribution and what is made of it

  // The even part of the continued fraction DLMF 8.17.22, in the form of Didonato and Morris (1992), which subtracts
  // nothing where x is below the mean; by Lentz's method.
  const betaFraction = (x, y, a, b) => {
    const away = (value) => (Math.abs(value) < 1e-300 ? 1e-300 : value);
    const lean = a * y - b * x + 1;
    let found = away((a * lean) / (a + 1));
    let c = found;
    let d = 0;
    for (let m = 1; m < 1e6; m += 1) {
      const s = a + 2 * m - 1;
      const top = ((m * (a + m - 1)) / s) * ((a + b + m - 1) / s) * (b - m) * x * x;
      const under = m + (m * (b - m) * x) / s + ((a + m) * (lean + m * (1 + y))) / (s + 2);
      d = 1 / away(under + top * d);
      c = away(under + top / c);
      found *= c * d;
      if (Math.abs(c * d - 1) < 1e-16) break;
    }
    return found;
  };

  const betaBelowMean = (x, y, a, b) => (binomialDensity(a, a + b, x, y) * a * b) / (a + b) / betaFraction(x, y, a, b);

  // The incomplete beta function I_x(a, b), where x and y add up to 1, as far as they can.
  const betaCdf = (x, y, a, b) => {
    if (x <= 0 || y <= 0) return x <= 0 ? 0 : 1;
    return x > (a + 1) / (a + b + 2) ? 1 - betaBelowMean(y, x, b, a) : betaBelowMean(x, y, a, b);
  };

  const betaQuantile = (chance, a, b) => crossing((x) => betaCdf(x, 1 - x, a, b) - chance, 0, 1);

  // The interval of a chance after so many wins (Clopper and Pearson 1934).
  const clopperPearson = (won, played, level) => {
    const tail = (1 - level) / 2;
    const lost = played - won;
    const low = won === 0 ? 0 : betaQuantile(tail, won, lost + 1);
    return [low, lost === 0 ? 1 : 1 - betaQuantile(1 - (1 - tail), lost, won + 1)];
  };

  const binomialCdf = (wins, games, chance) => (wins >= games ? 1 : betaCdf(1 - chance, chance, games - wins, wins + 1));

  // The chance of at least so many wins.
  const binomialTail = (wins, games, chance) => (wins <= 0 ? 1 : betaCdf(chance, 1 - chance, wins, games - wins + 1));

  const studentTail = (t, freedom) => {
    const square = t * t;
    const tail = betaCdf(freedom / (freedom + square), square / (freedom + square), freedom / 2, 0.5) / 2;
    return t < 0 ? 1 - tail : tail;
  };

  // What is surpassed so often, of at most one half.
  const studentCritical = (level, freedom) => crossing((t) => level - studentTail(t, freedom), 0, 1e15);

  return {
    fixed, meant, normalCdf, normalQuantile, crossing, chiSquareTail, chiSquareCritical, noncentralTail, noncentrality,
    poissonDensity, logGamma, betaCdf, betaQuantile, clopperPearson, binomialCdf, binomialTail, studentTail,
    studentCritical,
  };
})();
