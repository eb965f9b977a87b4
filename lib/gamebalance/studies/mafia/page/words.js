// What the page says: examples, the rules and their choices, and sentences on what was found.
const words = (() => {
  "use strict";
  const EXAMPLES = [
    ["Ten with don and sheriff", "#setup=10: don, 2 mafiosi, sheriff, 6 citizens&half_rule=always&tells=at a find&may=dons,sheriffs,doctors,vigilantes,hunters"],
    ["Eight wolves and villagers", "#setup=8: 2 werewolves, seer, doctor, 4 villagers&half_rule=always&tells=at a find&may=sheriffs,doctors,hunters"],
    ["Twelve with a witch", "#setup=12: 3 wolves, sheriff, witch, hunter, 6 villagers&half_rule=always&tells=at death&may=sheriffs,witches,hunters"],
    ["The study's table of 20", "#setup=20: 4 mafiosi, detective, 15 citizens&may=detectives"],
  ];
  const RULES = [
    ["Votes and end", {
      phase: ["The game begins with", { evening: "a night", morning: "a day" }],
      votes: ["There is a vote", { "every day": "every day", "odd number": "when an odd number is alive", "odd days": "on day 1, 3, 5 …" }],
      ties: ["In a tie leave", {
        lot: "one of them, by lot", nobody: "none of them", all: "all of them", "again, then nobody": "after a second tie none",
        "again, then all": "after a second tie all",
      }],
      half_rule: ["Half of the living is enough for the mafia", { morning: "in the morning", always: "at any time", never: "never" }],
      odds: ["The town suspects a mafioso … times as often"],
    }],
    ["The mafia", {
      kills: ["Shots a night (or by living mafiosi: 1, 2)"],
      aim: ["Several shots are aimed", { together: "together", apart: "each by itself" }],
      agreement: ["It agrees on a victim with probability"],
    }],
    ["The sheriff and the dead", {
      tells: ["The sheriff tells what he knows", {
        never: "never", "at death": "when he dies", "at a find": "once he knows a mafioso", "every morning": "every morning",
      }],
      dead_roles: ["Roles of the dead are", { shown: "shown", hidden: "hidden" }],
    }],
    ["Vigilante, witch, detectives", {
      bullets: ["Bullets of the vigilante"],
      shot: ["He shoots in a night with probability"],
      potion: ["The witch uses a potion with probability"],
      memory: ["Detectives interrogate anew", { false: "anyone", true: "only whom they have not cleared" }],
    }],
  ];
  const TERMS = {
    "At random": "Everyone who may be chosen is as likely as anyone else, in votes and at night. Real players do better and worse than that; compare set-ups rather than believe one number.",
    Mafioso: "A werewolf. Together they shoot one of the others each night.",
    Don: "A mafioso who asks about one player each night whether he is the sheriff; a sheriff so found is shot first.",
    Sheriff: "A seer: he learns the side of one player each night. What comes of it depends on when he tells.",
    Detective: "Interrogates one player each night; a mafioso is arrested at dawn. More than one interrogate together.",
    Doctor: "Guards one player each night, who is not shot. More than one guard together.",
    Bodyguard: "Covers one other player each night, and dies in his place.",
    Vigilante: "Of the town, with a gun and some bullets.",
    Witch: "Has one potion that saves a victim of the mafia and one that kills.",
    Hunter: "Takes one of the living along when he dies.",
    Citizen: "A villager, who only votes.",
  };
  const LABELS = Object.fromEntries(RULES.flatMap(([, group]) => Object.entries(group)));

  const percent = (share) => {
    if (share > 0 && share < 0.0005) return "less than 0.1";
    if (share < 1 && share > 0.9995) return "more than 99.9";
    return (100 * share).toFixed(1);
  };

  const capital = (text) => text[0].toUpperCase() + text.slice(1);

  const leadText = (won) => {
    const [side, points] = [won > 0.5 ? "town" : "mafia", 100 * Math.abs(won - 0.5)];
    if (points < 1) return "That is even.";
    if (points < 5) return `That is nearly even; the ${side} is a little ahead.`;
    return `The ${side} is ${points < 15 ? "" : "far "}ahead.`;
  };

  const lengthText = (nights, until) => {
    const [tenth, half, most] = until.map((count) => (count === null ? "more than 2,000" : String(count)));
    const mean = nights.toFixed(1);
    return `A game takes ${mean} ${mean === "1.0" ? "night" : "nights"} on average. One game in ten is over by night ${tenth}, five in ten by night ${half}, and nine in ten by night ${most}.`;
  };

  const modelText = ({ odds }) => {
    const skill = odds === 1 ? "" : `, but in votes and for the vigilante a mafioso is ${odds} times as likely as anybody else`;
    return `Exact, if everyone chooses at random${skill}.`;
  };

  // Chances now, with one citizen more and with one fewer; undefined where that is no game.
  const parityText = (now, more, fewer) => {
    const [lower, higher] = [more < now - 1e-9, fewer > now + 1e-9];
    const parts = [];
    if (lower) parts.push(`Beware: one citizen more would lower the town's chance, from ${percent(now)}% to ${percent(more)}%.`);
    else if (more !== undefined) parts.push(`One citizen more: the town wins ${percent(more)}%.`);
    if (higher) parts.push(`Beware: one citizen fewer would raise the town's chance, from ${percent(now)}% to ${percent(fewer)}%.`);
    else if (fewer !== undefined) parts.push(`One citizen fewer: the town wins ${percent(fewer)}%.`);
    if (lower || higher) parts.push("Whether the number of players is odd or even can matter more than one person.");
    return { text: parts.join(" "), beware: lower || higher };
  };

  const changeText = ({ kind, more, from, to, name, value }) => {
    if (kind === "citizen") return `One citizen ${more > 0 ? "more" : "fewer"}`;
    if (kind === "role") return `A ${reading.WRITTEN[to][0]} instead of a ${reading.WRITTEN[from][0]}`;
    return name === "kills" ? `Shots a night: ${value}` : `${LABELS[name][0]}: ${LABELS[name][1][String(value)]}`;
  };

  return { EXAMPLES, RULES, TERMS, capital, changeText, leadText, lengthText, modelText, parityText, percent };
})();
