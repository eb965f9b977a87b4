"""Eight at a table of Sanguosha, as people play it: which behaviours the records of an arena's leaders allow.

In the order in which to read it: `behaviour` (seven numbers that say how people play), `reading` (the rule, readable,
one game at a time), `playing` (very many games, compiled in `kernel`), `leaders` (what the records say of all games),
`fitting` (which behaviours are consistent with them), `splitting` (what each explains), `stars` (the arena's points).
"""
