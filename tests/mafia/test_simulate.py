"""The simulator against games worked out by hand, the study's recursion, the exact solver, and its own readable twin.

Seeds are fixed, so each comparison either always holds or never does. Limits are 4 standard errors; for a right
program and a seed taken at random, one comparison would miss that with probability 6e-5.
"""

import re
from fractions import Fraction
from functools import cache
from itertools import islice

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chi2

from gamebalance._splitmix import mix_word
from gamebalance.mafia import PUBLISHED, Rules, Setup, _town, length_distribution, solve
from gamebalance.mafia.simulate import CHUNK, Sample, _coded, simulate
from gamebalance.mafia.story import _Story, _Words, transcript

GAMES = 200_000
ALWAYS, NEVER = Rules("always"), Rules("never")


def assert_agrees(sample, expected, limit=4):
    if expected in (0, 1):
        assert sample.wins == expected * sample.games
    assert abs(sample.win_probability - float(expected)) < limit * sample.win_error


BY_HAND = {
    # One night, one vote among three; else 1 against 1 and the night decides.
    "one vote": (Setup(1, 3), PUBLISHED, "evening", Fraction(1, 3)),
    # The detectives choose between the mafioso and the innocent; if wrong, the morning is 1 against 1.
    "one interrogation": (Setup(1, 1, 1), PUBLISHED, "evening", Fraction(1, 2)),
    "a dying detective acts": (Setup(1, 0, 1), PUBLISHED, "evening", 1),
    "half ends the game at once": (Setup(1, 0, 1), ALWAYS, "evening", 0),
    "half in the morning": (Setup(1, 1), PUBLISHED, "morning", 0),
    "half is played on": (Setup(1, 1), NEVER, "morning", Fraction(1, 2)),
    # The doctor guards one of the two living; then they vote.
    "a doctor": (Setup(1, 0, doctors=1), NEVER, "evening", Fraction(1, 4)),
    # Without votes, the doctor dies some night.
    "a doctor and no vote": (Setup(1, 0, doctors=1), Rules("never", "odd number"), "evening", 0),
    # Arrest 1/2; else all is lost unless the doctor guards the victim (1/3) and the vote spares the detective (2/3).
    "a doctor beside a detective": (Setup(1, 0, 1, 1), PUBLISHED, "evening", Fraction(11, 18)),
    # She is the victim, so only the mafioso can be poisoned.
    "a witch who acts": (Setup(1, 0, witches=1), Rules(potion=1), "evening", 1),
    "a witch who never acts": (Setup(1, 0, witches=1), Rules("never", potion=0), "evening", 0),
    # Poison 1/2; else she saves herself with 1/2, and two vote.
    "a witch who tosses coins": (Setup(1, 0, witches=1), NEVER, "evening", Fraction(5, 8)),
    # If the doctor is the victim and not guarded, 1/2 * 2/3, she saves him and poisons the mafioso, whom alone she may;
    # else she poisons one of the two, guarded or not, and half of the living is left to the mafia if it is the doctor.
    "a witch beside a doctor": (Setup(1, 0, doctors=1, witches=1), Rules(potion=1), "evening", Fraction(2, 3)),
    "a hunter": (Setup(1, 0, hunters=1), PUBLISHED, "evening", 1),
    # Mafioso out; innocent out and the hunter takes the mafioso along at night; hunter out, who takes one of two along.
    "a hunter by day": (Setup(1, 1, hunters=1), PUBLISHED, "morning", Fraction(5, 6)),
    "a hunter at half": (Setup(1, 1, hunters=1), ALWAYS, "morning", Fraction(1, 2)),
    "no mafioso": (Setup(0, 3), ALWAYS, "evening", 1),
    "nobody": (Setup(0, 0), PUBLISHED, "morning", 1),
    "only the mafia": (Setup(2, 0), NEVER, "evening", 0),
    # 1/6 on day 1; no vote on day 2; 1/3 on day 3.
    "odd days": (Setup(1, 5), Rules(votes="odd days"), "morning", Fraction(4, 9)),
    # No vote among 6; 1/5 among 5; 1/3 among 3.
    "odd numbers": (Setup(1, 5), Rules(votes="odd number"), "morning", Fraction(7, 15)),
    "days are counted from the first": (Setup(1, 6), Rules(votes="odd days"), "evening", Fraction(4, 9)),
}


@pytest.mark.parametrize("case", BY_HAND)
def test_tiny_towns_by_hand(case):
    setup, rules, phase, expected = BY_HAND[case]
    assert_agrees(simulate(setup, 100_000, 1, rules, phase), expected)


@cache
def study(mafiosi, innocents, detectives, phase="evening"):
    """The study's recursion: the chance that the innocents win."""
    if mafiosi == 0 or min(innocents, detectives) < 0:
        return float(mafiosi == 0)
    town, others = innocents + detectives, mafiosi + innocents
    if phase == "morning":
        if mafiosi >= town:
            return 0.0
        value = mafiosi * study(mafiosi - 1, innocents, detectives)
        value += innocents * study(mafiosi, innocents - 1, detectives)
        return (value + detectives * study(mafiosi, innocents, detectives - 1)) / (mafiosi + town)
    arrest = mafiosi / others if detectives else 0.0
    value = 0.0
    for share, killed in ((innocents / town, (1, 0)), (detectives / town, (0, 1))):
        left = innocents - killed[0], detectives - killed[1]
        if share:
            value += share * arrest * study(mafiosi - 1, *left, "morning")
            value += share * (1 - arrest) * study(mafiosi, *left, "morning")
    return value


@pytest.mark.parametrize("phase", ["evening", "morning"])
@pytest.mark.parametrize("counts", [(4, 16, 0), (3, 10, 1), (4, 4, 4), (2, 9, 2), (1, 2, 1)])
def test_the_studys_recursion(counts, phase):
    assert_agrees(simulate(Setup(*counts), GAMES, 2, phase=phase), study(*counts, phase))


@pytest.mark.parametrize(("players", "mafiosi", "detectives", "percent"), [(20, 3, 1, 53.1), (14, 3, 2, 58.6)])
def test_memory_helps(players, mafiosi, detectives, percent):
    """Two million games of another program gave these percentages; 0.15 covers its error, rounding and 2 of ours."""
    setup = Setup.of_players(players, mafiosi, detectives)
    sample = simulate(setup, 400_000, 3, Rules(memory=True))
    assert 100 * sample.win_probability == pytest.approx(percent, abs=0.15 + 200 * sample.win_error)
    assert sample.win_probability > study(mafiosi, players - mafiosi - detectives, detectives) + 0.04


SOLVED = [
    (Setup(2, 4, 1), PUBLISHED, "evening"),
    (Setup(2, 4, 1), ALWAYS, "evening"),
    (Setup(2, 3, 2), NEVER, "morning"),
    (Setup(2, 5, 1), Rules("never", "odd number", memory=True), "evening"),
    (Setup(1, 4, 2), Rules("always", "odd days", memory=True), "morning"),
    (Setup(2, 2, 1, doctors=1), Rules(memory=True), "evening"),
    (Setup(2, 3, doctors=2), Rules("never", "odd number"), "evening"),
    (Setup(2, 2, 1, doctors=1), Rules("always", "odd days"), "evening"),
    (Setup(2, 4, witches=1), PUBLISHED, "evening"),
    (Setup(2, 3, 1, witches=1), Rules("never", "odd number", True, Fraction(1, 3)), "morning"),
    (Setup(2, 2, 1, doctors=1, witches=1), Rules("always", potion=1), "evening"),
    (Setup(2, 2, hunters=2), PUBLISHED, "evening"),
    (Setup(3, 0, 1, hunters=3), Rules("never", "odd days"), "morning"),
    (Setup(2, 1, doctors=1, hunters=2), Rules("always", "odd number"), "morning"),
    (Setup(2, 1, 1, 1, 1, 1), PUBLISHED, "evening"),
    (Setup(2, 1, 1, 1, 1, 1), Rules("never", "odd days", True, Fraction(3, 4)), "evening"),
]


@pytest.mark.parametrize("case", SOLVED, ids=str)
def test_the_exact_solver(case):
    """Who wins, and after how many nights, with every rule and role.

    A right program fails one of the 16 cases with probability 0.3 %: 6e-5 each for the winner, 1e-4 for the length.
    """
    setup, rules, phase = case
    sample = simulate(setup, GAMES, 4, rules, phase)
    assert_agrees(sample, solve(setup, rules, phase))
    expected = GAMES * length_distribution(setup, rules, phase)
    observed = sample.lengths.reindex(expected.index, fill_value=0)
    assert observed.to_numpy().sum() == GAMES
    assert (observed[expected == 0].fillna(0) == 0).all(axis=None)
    assert chi_square(observed.to_numpy().ravel(), expected.to_numpy().ravel()) > 1e-4


def chi_square(observed, expected):
    """p-value; cells in which fewer than 10 games are expected are counted together."""
    rare = expected < 10
    cells = [np.append(games[~rare], games[rare].sum()) for games in (observed, expected)]
    kept = cells[1] > 0
    assert kept.sum() > 3
    statistic = ((cells[0] - cells[1])[kept] ** 2 / cells[1][kept]).sum()
    return chi2.sf(statistic, kept.sum() - 1)


TWINS = [
    (Setup.of_players(20), PUBLISHED, "evening"),
    (Setup.of_players(13, 3, 2), Rules("never", "odd number", memory=True), "morning"),
    (Setup.of_players(12, 3, 1, doctors=2), Rules("never", "odd number"), "evening"),
    (Setup.of_players(12, 4, 0, witches=1), Rules("always", "odd days", potion=Fraction(1, 3)), "morning"),
    (Setup.of_players(12, 4, 0, hunters=6), Rules("never"), "evening"),
    (Setup(3, 2, 2, 2, 1, 3), Rules("morning", "odd days", True, Fraction(3, 4)), "evening"),
    (Setup(3, 2, 2, 2, 1, 3), Rules("always", "every day", True, 1), "morning"),
]


@pytest.mark.parametrize("case", TWINS, ids=str)
def test_compiled_and_told_games_are_the_same(case):
    setup, rules, phase = case
    endings = _town.play_games(0, 200, *_coded(setup, 5, rules, phase))
    assert len(set(endings.tolist())) > 3
    for game, ending in enumerate(endings.tolist()):
        story = _Story(setup, 5, game, rules)
        lines = list(story.tell(phase))
        assert (story.nights, story.winner) == (ending // 2, ("innocents", "mafia")[ending % 2])
        assert transcript(setup, 5, game, rules, phase).splitlines()[1:] == lines


def test_known_answers_of_the_generator():
    """splitmix64 from the seed 1234567: the published values."""
    published = [6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431]
    stream, words = np.array([1234567], np.uint64), _Words(0, 0)
    words._state = 1234567
    assert [int(_town.draw(stream)) for _ in published] == [words.next() for _ in published] == published


@given(st.integers(0, 2**63 - 1), st.integers(0, 2**40), st.integers(1, 2**32 - 1))
def test_compiled_and_plain_choices_are_the_same(seed, game, number):
    """Also among so many that words are often drawn again."""
    words = _Words(seed, game)
    key = np.uint64(mix_word(np.uint64(seed)))
    stream = np.array([_town.start(key, game)], np.uint64)
    chosen = [words.below(number) for _ in range(20)]
    assert [_town.below(stream, number) for _ in chosen] == chosen


class Fixed(_Words):
    """Words whose upper halves are given."""

    def __init__(self, *halves):
        self._halves = list(halves)

    def next(self):
        return self._halves.pop(0) << 32


@pytest.mark.parametrize("number", [1, 2, 3, 7, 20, 1000])
def test_choices_are_uniform(number):
    """Each is made by one stretch of equally many words; 0, where it lies between two stretches, is drawn again."""
    size = 2**32 // number
    for choice in sorted({0, number // 3, number - 1}):
        after = ((choice + 1) * 2**32 - 1) // number + 1
        assert Fixed(after - size).below(number) == Fixed(after - 1).below(number) == choice
    if 2**32 % number:
        assert Fixed(0, 2**32 - 1).below(number) == number - 1
    else:
        assert Fixed(0, 2**32 - 1).below(number) == 0


@pytest.mark.parametrize("games", [1, CHUNK, 2 * CHUNK + 5])
def test_workers_do_not_matter(games):
    setup = Setup.of_players(9, 2, 1, doctors=1)
    reports = []
    one, three = simulate(setup, games, 6), simulate(setup, games, 6, workers=3, progress=reports.append)
    assert one == three
    assert one.games == sum(reports) == games
    assert max(reports) <= CHUNK
    assert simulate(setup, games, 7) != one or games == 1


def test_one_game_more_is_the_next_game():
    setup, rules = Setup.of_players(9, 2, 1, hunters=2), Rules("never")
    for games in range(1, 30):
        fewer, more = (simulate(setup, count, 8, rules, "morning").lengths for count in (games, games + 1))
        added = more.sub(fewer, fill_value=0).stack()
        story = _Story(setup, 8, games, rules)
        list(story.tell("morning"))
        assert added[added != 0].to_dict() == {(story.nights, story.winner): 1}


def test_lengths_of_a_game_by_hand():
    """1 mafioso, 3 innocents: won by the first vote, or lost in the second night."""
    sample = simulate(Setup(1, 3), GAMES, 9)
    lengths = sample.lengths
    assert lengths.index.name == "nights"
    assert lengths.columns.tolist() == ["innocents", "mafia"]
    assert lengths.to_numpy().tolist() == [[0, 0], [sample.wins, 0], [0, GAMES - sample.wins]]
    assert abs(sample.mean_nights - 5 / 3) < 4 * sample.mean_nights_error
    plain = (2 / 9 / GAMES) ** 0.5
    assert sample.mean_nights_error == pytest.approx(plain, rel=0.01)
    assert sample.win_error == pytest.approx(plain, rel=0.01)


def test_long_games_end():
    """A doctor who is killed with probability 1/2 each night and no vote: the length is geometric, with mean 2."""
    sample = simulate(Setup(1, 0, doctors=1), GAMES, 10, Rules("never", "odd number"))
    assert abs(sample.mean_nights - 2) < 4 * sample.mean_nights_error
    share = sample.lengths["mafia"] / GAMES
    for nights in range(1, 6):
        assert abs(share[nights] - 0.5**nights) < 4 * (0.5**nights / GAMES) ** 0.5


def test_errors_of_a_small_sample():
    sample = Sample(Setup(1, 3), PUBLISHED, "evening", ((0, 0), (3, 0), (0, 5)))
    assert (sample.games, sample.wins, sample.win_probability) == (8, 3, 3 / 8)
    assert sample.win_error == pytest.approx((0.4 * 0.6 / 8) ** 0.5)
    assert sample.mean_nights == 13 / 8
    nights = [1] * 3 + [2] * 5
    assert sample.mean_nights_error == pytest.approx(np.std(nights) / 8**0.5)


@pytest.mark.parametrize(("endings", "wins"), [(((0, 1000),), 0), (((1000, 0),), 1000)])
def test_errors_when_one_side_wins_always(endings, wins):
    sample = Sample(Setup(1, 3), PUBLISHED, "evening", endings)
    assert sample.wins == wins
    assert sample.win_error == pytest.approx(1e-3, rel=0.01)
    assert sample.mean_nights_error == 0


def test_a_thousand_players():
    for innocents in range(18, 968, 50):  # smaller towns first, or the recursion gets too deep
        study(31, innocents, 1)
    assert_agrees(simulate(Setup(31, 968, 1), 10_000, 11), study(31, 968, 1))


def test_a_told_game():
    """Hunters who take each other along, word for word."""
    told = transcript(Setup.of_players(6, 2, 0, hunters=3), 5, 6)
    assert told.splitlines() == [
        "Seed 5, game 6: 2 mafiosi, 1 innocent, 3 hunters.",
        "Night 1: the mafia picks player 4 (hunter).",
        "  Out: player 4 (hunter); player 2 (mafioso), taken along by player 4. Alive: 4, mafiosi: 1.",
        "Day 1: the town votes out player 3 (innocent). Alive: 3, mafiosi: 1.",
        "Night 2: the mafia picks player 5 (hunter).",
        "  Out: player 5 (hunter); player 6 (hunter), taken along by player 5; player 1 (mafioso), taken along by"
        " player 6. Alive: 0, mafiosi: 0.",
        "The innocents win after 2 nights: no mafioso is left.",
    ]


def test_told_games_keep_the_rules():
    """Nobody falls twice; the guarded victim lives unless poisoned; the cleared are not asked again; potions once."""
    setup, rules = Setup(3, 3, 2, 1, 1, 3), Rules("never", memory=True)
    seen = set()
    for game in range(300):
        lines = transcript(setup, 12, game, rules).splitlines()
        out = re.findall(r"(?:Out: |; |votes out )player (\d+)", "\n".join(line for line in lines if "Alive" in line))
        assert len(out) == len(set(out))
        asked = re.findall(r"interrogate player (\d+)", "\n".join(lines))
        assert len(asked) == len(set(asked))
        for deed in ("saves", "poisons"):
            done = sum(f"the witch {deed}" in line for line in lines)
            assert done <= 1
            seen.add((deed, done))
        for night, dawn in zip(lines, islice(lines, 1, None), strict=False):
            victim = re.search(r"the mafia picks (player \d+ )", night)
            if victim and f"guard {victim[1]}" in night and f"poisons {victim[1]}" not in night:
                assert f"Out: {victim[1]}" not in dawn
                assert "the witch saves" not in night
                seen.add("guarded")
    assert seen == {("saves", 0), ("saves", 1), ("poisons", 0), ("poisons", 1), "guarded"}


BAD = {
    "setup": [((1, 3), "a Setup"), (Setup(1, 100_000), "players = 100001: a whole number from 0 to")],
    "games": [(0, "games = 0: a whole number from 1 to 10000000000"), (1.5, "games = 1.5")],
    "seed": [(-1, "seed = -1: a whole number from 0 to 2"), (2**63, "seed = 9223372036854775808")],
    "rules": [("morning", "rules = 'morning': a Rules object")],
    "phase": [("night", "phase = 'night': one of 'evening', 'morning'")],
    "workers": [(0, "workers = 0: a whole number from 1 to 1024 is needed"), (True, "workers = True")],
    "game": [(-1, "game = -1: a whole number from 0"), (2**63, "game = 9223372036854775808")],
}


@pytest.mark.parametrize(("name", "value", "message"), [(name, *bad) for name in BAD for bad in BAD[name]])
def test_bad_input(name, value, message):
    arguments = {"setup": Setup(1, 3), "seed": 1, name: value}
    if name != "game":
        with pytest.raises(ValueError, match=re.escape(message)) as refusal:
            simulate(**{"games": 1, **arguments})
        assert "\n" not in str(refusal.value)
    if name not in ("games", "workers"):
        with pytest.raises(ValueError, match=re.escape(message)):
            transcript(**arguments)


def test_the_largest_seed_is_played():
    assert simulate(Setup(1, 3), 10, 2**63 - 1) != simulate(Setup(1, 3), 10, 2**63 - 2)
