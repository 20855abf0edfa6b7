"""Full kernels: their headers from observed maps, their build, launch, check and measurement.

Importing this makes kernels/ the package `lanemap_kernels`, wherever it lies, so that host code
imports what lies beside it and site-packages holds no generic name.
"""

import sys
from types import ModuleType

from lanemap import paths

if "lanemap_kernels" not in sys.modules:
    _package = ModuleType("lanemap_kernels", "The folder kernels/.")
    _package.__path__ = [str(paths.find("kernels"))]
    sys.modules["lanemap_kernels"] = _package
