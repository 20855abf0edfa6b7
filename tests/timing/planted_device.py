"""What rows of planted machines say of their device."""

from __future__ import annotations

from typing import Any

HOST = {
    "time": "2026-01-01T00:00:00+00:00", "system": "none", "python": "3", "lanemap": "0",
    "revision": None, "source": "sha256:" + "0" * 64, "packages": {},
}  # fmt: skip


class Planted:
    """What a row says of the machine that it was measured on."""

    name, evidence = "cuda", "silicon"

    def environment(self) -> dict[str, Any]:
        return {"gpu": "a planted machine", "host": HOST}
