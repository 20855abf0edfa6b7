"""The SIMT machine: lanes as LLVM vectors, compiled block by block; memory; scheduling; hazards."""
