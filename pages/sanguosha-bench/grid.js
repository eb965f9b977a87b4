// What is known of every setting: unpacked, looked up, and added up. Nothing is computed here but sums.
const grid = (() => {
  "use strict";
  const known = JSON.parse(document.getElementById("data").textContent);
  const PARTS = 1e7;
  const ENDINGS = known.endings.map(([alive, winner]) => ({ alive, winner }));
  const POINTS = Object.keys(known.points);
  const REPORT = Object.values(known.points);
  const PLAYS = Object.keys(known.shares);
  // Of each side the first role: whoever wins with another, wins as often.
  const SIDES = known.roles.map(({ side }, role) => known.roles.findIndex((other) => other.side === side) === role ? role : null).filter((role) => role !== null);
  const CHANGES = known.changes.map(([rule, said, news]) => ({
    rule, said, news, name: said.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/-$/, ""),
  }));
  const sum = (values) => values.reduce((all, value) => all + value, 0);

  // Chances by setting, then by seating and ending; null where a setting was not tried.
  const unpacked = (text) => {
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    let place = 0;
    const next = () => {
      place += 3;
      return bytes[place - 3] * 65536 + bytes[place - 2] * 256 + bytes[place - 1];
    };
    const chances = (happens) => {
      const found = new Array(ENDINGS.length).fill(0);
      for (const way of happens.slice(0, -1)) found[way] = next() / PARTS;
      found[happens.at(-1)] = Math.max(0, Math.round(PARTS * (1 - sum(found))) / PARTS);
      return found;
    };
    return known.settings.map(() => {
      const mask = next();
      const happens = ENDINGS.map((_, way) => way).filter((way) => mask & (1 << way));
      return mask ? known.seatings.map(() => chances(happens)) : null;
    });
  };
  const shares = Object.fromEntries(PLAYS.map((play) => [play, unpacked(known.shares[play])]));

  const spread = (values) => {
    const mean = sum(values) / values.length;
    return sum(values.map((value) => (value - mean) ** 2));
  };

  // How games end under a setting by a play: of one seating, or (null) the mean of all; null where it was not tried.
  const endings = (setting, play, seating) => {
    const found = shares[play][setting];
    return !found ? null : seating === null ? ENDINGS.map((_, way) => sum(found.map((chances) => chances[way])) / found.length) : found[seating];
  };

  // Who does what pays most does something else for other points.
  const sameChoices = (play, points) => play !== "settled" || points.every((point, k) => point === REPORT[k]);

  // By role the chance to survive, to win, and the expected points; how uneven these are, in percentage points for the
  // wins of the sides; turns where they are known.
  const outcome = (setting, play, seating, points) => {
    const chances = endings(setting, play, seating);
    if (!chances || !sameChoices(play, points)) return null;
    const each = (value) => known.roles.map((_, role) => sum(chances.map((chance, way) => chance * value(way, role))));
    const survival = each((way, role) => ENDINGS[way].alive[role]);
    const score = each((way, role) => sum(points.map((point, k) => point * known.pays[way][role][k])) + known.pays[way][role].at(-1));
    const wins = each((way, role) => Number(ENDINGS[way].winner === known.roles[role].side));
    return {
      survival, score, wins, sides: SIDES.map((role) => wins[role]), gap: 100 * (Math.max(...wins) - Math.min(...wins)),
      bal: spread(survival), rat: spread(score), turns: play === PLAYS[0] && seating === null ? known.turns[setting] : null,
    };
  };

  const numbers = new Map(known.settings.map((setting, k) => [setting.join(), k]));

  // The setting with these changes: its number, and whether it has fewer changes than were asked for.
  const find = (changes) => {
    const asked = [...changes].sort((a, b) => a - b).join();
    return numbers.has(asked) ? { number: numbers.get(asked), fewer: false } : { number: known.same[asked], fewer: true };
  };

  // Settings with so many changes, those first whose sides win most evenly.
  const best = (changes, play, seating, most) => {
    const ranked = known.settings.map((setting, number) => ({ setting, number, found: setting.length === changes ? outcome(number, play, seating, REPORT) : null }))
      .filter(({ found }) => found).sort((a, b) => a.found.gap - b.found.gap);
    return { of: ranked.length, settings: ranked.slice(0, most) };
  };

  return { CHANGES, PLAYS, POINTS, REPORT, SIDES, best, find, known, outcome };
})();
