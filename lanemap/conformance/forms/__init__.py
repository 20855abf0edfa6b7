"""Every opcode and type form in the PTX ISA's syntax tables, and which of them ptxas accepts."""
