// What the page says, in the language chosen: names, examples, the rules and their choices, and sentences on what was found.
const words = (() => {
  "use strict";
  const { say, number, join } = language;

  const listed = (parts) => parts.reduce((one, other) => say("{one}, {other}", { one, other }));

  const capital = (text) => text[0].toUpperCase() + text.slice(1);

  // A role alone, and so many of it.
  const role = (name) => say(reading.WRITTEN[name][0]);

  const several = (name, count) => say(reading.known.counted[name], { count });

  const roles = () => Object.keys(reading.WRITTEN);

  const people = (setup) => listed(roles().filter((name) => setup[name]).map((name) => (setup[name] === 1 ? role(name) : several(name, setup[name]))));

  const written = (setup) => say("{players}: {people}", { players: search.playersOf(setup), people: people(setup) });

  const RULES = () => [
    [say("Votes and end"), {
      phase: [say("The game begins with"), { evening: say("a night"), morning: say("a day") }],
      votes: [say("There is a vote"), {
        "every day": say("every day"), "odd number": say("when an odd number is alive"), "odd days": say("on day 1, 3, 5 …"),
      }],
      ties: [say("In a tie leave"), {
        lot: say("one of them, by lot"), nobody: say("none of them"), all: say("all of them"),
        "again, then nobody": say("after a second tie none"), "again, then all": say("after a second tie all"),
      }],
      half_rule: [say("Half of the living is enough for the mafia"), {
        morning: say("in the morning"), always: say("at any time"), never: say("never"),
      }],
    }],
    [say("The mafia"), {
      kills: [say("Shots a night (or by living mafiosi: 1, 2)")],
      aim: [say("Several shots are aimed"), { together: say("together"), apart: say("each by itself") }],
      agreement: [say("It agrees on a victim with probability")],
    }],
    [say("The sheriff and the dead"), {
      tells: [say("The sheriff tells what he knows"), {
        never: say("never"), "at death": say("when he dies"), "at a find": say("once he knows a mafioso"), "every morning": say("every morning"),
      }],
      dead_roles: [say("Roles of the dead are"), { shown: say("shown"), hidden: say("hidden") }],
    }],
    [say("Vigilante, witch, detectives"), {
      bullets: [say("Bullets of the vigilante")],
      shot: [say("He shoots in a night with probability")],
      potion: [say("The witch uses a potion with probability")],
      memory: [say("Detectives interrogate anew"), { false: say("anyone"), true: say("only whom they have not cleared") }],
    }],
  ];

  const rule = (name) => Object.assign({}, ...RULES().map(([, group]) => group))[name];

  // What stands beside a field.
  const label = (name) => ({
    players: say("Players"), games: say("Games played"), won: say("Games that the town won"), odds: say("Odds, from"), odds_to: say("Odds, to (or nothing)"),
  })[name] ?? rule(name)?.[0] ?? capital(search.SINGLE.includes(name) ? role(name) : several(name, "").trim());

  const TERMS = () => [
    [say("At random"), say("Whoever may be chosen is as likely to be chosen as anyone else. At night it is always so here; in votes a mafioso may be likelier.")],
    [say("Odds"), say("How many times as likely a mafioso is to be voted out as anybody else. The vigilante aims with the same odds.")],
    [say("Mafioso"), say("A werewolf. Together they shoot one of the others each night.")],
    [say("Don"), say("A mafioso who asks about one player each night whether he is the sheriff; a sheriff so found is shot first.")],
    [say("Sheriff"), say("A seer: he learns the side of one player each night. What comes of it depends on when he tells.")],
    [say("Detective"), say("Interrogates one player each night; a mafioso is arrested at dawn. More than one interrogate together.")],
    [say("Doctor"), say("Guards one player each night, who is not shot. More than one guard together.")],
    [say("Bodyguard"), say("Covers one other player each night, and dies in his place.")],
    [say("Vigilante"), say("Of the town, with a gun and some bullets.")],
    [say("Witch"), say("Has one potion that saves a victim of the mafia and one that kills.")],
    [say("Hunter"), say("Takes one of the living along when he dies.")],
    [say("Citizen"), say("A villager, who only votes.")],
  ];

  // The tables that were recorded, then others.
  const EXAMPLES = (records) => [
    [say("A club’s table of ten"), records[0].link],
    [say("A forum’s fifteen"), records[1].link],
    [say("Eight with a seer and a doctor"), "#setup=8: 2 werewolves, seer, doctor, 4 villagers&half_rule=always&tells=at a find&may=sheriffs,doctors,hunters"],
    [say("Twelve with a witch"), "#setup=12: 3 wolves, sheriff, witch, hunter, 6 villagers&half_rule=always&tells=at death&may=sheriffs,witches,hunters"],
    [say("Twenty with a detective"), "#setup=20: 4 mafiosi, detective, 15 citizens&may=detectives"],
  ];

  // Numbers

  const plain = (value) => number(String(value));

  const whole = (count) => number(count.toLocaleString("en-US"));

  const percent = (share) => {
    if (share > 0 && share < 0.0005) return say("less than {number}", { number: number("0.1") });
    if (share < 1 && share > 0.9995) return say("more than {number}", { number: number("99.9") });
    return number((100 * share).toFixed(1));
  };

  // One percentage, or two where they differ as they are shown.
  const shares = (chances) => {
    const [low, high] = [percent(chances[0]), percent(chances.at(-1))];
    return low === high ? say("{low}%", { low }) : say("{low}% to {high}%", { low, high });
  };

  const rounded = (odds) => plain(Number(odds.toPrecision(3)));

  const oddsText = (odds) => {
    const text = rounded(odds);
    if (odds <= fit.LEAST) return say("{odds} or less", { odds: text });
    return odds >= fit.MOST ? say("{odds} or more", { odds: text }) : text;
  };

  // How the table votes

  const votingHint = ({ kind }, { odds, tied, records }) => ({
    recorded: say("A mafioso is {low} to {high} times as likely to be voted out as anybody else. With such votes the town of the model wins as often as real towns did in {games} "
      + "recorded games; the number depends on rules that the records leave open. (If all who are tied leave at once, {tied} is enough.)", {
      low: plain(odds[0]), high: plain(odds[1]), tied: plain(tied), games: whole(records[0].games),
    }),
    random: say("Everybody is as likely to be voted out as anybody else. Recorded tables vote better."),
    own: say("Count games with the roles and rules that you set on this page. The page finds how well you vote: the odds at which the town of the model wins as often."),
    odds: say("How many times as likely is a mafioso to be voted out as anybody else? 1 is at random."),
  })[kind];

  const unfit = ([low, high]) => say("No answer: votes cannot explain these results. With these roles and rules the town of the model wins {low}% to {high}% of games, however badly or "
    + "well it votes. Are the roles, the rules and the results right?", {
    low: percent(low), high: percent(high),
  });

  // Answers

  const verdict = (chances, own) => {
    const points = [chances[0], chances.at(-1)].map((won) => 100 * (won - 0.5));
    const [near, far] = points.map(Math.abs).sort((one, other) => one - other);
    const town = points[1] > 0;
    if (far < 1) return say("That is even.");
    if (far < 5 && points[0] * points[1] <= 0) return say("That is nearly even.");
    if (points[0] * points[1] < 0) {
      return own ? say("Your games do not tell yet which side is ahead.") : say("Which side is ahead depends on how well your table votes.");
    }
    if (far < 5) return town ? say("That is nearly even; the town is a little ahead.") : say("That is nearly even; the mafia is a little ahead.");
    if (near < 5) return town ? say("The town is ahead, by a little or by more.") : say("The mafia is ahead, by a little or by more.");
    if (near < 15) return town ? say("The town is ahead.") : say("The mafia is ahead.");
    return town ? say("The town is far ahead.") : say("The mafia is far ahead.");
  };

  // `fitted` is what `fit.votes` found for results of one's own, whose whole interval the verdict is about.
  const sentence = (chances, { kind, games, won }, fitted) => {
    const [low, high] = [percent(chances[0]), percent(chances.at(-1))];
    const given = { low, high, mafia: percent(1 - chances[0]), share: percent(won / games), games: whole(Number(games)) };
    if (kind === "random") {
      return join([say("With votes at random the town wins {low}% of games, the mafia {mafia}%.", given), verdict(chances),
        say("Recorded tables vote better than that: see what they would make of it.")]);
    }
    if (kind === "own") {
      const [from, , to] = fitted.shares.map(percent);
      const said = fitted.partly ? say("The town wins {low}% to {high}% of games. Your results say {from}% to {to}% (95% interval); part of that is out of reach of any votes.",
        { low, high, from, to })
        : say("The town wins {low}% to {high}% of games (95% interval: it won {share}% of your {games}).", given);
      return join([said, verdict(fitted.shares, true)]);
    }
    return join([low === high ? say("The town wins {low}% of games, the mafia {mafia}%.", given) : say("The town wins {low}% to {high}% of games.", given), verdict(chances)]);
  };

  const recordText = ({ who, won, games }) => ({
    sport: say("Of {games} recorded games of a club with these roles the town won {share}%. The records leave some of its rules open.", { share: percent(won / games), games: whole(games) }),
    forum: say("Of {games} recorded games of a forum with these roles the town won {share}%. The records leave some of its rules open.", { share: percent(won / games), games: whole(games) }),
  })[who];

  // Of the solutions at all odds.
  const lengthText = (found) => {
    const nights = found.map((one) => one.nights.toFixed(1)).sort((one, other) => one - other).map(number);
    const most = found.some(({ until }) => until[0] === null) ? say("2,000 or later") : whole(Math.max(...found.map(({ until }) => until[0])));
    return nights[0] === nights.at(-1) ? say("A game takes {nights} nights on average; nine in ten are over by night {most}.", { nights: nights[0], most })
      : say("A game takes {low} to {high} nights on average; nine in ten are over by night {most}.", { low: nights[0], high: nights.at(-1), most });
  };

  // The odds of the range, and for one's own results what `fit.votes` found.
  const modelText = ({ kind }, odds, fitted) => {
    const [low, high] = [oddsText(odds[0]), oddsText(odds.at(-1))];
    if (kind === "random") return say("Exact, if everyone chooses at random.");
    if (kind === "own" && !fitted.partly) return say("Exact in a model in which people choose at random, but a mafioso is likelier to be voted out. Your results fit odds of {best} (95% interval: "
      + "{low} to {high}).", { best: oddsText(fitted.odds[1]), low, high });
    if (kind === "own") return say("Both ends are exact in a model in which people choose at random, but with odds of {low} to {high} in votes. Odds from {least} to {most} were tried; "
      + "these fit a part of your results.", { low: rounded(odds[0]), high: rounded(odds.at(-1)), least: plain(fit.LEAST), most: plain(fit.MOST) });
    if (low === high) return say("Exact in a model in which people choose at random, but a mafioso is {odds} times as likely to be voted out as anybody else.", { odds: low });
    return say("Both ends are exact in a model in which people choose at random, but a mafioso is {low} to {high} times as likely to be voted out as anybody else.", { low, high });
  };

  const REASONS = () => ({
    silent: say("The sheriff can do nothing under these rules: he tells nobody what he learns."),
    doubted: say("The sheriff can do nothing under these rules: the roles of the dead are hidden, so that nobody believes what he is said to have learned."),
    unloaded: say("The vigilante can do nothing under these rules: he has no bullet."),
    peaceful: say("The vigilante can do nothing under these rules: he never shoots."),
    idle: say("The witch can do nothing under these rules: she never uses a potion."),
    alike: say("The bodyguard can do nothing under these rules: if he dies for somebody, the town still loses one of those who are all alike."),
    alone: say("The don can do no more than a mafioso here: there is no sheriff for him to find."),
    known: say("The don can do no more than a mafioso under these rules: the sheriff says who he is at his first dawn."),
    harmless: say("The don can do no more than a mafioso under these rules: the sheriff whom he looks for is as harmless as a citizen."),
  });

  const idleTexts = (setup, rules) => search.idle(setup, rules).map((why) => REASONS()[why]);

  // Chances now, with one citizen more and with one fewer, at all odds; undefined where that is no game.
  const parityText = (now, more, fewer) => {
    const all = (found, sign) => found?.every((won, k) => sign * (won - now[k]) > 1e-9);
    const [lower, higher] = [all(more, -1), all(fewer, 1)];
    const parts = [];
    if (lower) parts.push(say("Beware: with one citizen more the town would win less often, {then} instead of {now}.", { now: shares(now), then: shares(more) }));
    else if (more) parts.push(say("One citizen more: the town wins {then}.", { then: shares(more) }));
    if (higher) parts.push(say("Beware: with one citizen fewer the town would win more often, {then} instead of {now}.", { now: shares(now), then: shares(fewer) }));
    else if (fewer) parts.push(say("One citizen fewer: the town wins {then}.", { then: shares(fewer) }));
    if (lower || higher) parts.push(say("Whether the number of players is odd or even can matter more than one person."));
    return { text: join(parts), beware: lower || higher };
  };

  // `tried` is how many changes were looked at, `held` whether there are some to show, `range` whether odds are two.
  const repairsText = (tried, held, range) => {
    const all = say("Changes of one citizen, one role or one rule that were tried, with all else as it is: {tried}.", { tried });
    if (!range) {
      return join([all, held ? say("These bring the game nearest to even, by a percentage point or more:")
        : say("None brings the game nearer to even by a percentage point or more.")]);
    }
    return join([all, held ? say("These hold for all votes in your range: the game at its worst is nearer to even than now at its worst, by a percentage point or more.")
      : say("None holds for all votes in your range: with none of them the game at its worst is nearer to even by a percentage point or more.")]);
  };

  const changeText = ({ kind, more, from, to, name, value }) => {
    if (kind === "citizen") return more > 0 ? say("One citizen more") : say("One citizen fewer");
    if (kind === "role") return say("One {to} instead of one {from}", { from: role(from), to: role(to) });
    if (name === "kills") return say("Shots a night: {value}", { value });
    const [text, choices] = rule(name);
    return say("{rule}: {choice}", { rule: text, choice: choices[String(value)] });
  };

  const fairestText = (found, range) => {
    if (found.length === 0) return say("No set-up of so many players with these roles.");
    const rules = range ? say("Under your rules, for all votes in your range: first comes what is nearest to even where it is worst. Mafiosi were added as long as the town still won one "
      + "game in ten with the worst of these votes.")
      : say("Under your rules and votes. Mafiosi were added as long as the town still won one game in ten.");
    if (!range || search.worst(found[0].chances) < 0.05) return rules;
    return join([rules, say("None of them is within 5 percentage points of even for all votes in your range. Results of your own make the range narrower.")]);
  };

  return {
    RULES, TERMS, EXAMPLES, verdict, capital, role, several, people, written, rule, label, whole, plain, shares, votingHint, unfit, sentence,
    recordText, lengthText, modelText, idleTexts, parityText, repairsText, changeText, fairestText,
  };
})();
