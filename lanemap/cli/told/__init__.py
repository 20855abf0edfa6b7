"""What the site shows besides results/, for analysis, which asks no model and runs nothing."""
