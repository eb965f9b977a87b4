"""Made-up games of Avalon in the form of the public records, and made-up tables whose people follow likelihoods."""

from collections.abc import Sequence

import numpy as np

from chapters.real.avalon_posterior import Likelihoods, PublicMission, PublicRecord

NAME = "2020-01-02T03:04:05.678Z_ABC"
SIZES = {5: (2, 3, 2, 3, 3), 7: (2, 3, 3, 4, 4)}
FIVE = ("MERLIN", "PERCIVAL", "LOYAL FOLLOWER", "MORGANA", "EVIL MINION")
#: Teams with who approved them, the last one that goes, and who played a fail: good passes missions 1, 3 and 4.
PASSED = (
    ([("ab", "abc")], ""),
    ([("bcd", "bd"), ("cde", "cde")], "d"),
    ([("ac", "abcd")], ""),
    ([("abc", "abcde")], ""),
)
FAILED = (([("de", "abcde")], "de"), ([("abd", "abd")], "d"), ([("ae", "ace")], "e"))
REJECTED = (([("ab", "abcde")], ""), ([("abc", "ab")] * 5, None))
END = {
    (True, False): "Merlin assassinated",
    (False, False): "Three successful missions",
    (False, True): "Three missions succeeded",
}


def avalon_game(
    missions: Sequence = PASSED, roles: Sequence[str] = FIVE, shot: str | None = "b", persons: str = "", end: str = ""
) -> dict:
    """A record: players a, b, c, … propose in turn from a on, and the last of them is the assassin."""
    people = "abcdefghij"[: len(roles)]
    proposers = iter(people * 9)
    entries, cards, failed = [], [], 0
    for at, size in enumerate(SIZES[len(people)]):
        proposals, fails = missions[at] if at < len(missions) else ([], None)
        required = 2 if at == 3 and len(people) >= 7 else 1
        entry = {
            "teamSize": size,
            "failsRequired": required,
            "team": [],
            "proposals": [
                {
                    "proposer": next(proposers),
                    "team": [*team],
                    "votes": [*votes],
                    "state": "APPROVED" if 2 * len(votes) > len(people) else "REJECTED",
                }
                for team, votes in proposals
            ],
            "state": "PENDING",
        }
        if fails is not None:
            lost = len(fails) >= required
            failed += lost
            team = proposals[-1][0]
            entry |= {"team": [*team][::-1], "numFails": len(fails), "state": "FAIL" if lost else "SUCCESS"}
            cards.append({who: who not in fails for who in team})
        entries.append(entry)
    rejected = missions[-1][1] is None
    good = not rejected and failed < 3
    hit = shot is not None and roles[people.index(shot)] == "MERLIN"
    lost_how = "Five team proposals in a row rejected" if rejected else "Three failed missions"
    told = END[hit, shot is None] if good else lost_how
    found = zip(people, roles, strict=True)
    return {
        "players": [{"name": who, "uid": uid} for who, uid in zip(people, persons or people, strict=True)],
        "missions": entries,
        "outcome": {
            "message": end or told,
            "state": "GOOD_WIN" if good and not hit else "EVIL_WIN",
            "votes": cards,
            "roles": [{"name": who, "role": role, "assassin": who == people[-1]} for who, role in found][::-1],
            "assassinated": shot if good else None,
        },
    }


def likelihoods(evil: int, seed: int) -> Likelihoods:
    """Some likelihoods, far from even, of a table with so many evil seats."""
    rng = np.random.default_rng(seed)
    fails = np.zeros((evil + 1, 3, 3, evil + 1))
    for members in range(evil + 1):
        fails[members, ..., : members + 1] = rng.dirichlet(np.ones(members + 1), (3, 3))
    return Likelihoods(rng.uniform(0.1, 0.9, (3, 5, 3, 2)), fails)


def simulated(
    rng: np.random.Generator, players: int, evil: int, has_merlin: bool, by: Likelihoods
) -> tuple[PublicRecord, list[int], int | None]:
    """A table with roles dealt at random, who vote and fail as `by` says; its teams are drawn, not chosen."""
    order = rng.permutation(players).tolist()
    seats, merlin = sorted(order[:evil]), order[-1] if has_merlin else None
    kinds = np.array([0 if seat in seats else 2 if seat == merlin else 1 for seat in range(players)])
    missions, score = [], [0, 0]
    while 3 not in score:
        proposals = []
        for attempt in range(5):
            team = sorted(rng.permutation(players)[: SIZES.get(players, SIZES[7])[len(missions)]].tolist())
            members, goes = len({*team} & {*seats}), np.isin(np.arange(players), team).astype(int)
            said = rng.random(players) < by.approve[kinds, len(missions), min(members, 2), goes]
            proposals.append((tuple(team), tuple(np.flatnonzero(said).tolist())))
            if 2 * said.sum() > players or attempt == 4:
                break
        fails = int(rng.choice(evil + 1, p=by.fails[(members, *score)]))
        missions.append(PublicMission(tuple(proposals), fails))
        score[fails > 0] += 1
    return PublicRecord(players, evil, has_merlin, tuple(missions)), seats, merlin
