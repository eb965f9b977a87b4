"""What targets tell about seatings."""

from fractions import Fraction as F

import pytest

from gamebalance import sanguosha
from gamebalance.multiplayer.beliefs import entropy
from gamebalance.sanguosha import AS_WRITTEN, Role
from gamebalance.sanguosha.beliefs import SeatingObserver, bold_rebels, play_by, report_choices
from tests.refusals import refuses

FOUR, FIVE = "1-1-1-1", "1-1-2-1"
OPEN = ([4] * 4, [False] * 4)


def watch(policy, lineup, number, believed=None):
    """The moves of a game, each with the observer after it."""
    observer = SeatingObserver(lineup, believed or policy)
    for move in play_by(policy, lineup, 9, number):
        observer = observer.see(move)
        yield move, observer


@pytest.mark.parametrize("lineup", [FOUR, FIVE])
@pytest.mark.parametrize("rules", [sanguosha.AS_CODED, AS_WRITTEN], ids=["coded", "written"])
def test_the_reports_policy_plays_the_reports_game(lineup, rules):
    for number in range(15):
        moves = tuple(play_by(report_choices(rules), lineup, 3, number, rules))
        assert moves == sanguosha.play(lineup, 3, number, rules).moves


@pytest.mark.parametrize("boldness", [F(0), F(1, 3), F(3, 4), F(1)])
def test_first_turn_by_hand(boldness):
    """Seat 1 reaches the lord and seat 2. Only a rebel, with prior 1/3, may pick the lord: H(p/3) - H(p)/3 bits."""
    observer = SeatingObserver(FOUR, bold_rebels(boldness))

    def both(share):
        return entropy([share, 1 - share])

    expected = both(boldness / 3) - both(boldness) / 3
    assert observer.turn_information(1, *OPEN) == pytest.approx(expected, abs=1e-12)
    assert observer.turn_information(2, *OPEN) == pytest.approx(0, abs=1e-12)
    if boldness:
        assert observer.target(1, 0, *OPEN).roles(1) == {Role.LOYALIST: 0, Role.REBEL: 1, Role.RENEGADE: 0}
    spared = observer.target(1, 2, *OPEN).roles(1)
    assert spared[Role.REBEL] == (1 - boldness) / (3 - boldness) and spared[Role.LOYALIST] == 1 / (3 - boldness)


def test_posterior_is_the_product_of_the_engines_own_chances():
    """Another path: each seating's table, the engine's candidates for it, one over their number, multiplied."""
    for number in range(8):
        chance = {seating: F(1) for seating in sanguosha.Lineup.parse(FOUR).seatings()}
        for move, observer in watch(report_choices(), FOUR, number):
            for seating in chance:
                roles = tuple(Role(int(digit)) for digit in seating)
                table = sanguosha.table.Table(roles, move.before.players, move.before.seat)
                choice = table.candidates()
                fits = move.target in choice if choice else move.target is None
                chance[seating] *= F(int(fits), max(len(choice), 1))
                for seat, player in enumerate(move.table.players):
                    if not player.alive and roles[seat] != move.table.roles[seat]:
                        chance[seating] = F(0)
            total = sum(chance.values())
            expected = tuple(value / total for value in chance.values())
            assert observer.posterior.probabilities == expected


def test_bold_rebels_differ_from_the_report_only_where_they_dare():
    plain, bold = report_choices(), bold_rebels(F(1, 4))
    roles = (Role.LORD, Role.REBEL, Role.LOYALIST, Role.RENEGADE)
    assert bold(1, roles, *OPEN) == {0: F(1, 4), 2: F(3, 4)} and plain(1, roles, *OPEN) == {2: 1}
    armed = [False, True, False, False]
    assert bold(1, roles, [4] * 4, armed) == {0: F(1, 4), 2: F(3, 8), 3: F(3, 8)}
    assert bold(1, roles, [4, 4, 0, 4], armed) == plain(1, roles, [4, 4, 0, 4], armed) == {0: 1}
    assert bold_rebels(0)(1, roles, *OPEN) == plain(1, roles, *OPEN) and bold_rebels(1)(1, roles, *OPEN) == {0: 1}


test_bad_input_is_refused = refuses(
    (lambda: bold_rebels(1.5), "boldness = 1.5"),
    (lambda: report_choices("written"), "rules = 'written'"),
    (lambda: SeatingObserver("1-1", report_choices()), "line-up '1-1'"),
    (lambda: SeatingObserver(FOUR, report_choices()).target(1, 0, *OPEN), "target 0 of seat 1 at health"),
    (lambda: SeatingObserver(FOUR, report_choices()).target(1, None, *OPEN), "passing of seat 1"),
    (lambda: SeatingObserver(FOUR, lambda *_: {0: 0.5}).target(1, 0, *OPEN), "choices at seat 1"),
    (lambda: SeatingObserver(FOUR, report_choices()).death(-1, Role.REBEL), "seat = -1"),
    (lambda: SeatingObserver(FOUR, report_choices()).death(0, Role.REBEL), "role Rebel of seat 0: has probability 0"),
    (lambda: SeatingObserver(FOUR, report_choices()).turn_information(1, [4], [False]), "health or weapons = "),
    (lambda: next(play_by(lambda *_: {1: 0.5}, FOUR, 0)), "choices at seat 0 = .*sum to 0.5"),
    (lambda: play_by(report_choices(), FOUR, -1), "seed = -1"),
)
