"""What a type checker sees of the public names, used in earnest. Not run: test_house.py has mypy read it."""

import numpy as np

import gamebalance
from gamebalance import countn, fairness, mafia, multiplayer, publish, sanguosha
from gamebalance.games import Kuhn, Nim

version: str = gamebalance.__version__

# Fairness: results that were counted, planned and judged.
games = fairness.read_games("games.csv")
verdict = fairness.judge(games, by="side")
needed: int = fairness.games_needed([0.315, 0.242, 0.241, 0.202])
power = fairness.power(np.array([0.6, 0.4]), 100)
report = fairness.report(Kuhn(), games=1000)
evenness = gamebalance.balance([0.5, 0.25, 0.25])

# One game each.
outcomes: sanguosha.Outcomes = sanguosha.solve("0123")
simulated: sanguosha.Outcomes = sanguosha.simulate(sanguosha.LINEUPS[4], games=1000, seed=1)
setup = mafia.Setup(2, 5, detectives=1)
chance = mafia.win_probability(2, 5, detectives=1, exact=True)
solved: countn.Solution = countn.solve(5)

# Methods that know no game.
best = multiplayer.search.maxn(Nim([3, 4, 5]), Nim([3, 4, 5]).start(), depth=3)
printed = publish.published("sanguosha_table_2_survival")
rows: int = len(printed)
