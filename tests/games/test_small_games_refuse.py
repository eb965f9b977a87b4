"""What the small games do not take, as one table."""

from gamebalance.games import (
    Bang,
    CantStop,
    FirstPriceAuction,
    Kuhn,
    Leduc,
    LiarsDice,
    Nim,
    Pig,
    SilentWerewolf,
    Skull,
    claim,
    coalitions,
)
from gamebalance.games.claim import ClaimGame
from gamebalance.games.kuhn import szafron_profile
from tests.refusals import refuses

test_bad_arguments_are_refused = refuses(
    (lambda: FirstPriceAuction(players=6), "^players = 6: a whole number from 2 to 5"),
    (lambda: FirstPriceAuction(values=()), r"^values = \(\): one or more amounts, each once, are needed"),
    (lambda: FirstPriceAuction(bids=(0, -1)), r"^bids\[1\] = -1: a finite number, 0 or more, is needed"),
    (lambda: Bang(("sheriff", "outlaw")), "^roles = .*: 3 to 7: the sheriff first"),
    (lambda: Bang(("sheriff", "king", "outlaw")), r"^roles\[1\] = 'king': one of 'sheriff'"),
    (lambda: CantStop(5), "^players = 5: a whole number from 1 to 4 is needed"),
    (lambda: ClaimGame(passwords=4), "^passwords = 4: a whole number from 1 to 3"),
    (lambda: claim.town_plan(ClaimGame(claims=False)), "a game with claims is needed"),
    (lambda: Kuhn(5), "^players = 5: a whole number from 2 to 4"),
    (lambda: Leduc(4), "^players = 4: a whole number from 2 to 3"),
    (lambda: szafron_profile(0.2, 0.1), "^b11 = 0.2: a number from 0 to 0.1"),
    (lambda: szafron_profile(0.1, 0.2, b32=0.3, c33=0.5), "^c33 = 0.5: a number from 0.2 to 0.475"),
    (lambda: LiarsDice(players=1), "^players = 1: a whole number from 2 to 6"),
    (lambda: Nim(()), r"^heaps = \(\): at least one heap is needed"),
    (lambda: Pig(1), "^players = 1: a whole number from 2 to 10 is needed"),
    (lambda: SilentWerewolf(ties="coin"), "^ties = 'coin': one of 'nobody', 'lot' is needed$"),
    (lambda: Skull(discs=1), "^discs = 1: a whole number from 2 to 4"),
    (lambda: coalitions.glove_market(8, 9), "^right = 9"),
    (lambda: coalitions.weighted_voting(0, [1]), "^quota = 0"),
    (lambda: coalitions.airport(7), "^costs = 7"),
    (lambda: coalitions.bankruptcy(7, [1, 2]), "^estate = 7"),
    (lambda: coalitions.random_game(3, "twins", 1), "^kind = 'twins'"),
)
