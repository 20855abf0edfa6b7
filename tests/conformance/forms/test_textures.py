"""The forms of textures, surfaces and multimem, against what the PTX ISA 9.0 says in words.

The syntax tables cross every modifier; the ISA excludes some combinations in its text. ptxas must
have refused those, and accepted the others.
"""

from __future__ import annotations

import pytest

from lanemap.conformance.forms.coverage import coverage, text_of
from lanemap.conformance.forms.judged import accepted, all_forms, judged_targets
from lanemap.targets import TARGETS as definitions

TARGETS = judged_targets()
WITH_MULTIMEM = [each for each in TARGETS if definitions[each].capability >= (9, 0)]
BLACKWELL = [each for each in TARGETS if definitions[each].capability >= (10, 0)]
CUBES, SAMPLES = {"cube", "acube"}, {"2dms", "a2dms"}
# 9.7.9.14, the table of .vec; types of 8 bits are those of Blackwell.
VECTORS = {
    "": "f16x2 bf16x2 f32 f64", "v2": "f16 f16x2 bf16 bf16x2 f32",
    "v4": "f16 f16x2 bf16 bf16x2 f32", "v8": "f16 bf16",
}  # fmt: skip
BYTES = {
    "": "e5m2x4 e4m3x4", "v2": "e5m2x2 e5m2x4 e4m3x2 e4m3x4",
    "v4": "e5m2 e5m2x2 e5m2x4 e4m3 e4m3x2 e4m3x4", "v8": "e5m2 e4m3 e5m2x2 e4m3x2",
}  # fmt: skip


def names(target: str, *starts: str) -> list[str]:
    return [name for name in accepted(target) if name.startswith(starts)]


@pytest.mark.parametrize("target", TARGETS)
def test_the_emulator_executes_none_of_them(target: str) -> None:
    counts = {each.family: each for each in coverage(target)}
    for family in ("texture", "surface", *(["multimem"] if target in WITH_MULTIMEM else [])):
        assert counts[family].accepted > 1000 and counts[family].executed == 0


@pytest.mark.parametrize("target", TARGETS)
def test_tex_has_the_combinations_of_its_section(target: str) -> None:
    """9.7.10.3: which geometry takes which coordinates, levels, offset and depth compare."""
    expected = set()
    for geometry in ("1d", "2d", "3d", "a1d", "a2d", *CUBES, *SAMPLES):
        for level in ("", "base.", "level.", "grad."):
            if geometry in SAMPLES and level in ("level.", "grad."):
                continue
            for kind in ("v4.u32", "v4.s32", "v4.f16", "v4.f32", "v2.f16x2"):
                for coordinate in ("s32", "f32"):
                    if coordinate != "f32" and geometry in CUBES:
                        continue
                    if coordinate != "s32" and geometry in SAMPLES:
                        continue
                    name = f"tex.{level}{geometry}.{kind}.{coordinate}"
                    compares = coordinate == "f32" and geometry != "3d"
                    expected |= {f"{name}{each}" for each in choices(geometry in CUBES, compares)}
    assert set(names(target, "tex.")) == expected


def choices(cube: bool, compares: bool) -> set[str]:
    """What is in the parentheses of a fetch."""
    found = set()
    for mode in ("", "independent mode"):
        for predicate in ("", "predicate"):
            for offset in ("", "offset")[: 1 if cube else 2]:
                for compare in ("", "compare")[: 2 if compares else 1]:
                    words = " and ".join(filter(None, (mode, predicate, offset, compare)))
                    found.add(f" ({words})" if words else "")
    return found


@pytest.mark.parametrize("target", TARGETS)
def test_tld4_and_queries_have_the_combinations_of_their_sections(target: str) -> None:
    """9.7.10.4: four components, three types; offsets but for cubes. 9.7.10.5, 9.7.11.5."""
    flat, cube = len(choices(False, True)), len(choices(True, True))
    assert len(names(target, "tld4.")) == 4 * 3 * 2 * (flat + cube)
    assert len(names(target, "txq.")) == 2 * (9 + 3 + 5)
    assert len(names(target, "suq.")) == 7


@pytest.mark.parametrize("target", TARGETS)
def test_surfaces_name_what_happens_outside_and_move_at_most_16_bytes(target: str) -> None:
    """9.7.11: .v4 of 64 bits has 32 bytes, which no access has."""
    kinds = 3 * 4 - 1
    assert len(names(target, "suld.b.")) == 5 * 5 * kinds * 3
    assert len(names(target, "sust.b.")) == 5 * 5 * kinds * 3
    assert len(names(target, "sust.p.")) == 3 * 3 * 3
    for name in names(target, "suld.", "sust.", "sured."):
        assert name.rpartition(".")[2] in ("trap", "clamp", "zero")


@pytest.mark.parametrize("target", WITH_MULTIMEM)
def test_multimem_has_the_vectors_of_its_table(target: str) -> None:
    """9.7.9.14: vectors and types; bytes and .acc::f16 are for Blackwell, .acc::f32 for halves."""
    wide = target in BLACKWELL
    for vec, types in VECTORS.items():
        every = types.split() + BYTES[vec].split() * wide
        dot = f".{vec}" if vec else ""
        stores = {f"multimem.st.release.gpu.global{dot}.{kind}" for kind in every}
        found = {
            name
            for name in names(target, f"multimem.st.release.gpu.global{dot}.")
            if name.count(".") == 5 + bool(vec) and kind_of(name) not in INTEGERS
        }
        assert found == stores
        reduced = {
            f"multimem.ld_reduce.acquire.cta.add.acc::f32{dot}.{kind}"
            for kind in types.split()
            if kind not in ("f32", "f64")
        }
        assert reduced <= set(accepted(target))
        narrow = {
            f"multimem.ld_reduce.weak.add.acc::f16{dot}.{kind}" for kind in BYTES[vec].split()
        }
        assert narrow <= set(all_forms()) and wide == (narrow <= set(accepted(target)))
        assert wide or not narrow & set(accepted(target))


INTEGERS = {"b32", "b64", "u32", "u64", "s32", "s64"}


def kind_of(name: str) -> str:
    return name.rpartition(".")[2]


def test_a_text_of_independent_mode_declares_a_texture_and_a_sampler() -> None:
    """5.3: in independent mode a fetch names both; in unified mode a texture alone."""
    forms = all_forms()
    both = text_of(forms["tex.1d.v4.f32.f32 (independent mode and offset)"][1], "sm_90a")
    assert ".target sm_90a, texmode_independent\n" in both and ".samplerref sampler;" in both
    assert "tex.1d.v4.f32.f32 {r1, r2, r3, r4}, [texture,sampler,{r20}], {r40};" in both
    alone = text_of(forms["tex.grad.2d.v2.f16x2.f32 (predicate and compare)"][1], "sm_90a")
    assert "texmode" not in alone and ".texref" not in alone
    statement = "{r1, r2}|p3, [d0,{r20,r21}], {r50,r51}, {r60,r61}, f1;"
    assert f"tex.grad.2d.v2.f16x2.f32 {statement}" in alone
