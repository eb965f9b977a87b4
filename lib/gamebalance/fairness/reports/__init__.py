"""From the rules of a game to a report on it.

In the order in which to read it: `tables` (who sits there, who has won), `players` and `playing` (games played one by
one), `exact` and `simulated` (a game under each way to play), `skill` (luck against skill), `outlook` (what will be
done) with `slow` (what takes the time of a game), `wording` (measures and sentences) and `report`; `empirical` is the
game of who picks which way to play.
"""
