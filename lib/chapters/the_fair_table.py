"""A table of Mafia with controls: who sits there, how well the town votes, and how fair that is."""

from dataclasses import replace
from fractions import Fraction

import pandas as pd

from chapters.mafia_as_it_is_played import USUAL
from gamebalance.base.controls import Answer, Choice, Slider
from gamebalance.mafia.design import cheapest_repair
from gamebalance.mafia.rules import HALF_RULES, PHASES
from gamebalance.mafia.setups import ROLES, Setup, bounds_of
from gamebalance.mafia.win import chances_of
from gamebalance.publish.style import COLOURS, INK, new_figure

#: Roles that may be dealt out, one of each.
SHELF = {"sheriffs": 1, "detectives": 1, "doctors": 1, "hunters": 1}
#: Innocents more or fewer that are looked at, and how far from one half a chance is even.
FARTHEST, WITHIN = 4, 0.02
VOTES = "how many times as likely as anybody else a mafioso is to be voted out"
HALF = "when half of the living is enough for the mafia"
WHO, HOW = {"group": "Who plays"}, {"group": "How they play"}
CONTROLS = {
    "players": Slider("Players", 5, 20, 10, **WHO),
    "mafiosi": Slider("Mafiosi", 1, 6, 3, **WHO),
    **{name: Slider(ROLES[name].capitalize(), 0, 1, int(name == "sheriffs"), **WHO) for name in SHELF},
    "odds": Slider("Odds of a vote", 1, 3, 1, 0.1, hint=VOTES, **HOW),
    "half_rule": Choice("Half is enough", tuple(HALF_RULES), USUAL.half_rule, hint=HALF, **HOW),
    "phase": Choice("First comes", tuple(PHASES), "evening", ("the night", "the vote"), **HOW),
}


def answer(players, mafiosi, odds, half_rule, phase, **roles):
    """The town's chance at a table, with innocents more and fewer, and the smallest repair."""
    setup = Setup.of_players(players, mafiosi, **roles)
    rules = replace(USUAL, half_rule=half_rule, odds=Fraction(str(odds)))
    numbers = neighbours(setup, rules, phase)
    chance = numbers.set_index("more")["chance"]
    words = {-1: "fewer", 1: "more"}
    beside = [f"{chance[step]:.1%} with one innocent {word}" for step, word in words.items() if step in chance]
    sentence = f"The town wins {chance[0]:.1%} of the games; {' and '.join(beside)}. {repaired(setup, rules, phase)}"
    choices = {"half_rule": half_rule, "tells": rules.tells, "odds": float(rules.odds), "phase": phase}
    code = ", ".join(f"{name}={value!r}" for name, value in choices.items())
    code = f'mafia.what_if("{setup.written}", {code}).tally("side").means  # mafia, town'
    return Answer(draw_neighbours(numbers), numbers, sentence, code)


def neighbours(setup, rules, phase):
    """The town's chance with up to `FARTHEST` innocents fewer or more."""
    more = [step for step in range(-FARTHEST, FARTHEST + 1) if setup.innocents + step >= 0]
    setups = [replace(setup, innocents=setup.innocents + step) for step in more]
    chances = chances_of(setups, bounds_of(setups), rules, phase)
    return pd.DataFrame({"players": [each.players for each in setups], "more": more, "chance": chances})


def repaired(setup, rules, phase):
    """The smallest change that makes the table even, in a sentence."""
    repairs = cheapest_repair(setup, rules, phase, shelf=SHELF, within=WITHIN, steps=1).found
    if not repairs:
        return f"No single step brings that within {100 * WITHIN:g} points of one half."
    if not repairs[0].steps:
        return f"That is within {100 * WITHIN:g} points of one half."
    return f"The smallest change is that {repairs[0].steps[0]}: then it wins {repairs[0].chance:.1%}."


def draw_neighbours(numbers):
    """The chance of the town by the number of players, the table itself marked."""
    figure, axes = new_figure(height=3.2)
    axes.axhline(50, color=INK, linewidth=0.8)
    axes.plot(numbers["players"], 100 * numbers["chance"], "o-", color=COLOURS[0], markersize=5)
    own = numbers[numbers["more"] == 0]
    axes.plot(own["players"], 100 * own["chance"], "D", color=COLOURS[1], markersize=9)
    axes.set(xlabel="players, with innocents more or fewer", ylabel="the town wins, %", ylim=(-3, 100))
    axes.set_xticks(numbers["players"])
    return figure
