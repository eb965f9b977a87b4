"""How well the roles of Sanguosha could play: best replies, rules that see less, replies to replies, and alliances."""

from gamebalance.sanguosha.replies.allied import alliance_worth, alliances, coalitions, resisted_bounds
from gamebalance.sanguosha.replies.best import BestReply, best_reply
from gamebalance.sanguosha.replies.blind import BlindReply, blind_reply
from gamebalance.sanguosha.replies.iterated import Iteration, iterate_best_replies

__all__ = [
    "BestReply",
    "BlindReply",
    "Iteration",
    "alliance_worth",
    "alliances",
    "best_reply",
    "blind_reply",
    "coalitions",
    "iterate_best_replies",
    "resisted_bounds",
]
