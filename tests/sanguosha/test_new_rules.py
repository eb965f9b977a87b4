"""README's *Extend it*, to the letter: fields added to `Rules` and used in `turn.py` or `targets.py`, nothing else.

The source is copied, changed as a reader would change it, and run by itself; solver, simulator and readable engine then
have to agree on each of the new rules.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import gamebalance
from gamebalance.sanguosha import AS_CODED, solve
from tests.sanguosha.reference import fit

#: The changed source compiles its kernels anew.
pytestmark = pytest.mark.thorough

SOURCE = Path(gamebalance.__file__).parent

#: Which of the new rules the fast simulator has a form for.
FITS = {"lord_spares_renegades": True, "peach_when_dying": False, "lord_strikes_the_weakest": False,
        "renegade_rests_when_wounded": False}  # fmt: skip

#: What a reader changes: file, line as it stands, line as it becomes.
CHANGES = [
    (
        "rules.py",
        "    deck: tuple[int, ...] = REPORT_DECK\n",
        "    deck: tuple[int, ...] = REPORT_DECK\n" + "".join(f"    {name}: bool = False\n" for name in FITS),
    ),
    (
        "turn.py",
        "    healed = min(cards.count(Card.PEACH), max(hearts - health, 0))\n",
        "    healed = min(cards.count(Card.PEACH), max(hearts - health, 0))\n"
        "    if rules.peach_when_dying and health > 1:\n"
        "        healed = 0\n",
    ),
    (
        "targets.py",
        "        case Role.LORD:\n",
        "        case Role.LORD if rules.lord_spares_renegades and not revealed:\n"
        "            return [other for other in reach if roles[other] != Role.RENEGADE]\n"
        "        case Role.LORD if rules.lord_strikes_the_weakest and not revealed:\n"
        "            least = min(health[other] for other in reach)\n"
        "            return [other for other in reach if health[other] == least]\n"
        "        case Role.RENEGADE if rules.renegade_rests_when_wounded and health[seat] < 3:\n"
        "            return []\n"
        "        case Role.LORD:\n",
    ),
]

SEATING, LINEUP, GAMES, REPLAYED = "013", "1-1-0-1", 100_000, 60

#: Run with the changed source: every rule by itself, and all the ways to play it.
SCRIPT = """
import json, sys, warnings
from collections import Counter
from gamebalance.sanguosha import Rules, play, simulate, solve
from gamebalance.sanguosha.kernels import fit

def simulated(rules, games, **options):
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        return simulate(LINEUP, games, 5, rules, **options), [str(warning.message) for warning in said]

def ends(outcomes):
    return [[list(alive), count] for alive, count in sorted(outcomes.counts.items())], outcomes.turns

found = {}
for name in NAMES:
    rules = Rules(**{name: True})
    exact = solve(SEATING, rules)
    outcomes, said = simulated(rules, GAMES, seating=SEATING, workers=2)
    games = [play(LINEUP, 5, number, rules) for number in range(REPLAYED)]
    replayed = sorted(Counter(game.table.alive for game in games).items())
    few = simulated(rules, REPLAYED)[0]
    ways = [ends(outcomes)]
    real, fit.misfit = fit.misfit, lambda *_: fit.Misfit("", "asked to")
    ways.append(ends(simulated(rules, GAMES, seating=SEATING)[0]))
    fit.misfit = real
    found[name] = {
        "exact": [[list(alive), share] for alive, share in exact.probability.items()],
        "ways": ways, "said": said,
        "one by one": ends(few)[0] == [[list(alive), count] for alive, count in replayed]
        and round(few.turns * REPLAYED) == sum(len(game.moves) for game in games),
    }
print(json.dumps(found))
"""


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    """What the changed source gives, by rule."""
    folder = tmp_path_factory.mktemp("changed")
    shutil.copytree(SOURCE, folder / "gamebalance", ignore=shutil.ignore_patterns("__pycache__", "assets"))
    for file, before, after in CHANGES:
        path = folder / "gamebalance" / "sanguosha" / file
        text = path.read_text(encoding="utf-8")
        assert text.count(before) == 1, file
        path.write_text(text.replace(before, after), encoding="utf-8")
    settings = {"NAMES": list(FITS), "SEATING": SEATING, "LINEUP": LINEUP, "GAMES": GAMES, "REPLAYED": REPLAYED}
    script = "".join(f"{name} = {value!r}\n" for name, value in settings.items()) + SCRIPT
    # What is compiled is kept where it always is, by all that it depends on: the kernels do not depend on the changes.
    environment = os.environ | {"PYTHONPATH": str(folder)}
    done = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True, cwd=folder)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def endings(pairs):
    return {tuple(alive): value for alive, value in pairs}


@pytest.mark.parametrize("name", FITS)
def test_every_way_to_play_follows_a_new_rule_as_the_solver_does(found, name):
    """Chi-square over 100 000 games (errs with probability 1e-5), which the old rules do not fit.

    The plain simulator plays every rule, and says so; the fast one plays those that fit its form.
    """
    here = found[name]
    ways, said = here["ways"], here["said"]
    assert fit(endings(ways[0][0]), endings(here["exact"])) > 1e-5
    assert fit(endings(ways[0][0]), solve(SEATING, AS_CODED).probability) < 1e-9
    assert here["one by one"] and ways[0] == ways[1]
    assert len(said) == (not FITS[name])
    culprit = "turn.take_turn (" if name == "peach_when_dying" else "targets.candidates ("
    assert all(culprit in message and "a hundredth of the speed" in message for message in said)
