"""The model that predicts how long a kernel takes: what its warps issue, and a machine for that."""
