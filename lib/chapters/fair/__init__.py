"""Is it fair? Pages, tables and cases of the part that judges results of games."""
