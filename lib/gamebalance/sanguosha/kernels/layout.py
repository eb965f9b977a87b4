"""How `lockstep` lays out 512 games in memory: rows of wide words, a bit for each game, and rows of bytes."""

from gamebalance.base.lanes import WORDS
from gamebalance.sanguosha.kernels.rule_tables import QUESTIONS, SITUATIONS
from gamebalance.sanguosha.lineup import MAX_PLAYERS

#: Games side by side.
LANES = 64 * WORDS

#: Words of a place: is it a living lord, loyalist, rebel, renegade; health modulo 4 (nobody here is dead); dodges;
#: armed or not.
LORD, LOYALIST, REBEL, RENEGADE, HEALTH_0, HEALTH_1, DODGES_0, DODGES_1, DODGES_2, WEAPON = range(10)
FIELDS = 10
#: Wide words of all places, with two behind the last where nobody ever is.
ROWS = (MAX_PLAYERS + 2) * FIELDS

#: Wide words of the notes taken during a turn. By place: somebody is there (all 0 beyond the table), is picked first,
#: is picked instead or at last, is attacked. Then by situation, by question, and single ones.
THERE = 0
CHOICE, INSTEAD, HIT = (2 * MAX_PLAYERS + MAX_PLAYERS * part for part in range(3))
SITUATION = HIT + MAX_PLAYERS + 1
ANSWER = SITUATION + SITUATIONS
OVER = ANSWER + QUESTIONS
OPEN = OVER + 1
NOTES = OPEN + 1

#: Rows of the streams: the generator's state; the words that draw the cards and the target.
STREAM_0, STREAM_1, STREAM_2, STREAM_3, CARD_WORD, TARGET_WORD = range(6)
STREAM_ROWS = 6
#: Rows of the bytes: how many may be attacked (bits 0 to 2) and how many of them before the lord (3
#: to 5), the rank of the target, what the turn looks at, what it changes for the target, what it brings to the actor.
COUNTS, RANK, LOOKED_AT, CHANGE, GAIN = range(5)
BYTE_ROWS = 5

#: Returned in place of the number of turns when a game does not end.
ENDLESS = -1
