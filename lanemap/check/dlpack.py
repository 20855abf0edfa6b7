"""Capsules of DLPack that say a tensor lies on the GPU (dlpack.h, DLPack 1.1)."""

from __future__ import annotations

import ctypes
from ctypes import Structure, c_int, c_uint64, c_void_p
from typing import Any

#: kDLCUDA, and the number of the only GPU.
ON_CUDA = (2, 0)


class _Tensor(Structure):
    """The beginning of DLTensor."""

    _fields_ = [("data", c_void_p), ("kind", c_int), ("number", c_int)]


class _Versioned(Structure):
    """The beginning of DLManagedTensorVersioned, before its DLTensor."""

    _fields_ = [
        ("version", c_uint64), ("context", c_void_p), ("deleter", c_void_p), ("flags", c_uint64),
    ]  # fmt: skip


def place_on_gpu(capsule: Any, address: int) -> None:
    """Let a capsule say that its tensor begins at an address of the GPU.

    Whoever consumes it still gives the tensor back to who made it, by the capsule's deleter.
    """
    python = ctypes.pythonapi
    python.PyCapsule_GetName.restype, python.PyCapsule_GetName.argtypes = (
        ctypes.c_char_p,
        [ctypes.py_object],
    )
    python.PyCapsule_GetPointer.restype, python.PyCapsule_GetPointer.argtypes = (
        c_void_p,
        [ctypes.py_object, ctypes.c_char_p],
    )
    name = python.PyCapsule_GetName(capsule)
    start = python.PyCapsule_GetPointer(capsule, name)
    before = ctypes.sizeof(_Versioned) if name == b"dltensor_versioned" else 0
    tensor = _Tensor.from_address(start + before)
    tensor.data, (tensor.kind, tensor.number) = address, ON_CUDA
