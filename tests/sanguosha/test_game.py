"""The readable engine: what must hold in every move of every game, and a transcript checked by hand."""

from dataclasses import replace
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from gamebalance.sanguosha import AS_CODED, AS_WRITTEN, Lineup, Role, play, transcript
from tests.sanguosha.reference import around, c_targets, over, seat_after

GOLDEN = Path(__file__).parent / "golden"
LEGAL = st.tuples(*[st.integers(0, 9)] * 3).filter(lambda n: sum(n) < 10 and n[1] + n[2]).map(lambda n: Lineup(*n))
READINGS = st.sampled_from([AS_CODED, AS_WRITTEN]).flatmap(
    lambda rules: st.sampled_from([rules, replace(rules, opening="four cards")])
)


@settings(max_examples=120)
@given(LEGAL, st.integers(0, 2**63 - 1), st.integers(0, 10**6), READINGS)
def test_every_move_of_every_game(lineup, seed, number, rules):
    game = play(lineup, seed, number, rules)
    table, role = game.opening, [int(role) for role in game.opening.roles]
    assert game.seating.lineup == lineup and table.seat == 0 and role[0] == Role.LORD
    assert all(player.health == 4 and not player.weapon for player in table.players)
    for move in game.moves:
        assert move.before == table and table.winner is None
        actor, health = table.seat, [player.health for player in table.players]
        assert health[actor] > 0
        if move.target is not None:
            assert move.target != actor and health[move.target] > 0
            assert move.target in around(actor, health, 3 if table.players[actor].weapon else 1)
        allowed = c_targets(actor, role, health, table.players[actor].weapon, rules.rebels_attack_renegades)
        assert move.target in (allowed or [None])
        table = move.table
        for seat, (before, after) in enumerate(zip(move.before.players, table.players, strict=True)):
            assert 0 <= after.dodges <= after.health <= 4
            assert after == before or seat in (actor, move.target)
            assert after.alive or after == (0, 0, False)
        assert sum(before.alive for before in move.before.players) - sum(after.alive for after in table.players) <= 1
        assert table.winner or table.seat == seat_after(actor, [player.health for player in table.players])
    assert table == game.table and over(table.alive) and table.winner in ("lord", "rebels", "renegade")


def test_transcript_is_the_one_checked_by_hand():
    """golden/seed-3.txt was read turn by turn against the rules; a change of wording must change it on purpose."""
    assert transcript(play("1-1-1-1", 3)) + "\n" == (GOLDEN / "seed-3.txt").read_text(encoding="utf-8")
