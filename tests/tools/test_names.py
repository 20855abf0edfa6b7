"""The stored names of machine instructions are those that ptxas and nvdisasm make today."""

from __future__ import annotations

import pytest

from lanemap.errors import MissingEnvironment
from lanemap.toolchain import places, ptxas, sass
from tools import names


@pytest.mark.slow
def test_the_stored_machine_instructions_are_what_is_printed() -> None:
    """Mend: `python -m tools.names --sass --write`."""
    try:
        places.find_program("ptxas", ptxas.PACKAGE)
        places.find_program("nvdisasm", sass.PACKAGE)
    except MissingEnvironment as error:
        pytest.skip(str(error))
    lines = (names.STORED / "sass.txt").read_text().splitlines()[1:]
    printed = names.machine_instructions()
    assert [f"{opcode} {forms[0]}" for opcode, forms in printed.items()] == lines
