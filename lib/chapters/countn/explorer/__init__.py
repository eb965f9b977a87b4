"""The page of chapter 4.1: its template, its style and its scripts."""
