// What the page says: names of its fields, what words mean, what was found, and the same in Python.
const words = (() => {
  "use strict";
  const { CHANGES, POINTS, REPORT, known } = grid;
  const ROLES = known.roles.map(({ english }) => english.toLowerCase());

  const POINT_NAMES = {
    lord_win: "Lord, who has won", lord_per_loyalist: "Lord, more for a living loyalist", loyalist_alive: "Loyalist alive, lord has won",
    loyalist_dead: "Loyalist dead, lord has won", consolation: "Renegade, lord has won without loyalist",
    rebel_alive: "Rebel alive, rebel has won", rebel_dead: "Rebel dead, rebel has won", renegade_with_rebels: "Renegade alive, rebel has won (1 less if the rebel lives)",
    renegade_win: "Renegade, who has won", lord_when_renegade_wins: "Lord, renegade has won",
  };

  const PLAY_NAMES = {
    report: "By the fixed rule", threat: "By threat points, roles hidden", known: "By threat points, roles known",
  };

  const POINTED = "Everybody attacks, of those in reach, whoever has most threat points: 10 for each point of threat to the attacker's role, 20 for having two hearts or fewer, "
    + "5 less for each dodge in hand, 100 less for a friend.";
  const PLAY_TEXTS = {
    report: "Lord, loyalist and rebel attack anybody in reach, but loyalist and rebel never the lord. Once the loyalist is dead all roles are known: lord and rebel attack each other only. "
      + "The renegade attacks whoever has most hearts, and the lord when nobody else is left.",
    threat: `${POINTED} Of players whose roles are hidden it counts with the chances of each role.`,
    known: `${POINTED} All roles lie open from the first turn on.`,
  };

  const TERMS = {
    Heart: "What a player loses when a slash hits; without hearts the player is dead. In the report everybody begins with four.",
    "Slash 杀, dodge 闪": "A slash attacks a player in reach, who loses a heart or lays down a dodge. In the report everybody begins with two dodges.",
    "Peach 桃": "Gives back a heart.",
    "Weapon 武器": "Lets its owner reach farther: in the report three places round the table instead of one.",
    "Snatch 顺手牵羊, dismantle 过河拆桥": "Take a card of another player for oneself, or away.",
    "Four cards": "Everybody is dealt four cards before the first turn and keeps the dodges among them.",
    "Bal": "How uneven the chances to survive are: the squared differences of the four roles from their mean, added up, in per cent. 0 is even.",
    "Rat": "The same for the expected points, in squared points.",
    "Expected points": "What a role scores in a game on average.",
  };

  const capital = (text) => text[0].toUpperCase() + text.slice(1);
  const percent = (share, digits = 1) => `${(100 * share).toFixed(digits)}%`;
  const bal = (value) => percent(value, 2);
  const rat = (value) => value.toFixed(2);
  const seated = (seating) => capital([...seating].map((digit) => ROLES[digit]).join(", "));
  const said = (setting) => setting.map((change) => CHANGES[change].said).join(" ");

  // A number, and what it is in the report.
  const compared = (now, before) => now === before ? `${now}, as in the report` : `${now} instead of ${before}`;
  const points = (value) => value.toFixed(2).replace(/^-(?=0\.00$)/, "").replace("-", "−");

  // The role whose chance to survive has changed most.
  const mostText = (found, before) => {
    const steps = found.survival.map((chance, role) => Math.abs(chance - before.survival[role]));
    const role = steps.indexOf(Math.max(...steps));
    const [now, then] = [found, before].map(({ survival }) => percent(survival[role]));
    return now === then ? "" : ` What changes most is the ${ROLES[role]}'s chance to survive: it is ${now} instead of ${then}.`;
  };

  // What the changes do, in one sentence or two.
  const sentence = (found, before, changed, pointed) => {
    const [now, then] = [bal(found.bal), bal(before.bal)];
    const scores = pointed ? ` With these points Rat is ${compared(rat(found.rat), rat(before.rat))}.` : "";
    if (!changed) return `These are the rules of the report: Bal is ${now}.${scores}`;
    const even = now === then ? "" : found.bal < before.bal ? ", so the four survive more evenly" : ", so the four survive less evenly";
    return `With these rules Bal is ${compared(now, then)}${even}.${mostText(found, before)}${scores}`;
  };

  const turnsText = (turns, before, changed) => {
    if (turns === null) return "";
    return `A game takes ${turns.toFixed(1)} turns on average${changed ? `, in the report ${before.toFixed(1)}` : ""}.`;
  };

  const untriedText = (report) => "Two changes together were worked out by the fixed rule, then by threat points with roles known, then with roles hidden, only as long "
    + `as Bal, with the seats drawn by lot, was below ${percent(known.tried_below, 1)}. By the fixed rule it is ${bal(report)}. There are no numbers here: choose the fixed rule to see theirs.`;

  const bestText = (play, single, pairs) => {
    const untried = known.settings.filter((setting) => setting.length === 2).length - pairs;
    const all = `Links that set the rules above: the changes with the smallest Bal among ${single} single ones and ${pairs.toLocaleString("en-US")} pairs, for the seats and the way to play that are chosen.`;
    return untried && play !== grid.PLAYS[0] ? `${all} The other ${untried.toLocaleString("en-US")} pairs were not worked out for this way to play.` : all;
  };

  // Python

  const literal = (value) => {
    if (typeof value === "boolean") return value ? "True" : "False";
    if (typeof value === "string") return `"${value}"`;
    if (Array.isArray(value)) return `(${value.map(literal).join(", ")})`;
    if (typeof value !== "object") return String(value);
    const parts = Object.entries(value);
    const same = parts.length === ROLES.length && ROLES.every((role) => value[role] === value.lord);
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
    if (flags.length) parts.push(`rules=replace(sanguosha.AS_CODED, ${flags.join(", ")})`);
    if (seating !== null) parts.unshift(`seating="${known.seatings[seating]}"`);
    const other = POINTS.map((name, k) => [name, points[k]]).filter(([, value], k) => value !== REPORT[k]);
    if (other.length) parts.push(`points=${literal(Object.fromEntries(other))}`);
    if (POLICIES[play]) parts.push(`policies=dict.fromkeys(sanguosha.Role, ${POLICIES[play]})`);
    const lines = [flags.length ? "from dataclasses import replace" : "", "from gamebalance import sanguosha",
      POLICIES[play] ? "from gamebalance.sanguosha.policies import ThreatPolicy" : "", `sanguosha.what_if(${parts.join(", ")})`];
    return lines.filter((line) => line).join("\n");
  };

  return { PLAY_NAMES, PLAY_TEXTS, POINT_NAMES, TERMS, bal, bestText, percent, points, python, rat, said, seated, sentence, turnsText, untriedText };
})();
