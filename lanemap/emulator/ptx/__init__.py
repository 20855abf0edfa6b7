"""NVIDIA PTX: text to a parsed module, and the semantics of each instruction."""
