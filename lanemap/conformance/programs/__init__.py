"""Generated programs over every form of PTX that a GPU executes, run on the emulator and a GPU."""
