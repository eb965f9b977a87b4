"""The measures of a report, each with its definition and its source, and how the built-in ways play."""

from typing import NamedTuple

_BROWNE = "C. Browne, Automatic generation and evaluation of recombination games, thesis, QUT 2008"
_LUDII = "E. Piette, M. Stephenson, D. Soemers and C. Browne, General board game concepts, CoG 2021; in Ludii: "
_TAG = "named by R. Gaina and others, Tabletop Games Framework, issue 98, 2020"


class Measure(NamedTuple):
    """What a measure is: its definition, its unit, what its values are multiplied by for that, and its source."""

    definition: str
    unit: str
    scale: float
    source: str


MEASURES = {
    "asymmetry of roles": Measure(
        "how far the chance to win of a side, a role or a seat typically is from the mean of all: root mean square, "
        "less what a sample adds",
        "percentage points",
        100,
        _TAG + "; fairness.measures.spread",
    ),
    "asymmetry of seats": Measure(
        "the same of seats, where several share a role", "percentage points", 100, "fairness.measures.spread"
    ),
    "skill depth": Measure(
        "how much more of the games that somebody wins is won by who alone plays in a better way than by a player at "
        "that table on average",
        "percentage points",
        100,
        _TAG + " (difference of performance of players)",
    ),
    "luck": Measure(
        "chance against skill: the part of what is needed to know who alone plays in a better way that the winner of "
        "a game does not tell; 1 less the mutual information, in bits, over the logarithm of the number of seats",
        "%",
        100,
        _TAG + "; T. M. Cover and J. A. Thomas, Elements of Information Theory, 2006, chapter 2",
    ),
    "chance of each end": Measure("games that end with this winner or these winners", "% of games", 100, _TAG),
    "first move": Measure(
        "the first player's chance to win less the mean of the others'", "percentage points", 100, _BROWNE
    ),
    "decisiveness": Measure("games that one player or side wins alone", "% of games", 100, _BROWNE),
    "drawishness": Measure("games that nobody wins alone", "% of games", 100, _BROWNE),
    "difference of scores": Measure(
        "the highest payoff less the second highest at the end, of sides their members' means; mean over all games",
        "points",
        1,
        _LUDII + "ScoreDifferenceEnd",
    ),
    "uniformity of outcomes": Measure(
        "entropy of who wins over the largest it could be: each player or side is an outcome, and nobody and a shared "
        "win are one each if they can come about",
        "%",
        100,
        _LUDII + "OutcomeUniformity (by variances)",
    ),
    "chance to win": Measure(
        "whoever has the highest payoff wins, of sides the one with the highest mean; who share it win in parts, but "
        "if all do, nobody wins",
        "term",
        1,
        "fairness.report",
    ),
    "turn": Measure(
        "a point at which players choose among two moves or more: one player, or several who choose at once or one "
        "after another while nothing is revealed to anybody; chance has no turn, and a forced move is none",
        "term",
        1,
        "F. B. Thompson, Equivalence of games in extensive form, RAND 1952",
    ),
    "length": Measure(
        "mean number of the players' moves; forced moves count, if players are asked for them", "moves", 1, _BROWNE
    ),
    "spread of length": Measure("standard deviation of that number", "moves", 1, _BROWNE),
    "median length": Measure(
        "the least number of moves within which at least half of the games end", "moves", 1, _LUDII + "DurationMoves"
    ),
    "endless": Measure("play that goes on for ever", "% of games", 100, "follows from the rules"),
    "lead changes": Measure(
        "how often, at a turn, a forced move or the end, another player or side than the last one leads: has the best "
        "chance to win, were all that the state holds known (a deck shuffled beforehand too, but not what is drawn "
        "later) and the rest random; where several have the best, nobody leads; forced moves count, if players are "
        "asked for them",
        "a game",
        1,
        _BROWNE,
    ),
    "changes of standing": Measure(
        "how often, at a turn, a forced move or the end, another player or side than the last one has the highest "
        "payoff, were the game over; where several have the highest, nobody has",
        "a game",
        1,
        _BROWNE,
    ),
    "drama": Measure(
        "how much less chance to win than the leader the winner to be has at a turn, by the same chances as lead "
        "changes; mean over the turns of the games that somebody wins, once for each player who chooses there",
        "percentage points",
        100,
        _BROWNE + " (with square roots)",
    ),
    "drama, at least": Measure(
        "the same from samples, which is not more on the average; players who choose at once share a turn only if the "
        "game has `movers`",
        "percentage points",
        100,
        _BROWNE,
    ),
    "kingmaking": Measure(
        "games with a turn at which a player's own chance to win is the same by every move, while of some two moves "
        "one is better for one of the others and the other for another one (of sides, if there are any); all then "
        "play, the others at that turn too, the move after which their own payoff is highest on average were the rest "
        "random, equal moves alike; what a player does not know is as likely, when a turn begins, as in random play",
        "% of games",
        100,
        "fairness.is_kingmaker",
    ),
    "kingmaking, at least": Measure(
        "the same, looked for only near the end of a game, where the rest is small enough to be followed",
        "% of games",
        100,
        "fairness.is_kingmaker",
    ),
    "decided after": Measure(
        "turns at which it is still open who wins: by some moves of players and of chance others win than by others",
        "% of turns",
        100,
        _LUDII + "DecisivenessMoves (by an evaluation)",
    ),
    "decided after, at most": Measure(
        "the same, where turns count as open if the rest is too large to be followed; hidden choices one after another "
        "are turns of their own then, and it is at most so where the game has `movers` or hides nothing",
        "% of turns",
        100,
        _LUDII + "DecisivenessMoves (by an evaluation)",
    ),
    "repetition": Measure(
        "turns in a state in which the same game has been before; what a state holds is the author's choice",
        "% of turns",
        100,
        _LUDII + "SituationalRepetition",
    ),
    "branching factor": Measure(
        "mean number of moves to choose from, over all players' moves; forced moves count, and all that the author "
        "tells apart",
        "moves",
        1,
        _LUDII + "BranchingFactor",
    ),
    "decision factor": Measure("the same without forced moves", "moves", 1, _LUDII + "DecisionFactor"),
    "real choices": Measure(
        "players' moves that are not forced; how often players are asked for forced moves is the author's choice",
        "% of moves",
        100,
        _LUDII + "DecisionMoves",
    ),
    "size of the tree": Measure(
        "logarithm to base 10 of the number of different games; moves of players and of chance differ as the author "
        "tells them apart; left out where play can go in circles",
        "powers of ten",
        1,
        _LUDII + "GameTreeComplexity (from means)",
    ),
    "size of the tree, at least": Measure(
        "sum of the logarithms of the numbers of players' moves in a game; its mean over random games is no more than "
        "the logarithm of the number of games",
        "powers of ten",
        1,
        "D. Knuth, Estimating the efficiency of backtrack programs, 1975",
    ),
    "state space": Measure(
        "logarithm to base 10 of the number of states, those of chance and the ends among them; states differ as the "
        "author tells them apart",
        "powers of ten",
        1,
        _LUDII + "StateSpaceComplexity (a bound)",
    ),
    "state space, at least": Measure(
        "the same of the states in which players moved in the games played here",
        "powers of ten",
        1,
        _LUDII + "StateSpaceComplexity (a bound)",
    ),
}

#: The measures of how a game is built, which stand in a table of their own.
BUILT = tuple(MEASURES)[tuple(MEASURES).index("branching factor") :]

#: What all do who play in a built-in way.
ALL = {"random": "play at random", "greedy": "look one move ahead", "searching": "search", "best": "play best"}
#: Ends of a range of percentages that are no further apart are told as one number.
ONE_NUMBER = 0.05


def notes_of(goal: str) -> dict[str, str]:
    """How each of the built-in ways plays; a search, where it has time for endlessly many games from each move."""
    own = {"points": "payoff", "win": "part of the win"}[goal]
    return {
        "random": "every move is equally likely",
        "greedy": f"the move after which the own {own} is highest, were the game over then",
        "searching": "the move that is best if all go on at random",
    }
