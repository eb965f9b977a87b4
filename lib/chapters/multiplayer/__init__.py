"""The essay about games of three and more: its methods, its contests and its poker."""
