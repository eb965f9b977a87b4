"""From copies of public repositories to the tables of counts beside this folder, for `gamebalance observed count`."""
