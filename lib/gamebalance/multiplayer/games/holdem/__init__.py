"""All-in-or-fold Hold'em for two to four players."""
