"""The parameters of tensor maps, as every device takes them."""

from lanemap.emulator import TENSOR_MAP_FUNCTIONS, TensorMapParameters

__all__ = ["TENSOR_MAP_FUNCTIONS", "TensorMapParameters"]
