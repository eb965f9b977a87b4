"""The study of Count-8, and what goes beyond it: graphs, printed tables, folklore; every N; three at the table."""
