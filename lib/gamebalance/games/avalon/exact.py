"""How tables of Avalon end, exactly: small boards under any policy, and boards of any size played at random."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import permutations, product
from math import comb

from gamebalance.base.checks import number, whole_number
from gamebalance.games.avalon import rules
from gamebalance.games.avalon.playing import Policy, Public
from gamebalance.games.avalon.rules import FAILS, MERLIN, MISSED, REJECTIONS, SHOT, SUCCESSES, Board, View

#: The most players at a board, and the most positions, that `outcomes` goes through: half a minute.
MOST_PLAYERS, MOST_POSITIONS = 6, 200_000

Chances = dict[str, Fraction]


def outcomes(board: Board, special: Sequence[str], policy: Policy) -> Chances:
    """The chance of each ending of a small board, over all deals, teams, votes, cards and shots, as fractions.

    ValueError if there are more than six players, or too many positions; `special` as for `rules.cast`.

    >>> from gamebalance.games.avalon import AtRandom
    >>> pair = Board(3, 1, sizes=(1,), fails_needed=(1,), proposals=1)
    >>> {ending: str(chance) for ending, chance in outcomes(pair, (), AtRandom()).items() if chance}
    {'three successes': '1/3', 'three fails': '1/6', 'five rejections': '1/2'}
    """
    cast = rules.cast(board, special)
    whole_number("board.players", board.players, 3, MOST_PLAYERS)
    deals = Counter(permutations(cast))
    total: Chances = defaultdict(Fraction)
    left = [MOST_POSITIONS]
    for roles, times in deals.items():
        views = [rules.view(roles, seat, cast) for seat in range(board.players)]
        for ending, chance in _from(Public(board), views, roles, policy, left).items():
            total[ending] += chance * times
    return {ending: total[ending] / sum(deals.values()) for ending in rules.ENDINGS}


def _from(public: Public, views: list[View], roles: Sequence[str], policy: Policy, left: list[int]) -> Chances:
    """The chances of the endings from a table on, by the roles; `left` counts down the positions."""
    left[0] -= 1
    if left[0] < 0:
        raise ValueError(f"board: a smaller one is needed, with at most {MOST_POSITIONS:,} positions")
    if public.is_over:
        return _endings(public, views, roles, policy)
    total: Chances = defaultdict(Fraction)
    teams = policy.teams(views[public.leader], public)
    for team in teams:
        approves = [policy.approves(view, public, team) for view in views]
        for voters, chance in _subsets(approves, range(len(views))):
            voted = public.voted(team, voters)
            cards = _cards(voted, views, team, policy) if voted.team_goes else {}
            for later, shown in [(voted.played(fails), part) for fails, part in cards.items()] or [
                (voted, Fraction(1))
            ]:
                for ending, end in _from(later, views, roles, policy, left).items():
                    total[ending] += Fraction(1, len(teams)) * chance * shown * end
    return total


def _endings(public: Public, views: list[View], roles: Sequence[str], policy: Policy) -> Chances:
    """The chances of the endings of a table at which the missions are over."""
    if public.lost:
        return {public.lost: Fraction(1)}
    if MERLIN not in roles:
        return {SUCCESSES: Fraction(1)}
    shots = policy.shoots(views[rules.assassin(roles)], public)
    hit = Fraction(sum(roles[seat] == MERLIN for seat in shots), len(shots))
    return {SHOT: hit, MISSED: 1 - hit}


def _cards(public: Public, views: list[View], team: rules.Team, policy: Policy) -> dict[int, Fraction]:
    """How many fails a mission may show, and the chance of each number."""
    evil = [seat for seat in team if views[seat].is_evil]
    shown: dict[int, Fraction] = defaultdict(Fraction)
    for failing, chance in _subsets([policy.fails(views[seat], public, team) for seat in evil], evil):
        shown[len(failing)] += chance
    return shown


def _subsets(chances: Sequence[float], seats: Sequence[int]) -> Iterator[tuple[tuple[int, ...], Fraction]]:
    """Those of the seats that do what each does with its chance, independently: every possible set, and its chance."""
    exact = [Fraction(chance) for chance in chances]
    for does in product((True, False), repeat=len(exact)):
        chance = Fraction(1)
        for each, done in zip(exact, does, strict=True):
            chance *= each if done else 1 - each
        if chance:
            yield tuple(seat for seat, done in zip(seats, does, strict=True) if done), chance


def at_random(board: Board, special: Sequence[str] = (), approve: float = 0.5, fail: float = 1) -> Chances:
    """The chance of each ending if people know nothing and toss coins, without going through games.

    Leaders propose any team; everybody approves it with chance `approve`; evil members play fail with chance `fail`;
    the assassin shoots at anybody whom he or she does not know to be evil. Which team goes then depends on nothing, so
    a mission's chance to fail is that of a random team, and missions are independent. Of the `special` roles only
    Merlin and Oberon matter.

    >>> five = at_random(rules.BOARDS[5])
    >>> {ending: round(float(chance), 4) for ending, chance in five.items() if chance}
    {'three successes': 0.0321, 'three fails': 0.8572, 'five rejections': 0.1107}
    """
    approve, fail = (Fraction(number(name, value, 0, 1)) for name, value in (("approve", approve), ("fail", fail)))
    goes = _at_least(board.players, approve, board.majority)
    rejected = (1 - goes) ** board.proposals
    fails = [_mission_fails(board, mission, fail) for mission in range(len(board.sizes))]
    reached: dict[tuple[int, int], Fraction] = defaultdict(Fraction, {(0, 0): Fraction(1)})
    ends: Chances = defaultdict(Fraction)
    for mission, failing in enumerate(fails):
        for good, bad in [state for state in reached if sum(state) == mission and max(state) < board.to_win]:
            chance = reached.pop((good, bad))
            ends[REJECTIONS] += chance * rejected
            reached[good + 1, bad] += chance * (1 - rejected) * (1 - failing)
            reached[good, bad + 1] += chance * (1 - rejected) * failing
    for (good, bad), chance in reached.items():
        ends[SUCCESSES if good > bad else FAILS] += chance
    return _with_shot(ends, rules.cast(board, special))


def _with_shot(ends: dict[str, Fraction], cast: Sequence[str]) -> Chances:
    """The chances with a shot at random after the missions, if there is a Merlin."""
    if MERLIN in cast:
        known = sum(rules.is_evil(role) and role != rules.OBERON for role in cast)
        hit = Fraction(1, len(cast) - max(known, 1))  # Oberon knows himself alone
        won = ends.pop(SUCCESSES, Fraction(0))
        ends |= {SHOT: won * hit, MISSED: won * (1 - hit)}
    return {ending: Fraction(ends.get(ending, 0)) for ending in rules.ENDINGS}


def evil_in_team(board: Board, mission: int) -> dict[int, Fraction]:
    """How many evil members a random team of a mission (the first is 0) has, and the chance of each number.

    >>> {evil: str(chance) for evil, chance in evil_in_team(rules.BOARDS[5], 0).items()}
    {0: '3/10', 1: '3/5', 2: '1/10'}
    """
    size, good = board.sizes[mission], board.players - board.evil
    members = range(max(0, size - good), min(size, board.evil) + 1)
    teams = comb(board.players, size)
    return {evil: Fraction(comb(board.evil, evil) * comb(good, size - evil), teams) for evil in members}


def _mission_fails(board: Board, mission: int, fail: Fraction) -> Fraction:
    """The chance that a random team makes a mission fail."""
    needed = board.fails_needed[mission]
    chances = evil_in_team(board, mission).items()
    return sum((chance * _at_least(evil, fail, needed) for evil, chance in chances), Fraction(0))


def _at_least(trials: int, chance: Fraction, least: int) -> Fraction:
    """The chance of so many successes or more."""
    return sum(
        (comb(trials, hits) * chance**hits * (1 - chance) ** (trials - hits) for hits in range(least, trials + 1)),
        Fraction(0),
    )
