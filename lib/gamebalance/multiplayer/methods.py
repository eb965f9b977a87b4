"""Every method of this part in one table: who published it, where it stands, how it is verified, what it promises.

Games of the collection on which the methods are put to work are named, not imported.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas

EXACT = "exact"
ROUNDING = "exact to rounding"
SAMPLED = "sampled, with standard error"
CONVERGES = "converges, NashConv reported"
LOWER = "lower bound"
HEURISTIC = "heuristic"
NOT_BUILT = "not built"

#: What a method may promise.
STATUSES = (EXACT, ROUNDING, SAMPLED, CONVERGES, LOWER, HEURISTIC, NOT_BUILT)


@dataclass(frozen=True)
class Method:
    """A row of the table.

    Parameters
    ----------
    name : str
    reference : str
        Authors and year; what is meant where it is no publication.
    module : str
        Where it stands, without "gamebalance." in front; empty if it is not built.
    verified : str
        How, in a few words; the reason if it is not built.
    tests : tuple of str
        Files in the folder of tests that hold it to this.
    status : str
        One of `STATUSES`. "exact": in whole numbers or fractions, or by counting; "exact to rounding": floats, or
        iteration to a bound that is given with the result; "heuristic": a rule that promises nothing.
    """

    name: str
    reference: str
    module: str
    verified: str
    tests: tuple[str, ...]
    status: str


def table() -> "pandas.DataFrame":
    """One line for each of `METHODS`: method, reference, module, how verified, status."""
    import pandas

    rows = [(each.name, each.reference, each.module or "none", each.verified, each.status) for each in METHODS]
    return pandas.DataFrame(rows, columns=["method", "reference", "module", "how verified", "status"])


_SEARCH, _NORMAL, _TU = "multiplayer.search.", "multiplayer.normal_form.", "multiplayer.cooperative.TUGame."
_CFR, _BELIEFS, _WOLF = "multiplayer.cfr.", "multiplayer.beliefs.", "multiplayer.games.werewolf."
_HOLDEM, _SANGUOSHA, _THREE = "multiplayer.games.holdem.", "sanguosha.", "countn.three."


def _files(*names: str, folder: str = "multiplayer") -> tuple[str, ...]:
    return tuple(f"{folder}/test_{name}.py" for name in names)


# fmt: off
_MAXN, _TWO_SIDES, _MCTS = _files("search_maxn"), _files("search_two_sides"), _files("search_mcts")
_IN_SEARCH = (
    Method("MaxN", "Luckhardt, Irani 1986", _SEARCH + "maxn",
           "independent backward induction on 1,280 random trees, four rules for ties", _MAXN, EXACT),
    Method("MaxN with ties shared evenly (Max-Prob)", "Hashavit, Markovitch 2011", _SEARCH + "maxn",
           "fractions counted by hand; MaxN wherever its value is unique", _MAXN, EXACT),
    Method("All MaxN values under ties", "cf. Sturtevant, Bowling 2006", _SEARCH + "maxn_values",
           "every choice at ties tried on 800 random trees", _MAXN, EXACT),
    Method("MaxN with shallow and immediate pruning", "Korf 1991", _SEARCH + "maxn_shallow",
           "equals MaxN on 2,580 random trees; best case of Korf; deep pruning shown wrong", _MAXN, EXACT),
    Method("Paranoid search with alpha-beta", "Sturtevant, Korf 2000", _SEARCH + "paranoid",
           "equals no pruning and an independent minimax; never above MaxN; best case", _TWO_SIDES, EXACT),
    Method("Best-Reply Search", "Schadd, Winands 2011", _SEARCH + "best_reply",
           "independent recursion with node counts; minimax for two players", _TWO_SIDES, EXACT),
    Method("BRS+", "Esser and others 2013", "",
           "not built: it needs the game's own order of moves to replace the passes", (), NOT_BUILT),
    Method("MCTS-MaxN (UCT)", "Kocsis, Szepesvári 2006; Sturtevant 2008", _SEARCH + "mcts",
           "regret within the bound of UCB1; the MaxN line on trees where it is unique", _MCTS, SAMPLED),
    Method("All positions of a small game", "Kuhn 1953", _SEARCH + "outlooks",
           "searches from single positions; three-player tic-tac-toe", _MAXN + _TWO_SIDES, EXACT),
    Method("Round robin over all seatings", "Sturtevant 2003", _SEARCH + "round_robin",
           "every game played again on its own; means by hand", _MCTS, EXACT),
)

_PURE, _ZERO_SUM, _LEARNING = _files("pure_play"), _files("zero_sum"), _files("learning")
_LEVELS, _REPEATED = _files("levels"), _files("repeated")
_IN_NORMAL_FORM = (
    Method("NashConv of a profile", "Lanctot and others 2017", _NORMAL + "NormalFormGame.nash_conv",
           "by definition, by hand, and equal to OpenSpiel", _files("normal_form_game", "learning"), ROUNDING),
    Method("Pure equilibria", "Nash 1951", _NORMAL + "pure_equilibria",
           "brute force over all profiles of random games", _PURE, EXACT),
    Method("Best-response iteration", "Cournot 1838; Monderer, Shapley 1996", _NORMAL + "best_response_iteration",
           "a fixed point is an equilibrium; a cycle is walked again; potential games converge", _PURE, EXACT),
    Method("Exact potential", "Rosenthal 1973; Monderer, Shapley 1996", _NORMAL + "potential",
           "found if and only if all four-cycles vanish; congestion games", _PURE, ROUNDING),
    Method("Iterated strict dominance", "Luce, Raiffa 1957", _NORMAL + "iterated_dominance",
           "by hand; no equilibrium uses what is struck out", _PURE, ROUNDING),
    Method("Zero-sum games by linear programs", "von Neumann 1928", _NORMAL + "zero_sum",
           "exact vertices of random games; both programs give one value", _ZERO_SUM, ROUNDING),
    Method("All extreme equilibria of two players", "Mangasarian 1964; Avis and others 2010",
           _NORMAL + "extreme_equilibria",
           "each checked in fractions; none missing by linear programs on all supports", _ZERO_SUM, EXACT),
    Method("Fictitious play", "Brown 1951; Robinson 1951", _NORMAL + "fictitious_play",
           "plain reference; known cycles of Shapley (1964) and Jordan (1993)", _LEARNING, CONVERGES),
    Method("Regret matching", "Hart, Mas-Colell 2000", _NORMAL + "regret_matching",
           "plain reference; average regret within its bound on random games", _LEARNING, CONVERGES),
    Method("Distance from coarse correlated equilibrium", "Moulin, Vial 1978", _NORMAL + "cce_gap",
           "by hand; equals the largest regret for independent play", _LEARNING, ROUNDING),
    Method("Level-k", "Stahl, Wilson 1994; Nagel 1995", _NORMAL + "level_k",
           "beauty contest against its full table; all opponents' distributions count", _LEVELS, ROUNDING),
    Method("Cognitive hierarchy", "Camerer, Ho, Chong 2004", _NORMAL + "cognitive_hierarchy",
           "Poisson shares by hand; few thinkers give level one", _LEVELS, ROUNDING),
    Method("Play that cannot be predicted", "von Neumann 1928", _NORMAL + "independent_moves",
           "keeps the value within its error against predictors of random games", _REPEATED, SAMPLED),
    Method("Opponent who predicts from the last moves", "Wagenaar 1972", _NORMAL + "predicting_agent",
           "by hand; compiled copy; beats every pattern it can remember", _REPEATED, HEURISTIC),
    Method("What a Markov chain of moves is sure of", "von Neumann 1928", _NORMAL + "chain_guarantee",
           "by hand, and by long play against one who knows the chain", _REPEATED, ROUNDING),
)

_POWER, _NUCLEOLUS, _GAME = _files("power"), _files("nucleolus"), _files("tu_game")
_IN_COOPERATIVE = (
    Method("Shapley value", "Shapley 1953", _TU + "shapley",
           "mean over all orders; additivity, dummies, equals; coopgame agrees", _POWER + _NUCLEOLUS, EXACT),
    Method("Sampled Shapley value", "Mann, Shapley 1960", _TU + "shapley_sampled",
           "60 seeds against the exact value and the stated errors", _POWER, SAMPLED),
    Method("Banzhaf value", "Banzhaf 1965", _TU + "banzhaf",
           "mean over all coalitions; known voting games; coopgame agrees", _POWER + _NUCLEOLUS, EXACT),
    Method("Harsanyi dividends", "Harsanyi 1963", _TU + "dividends",
           "they add up to every worth, and shared equally to the Shapley value", _GAME + _POWER, EXACT),
    Method("Test for superadditive games", "von Neumann, Morgenstern 1944", _TU + "is_superadditive",
           "all pairs of disjoint coalitions; coopgame agrees", _GAME + _NUCLEOLUS, EXACT),
    Method("Test for convex games", "Shapley 1971", _TU + "is_convex",
           "all pairs of coalitions; coopgame agrees", _GAME + _NUCLEOLUS, EXACT),
    Method("Empty core", "Bondareva 1963; Shapley 1967", _TU + "core_is_empty",
           "all minimal balanced collections; coopgame agrees", _NUCLEOLUS, EXACT),
    Method("Balanced weights that prove it", "Bondareva 1963; Shapley 1967", _TU + "balanced_weights",
           "each player's weights sum to 1 and the worth exceeds v(N)", _NUCLEOLUS, EXACT),
    Method("Corners of the core", "Gillies 1959", _TU + "core_corners",
           "marginal vectors of convex games; a game of three by hand", _NUCLEOLUS, EXACT),
    Method("Least core", "Maschler, Peleg, Shapley 1979", _TU + "least_core",
           "a plain linear program over all coalitions; coopgame agrees", _NUCLEOLUS, EXACT),
    Method("Nucleolus", "Schmeidler 1969; Kopelowitz 1967", _TU + "nucleolus",
           "Kohlberg's criterion; the Talmud's divisions; coopgame agrees", _NUCLEOLUS, EXACT),
    Method("Prenucleolus", "Sobolev 1975; Guajardo, Jörnsten 2015", _TU + "prenucleolus",
           "Kohlberg's criterion; lexicographically least; coopgame agrees", _NUCLEOLUS, EXACT),
    Method("Kohlberg's criterion, nucleolus", "Kohlberg 1971", _TU + "is_nucleolus",
           "accepts the nucleolus and nothing near it; by hand", _NUCLEOLUS, EXACT),
    Method("Kohlberg's criterion, prenucleolus", "Kohlberg 1971; Sobolev 1975", _TU + "is_prenucleolus",
           "accepts the prenucleolus and nothing near it; by hand", _NUCLEOLUS, EXACT),
    Method("Best coalition structure", "Yeh 1986", _TU + "best_structure",
           "all partitions of random games", _GAME, EXACT),
    Method("Merging step by step", "the essay, with a core test that can fail", _TU + "greedy_structure",
           "games where it stops short of the best structure", _GAME, HEURISTIC),
)

_SOLVE, _EVALUATE, _CLAIM = _files("cfr_solve", "cfr_peer"), _files("cfr_evaluate", "cfr_peer"), _files("claim_game")
_IN_CFR = (
    Method("CFR", "Zinkevich and others 2007", _CFR + "solve",
           "equals OpenSpiel to 1e-9 (Kuhn 2 to 4, Leduc 2) and a plain recursion", _SOLVE, CONVERGES),
    Method("CFR+", "Tammelin 2014", _CFR + "solve",
           "equals OpenSpiel to 1e-9; known values and families of Kuhn 2 and 3", _SOLVE, CONVERGES),
    Method("Discounted CFR", "Brown, Sandholm 2019", _CFR + "solve",
           "plain recursion, and iterations by hand", _SOLVE[:1], CONVERGES),
    Method("Predictive CFR+", "Farina, Kroer, Sandholm 2021", _CFR + "solve",
           "plain recursion, and iterations by hand", _SOLVE[:1], CONVERGES),
    Method("Exact best response", "Kuhn 1953", _CFR + "best_response",
           "all pure strategies of random games enumerated", _EVALUATE[:1], ROUNDING),
    Method("NashConv of a game tree", "Lanctot and others 2017", _CFR + "nash_conv",
           "enumeration; equals OpenSpiel to 1e-9; 0 in Szafron's family", _EVALUATE + _files("kuhn"), ROUNDING),
    Method("Team: best plan without chance", "von Stengel, Koller 1997", _CFR + "team.pure_maxmin",
           "games solved by hand; plans of the claim game", _CLAIM, EXACT),
    Method("Team: members mix alone", "von Stengel, Koller 1997", _CFR + "team.independent_maxmin",
           "reaches the guarantee of a game solved by hand", _CLAIM, LOWER),
    Method("Team: one secret draw", "Celli, Gatti 2018", _CFR + "team.correlated_maxmin",
           "a team of one gets the game's value; bounds of the claim game", _CLAIM, ROUNDING),
)

_EQUITY, _PUSH_FOLD, _SURVEY = _files("holdem_equity"), _files("holdem_game"), _files("holdem_survey")
_IN_HOLDEM = (
    Method("Equities of all pairs of hands", "counted with phevaluator", _HOLDEM + "equity.count_showdowns",
           "a published count; published equities; boards counted again", _EQUITY, EXACT),
    Method("Equities against a crowd", "Monte Carlo", _HOLDEM + "equity.crowd_row",
           "the exact table within errors where both exist", _EQUITY, SAMPLED),
    Method("Deals for three and four players", "Monte Carlo", _HOLDEM + "sampled",
           "hands of one deck as often as they should come; exact equities", _PUSH_FOLD, SAMPLED),
    Method("All triples of hands on sampled boards", "Monte Carlo", _HOLDEM + "triples.sampled_triples",
           "exact probabilities; deals on one board dealt again", _PUSH_FOLD, SAMPLED),
    Method("Push or fold by CFR+ on whole arrays", "Tammelin 2014", _HOLDEM + "solve",
           "regrets of the general solver; linear program; printed heads-up ranges", _PUSH_FOLD, CONVERGES),
    Method("Bounds of NashConv from other deals", "Mak, Morton, Wood 1999", _HOLDEM + "survey.bracket",
           "holds the NashConv of a known game; stored equilibria on fresh deals", _SURVEY, SAMPLED),
    Method("Ranges that cut one order of hands", "Kittock, Jones 2005", _HOLDEM + "compare.cuts",
           "a matrix game; the printed cuts of SAGE", _files("holdem_compare"), ROUNDING),
    Method("What a printed chart costs", "best reply to it", _HOLDEM + "compare.cost",
           "equals what the best reply takes", _files("holdem_compare"), ROUNDING),
    Method("Reply to a learned habit", "beta posterior", _HOLDEM + "habits.learned_gain",
           "mean of simulated learning; ends at the best response", _files("holdem_habits"), ROUNDING),
)

_POSTERIOR, _CALIBRATION = _files("beliefs_posterior"), _files("beliefs_calibration")
_OPPONENTS, _WEREWOLF = _files("beliefs_opponents"), _files("werewolf")
_SEATS = _files("seating_beliefs", folder="sanguosha")
_IN_BELIEFS = (
    Method("Bayes over hypotheses", "Bayes 1763", _BELIEFS + "Posterior",
           "joint over total in fractions; floats agree; long histories do not underflow", _POSTERIOR, EXACT),
    Method("All assignments of roles", "counting", _BELIEFS + "role_assignments",
           "all different orders; facts about seats respected", _POSTERIOR, EXACT),
    Method("Types of an opponent", "Bayes 1763", _BELIEFS + "opponents.OpponentModel",
           "predictions multiply to the evidence; by hand", _OPPONENTS, EXACT),
    Method("Counting an opponent's actions", "Good 1965", _BELIEFS + "opponents.CountModel",
           "the Dirichlet-multinomial distribution", _OPPONENTS, EXACT),
    Method("How fast a type shows", "Kullback, Leibler 1951", _BELIEFS + "opponents.identification_speed",
           "growth of the log odds in long play", _OPPONENTS, ROUNDING),
    Method("Log loss", "Good 1952", _BELIEFS + "calibration.log_loss",
           "by hand; the truth scores best", _CALIBRATION, SAMPLED),
    Method("Brier score", "Brier 1950", _BELIEFS + "calibration.brier_score",
           "by hand; the truth scores best", _CALIBRATION, SAMPLED),
    Method("Parts of the Brier score", "Murphy 1973; Stephenson and others 2008",
           _BELIEFS + "calibration.brier_decomposition",
           "the parts add up to the score; by hand", _CALIBRATION, ROUNDING),
    Method("Reliability curve", "Wilson 1927", _BELIEFS + "calibration.reliability_curve",
           "bins hold their edges; by hand", _CALIBRATION, SAMPLED),
    Method("Calibration error over bins", "Naeini, Cooper, Hauskrecht 2015",
           _BELIEFS + "calibration.expected_calibration_error", "by hand", _CALIBRATION, ROUNDING),
    Method("Errors that respect games", "Liang, Zeger 1986", _BELIEFS + "calibration.clustered_mean",
           "copies within a game add nothing", _CALIBRATION, SAMPLED),
    Method("Werewolf: who is who", "Bayes 1763", _WOLF + "Observer",
           "counting over all histories of a small game; calibrated on larger ones", _WEREWOLF, EXACT),
    Method("Werewolf: who is who, and how they play", "Bayes 1763", _WOLF + "PlanObserver",
           "Bayes over the evidence of each plan", _WEREWOLF, EXACT),
    Method("Werewolf: the essay's beliefs", "the essay", _WOLF + "essay_beliefs",
           "shown to be no probabilities", _WEREWOLF, HEURISTIC),
    Method("Sanguosha: who sits where", "Bayes 1763", _SANGUOSHA + "beliefs.SeatingObserver",
           "product of the engine's own chances; calibrated", _SEATS, EXACT),
)

_REPLIES, _POLICIES = _files("replies", folder="sanguosha"), _files("policies", folder="sanguosha")
_WAITING = _files("replies", "waiting", folder="sanguosha")
_IN_SANGUOSHA = (
    Method("Choice of target by threat points", "the essay", _SANGUOSHA + "policies.ThreatPolicy",
           "points by hand; simulated games end as solved", _POLICIES, HEURISTIC),
    Method("Values of all states", "Bellman 1957; Howard 1960", _SANGUOSHA + "replies.values.Values",
           "plain value iteration; every state against the engine's targets", _WAITING, ROUNDING),
    Method("Best reply to the report's play", "Bellman 1957", _SANGUOSHA + "replies.best_reply",
           "bounds from above and below meet, by two solvers", _REPLIES, ROUNDING),
    Method("Rule that sees what its role sees", "Littman 1994", _SANGUOSHA + "replies.blind_reply",
           "equal sights, equal choices; full knowledge bounds it from above", _REPLIES, LOWER),
    Method("Replies to replies", "Cournot 1838", _SANGUOSHA + "replies.iterate_best_replies",
           "no role gains where it settled; cycles and stops are told", _REPLIES, ROUNDING),
    Method("Worth of an alliance", "von Neumann, Morgenstern 1944", _SANGUOSHA + "replies.alliance_worth",
           "best endings by hand; never below the report's play", _REPLIES, ROUNDING),
    Method("Shapley value of alliances", "Shapley 1953", _SANGUOSHA + "replies.alliances",
           "shares add up to the best total", _REPLIES, ROUNDING),
)

_COUNT_N, _CONTEST = _files("three_count_n"), _files("three_contest")
_IN_COUNT_N = (
    Method("What coalitions can force", "Zermelo 1913; Gale, Stewart 1953", _THREE + "solve",
           "by its definition on all coalitions; plain Python; Paranoid search", _COUNT_N, EXACT),
    Method("Alpha game of a state", "Aumann, Peleg 1960", _THREE + "forcing.Forcing.alpha_game",
           "every state counted; the dual game; known majority and dictator games", _COUNT_N, EXACT),
    Method("Kingmakers", "forced wins of the others", _THREE + "survey.kingmakers",
           "their definition on every position; one by hand", _COUNT_N, EXACT),
    Method("Random play of three", "Markov chain", _THREE + "random_play",
           "a linear system solved on its own; a bound on the error", _COUNT_N, ROUNDING),
    Method("Contest of searches, equal budgets", "Sturtevant 2003", _THREE + "contest.row",
           "the general tournament finds the same winners; differences paired by opening", _CONTEST, SAMPLED),
)

METHODS = (
    *_IN_SEARCH, *_IN_NORMAL_FORM, *_IN_COOPERATIVE, *_IN_CFR, *_IN_HOLDEM, *_IN_BELIEFS, *_IN_SANGUOSHA,
    *_IN_COUNT_N,
)
# fmt: on
