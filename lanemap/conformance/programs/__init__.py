"""Programs over every form of PTX that a GPU executes: the emulator's answers and the GPU's."""
