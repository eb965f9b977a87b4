"""What a verdict may promise: no games more after a few, and an interval that goes with it, or a word about that."""

import numpy as np
import pandas as pd
import pytest

from gamebalance.fairness import Games, Monitor, games_needed, judge, power_within, read_games, with_persons
from gamebalance.fairness.looks import FEWEST

COUNT = Games.from_counts
LATER = "Once each role has played 30 games, it can be said how many more would tell; then judge all of them with "
PROMISE = "more games would probably (4 in 5) tell, if the shares stay as they are; then judge all of them with "


def pair(one: int, other: int, draws: int = 0) -> Games:
    games = one + other + draws
    return COUNT({"wolves": (one, games), "village": (other, games)}, draws)


def test_after_a_few_games_no_number_of_games_is_promised():
    """Six games and 83%, ten and 80%: the shares will not stay, and 22 games more would hardly ever tell."""
    assert FEWEST == 30
    for one, other in ((5, 1), (8, 2), (19, 10)):
        found = judge(pair(one, other))
        assert found.verdict == "undecided" and found.games_needed is None
        assert found.sentence.endswith(f"of 100 cases. {LATER}looked_after={one + other}.")
    enough = judge(pair(20, 10))
    assert enough.games_needed == 110 and f"About 110 {PROMISE}looked_after=30." in enough.sentence


def test_a_few_games_of_one_label_or_among_many_draws_are_a_few_games():
    apart = judge(COUNT({"merchant": (40, 90), "thief": (2, 3)}))
    assert apart.games_needed is None and LATER in apart.sentence
    drawn = judge(pair(12, 8, 80))
    assert drawn.games_needed is None and "each role has played 30 decided games, it can be said" in drawn.sentence
    assert judge(pair(18, 12, 80)).games_needed > 0


def test_unfair_beside_an_interval_that_holds_even_is_explained():
    """At 60 looks, too: of two sides that share all wins the interval and the verdict are one; else it is said."""
    two = {"shared": None, "drawn": "allows for chance in draws, too", "apart": "this interval alone does not show it"}
    random, told = np.random.default_rng(1), set()
    for _ in range(600):
        groups, kind = int(random.integers(2, 5)), str(random.choice([*two]))
        draws, played = 300 * (kind == "drawn"), np.full(groups, 400 + 300 * (kind == "drawn"))
        wins = random.multinomial(400, random.dirichlet(np.full(groups, 60)))
        if kind == "apart":
            played = random.integers(30, 250, groups)
            wins = random.binomial(played, random.uniform(0.3, 0.7, groups))
        counts = {f"s{k}": (int(won), int(played[k])) for k, won in enumerate(wins)}
        found = judge(COUNT(counts, draws), looks=int(random.choice([1, 60])), margin=0.001)
        inside = ((found.low <= found.even) & (found.even <= found.high)).all()
        if found.verdict == "unfair":
            own = two[kind] if groups == 2 else "no single role is shown to differ"
            said = [
                words
                for words in (*filter(None, two.values()), "no single role is shown to differ")
                if words in found.sentence
            ]
            assert said == ([own] if inside else []), found.sentence
            told.add((groups, kind, bool(inside)))
    expected = {(2, "shared", False), (2, "drawn", True), (2, "apart", True), (3, "shared", True), (4, "drawn", True)}
    assert (2, "shared", True) not in told and expected < told


def test_a_monitor_says_where_its_interval_alone_shows_nothing():
    random, told = np.random.default_rng(1), set()
    for _ in range(60):
        monitor = Monitor(3)
        monitor.extend((random.choice(3, 300, p=random.dirichlet(np.full(3, 30))) + 1).tolist())
        if monitor.verdict == "unfair":
            far = max(monitor.shares, key=lambda label: abs(monitor.shares[label] - 1 / 3))
            inside = monitor.low[far] <= 1 / 3 <= monitor.high[far]
            assert inside == monitor.sentence.endswith("; this interval alone does not show it.")
            told.add(inside)
    assert told == {True, False}


def test_a_margin_that_no_chance_is_beyond_is_refused():
    refused = "margin = 0.6: below 0.5 is needed, or every chance is within it"
    rows = [{"game": game, "side": side, "player": f"p{(game + k) % 5}", "won": int((game % 3 == 0) == k)}
            for game in range(12) for k, side in enumerate(("north", "south"))]  # fmt: skip
    games = read_games(pd.DataFrame(rows))
    for ask in (
        lambda: judge(pair(30, 25), margin=0.6),
        lambda: judge(games, "side", margin=0.6),
        lambda: with_persons(games, "side").judge(margin=0.6),
        lambda: Monitor(2, margin=0.6),
        lambda: games_needed([0.5, 0.5], margin=0.6),
        lambda: power_within([0.5, 0.5], 100, margin=0.6),
    ):
        with pytest.raises(ValueError, match=refused):
            ask()
    assert judge(COUNT({seat: (25, 100) for seat in range(4)}), margin=0.6).verdict == "fair"  # 85% would be beyond it
