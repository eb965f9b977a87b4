"""Endgame tables and games that stop in them, against the readable rules, the solver and games played to the end."""

import random
from collections import namedtuple
from functools import cache

import numpy as np
import pytest
from scipy import stats

from gamebalance.base import announce
from gamebalance.sanguosha import (
    AS_CODED,
    AS_WRITTEN,
    RULES,
    Lineup,
    Rules,
    Seating,
    endgame,
    play,
    simulate,
    simulation,
    solve,
)
from gamebalance.sanguosha.endgame import CERTAIN, TURN
from gamebalance.sanguosha.kernels import layout
from gamebalance.sanguosha.rules import CARD_PAIRS, MAX_HEALTH, OPENING_DODGES
from gamebalance.sanguosha.table import Table
from gamebalance.sanguosha.turn import CODE_OF, LIVING_PLAYERS, MOST_TURNS, Player
from tests.refusals import refused

#: Five players whose games stop in few and small tables: with a loyalist the lord has few codes.
FIVE = Lineup(3, 1, 0)

#: Each circle in which four are alive under the report's line-ups has one of these shapes.
CIRCLES = ("0123", "0213", "0112", "0313")


@pytest.fixture(autouse=True)
def kept_here(monkeypatch, tmp_path_factory):
    """Tables of these tests alone, kept between them."""
    monkeypatch.setenv("GAMEBALANCE_CACHE", str(tmp_path_factory.getbasetemp() / "endgames"))


@cache
def built(circle, rules):
    """The table of a circle, computed once for all tests."""
    return endgame._build(Seating(circle), rules, None)


def living(table):
    """The circle of the living from the lord on, who is to move in it, and the state's row in its table."""
    seats = [seat for seat, player in enumerate(table.players) if player.alive]
    return Seating.of(table.roles[seat] for seat in seats), seats.index(table.seat), [table.players[s] for s in seats]


def row_of(found, turn, players):
    """The row of a state in a table."""
    row = turn
    for codes, player in zip(found.codes, reversed(players), strict=True):
        row = row * len(codes) + codes.tolist().index(CODE_OF[player])
    return row


def worth(table, endings, rules):
    """What follows from a table of players: the probability of each ending, and the mean number of turns."""
    result = np.zeros(len(endings) + 1)
    if table.winner:
        result[endings.index(table.alive)] = 1
        return result
    circle, turn, players = living(table)
    found = built(circle, rules)
    entries = found.table[row_of(found, turn, players)]
    for ending, share in zip(found.endings, entries, strict=False):
        result[endings.index(ending)] = share / CERTAIN
    result[-1] = entries[-1] / TURN
    return result


@pytest.mark.thorough
@pytest.mark.parametrize(("circle", "rules"), [*((circle, "as-coded") for circle in CIRCLES), ("0213", "as-written")])
def test_each_state_is_worth_what_its_turn_leads_to(circle, rules):
    """One turn, played by the readable rules with every pair of cards and against every target, from 25 states."""
    rules, roles, drawn = RULES[rules], Seating(circle).roles, random.Random(circle)
    found, deaths = built(Seating(circle), rules), 0
    for _ in range(25):
        players = [LIVING_PLAYERS[drawn.choice(codes)] for codes in reversed(found.codes)]
        weak = Player(1, 0, drawn.random() < 0.5)
        players = [
            weak if len(codes) == 28 and drawn.random() < 0.5 else player
            for codes, player in zip(reversed(found.codes), players, strict=True)
        ]
        table = Table(roles, tuple(players), drawn.randrange(len(roles)))
        expected, targets = np.zeros(len(found.endings) + 1), table.candidates(rules) or [None]
        for cards, chance in zip(CARD_PAIRS, rules.hand_probability, strict=True):
            for target in targets:
                after = table.after(target, cards, rules).table
                deaths += sum(player.alive for player in after.players) < len(roles)
                expected += float(chance) / len(targets) * worth(after, found.endings, rules)
        expected[-1] += 1
        difference = worth(table, found.endings, rules) - expected
        assert np.abs(difference[:-1]).max() < 1e-8 and abs(difference[-1]) < 1e-4
    assert deaths > 20


LONGER = [pytest.param(circle, marks=pytest.mark.thorough) for circle in CIRCLES]


@pytest.mark.parametrize("circle", ["02", "03", "012", "023", "033", *LONGER])
def test_from_the_opening_as_the_solver_has_it(circle):
    """Forward and backward through the chain; all rows add up to certainty."""
    found, solved = built(Seating(circle), AS_CODED), solve(circle)
    entries = found.table[row_of(found, 0, [Player(MAX_HEALTH, OPENING_DODGES)] * len(circle))]
    assert set(found.endings) == set(solved.probability)
    for ending, entry in zip(found.endings, entries, strict=False):
        assert abs(entry / CERTAIN - solved.probability[ending]) < found.error_bound < 2e-8
    assert abs(entries[-1] / TURN - solved.turns) < 1e-4
    assert (found.table[:, :-1].sum(axis=1, dtype=np.int64) == CERTAIN).all()


@pytest.mark.thorough
def test_games_stop_in_the_state_that_the_readable_game_comes_to():
    """100 games: their weights are the entries of the tables in the states that `play` comes to."""
    tables = {table.living: table for table in endgame.tables(endgame.circles(FIVE), AS_CODED)}
    sums, turns = {}, 0
    for number in range(100):
        game = play(FIVE, 5, number)
        stop, table = next(
            (count, move.table)
            for count, move in enumerate(game.moves, 1)
            if move.table.winner or sum(player.alive for player in move.table.players) == 4
        )
        turns += stop * TURN
        if table.winner:
            sums[table.alive] = sums.get(table.alive, 0) + CERTAIN
            continue
        circle, turn, players = living(table)
        *entries, left = tables[circle].table[row_of(tables[circle], turn, players)].tolist()
        turns += left
        for ending, entry in zip(tables[circle].endings, entries, strict=True):
            sums[ending] = sums.get(ending, 0) + entry
    found = simulate(FIVE, 100, 5, endgame=True)
    assert {ending: round(share * 100 * CERTAIN) for ending, share in found.probability.items()} == sums
    assert found.turns == turns / (100 * TURN)


@pytest.mark.thorough
def test_as_many_errors_from_the_exact_solution_as_chance_allows():
    """400 runs of one seating: the squared errors add up to a chi-square of 400 (errs with probability 1e-5)."""
    seating = Seating("01121")
    exact, lord, turns = solve(seating, tail=1e-9), [], []
    assert exact.error_bound < 1e-8  # far below the error of a mean of all runs
    for seed in range(400):
        found = simulate(FIVE, 500, seed, seating=seating, endgame=True)
        lord.append((found.survival[0] - exact.survival[0]) / found.survival_error[0])
        turns.append((found.turns - exact.turns) / found.turns_error)
    for errors in (lord, turns):
        assert 5e-6 < stats.chi2.cdf(np.square(errors).sum(), 400) < 1 - 5e-6
        assert abs(np.mean(errors)) < 4.5 / 20
    plain = simulate(FIVE, 500, 1, seating=seating)
    ended = simulate(FIVE, 500, 1, seating=seating, endgame=True)
    assert ended.survival_error[0] < 0.9 * plain.survival_error[0] and ended.turns_error < 0.9 * plain.turns_error


@pytest.mark.parametrize(("workers", "chunk"), [(1, 1000), (3, 777), (2, 10**6)])
def test_the_same_bits_however_the_work_is_divided(monkeypatch, workers, chunk):
    expected = simulate(FIVE, 5000, 8, endgame=True)
    monkeypatch.setattr(simulation, "CHUNK", chunk)
    found = simulate(FIVE, 5000, 8, workers=workers, endgame=True)
    assert found == expected and (found.moments == expected.moments).all()


def test_sums_of_a_chunk_fit_in_64_bits():
    share = CERTAIN >> layout.SHARE_SHIFT
    turns = (1 << 32) + MOST_TURNS * TURN
    assert simulation.CHUNK * max(CERTAIN, turns, share**2, (turns >> layout.TURN_SHIFT) ** 2) < 1 << 63


def test_the_lord_has_fewer_codes_only_where_nobody_attacks_him(monkeypatch):
    assert [len(codes) for codes in endgame.codes_of(Seating("0123").roles, AS_CODED)] == [28, 28, 28, 6]
    assert [len(codes) for codes in endgame.codes_of(Seating("0223").roles, AS_CODED)] == [28] * 4
    four_cards = Rules(opening="four cards")
    assert [len(codes) for codes in endgame.codes_of(Seating("012").roles, four_cards)] == [28, 28, 10]
    words = endgame.permission_words(AS_CODED).copy()
    words[endgame.SECOND] |= np.uint32(1 << (2 | 1 << 2))  # a rebel picks the lord, where there is nobody else in reach
    monkeypatch.setattr(endgame, "permission_words", lambda _: words)
    assert [len(codes) for codes in endgame.codes_of(Seating("0123").roles, AS_CODED)] == [28] * 4


# What is kept.


@pytest.fixture
def forgetful(monkeypatch, tmp_path):
    """A cache of its own, and no table in memory; returns its folder."""
    monkeypatch.setenv("GAMEBALANCE_CACHE", str(tmp_path))
    monkeypatch.setattr(endgame, "_known", {})
    return tmp_path / "tables"


SMALL = Lineup(1, 1, 0)


def test_tables_are_read_again_unless_they_are_damaged(forgetful, monkeypatch):
    told = []
    announce.listen(told.append)
    first = {table.living: table.table for table in endgame.tables(endgame.circles(SMALL), AS_CODED)}
    assert len(told) == 1 and "3 endgame tables" in told[0]
    files = sorted(forgetful.iterdir())
    assert [file.name.split("-")[0] for file in files] == ["012", "02", "021"]
    built = []
    build = endgame._build
    monkeypatch.setattr(endgame, "_build", lambda circle, *rest: built.append(circle) or build(circle, *rest))
    for damage in (None, lambda whole: whole[:-1], lambda whole: whole[:40] + b"?" + whole[41:], lambda whole: b""):
        monkeypatch.setattr(endgame, "_known", {})
        if damage:
            files[1].write_bytes(damage(files[1].read_bytes()))
        again = {table.living: table.table for table in endgame.tables(endgame.circles(SMALL), AS_CODED)}
        assert built == (["02"] if damage else []) and all((again[circle] == first[circle]).all() for circle in first)
        built.clear()
    announce.listen(None)


def test_other_rules_and_other_code_have_other_files(forgetful, monkeypatch):
    names = {endgame._file(Seating("012"), rules) for rules in (AS_CODED, AS_WRITTEN, Rules(deck=(3, 0, 9, 4, 2, 6)))}
    assert len(names) == 3
    monkeypatch.setattr("gamebalance.sanguosha.targets.candidates", lambda seat, *_: [1 if seat == 0 else 0])
    assert endgame._file(Seating("012"), AS_CODED) not in names
    monkeypatch.undo()
    monkeypatch.setattr(endgame.cache, "code", lambda *_: "changed")
    assert endgame._file(Seating("012"), AS_CODED).name not in {name.name for name in names}


def test_too_little_memory_is_said_before_anything_is_computed(forgetful, monkeypatch):
    monkeypatch.setattr(endgame.psutil, "virtual_memory", lambda: namedtuple("Memory", "available")(2**20))
    monkeypatch.setattr(endgame, "_build", None)
    with pytest.raises(MemoryError, match=r"endgame = True: 25 tables need 1\.\d GiB"):
        simulate("1-3-4-2", 10, 1, endgame=True)


def test_rules_that_the_fast_simulator_cannot_follow(monkeypatch):
    monkeypatch.setattr(simulation.fit, "misfit", lambda *_: simulation.fit.Misfit("a turn", ""))
    with refused("endgame = True", "turn.take_turn (a turn)"):
        simulate(FIVE, 10, 1, endgame=True)
