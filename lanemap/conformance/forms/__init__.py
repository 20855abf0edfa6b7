"""Every opcode and type form of the PTX ISA's syntax tables, and which of them ptxas accepts."""
