"""Five and six players exactly: against a plain chain, against games, and against a solver that saves nothing."""

from collections import namedtuple
from dataclasses import replace

import pytest

from gamebalance.sanguosha import AS_CODED, AS_WRITTEN, Seating, exact, solve
from gamebalance.sanguosha.chain import Chain
from gamebalance.sanguosha.turn import CODE_OF, Player
from tests.sanguosha.reference import CPC
from tests.sanguosha.reference import Chain as PlainChain

#: Nothing that gives anybody anything: few enough states for a plain chain of many players.
LOSSES = (0, 0, 0, 0, 1, 2)


def _rules(written, deck):
    return replace(AS_WRITTEN if written else AS_CODED, deck=deck)


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("seating", "written", "deck"),
    [
        ("01223", False, LOSSES),
        ("03212", True, LOSSES),
        ("02323", False, LOSSES),
        ("012231", False, LOSSES),
        ("0123", False, (0, 0, 1, 0, 0, 4)),
        ("0231", False, (1, 0, 0, 0, 0, 3)),
        ("0312", True, (0, 0, 0, 2, 0, 3)),
    ],
)
def test_a_small_deck_by_pushing_the_distribution(seating, written, deck):
    """Four to six players; nothing is shared with the solver."""
    plain = PlainChain(seating, written, deck)
    assert len(plain.states) > 1000
    endings, turns = plain.solve()
    found = solve(seating, _rules(written, deck))
    assert found.probability == pytest.approx(dict(endings), abs=1e-12)
    assert found.turns == pytest.approx(turns, abs=1e-9)
    assert found.error_bound < 1e-12


@pytest.mark.parametrize(
    ("seating", "written", "deck"), [("012", False, CPC), ("031", True, CPC), ("0123", False, (0, 0, 1, 0, 1, 3))]
)
def test_codes_that_occur_are_those_that_play_reaches(seating, written, deck):
    """By player, in every set of the living in which the game goes on."""
    chain, plain = Chain(Seating(seating).roles, _rules(written, deck)), PlainChain(seating, written, deck)
    reached = {seats: {seat: set() for seat in seats} for seats in chain.open_sets()}
    for place, (_, *planes) in enumerate(plain.states):
        if plain.transient[place]:
            players = [Player(*player) for player in zip(*planes, strict=True)]
            seats = tuple(seat for seat, player in enumerate(players) if player.alive)
            for seat in seats:
                reached[seats][seat].add(CODE_OF[players[seat]])
    assert len(reached) > 1
    for seats, by_seat in reached.items():
        assert [set(codes.tolist()) for codes in chain.codes(seats)] == [by_seat[seat] for seat in reversed(seats)]


def test_threads_change_no_bit(monkeypatch):
    alone = solve("0213")
    monkeypatch.setattr("gamebalance.sanguosha.chain.LARGE", 8)
    done = []
    assert solve("0213", workers=3, progress=done.append) == alone
    assert sum(done) == pytest.approx(1) and min(done) >= 0


def test_a_machine_that_is_too_small_is_told_how_much_is_needed(monkeypatch):
    monkeypatch.setattr(exact.psutil, "virtual_memory", lambda: namedtuple("Memory", "available")(2**31))
    monkeypatch.setattr(exact, "_solve_set", None)
    needed = exact.memory_needed("012223") / 2**30
    assert 5 < needed < 16
    with pytest.raises(
        MemoryError, match=rf"^seating = '012223' needs {needed:.1f} GiB of memory, and 2.0 GiB are free$"
    ):
        solve("012223")
