"""The runtime in parts: nothing is lost, nothing is there twice, every part stands by itself."""

from __future__ import annotations

import re

import llvmlite.binding as llvm
import pytest

from lanemap.emulator.runtime.built import IR
from lanemap.emulator.runtime.parts import Parts, parts

TEXT = """%pair = type { i32, i32 }

@count = internal global %pair zeroinitializer, align 8
@table = private unnamed_addr constant [2 x i32] [i32 3, i32 4], align 4

declare i32 @llvm.umax.i32(i32, i32)

define i32 @lm_run_group(ptr noundef %0) local_unnamed_addr {
  %2 = call fastcc i32 @note(ptr %0)
  %3 = load i32, ptr @table, align 4
  ret i32 %2
}

define internal fastcc range(i32 0, 5) i32 @note(ptr noundef captures(none) %0) unnamed_addr {
  store i32 1, ptr @count, align 4
  ret i32 1
}

define void @lm_uncompiled() {
  ret void
}

define i32 @lm_load(ptr %0) {
  %2 = call fastcc i32 @note(ptr %0)
  ret i32 %2
}

define void @lm_store() {
  ret void
}

define i32 @first(i32 %0) {
  %2 = call i32 @second(i32 %0)
  ret i32 %2
}

define internal i32 @second(i32 %0) {
  %2 = call i32 @llvm.umax.i32(i32 %0, i32 7)
  %3 = load i32, ptr @count, align 4
  %4 = load i32, ptr @table, align 4
  ret i32 %2
}

define i32 @lm_third(i32 %0) {
  %2 = call i32 @shared(i32 %0)
  ret i32 %2
}

define i32 @lm_fourth(i32 %0) {
  %2 = call i32 @shared(i32 %0)
  %3 = call i32 @lm_third(i32 %2)
  ret i32 %3
}

define internal i32 @shared(i32 %0) {
  ret i32 %0
}

define i32 @alone(ptr %0) {
  %2 = call i32 @lm_load(ptr %0)
  ret i32 %2
}
"""


def test_functions_that_share_something_lie_together() -> None:
    numbers = Parts(TEXT).numbers
    assert [n for n, part in numbers.items() if part == 0] == [
        "lm_uncompiled",
        "lm_run_group",
        "note",
    ]
    assert numbers["lm_load"] == numbers["lm_store"] == 1
    assert numbers["first"] == numbers["second"] not in (0, 1, numbers["alone"])


def test_a_function_brings_only_what_it_calls() -> None:
    divided = Parts(TEXT)
    numbers, needs = divided.numbers, divided.needs()
    third, fourth = numbers["lm_third"], numbers["lm_fourth"]
    assert numbers["shared"] == third, "whoever needs the one needs the other"
    assert needs[fourth] == [third] and needs[third] == []
    assert needs[numbers["alone"]] == [1] and needs[1] == [0] and needs[0] == []


def test_what_is_elsewhere_is_declared() -> None:
    divided = Parts(TEXT)
    first, alone = (divided.text(divided.numbers[name]) for name in ("first", "alone"))
    assert "@count = external global %pair" in first and "@table = private" in first
    assert "define i32 @second" in first and "internal" not in first
    assert "declare i32 @lm_load(ptr %0)" in alone and "@count" not in alone
    one = divided.text(1)
    assert "declare fastcc range(i32 0, 5) i32 @note(ptr noundef captures(none) %0)" in one


def test_every_part_of_the_runtime_stands_by_itself() -> None:
    found = parts()
    defined: list[str] = []
    for part in set(found.numbers.values()):
        module = llvm.parse_assembly(found.text(part))
        module.verify()
        for function in module.functions:
            if not function.is_declaration:
                defined.append(function.name)
            elif function.name in found.numbers:
                assert found.numbers[function.name] in found.needs()[part], function.name
    whole = re.findall(r"^define [^@]*@([\w.$]+)\(", IR.read_text(), re.MULTILINE)
    assert sorted(defined) == sorted(whole)


@pytest.mark.parametrize("name", ["lm_run_group", "lm_load", "lm_store", "lm_rule"])
def test_the_usual_functions_are_found(name: str) -> None:
    assert name in parts().numbers
