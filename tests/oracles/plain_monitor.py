"""When a monitor stops, in fractions: every number from the counts of wins alone, and no step from game to game."""

from collections import Counter
from fractions import Fraction
from math import prod

from gamebalance.base.splitmix import GOLDEN, mix


def distributions(groups: int) -> list[tuple[Fraction, Fraction]]:
    """Weight and parameter of both distributions over chances: 80 / K^(3/4) as the double next to it, and 5."""
    return [(Fraction(9, 10), Fraction(80.0 / groups**0.75)), (Fraction(1, 10), Fraction(5))]


def rising(first: Fraction, factors: int) -> Fraction:
    """first (first + 1) (first + 2) ..., so many factors."""
    return prod((first + step for step in range(factors)), start=Fraction(1))


def mixture(wins) -> Fraction:
    """How much likelier one order of these wins is on the average over all chances than under equal ones."""
    groups, games = len(wins), sum(wins)
    found = Fraction(0)
    for weight, own in distributions(groups):
        likelihood = prod((rising(own, count) for count in wins), start=Fraction(1)) / rising(groups * own, games)
        after, before = apart([own + count for count in wins]), apart([own] * groups)
        found += weight * likelihood * groups**games * after / before
    return found


def apart(own) -> Fraction:
    """The mean, under a Dirichlet distribution, of the sum of squared differences from even chances."""
    total = sum(own)
    return sum(each * (each + 1) / (total * (total + 1)) for each in own) - Fraction(1, len(own))


def ratio(wins, chances) -> Fraction:
    """How much likelier it is under some chances than under equal ones."""
    return prod((Fraction(chance) * len(wins)) ** count for chance, count in zip(chances, wins, strict=True))


def against(wins: int, games: int, groups: int, chance: Fraction, margin: Fraction) -> Fraction:
    """The evidence against a chance of one label."""
    losses, found = games - wins, Fraction(0)
    flat = min(Fraction(1), abs(chance - Fraction(1, groups)) / margin)
    for weight, own in distributions(groups):
        others = own * (groups - 1)
        mean = rising(own, wins) * rising(others, losses) / rising(groups * own, games)
        bent = squared(own + wins, others + losses, chance) / squared(own, others, chance)
        found += weight * mean * (flat + (1 - flat) * bent)
    return found / (chance**wins * (1 - chance) ** losses)


def squared(own: Fraction, others: Fraction, chance: Fraction) -> Fraction:
    """The mean, under a beta distribution, of the squared difference from a chance."""
    total = own + others
    return own * (own + 1) / (total * (total + 1)) - 2 * chance * own / total + chance**2


def verdict(wins, level: Fraction, margin: Fraction) -> str:
    """What the test against all chances says after these wins."""
    groups, games = len(wins), sum(wins)
    bound = (groups if groups > 2 else 1) / level
    near, far = Fraction(1, groups) - margin, Fraction(1, groups) + margin
    within = all(
        (near <= 0 or (count > near * games and against(count, games, groups, near, margin) >= bound))
        and (far >= 1 or (count < far * games and against(count, games, groups, far, margin) >= bound))
        for count in wins
    )
    return "fair" if within else "unfair" if mixture(wins) >= 1 / level else "undecided"


def wald_verdict(wins, alternative, level: Fraction, power: Fraction) -> str:
    """What the test against named chances says after these wins."""
    found = ratio(wins, alternative)
    return "unfair" if found >= 1 / level else "fair" if found <= 1 - power else "undecided"


def stops(shares, most: int, says) -> Counter:
    """Chances of each verdict and number of games at which it comes, if `says` gives the verdict for wins."""
    found: Counter = Counter()
    now = {(0,) * len(shares): Fraction(1)}
    for game in range(1, most + 1):
        after: Counter = Counter()
        for wins, chance in now.items():
            for place, share in enumerate(shares):
                after[(*wins[:place], wins[place] + 1, *wins[place + 1 :])] += chance * Fraction(share)
        verdicts = {wins: says(wins) for wins in after}
        for wins, chance in after.items():
            if verdicts[wins] != "undecided":
                found[verdicts[wins], game] += chance
        now = {wins: chance for wins, chance in after.items() if verdicts[wins] == "undecided"}
    found["undecided", most] += sum(now.values())
    return found


def winners(shares, seed: int, run: int, games: int) -> list[int]:
    """The winners of one simulated run: places in `shares`, which are multiples of 2^-53."""
    limits = [sum(shares[: place + 1], Fraction(0)) * 2**53 for place in range(len(shares) - 1)]
    start = mix(mix(seed) + GOLDEN * run)
    words = (mix(start + GOLDEN * (game + 1)) >> 11 for game in range(games))
    return [sum(word >= limit for limit in limits) for word in words]
