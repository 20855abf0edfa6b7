"""How tensor cores add: kinds of dot products, inputs, a reference rule, comparison on silicon."""
