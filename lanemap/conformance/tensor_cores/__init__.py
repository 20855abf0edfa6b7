"""How tensor cores add: kinds of dot products, inputs, a reference rule, and what silicon showed."""
