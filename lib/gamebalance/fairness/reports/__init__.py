"""From the rules of a game to a report on it: is it fair, luck or skill, how many games would show it.

In the order in which to read it: `tables`, `playing`, `exact` and `simulated` (a game under each way to play),
`outlook` (what will be done), `skill`, `sentences`, `pages` and `report`.
"""
