"""The sizes that kernels are compiled for: the DSL bakes them into the text."""

TARGETS = ("sm_90a", "sm_100a")
COLUMNS = 200  # of softmax's rows
TRANSPOSED = (64, 96)  # rows and columns of transpose's input
PRODUCT = (256, 384, 208)  # m, n and k of the products: k ends within a tile
WALKED = (512, 256, 208)  # of the persistent products: more tiles than clusters
SCALED = (256, 256, 512)
MIXED = (256, 128, 192)
ATTENTION = (256, 2)  # queries and keys, and heads
