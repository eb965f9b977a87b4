// The rules of Count-N, the solved values and the words for both. Nothing in this part touches the page.
// A hand is a number, 0 if withdrawn; a pair of hands has the smaller number first and a withdrawn hand last;
// a position is { mover, opponent }, a game { n, overflow }.
const countN = (() => {
  "use strict";
  const { say, refuse } = language;
  const data = JSON.parse(document.getElementById("data").textContent);

  const inOrder = (a, b) => (a === 0 || (b !== 0 && b < a) ? [b, a] : [a, b]);

  const total = (game, own, added) => {
    const sum = own + added;
    if (sum < game.n) return sum;
    if (sum === game.n) return 0;
    return game.overflow === "one" ? 1 : sum - game.n;
  };

  // One move for each result, in the order of the hands.
  const moves = (game, { mover, opponent }) => {
    const all = mover.flatMap((own, hand) => opponent.map((added) =>
      ({ own, added, hands: inOrder(total(game, own, added), mover[1 - hand]) }))).filter(({ own, added }) => own && added);
    const results = all.map(({ hands }) => pairText(hands));
    return all.filter((_, k) => results.indexOf(results[k]) === k);
  };

  const after = (position, move) => ({ mover: position.opponent, opponent: move.hands });

  const isOver = ({ opponent }) => opponent[0] === 0;

  const table = ({ n, overflow }) => {
    const game = data.games[n];
    if (typeof game[overflow] === "string") game[overflow] = Uint8Array.from(atob(game[overflow]), (letter) => letter.charCodeAt(0));
    return game[overflow];
  };

  const pairNumber = (hands) => (Math.max(...hands) * (Math.max(...hands) + 1)) / 2 + Math.min(...hands);

  // Value from -2 to 2 for the mover and plies to the end, null in a draw.
  const outcome = (game, { mover, opponent }) => {
    const pairs = (game.n * (game.n + 1)) / 2;
    const code = table(game)[pairNumber(opponent) * pairs + pairNumber(mover)];
    if (code === 0) return { value: 0, distance: null };
    const distance = (code - 1) >> 1;
    const size = code % 2 === 0 ? 2 : 1;
    return { value: distance % 2 === 1 ? size : -size, distance };
  };

  // Every move with its outcome for the mover, in the order of `moves`.
  const options = (game, position) => moves(game, position).map((move) => {
    const { value, distance } = outcome(game, after(position, move));
    return { move, value: value === 0 ? 0 : -value, distance: value === 0 ? null : distance + 1 };
  });

  // The greater value first; then the fastest win and the slowest loss.
  const compare = (a, b) => b.value - a.value || Math.sign(a.value) * (a.distance - b.distance);

  const best = (game, position) => {
    const all = options(game, position);
    const first = [...all].sort(compare)[0];
    return all.filter((option) => compare(option, first) === 0);
  };

  // Perfect play: the first best move; in a draw the one that leaves the opponent most ways to go wrong.
  const choice = (game, position) => {
    const all = best(game, position);
    const traps = all.map(({ move }) => options(game, after(position, move)).filter(({ value }) => value < 0).length);
    return all[all[0].value === 0 ? traps.indexOf(Math.max(...traps)) : 0].move;
  };

  // Perfect play by both, up to the end or until a position comes back with the same player to move.
  const mainLine = (game, start) => {
    const line = [];
    const seen = [];
    let position = start;
    const name = () => `${seen.length % 2} ${positionText(position)}`;
    while (!isOver(position) && !seen.includes(name())) {
      seen.push(name());
      line.push(choice(game, position));
      position = after(position, line.at(-1));
    }
    return line;
  };

  const pairText = (hands) => hands.map((hand) => hand || "-").join(",");
  const positionText = ({ mover, opponent }) => `${pairText(mover)} v ${pairText(opponent)}`;

  const moveText = (game, { own, added }) => {
    const sum = own + added;
    if (sum === game.n) return say("{own} + {added} = withdrawn", { own, added });
    if (sum > game.n) return say("{own} + {added} = {sum}, so {total}", { own, added, sum, total: total(game, own, added) });
    return `${own} + ${added} = ${sum}`;
  };

  const plies = (count) => count === 1 ? say("1 ply") : say("{count} plies", { count });

  const outcomeText = ({ value, distance }) => {
    if (value === 0) return say("draw");
    const big = Math.abs(value) === 2;
    if (distance === 0) return big ? say("has lost big") : say("has lost small");
    const so = { plies: plies(distance) };
    if (value > 0) return big ? say("wins big in {plies}", so) : say("wins small in {plies}", so);
    return big ? say("loses big in {plies}", so) : say("loses small in {plies}", so);
  };

  // The position that a text names, such as "1,7 v 2,6"; an Error in one line if there is none.
  const parse = (game, text) => {
    const hand = "\\s*(\\d{1,3}|-)\\s*";
    const found = new RegExp(`^${hand},${hand}v${hand},${hand}$`, "i").exec(text.normalize("NFKC").replace(/[–—−]/g, "-"));
    const shown = { text: text.length > 40 ? `${text.slice(0, 39)}…` : text, n: game.n, largest: game.n - 1 };
    if (!found) refuse(say("The position “{text}” cannot be read: type one such as 1,7 v 2,6, with - for a withdrawn hand.", shown));
    const hands = found.slice(1).map((word) => (word === "-" ? 0 : Number(word)));
    if (hands.some((number, k) => found[k + 1] !== "-" && (number < 1 || number >= game.n))) {
      refuse(say("The position “{text}” is none of Count-{n}: a hand shows 1 to {largest}, or - if withdrawn.", shown));
    }
    const position = { mover: inOrder(hands[0], hands[1]), opponent: inOrder(hands[2], hands[3]) };
    if (position.mover[0] === 0) refuse(say("In the position “{text}” the side to move shows no hand, so the game was over before.", shown));
    return position;
  };

  return {
    data, moves, after, isOver, outcome, options, best, choice, mainLine, pairText, positionText, moveText, plies,
    outcomeText, parse,
  };
})();
