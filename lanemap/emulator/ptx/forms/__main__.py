"""Judge all forms for the targets named and store the result beside this file."""

from __future__ import annotations

import sys

from lanemap.emulator.ptx.forms.judged import write


def main() -> None:
    """Judge for every target of the command line."""
    for target in sys.argv[1:]:
        accepted, refused = write(target)
        print(f"{target}: {accepted} accepted, {refused} refused")


if __name__ == "__main__":
    main()
