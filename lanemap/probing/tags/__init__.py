"""Identity tags: memories filled so that every cell says where it lies."""
