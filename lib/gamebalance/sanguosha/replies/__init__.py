"""How well the roles of Sanguosha could play: best replies, rules that see less, replies to replies, and alliances."""

from gamebalance.sanguosha.replies.best import (
    BestReply,
    Iteration,
    alliance_worth,
    alliances,
    best_reply,
    coalitions,
    iterate_best_replies,
    resisted_bounds,
)
from gamebalance.sanguosha.replies.blind import BlindReply, blind_reply

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
