"""What belongs to one source document: emulations, claims, comparisons with printed tables, and their drawings."""
