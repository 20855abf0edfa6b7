"""The builder of gfx950 texts, by the name that it has in the checkout that is measured."""

try:
    from lanemap.toolchain.amdgcn_kernel import Kernel
except ImportError:
    from lanemap.probing.amdgcn import Kernel  # its name in older checkouts

__all__ = ["Kernel"]
