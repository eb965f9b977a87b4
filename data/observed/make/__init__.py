"""From copies of public repositories to the tables beside this folder, for `gamebalance observed count`."""
