"""The report about Sanguosha: as published, as claimed, as printed, and under changed rules."""
