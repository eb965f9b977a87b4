"""The modules of the chapters: what a notebook needs beside the library, and what stands too long in its cells."""
