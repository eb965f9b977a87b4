"""Real tables: counts of recorded games of people, made from the public records, and what they say."""
