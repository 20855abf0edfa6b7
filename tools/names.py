"""Count which names of compilers and libraries lanemap reads, and why it has no map for the others.

    python -m tools.names [--cutlass FOLDER] [--cute-dsl FOLDER] [--sass] [--write]

It reads the names from what is installed: atoms of CUTLASS's headers (the folder include/cute/arch
of the package nvidia-cutlass), operations of CuTe DSL (the folder cute/nvgpu), operations,
encodings and LLVM's intrinsics of Triton, builtins of ziglang's clang, and with --sass what
nvdisasm prints for every form of PTX that moves matrices. --write stores the atoms and the machine
instructions with their PTX, for the tests.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

from rich.console import Console
from rich.table import Table

from lanemap.conformance.forms.judged import accepted, all_forms
from lanemap.conformance.forms.rows import Form, head, kernel
from lanemap.errors import UserError
from lanemap.model import named
from lanemap.toolchain import ptxas, sass

STORED = Path(__file__).resolve().parents[1] / "tests" / "model" / "spellings"
TARGETS = ("sm_75", "sm_80", "sm_90a", "sm_100a", "sm_120a")
FAMILIES = {
    "tcgen05.mma": 20, "wgmma": 10, "wmma": 4, "tensor copies": 8, "tensor memory": 1,
    "mma.sync": 1, "sparse mma.sync": 1, "matrix loads and stores": 1,
}  # fmt: skip
_BATCH = 150
_MATRIX = re.compile(r"\w*MMA|LDSM|STSM|MOVM|LDTM|STTM|UTC\w+|UTMA\w+")
_ISSUED = re.compile(
    r'"\s*(?:@!?p\w*\s+)?((?:mma|wgmma|tcgen05|ldmatrix|stmatrix|movmatrix|cp)\.[\w.:]+)'
)
_NOT_DATA = re.compile(r"prefetch|commit|wait")
_RESULTS = re.compile(r"^\S+ (?:\{([^}]*)\}|(\w+))")


def atoms(folder: Path) -> Iterator[tuple[str, list[str]]]:
    """Each atom of CuTe's headers, with the PTX that its asm statements issue."""
    for header in sorted(folder.glob("*.hpp")):
        parts = re.split(r"\nstruct\s+(\w+)", header.read_text())
        for name, body in zip(parts[1::2], parts[2::2], strict=True):
            if re.match(r"SM\d|MMA_|GMMA_", name):
                issued = [each for each in _ISSUED.findall(body) if not _NOT_DATA.search(each)]
                yield name, list(dict.fromkeys(issued))


def operations(folder: Path) -> Iterator[str]:
    """The operations of CuTe DSL that can be made, with their module, and the kinds of layouts."""
    for file in sorted(folder.glob("*/*.py")):
        text = file.read_text()
        bases = set(re.findall(r"^class \w+\((\w+Op)\b", text, re.M))
        for name in re.findall(r"^class (\w+Op)\(\w*(?:Op|Base)", text, re.M):
            if name not in bases:
                yield f"{file.parent.name}.{name}"
        yield from (
            f"SmemLayoutAtomKind.{kind}"
            for kind in re.findall(r"^ +((?:MN|K)_\w+) = enum", text, re.M)
        )


def _strings(file: Path, pattern: str) -> list[str]:
    return sorted({each.decode() for each in re.findall(pattern.encode(), file.read_bytes())})


def _package(name: str) -> Path:
    found = find_spec(name)
    if found is None or not found.submodule_search_locations:
        raise UserError(f"{name} is not installed")
    return Path(found.submodule_search_locations[0])


def _triton() -> Iterator[tuple[str, list[str]]]:
    folder = _package("triton")
    library = folder / "_C" / "libtriton.so"
    yield (
        "Triton's operations",
        _strings(library, r"\x00((?:ttg|ttng|tt|amdg)\.[a-z_0-9]{3,40})\x00"),
    )
    layouts = set(_strings(library, r"\b[A-Z]\w{3,30}EncodingAttr\b"))
    for file in (folder / "experimental" / "gluon").rglob("*.py"):
        layouts |= set(re.findall(r"^class ([A-Z]\w*Layout)\b", file.read_text(), re.M))
    yield "Triton's and Gluon's layouts", sorted(layouts)
    intrinsics = _strings(library, r"llvm\.(?:nvvm|amdgcn)\.[A-Za-z0-9_.]+")
    moving = r"mma|ldmatrix|stmatrix|tcgen05|movmatrix|bulk.tensor|smfmac|read.tr|load.tr"
    yield "LLVM's intrinsics of matrices", [each for each in intrinsics if re.search(moving, each)]


def machine_instructions() -> dict[str, list[str]]:
    """What nvdisasm prints for forms of PTX, with the forms that it prints it for."""
    found: dict[str, list[str]] = {}
    for target in TARGETS:
        known, seen = set(accepted(target)), Counter[str]()
        forms = []
        for name, (family, form) in all_forms().items():
            if family in FAMILIES and name in known and form.context == "entry":
                seen[family] += 1
                if seen[family] % FAMILIES[family] == 0:
                    forms.append(form)
        for first in range(0, len(forms), _BATCH):
            for form, opcodes in _disassembled(forms[first : first + _BATCH], target):
                for opcode in filter(_MATRIX.match, dict.fromkeys(opcodes)):
                    found.setdefault(opcode, []).append(form.name.partition(" (")[0])
    return found


def _disassembled(forms: list[Form], target: str) -> Iterator[tuple[Form, list[str]]]:
    lines = (kernel(_kept(form), f"k{number}") for number, form in enumerate(forms))
    functions = sass.disassemble(ptxas.assemble(head(target, "entry") + "".join(lines), target))
    for number, form in enumerate(forms):
        yield form, [each.opcode for each in functions.get(f"k{number}", ())]


def _kept(form: Form) -> Form:
    """A form whose results are stored, so that ptxas keeps it."""
    match = _RESULTS.match(form.statement)
    registers = ((match[1] or match[2]) if match else "").replace(" ", "").split(",")
    widths = {"r": "b32", "h": "b16", "d": "b64", "f": "b32"}
    stores = [
        f"st.volatile.global.{widths[each[0]]} [g], {each};"
        for each in registers[:4]
        if re.fullmatch(r"[rhdf]\d+", each)
    ]
    around = ("", "")
    if form.statement.startswith("wgmma.mma"):
        done = "wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;"
        around = ("wgmma.fence.sync.aligned;", done)
    elif form.statement.startswith("tcgen05.ld"):
        around = ("", "tcgen05.wait::ld.sync.aligned;")
    return replace(form, statement=" ".join((around[0], form.statement, around[1], *stores)))


def outcome(name: str) -> str:
    """Say "read", the reason for which there is no map, or "unknown"."""
    try:
        found = named(name)
    except UserError as error:
        _, of, reason = str(error).partition("': ")
        return reason if of else "unknown"
    return "read" if found.variants else "unknown"


def shares(title: str, names: Iterable[str]) -> tuple[str, Counter[str], list[str]]:
    """How many of some names are read, and what becomes of the others."""
    outcomes = {name: outcome(name) for name in names}
    return title, Counter(outcomes.values()), [n for n, how in outcomes.items() if how == "unknown"]


def _write(name: str, heading: str, lines: Iterable[str]) -> None:
    text = "".join(f"{line}\n" for line in lines)
    (STORED / name).write_text(f"# {heading}\n{text}")


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--cutlass", type=Path, help="include/cute/arch of CUTLASS")
    parser.add_argument("--cute-dsl", type=Path, help="cutlass/cute/nvgpu of CuTe DSL")
    parser.add_argument("--sass", action="store_true", help="also assemble and disassemble")
    parser.add_argument("--write", action="store_true", help="store the lists of the tests")
    chosen = parser.parse_args()
    found = [shares(*each) for each in _triton()]
    builtins = (
        r"__builtin_amdgcn_\w*(?:mfma|smfmac|read_tr|load_tr)\w*|__[hidb]?mma_(?:\w+_)?m\d+n\w+"
    )
    found.append(shares("clang's builtins", _strings(_package("ziglang") / "zig", builtins)))
    if chosen.cutlass:
        every = list(atoms(chosen.cutlass))
        found.append(shares("CUTLASS's atoms", [name for name, _ in every]))
        if chosen.write:
            kept = [each for n, each in enumerate(every) if "GMMA" not in each[0] or n % 8 == 3]
            _write("cutlass.txt", _ATOMS, (" ".join((name, *issued)) for name, issued in kept))
    if chosen.cute_dsl:
        found.append(shares("CuTe DSL's operations", operations(chosen.cute_dsl)))
    if chosen.sass:
        printed = machine_instructions()
        found.append(shares("machine instructions", printed))
        if chosen.write:
            _write("sass.txt", _SASS, (f"{opcode} {forms[0]}" for opcode, forms in printed.items()))
    table = Table("names of", "all", "read", "no map, with the reason", "unknown", box=None)
    for title, counts, unknown in found:
        reasons = {how: n for how, n in counts.items() if how not in ("read", "unknown")}
        told = "; ".join(f"{n}: {how}" for how, n in reasons.items())
        table.add_row(
            title, str(counts.total()), str(counts["read"]), told, " ".join(unknown) or "-"
        )
    Console(width=160).print(table)


_ATOMS = "Atoms of CUTLASS's headers and the PTX that each one issues; written by tools/names.py."
_SASS = "What nvdisasm prints, and a form of PTX that ptxas made it of; written by tools/names.py."

if __name__ == "__main__":
    main()
