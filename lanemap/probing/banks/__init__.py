"""How the banks of shared memory serve an access: timed on a GPU, counted on the emulator."""
