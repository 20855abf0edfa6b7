"""What was observed, what the model states and what others claim, held side by side."""
