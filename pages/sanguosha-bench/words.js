// What the page says: names of its fields, what words mean, what was found, and the same in Python.
const words = (() => {
  "use strict";
  const { CHANGES, POINTS, REPORT, known } = grid;
  const { say, later, number } = language;
  const KEYS = known.roles.map(({ english }) => english.toLowerCase());
  const SEATED = [later("lord"), later("loyalist"), later("rebel"), later("renegade")];
  const SIDE_NAMES = [later("Lord's side"), later("Rebel"), later("Renegade")];

  const POINT_NAMES = {
    lord_win: later("Lord, who has won"), lord_per_loyalist: later("Lord, more for a living loyalist"), loyalist_alive: later("Loyalist alive, lord has won"),
    loyalist_dead: later("Loyalist dead, lord has won"), consolation: later("Renegade, lord has won without loyalist"),
    rebel_alive: later("Rebel alive, rebel has won"), rebel_dead: later("Rebel dead, rebel has won"), renegade_with_rebels: later("Renegade alive, rebel has won (1 less if the rebel lives)"),
    renegade_win: later("Renegade, who has won"), lord_when_renegade_wins: later("Lord, renegade has won"),
  };

  const PLAY_NAMES = {
    report: later("By the fixed rule"), threat: later("By threat points, roles hidden"), known: later("By threat points, roles known"),
    settled: later("By what pays most, all seen"),
  };

  const PLAYED = { report: later("Fixed rule"), threat: later("Threat, roles hidden"), known: later("Threat, roles known"), settled: later("What pays most") };

  const PLAY_SAID = {
    report: later("All four choose whom to attack by the fixed rule."), threat: later("All four choose whom to attack by threat points, roles hidden."),
    known: later("All four choose whom to attack by threat points, roles known."), settled: later("All four see everything and attack where it pays most for them."),
  };

  const PLAY_TEXTS = {
    report: later("Lord, loyalist and rebel attack anybody in reach, but loyalist and rebel never the lord. Once the loyalist is dead all roles are known: lord and rebel attack each other only. "
      + "The renegade attacks whoever has most hearts, and the lord when nobody else is left."),
    threat: later("Everybody attacks, of those in reach, whoever has most threat points: 10 for each point of threat to the attacker's role, 20 for having two hearts or fewer, "
      + "5 less for each dodge in hand, 100 less for a friend. Of players whose roles are hidden it counts with the chances of each role."),
    known: later("Everybody attacks, of those in reach, whoever has most threat points: 10 for each point of threat to the attacker's role, 20 for having two hearts or fewer, "
      + "5 less for each dodge in hand, 100 less for a friend. All roles lie open from the first turn on."),
    settled: later("Everybody sees all roles and cards and does what gives it most points, knowing that all others do the same. Worked out from the end of a game that is cut after at most 100 rounds; "
      + "at most {unfinished} of games are unfinished then, and nobody wins them."),
  };

  const TERMS = [
    [later("To win"), later("The lord's side, lord and loyalist, wins when rebel and renegade are dead. The renegade wins when nobody else is alive. When the lord dies otherwise, the rebel wins, dead or alive.")],
    [later("Heart"), later("What a player loses when a slash hits; without hearts the player is dead. In the report everybody begins with four.")],
    [later("Slash 杀, dodge 闪"), later("A slash attacks a player in reach, who loses a heart or lays down a dodge. In the report everybody begins with two dodges.")],
    [later("Peach 桃"), later("Gives back a heart.")],
    [later("Weapon 武器"), later("Lets its owner reach farther: in the report three places round the table instead of one.")],
    [later("Snatch 顺手牵羊, dismantle 过河拆桥"), later("Take a card of another player for oneself, or away.")],
    [later("Four cards"), later("Everybody is dealt four cards before the first turn and keeps the dodges among them.")],
    [later("Bal"), later("How uneven the chances to survive are: the squared differences of the four roles from their mean, added up, in per cent. 0 is even.")],
    [later("Rat"), later("The same for the expected points, in squared points.")],
    [later("Expected points"), later("What a role scores in a game on average.")],
  ];

  const percent = (share, digits = 1) => number(`${(100 * share).toFixed(digits)}%`);
  const bal = (value) => percent(value, 2);
  const rat = (value) => number(value.toFixed(2));
  const apart = (gap) => number(gap.toFixed(1));
  const count = (value) => number(value.toLocaleString("en-US"));
  const capital = (text) => text[0].toUpperCase() + text.slice(1);
  const seated = (seating) => {
    const [first, second, third, fourth] = [...seating].map((digit) => say(SEATED[digit]));
    return capital(say("{first}, {second}, {third}, {fourth}", { first, second, third, fourth }));
  };
  const seats = (seating) => seating === null ? say("By lot: all six seatings, equally likely") : seated(known.seatings[seating]);
  const said = (setting) => language.join(setting.map((change) => say(CHANGES[change].said)));
  const points = (value) => number(value.toFixed(2).replace(/^-(?=0\.00$)/, "").replace("-", "−"));

  // A number, and what it is in the report.
  const compared = (now, before) => now === before ? now : say("{now} instead of {before}", { now, before });

  // Of 100 games how many each side wins: whole ones, together 100 less those that are cut, but none only for none.
  const ofHundred = (sides) => {
    const games = sides.map((share) => Math.floor(100 * share + 1e-6));
    const short = sides.map((share, k) => [100 * share - games[k], k]).sort((one, other) => other[0] - one[0]);
    for (const [, k] of short.slice(0, Math.round(100 * sides.reduce((all, one) => all + one)) - games.reduce((all, one) => all + one))) games[k] += 1;
    return games.map((count, k) => count === 0 && sides[k] > 0 ? say("fewer than 1") : String(count));
  };

  // Who wins, in one sentence.
  const sentence = (found, before, changed) => {
    const [[lord, rebel, renegade], [lordThen, rebelThen, renegadeThen]] = [found, before].map(({ sides }) => ofHundred(sides));
    return changed
      ? say("With these rules, of 100 games the lord's side wins {lord}, the rebel {rebel} and the renegade {renegade}; by the report's rules {lordThen}, {rebelThen} and {renegadeThen}.",
        { lord, rebel, renegade, lordThen, rebelThen, renegadeThen })
      : say("By the report's rules, of 100 games the lord's side wins {lord}, the rebel {rebel} and the renegade {renegade}.", { lord, rebel, renegade });
  };

  // For which seats and which way to play that is, and how uneven it is.
  const gapText = (found, before, { seating, play }) => language.join([
    seating === null ? say("Seats drawn by lot.") : say("Seats: {seats}.", { seats: seats(seating) }), say(PLAY_SAID[play]),
    say("From the largest of the three shares to the smallest: {gap} percentage points.", { gap: compared(apart(found.gap), apart(before.gap)) }),
  ]);

  const unevenText = (found, before) => say("Bal, how uneven the four chances to survive are: {bal}. Rat, how uneven the four expected points are, in squared points: {rat}. Both are 0 when all are equal.",
    { bal: compared(bal(found.bal), bal(before.bal)), rat: compared(rat(found.rat), rat(before.rat)) });

  const turnsText = (turns, before, changed) => {
    if (turns === null) return "";
    const [now, then] = [turns, before].map((value) => number(value.toFixed(1)));
    return changed ? say("A game takes {now} turns on average, in the report {then}.", { now, then }) : say("A game takes {now} turns on average.", { now });
  };

  const untriedText = (play, report) => play === "settled" ? say("For this way to play the rules of the report and single changes of hearts, cards drawn and the first turn were worked out, with the points of the report: with other points all would play otherwise.")
    : say("Two changes together were worked out by the fixed rule, then by threat points with roles known, then with roles hidden, only as long "
    + "as Bal, with the seats drawn by lot, was below {limit}. By the fixed rule it is {report}.", { limit: percent(known.tried_below, 1), report: bal(report) });

  const bestText = (play, single, pairs) => {
    const untried = known.settings.length - 1 - single - pairs;
    const all = say("Links that set the rules above. First come the changes with which the sides win most evenly, of {single} single changes and {pairs} pairs, "
      + "with the seats and the way to play that are chosen. The lines after the first tell what becomes of it when the four choose their targets otherwise. "
      + "Apart: the largest share less the smallest, in percentage points.", { single: count(single), pairs: count(pairs) });
    if (!untried || play === grid.PLAYS[0]) return all;
    return language.join([all, say("The other {untried} were not worked out for this way to play.", { untried: count(untried) })]);
  };

  // Python

  const literal = (value) => {
    if (typeof value === "boolean") return value ? "True" : "False";
    if (typeof value === "string") return `"${value}"`;
    if (Array.isArray(value)) return `(${value.map(literal).join(", ")})`;
    if (typeof value !== "object") return String(value);
    const parts = Object.entries(value);
    const same = parts.length === KEYS.length && KEYS.every((role) => value[role] === value.lord);
    return same ? literal(value.lord) : `{${parts.map(([name, part]) => `"${name}": ${literal(part)}`).join(", ")}}`;
  };

  // The changes one after the other, as `sanguosha.changed` takes them; what is said by name is added to, all else replaced.
  const together = (setting) => {
    const all = {};
    for (const [name, value] of setting.flatMap((change) => Object.entries(CHANGES[change].news))) {
      const named = [all[name], value].every((one) => one !== null && typeof one === "object" && !Array.isArray(one));
      all[name] = named ? { ...all[name], ...value } : value;
    }
    return Object.entries(all);
  };

  const POLICIES = { threat: 'ThreatPolicy("own sight")', known: 'ThreatPolicy("everything")' };

  // Lines that give the same numbers.
  const python = (setting, play, seating, points) => {
    const news = together(setting);
    const flags = news.filter(([, value]) => typeof value === "boolean").map(([name, value]) => `${name}=${literal(value)}`);
    const parts = news.filter(([, value]) => typeof value !== "boolean").map(([name, value]) => `${name}=${literal(value)}`);
    const other = POINTS.map((name, k) => [name, points[k]]).filter(([, value], k) => value !== REPORT[k]);
    const base = flags.length ? [`replace(sanguosha.AS_CODED, ${flags.join(", ")})`] : [];
    const lines = [flags.length ? "from dataclasses import replace" : "", "from gamebalance import sanguosha"];
    if (play === "settled") {
      const rules = parts.length ? [`sanguosha.changed(${[...base, ...parts].join(", ")})`] : base;
      const scoring = other.map(([name, value]) => `${name}=${literal(value)}`).join(", ");
      const asked = [setting.length ? "rounds=70, tail=0.0005" : "rounds=100", ...rules.map((text) => `rules=${text}`),
        ...(scoring ? [`scoring=replace(sanguosha.REPORT_SCORING, ${scoring})`] : [])].join(", ");
      if (scoring && !flags.length) lines.unshift("from dataclasses import replace");
      lines.push(...(seating !== null ? [`sanguosha.settle("${known.seatings[seating]}", ${asked}).outcomes`]
        : [`settled = sanguosha.settle_seatings("1-1-1-1", ${asked})`,
          'sanguosha.mean_outcomes(sanguosha.Lineup.parse("1-1-1-1"), [each.outcomes for each in settled.values()])']));
    } else {
      parts.push(...base.map((text) => `rules=${text}`));
      if (seating !== null) parts.unshift(`seating="${known.seatings[seating]}"`);
      if (other.length) parts.push(`points=${literal(Object.fromEntries(other))}`);
      if (POLICIES[play]) parts.push(`policies=dict.fromkeys(sanguosha.Role, ${POLICIES[play]})`);
      lines.push(POLICIES[play] ? "from gamebalance.sanguosha.policies import ThreatPolicy" : "", `sanguosha.what_if(${parts.join(", ")})`);
    }
    return lines.filter((line) => line).join("\n");
  };

  return { PLAYED, PLAY_NAMES, PLAY_TEXTS, POINT_NAMES, SIDE_NAMES, TERMS, apart, bal, bestText, gapText, percent, points, python, rat, said, seats, sentence, turnsText, unevenText, untriedText };
})();
