"""A table of Mafia with controls: who sits there, how well the town votes, and how fair that is."""

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from chapters.mafia.played import USUAL
from gamebalance.base.controls import Answer, Choice, Controls, Slider, checked
from gamebalance.mafia.design import cheapest_repair
from gamebalance.mafia.rules import HALF_RULES, PHASES, Rules
from gamebalance.mafia.setups import ROLES, Setup, bounds_of
from gamebalance.mafia.win import chances_of

if TYPE_CHECKING:
    import pandas

#: Roles that may be dealt out, one of each.
SHELF = {"sheriffs": 1, "detectives": 1, "doctors": 1, "hunters": 1}

#: Innocents more or fewer that are looked at beside a table.
FARTHEST = 4

#: A chance so far from one half, or less, is even.
WITHIN = 0.02


def controls() -> Controls:
    """Who plays, and the rules that matter most; by default ten players, three mafiosi and a sheriff."""
    found: dict[str, Slider | Choice] = {
        "players": Slider("Players", 5, 20, 10, group="Who plays"),
        "mafiosi": Slider("Mafiosi", 1, 6, 3, group="Who plays"),
    }
    for name in SHELF:
        found[name] = Slider(ROLES[name].capitalize(), 0, 1, int(name == "sheriffs"), group="Who plays")
    votes = "how many times as likely as anybody else a mafioso is to be voted out"
    found["odds"] = Slider("Odds of a vote", 1, 3, 1, 0.1, group="How they play", hint=votes)
    half = "when half of the living is enough for the mafia"
    found["half_rule"] = Choice("Half is enough", tuple(HALF_RULES), USUAL.half_rule, group="How they play", hint=half)
    first = ("the night", "the vote")
    found["phase"] = Choice("First comes", tuple(PHASES), "evening", first, group="How they play")
    return found


def answer(**values: Any) -> Answer:
    """The town's chance at a table, with innocents more and fewer, and the smallest repair.

    Parameters
    ----------
    **values
        By the names of `controls`; the default where one is not given.

    Raises
    ------
    ValueError
        For a name or a value that the controls do not have, or more people with a role than players.
    """
    from chapters.mafia.drawing import draw_neighbours

    values = checked(controls(), values)
    setup = Setup.of_players(values["players"], values["mafiosi"], **{name: values[name] for name in SHELF})
    rules = replace(USUAL, half_rule=values["half_rule"], odds=Fraction(str(values["odds"])))
    numbers = neighbours(setup, rules, values["phase"])
    said = f"{_sentence(numbers)} {_repaired(setup, rules, values['phase'])}"
    return Answer(draw_neighbours(numbers), numbers, said, _code(setup, rules, values["phase"]))


def neighbours(setup: Setup, rules: Rules, phase: str) -> "pandas.DataFrame":
    """The town's chance with up to `FARTHEST` innocents fewer or more: `players`, `more`, `chance`."""
    import pandas

    more = [step for step in range(-FARTHEST, FARTHEST + 1) if setup.innocents + step >= 0]
    every = [replace(setup, innocents=setup.innocents + step) for step in more]
    players = [each.players for each in every]
    return pandas.DataFrame(
        {"players": players, "more": more, "chance": chances_of(every, bounds_of(every), rules, phase)}
    )


def _sentence(numbers: "pandas.DataFrame") -> str:
    chance = numbers.set_index("more")["chance"]
    beside = [
        f"{chance[step]:.1%} with one innocent {word}" for step, word in ((-1, "fewer"), (1, "more")) if step in chance
    ]
    return f"The town wins {chance[0]:.1%} of the games; {' and '.join(beside)}."


def _repaired(setup: Setup, rules: Rules, phase: str) -> str:
    found = cheapest_repair(setup, rules, phase, shelf=SHELF, within=WITHIN, steps=1).found
    if not found:
        return f"No single step brings that within {100 * WITHIN:g} points of one half."
    if not found[0].steps:
        return f"That is within {100 * WITHIN:g} points of one half."
    return f"The smallest change is that {found[0].steps[0]}: then it wins {found[0].chance:.1%}."


def _code(setup: Setup, rules: Rules, phase: str) -> str:
    choices = {"half_rule": rules.half_rule, "tells": rules.tells, "odds": float(rules.odds), "phase": phase}
    words = ", ".join(f"{name}={value!r}" for name, value in choices.items())
    return f'mafia.what_if("{setup.written}", {words}).tally("side").means  # mafia, town'
