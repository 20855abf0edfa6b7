"""Block-scaled numbers on the host: formats, quantization, and how scales lie in memory."""
