// What was typed or came with a link, as set-up, rules and votes; refused in one sentence that says why. Nothing in this
// part touches the page. Names and words are those of gamebalance.mafia, and what the page shows in the language chosen.
const reading = (() => {
  "use strict";
  const { say, refuse, clean, short } = language;
  const { ROLES, SINGLE, SPECIAL } = search;
  const MOST_PLAYERS = 24;
  const MOST_GAMES = 100_000;
  const known = JSON.parse(elements.at("data").textContent);
  const { written: WRITTEN, synonyms: SYNONYMS } = known;
  const NAMES = new Map(Object.entries(SYNONYMS).flatMap(([role, words]) => words.split(" ").map((word) => [word, role])));
  for (const [role, words] of Object.entries(WRITTEN)) for (const word of words) NAMES.set(word, role);

  // The rules that are chosen among values, the usual one first; and those that are numbers: usual, least, most.
  const CHOICES = {
    half_rule: ["morning", "always", "never"], votes: ["every day", "odd number", "odd days"],
    ties: ["lot", "nobody", "all", "again, then nobody", "again, then all"], aim: ["together", "apart"],
    tells: ["never", "at death", "at a find", "every morning"], dead_roles: ["shown", "hidden"], memory: [false, true],
  };
  const PHASES = ["evening", "morning"];
  // How the table votes: like recorded tables, at random, as results of its own say, or at odds that are given.
  const KINDS = ["recorded", "random", "own", "odds"];
  const NUMBERS = { odds: [1, fit.LEAST, fit.MOST], agreement: [1, 0.001, 1], potion: [0.5, 0, 1], shot: [0.5, 0, 1], bullets: [1, 0, 9] };
  const [MOST_KILLS, MOST_STEPS] = [5, 9];

  const shown = (text) => short(clean(text));

  // A number as people type it, with a point, as links have it in each language; 1,00 is 1.0, and no whole number.
  const typed = (text) => {
    const given = clean(String(text).normalize("NFKC"));
    const found = language.value(given);
    if (Number.isNaN(found)) return given;
    return Number.isInteger(found) && /[.,]\d{0,2}$/.test(given) ? `${found}.0` : String(found);
  };

  const whole = (text, least, most, field) => {
    const given = typed(text);
    if (/^\d+$/.test(given) && least <= Number(given) && Number(given) <= most) return Number(given);
    const values = { label: words.label(field), given: shown(text), least, most: words.whole(most) };
    return refuse(given ? say("{label}: “{given}” is not a whole number from {least} to {most}.", values)
      : say("{label}: a whole number from {least} to {most} is needed.", values), field);
  };

  const number = (field, text) => {
    const [, least, most] = NUMBERS[field === "odds_to" ? "odds" : field];
    const given = typed(text);
    if (field === "bullets") return whole(text, least, most, field);
    if (/^[+-]?(\d+(\.\d*)?|\.\d+)$/.test(given) && least <= Number(given) && Number(given) <= most) return Number(given);
    const values = { label: words.label(field), given: shown(text), least: words.plain(least), most: words.plain(most) };
    return refuse(given ? say("{label}: “{given}” is not a number from {least} to {most}.", values)
      : say("{label}: a number from {least} to {most} is needed.", values), field);
  };

  // Set-ups

  const check = (setup, field) => {
    const players = search.playersOf(setup);
    if (players < 2 || players > MOST_PLAYERS) {
      refuse(say("This page can work with 2 to {most} players; here are {players}.", { most: MOST_PLAYERS, players }), field);
    }
    const many = SINGLE.find((role) => setup[role] > 1);
    if (many) refuse(say("{roles}: there can be one at most.", { roles: words.capital(words.several(many, setup[many])) }), field);
    if (search.mafiaOf(setup) === 0) refuse(say("A mafioso or a don is needed."), field);
    return setup;
  };

  const whom = (counts) => Object.fromEntries(ROLES.map((role) => [role, counts[role] ?? 0]));

  // What a word of the language chosen means.
  const local = (word) => Object.keys(WRITTEN).find((role) => {
    const others = SYNONYMS[role];
    return [words.role(role), words.several(role, "").trim(), ...(others ? say(others).split(" ") : [])].some((one) => one.toLowerCase() === word);
  });

  const part = (text) => {
    const found = /^(\d{1,6})?\s*(\D+)$/.exec(text.trim());
    const word = found?.[2].trim().toLowerCase();
    const role = NAMES.get(word) ?? local(word);
    if (!role) {
      refuse(say("“{text}” is not a role, or a number and a role. Roles are: {roles}.", {
        text: shown(text), roles: Object.keys(WRITTEN).map(words.role).reduce((one, other) => say("{one}, {other}", { one, other })),
      }), "setup");
    }
    return [role, Number(found[1] ?? 1)];
  };

  // As `Setup.read` does: "10: don, 2 mafiosi, sheriff, 6 citizens".
  const setup = (given) => {
    const text = clean(String(given).normalize("NFKC"));
    if (text === "") refuse(say("Type who plays, for example: 10: don, 2 mafiosi, sheriff, 6 citizens"), "setup");
    const [, total, people] = /^(?:(\d{1,6})\s*:)?(.*)$/.exec(text);
    const counts = {};
    for (const one of people.split(/[,\u3001]/)) {
      const [role, count] = part(one);
      if (role in counts) refuse(say("“{role}” is named twice.", { role: words.role(role) }), "setup");
      counts[role] = count;
    }
    const named = () => search.playersOf(whom(counts));
    if (total && !("innocents" in counts)) counts.innocents = Math.max(0, Number(total) - named());
    if (total && named() !== Number(total)) {
      refuse(say("{total} players are announced, but {named} are named.", { total: Number(total), named: named() }), "setup");
    }
    return check(whom(counts), "setup");
  };

  // For links, in English; `words.written` is for readers.
  const written = (people) => {
    const named = Object.entries(WRITTEN).filter(([role]) => people[role])
      .map(([role, [one, several]]) => (people[role] === 1 ? one : `${people[role]} ${several}`));
    return `${search.playersOf(people)}: ${named.join(", ")}`;
  };

  // From fields: all others are citizens.
  const filled = (players, counts) => {
    const all = whole(players, 2, MOST_PLAYERS, "players");
    const found = whom({});
    for (const role of ROLES) if (role !== "innocents") found[role] = whole(counts[role], 0, SINGLE.includes(role) ? 1 : MOST_PLAYERS, role);
    const roles = search.playersOf(found);
    if (roles > all) refuse(say("{roles} people have a role: there must be as many players or more, not {players}.", { roles, players: all }), "players");
    found.innocents = all - roles;
    return check(found, "mafiosi");
  };

  // Rules

  const kills = (text) => {
    const parts = clean(String(text).normalize("NFKC")).split(/\s*[,;\u3001\s]\s*/);
    if (parts.length > MOST_STEPS) refuse(say("{label}: give one to nine numbers.", { label: words.label("kills") }), "kills");
    const found = parts.map((one) => whole(one, 1, MOST_KILLS, "kills"));
    while (found.length > 1 && found.at(-1) === found.at(-2)) found.pop();
    return found;
  };

  // Fields offer no other choice, but links may hold one.
  const choice = (text, allowed) => allowed.find((value) => String(value) === text)
    ?? refuse(say("“{text}” is no choice of this page", { text: shown(text) }), "link");

  const usual = () => ({
    ...Object.fromEntries(Object.entries(CHOICES).map(([name, [first]]) => [name, first])),
    ...Object.fromEntries(Object.entries(NUMBERS).map(([name, [first]]) => [name, first])),
    kills: [1],
  });

  // Rules from texts by name, but for the odds, which `voting` reads.
  const rules = (texts) => {
    const found = usual();
    for (const [name, allowed] of Object.entries(CHOICES)) if (name in texts) found[name] = choice(texts[name], allowed);
    for (const name of Object.keys(NUMBERS)) if (name in texts && name !== "odds") found[name] = number(name, texts[name]);
    if ("kills" in texts) found.kills = kills(texts.kills);
    if (found.aim === "apart" && found.agreement !== 1) {
      refuse(say("{label}: 1 is needed where each shot is aimed by itself.", { label: words.label("agreement") }), "agreement");
    }
    return found;
  };

  // How the table votes: the kind, and the results or the odds that go with it.
  const voting = ({ voting: kind, games, won, odds, odds_to: to }) => {
    if (kind === "own") {
      const [played, wins] = [whole(games, 1, MOST_GAMES, "games"), whole(won, 0, MOST_GAMES, "won")];
      if (wins > played) refuse(say("{label}: {won} is more than the {games} games played.", { label: words.label("won"), won: words.whole(wins), games: words.whole(played) }), "won");
      return { kind, games: played, won: wins };
    }
    if (kind !== "odds") return { kind: choice(kind, KINDS) };
    const low = number("odds", odds);
    const high = clean(to) ? number("odds_to", to) : low;
    if (high < low) refuse(say("{label}: a number from {least} to {most} is needed.", { label: words.label("odds_to"), least: words.plain(low), most: words.plain(fit.MOST) }), "odds_to");
    return { kind, odds: low, odds_to: high };
  };

  // Links: everything that is not usual.
  const hash = ({ setup: people, rules: given, phase, may, voting: { kind, ...votes } }) => {
    const parts = new URLSearchParams({ setup: written(people) });
    const first = usual();
    for (const name of Object.keys(first)) if (String(given[name]) !== String(first[name])) parts.append(name, String(given[name]));
    if (phase !== PHASES[0]) parts.append("phase", phase);
    if (kind !== KINDS[0]) parts.append("voting", kind);
    for (const [name, value] of Object.entries(votes)) parts.append(name, value);
    parts.append("may", may.join());
    return `#${parts}`;
  };

  // A link that gives odds alone means them.
  const fromHash = (text) => {
    const parts = Object.fromEntries(new URLSearchParams(text.replace(/^#/, "")));
    const { setup: people, phase = PHASES[0], may = "", odds, odds_to, games, won, ...texts } = parts;
    const { voting: kind = odds === undefined ? KINDS[0] : "odds", ...others } = texts;
    if (people === undefined) refuse(say("it names no set-up"), "link");
    const unknown = Object.keys(others).find((name) => !(name in usual()));
    if (unknown) refuse(say("“{text}” is no rule of this page", { text: shown(unknown) }), "link");
    const roles = may.split(",").filter(Boolean);
    for (const role of roles) choice(role, SPECIAL);
    return {
      setup: setup(people), rules: rules(others), phase: choice(phase, PHASES), may: SPECIAL.filter((role) => roles.includes(role)),
      voting: voting({ voting: kind, games: games ?? "", won: won ?? "", odds: odds ?? "", odds_to: odds_to ?? "" }),
    };
  };

  return { known, MOST_PLAYERS, WRITTEN, CHOICES, PHASES, KINDS, NUMBERS, setup, written, filled, rules, voting, hash, fromHash };
})();
