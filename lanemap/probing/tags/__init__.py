"""Identity tags: memory filled so that every cell holds its own address."""
