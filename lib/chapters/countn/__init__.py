"""What chapters on Count-N have that is no Python."""
