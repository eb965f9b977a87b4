"""The study of Mafia: its printed tables, its variants and its theory."""
