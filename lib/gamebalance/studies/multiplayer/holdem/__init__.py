"""All-in-or-fold Hold'em after the essay: opponents with habits, printed charts, more than two players."""
