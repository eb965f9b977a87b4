// How the search ranks what it finds: what asks or says in its title what was looked for comes first.
var Scorer = {
  score: ([, title, , , score]) => {
    const words = (text) => ` ${text.toLowerCase().match(/[\p{L}\p{N}]+/gu)?.join(" ") ?? ""} `;
    const looked = words(new URLSearchParams(location.search).get("q") ?? "");
    const all = looked.trim().split(" ").every((word) => words(title).includes(` ${word} `));
    return score + (words(title).includes(looked) ? 60 : all ? 30 : 0);
  },
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
