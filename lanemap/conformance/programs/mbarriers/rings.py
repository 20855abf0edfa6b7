"""Objects that many threads share: producers and consumers around a ring, and a rendezvous.

Each thread has its own number of arrivals per phase; threads with none do not take part. In a ring
of two CTAs, producers write into the other CTA's memory and arrive at its objects.
"""

from __future__ import annotations

from collections.abc import Sequence

from lanemap.conformance.forms.rows import Form
from lanemap.conformance.programs.chance import Chance
from lanemap.conformance.programs.mbarriers.text import MEET, NEAR, THREADS, Text, words

_WAIT = "mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64"
_ARRIVE = "mbarrier.arrive.release.cluster.shared::cluster.b64 (with a count)"
_INIT_FENCE = "fence.mbarrier_init.release.cluster;"
_SIZE = 16


def _can_share(name: str) -> bool:
    """Return whether several threads may arrive repeatedly with a form."""
    tokens = words(name)
    return tokens[1] == "arrive" and "noComplete" not in tokens


def _waits(names: Sequence[str], parity: bool) -> list[str]:
    return [n for n in names if "_wait" in n and ("parity" in words(n)) == parity]


class Crowd:
    """The shared objects of a program; one part after another, with variables of its own."""

    def __init__(self, text: Text, forms: Sequence[Form]) -> None:
        """Take the forms that may be used."""
        self.text = text
        self.chance = Chance("crowd", text.seed)
        self.names = [form.name for form in forms]
        self._parts = 0

    def _variables(self, objects: int, cells: int) -> tuple[str, str]:
        """Declare objects and words of shared memory; return registers with their addresses."""
        self._parts += 1
        places = []
        for name, kind, count in (("b", "b64", objects), ("d", "b32", cells)):
            variable, register = f"{name}{self._parts}_", self.text.register("r")
            self.text.variables.append(f".shared .align 8 .{kind} {variable}[{count}];")
            self.text.line(f"mov.u32 {register}, {variable};")
            places.append(register)
        return places[0], places[1]

    def _begin(self, objects: str, counts: Sequence[str]) -> None:
        """Let one thread of each CTA initialize the objects, then synchronize all threads."""
        for number, count in enumerate(counts):
            self.text.line(f"@%first mbarrier.init.{NEAR} [{objects}+{8 * number}], {count};")
        self.text.line(_INIT_FENCE, *MEET)

    def _totals(self, counts: Sequence[int], lanes: Sequence[bool], cross: bool) -> str:
        """Return a register with the arrivals of a phase at the objects of a thread's CTA."""
        sums = []
        for cta in range(self.text.cluster):
            source = cta ^ 1 if cross else cta
            part = range(source * THREADS, (source + 1) * THREADS)
            sums.append(sum(counts[i] for i in part if lanes[i]))
        return self.text.column([sums[i // THREADS] for i in range(self.text.threads)])

    def _wait(self, name: str, address: str, phase: str) -> None:
        """Wait in a loop with a form."""
        line, again, over = self.text.line, self.text.writer.label(), self.text.register("p")
        time = f", {self.chance.below(2000)}" if "(with a time)" in name else ""
        mnemonic = name.partition(" ")[0]
        line(f"{again}: {mnemonic} {over}, {self._near(mnemonic, address)}, {phase}{time};")
        line(f"@!{over} bra {again};")

    def _near(self, mnemonic: str, address: str) -> str:
        """Return an operand for an own object, a generic address where no space is named."""
        if any(token.startswith("shared") for token in mnemonic.split(".")):
            return f"[{address}]"
        base, _, offset = address.partition("+")
        wide = self.text.register("d")
        self.text.line(f"cvt.u64.u32 {wide}, {base};", f"cvta.shared.u64 {wide}, {wide};")
        return f"[{wide}+{offset or 0}]"

    def _arrive(self, name: str, near: str, far: str, count: str, most: int) -> str:
        """Arrive as often as a register says, at most `most` times; return the last state."""
        mnemonic, _, _ = name.partition(" ")
        tokens = words(name)
        state = "_" if "shared::cluster" in tokens else self.text.register("d")
        place = f"[{far}]" if state == "_" else self._near(mnemonic, near)
        operand = f"{state}, {place}"
        if "(with a count)" in name:
            self.text.line(f"{mnemonic} {operand}, {count};")
            return state
        expects = "expect_tx" in tokens
        for turn in range(most):
            guard = self.text.register("p")
            self.text.line(f"setp.gt.u32 {guard}, {count}, {turn};")
            self.text.line(f"@{guard} {mnemonic} {operand}{f', {_SIZE}' if expects else ''};")
            if expects:
                done = f"mbarrier.complete_tx.shared::cluster.b64 [{far}], {_SIZE};"
                self.text.line(f"@{guard} {done}")
        return state

    def ring(self) -> None:
        """Fill and empty buffers: producers wait for `empty`, consumers for `full`."""
        text, chance = self.text, self.chance
        arrives = [n for n in self.names if _can_share(n)]
        cross = text.cluster > 1 and chance.below(4) > 0
        if cross:
            arrives = [n for n in arrives if "shared::cluster" in n]
        names = [chance.of(arrives or [_ARRIVE]) for _ in range(2)]
        waits = [chance.of(_waits(self.names, True) or [_WAIT]) for _ in range(2)]
        carries = not any("relaxed" in name for name in names + waits)
        carries &= not cross or all(
            ".cluster." in name.replace("shared::cluster", "") for name in names + waits
        )
        stages, trips = 1 + chance.below(3), 3 + chance.below(4)
        roles, counts = self._roles()
        objects, cells = self._variables(2 * stages, stages * THREADS)
        into = [not role for role in roles]
        full = self._totals(counts, roles, cross)
        empty = self._totals(counts, into, cross)
        self._begin(objects, [full] * stages + [empty] * stages)
        count, other, sum_ = text.column(counts), text.register("r"), text.register("r")
        role, stays, end = text.register("p"), text.register("p"), text.writer.label()
        other_cta = "%other" if cross else "%cta"
        far, there = text.register("r"), text.register("r")
        text.line(f"mapa.shared::cluster.u32 {far}, {objects}, {other_cta};")
        text.line(f"mapa.shared::cluster.u32 {there}, {cells}, {other_cta};")
        text.line(f"mov.b32 {sum_}, 0;", f"setp.eq.u32 {stays}, {count}, 0;")
        word = text.column([int(flag) for flag in roles])
        text.line(f"setp.ne.u32 {role}, {word}, 0;")
        source = text.column(self._sources(roles, counts, cross))
        text.line(f"mad.lo.u32 {there}, %number, 4, {there};")
        text.line(f"mad.lo.u32 {other}, {source}, 4, {cells};", f"@{stays} bra {end};")
        consume, value = text.writer.label(), text.register("r")
        text.line(f"@!{role} bra {consume};")
        for trip in range(trips):
            stage, turn = trip % stages, trip // stages
            self._wait(waits[0], f"{objects}+{8 * (stages + stage)}", str(turn + 1 & 1))
            text.line(f"mad.lo.u32 {value}, %thread, {chance.bits(31)}, {chance.bits(31)};")
            if carries:
                cell = f"[{there}+{4 * THREADS * stage}]"
                text.line(f"st.shared::cluster.b32 {cell}, {value};")
            near = f"{objects}+{8 * stage}"
            self._arrive(names[0], near, f"{far}+{8 * stage}", count, 3)
        text.line(f"bra {end};", f"{consume}:")
        for trip in range(trips):
            stage, turn = trip % stages, trip // stages
            self._wait(waits[1], f"{objects}+{8 * stage}", str(turn & 1))
            text.line(f"mov.b32 {value}, {trip + 1};")
            if carries:
                text.line(f"ld.shared.b32 {value}, [{other}+{4 * THREADS * stage}];")
            text.line(f"mad.lo.u32 {sum_}, {sum_}, 33, {value};")
            at = 8 * (stages + stage)
            self._arrive(names[1], f"{objects}+{at}", f"{far}+{at}", count, 3)
        text.line(f"{end}:", *MEET)
        text.keep("(ring)", "r", sum_)
        self._phases("(ring)", objects, 2 * stages)

    def _roles(self) -> tuple[list[bool], list[int]]:
        """Choose the producers, by warp or by thread, and how often each arrives; some never do."""
        text, chance = self.text, self.chance
        split, by_warp = 1 + chance.below(3), chance.one_in(2)
        roles = [
            number % THREADS // 32 < split if by_warp else bool(chance.below(2))
            for number in range(text.threads)
        ]
        return roles, [chance.of((0, 1, 1, 2, 3)) for _ in roles]

    def _sources(self, roles: list[bool], counts: list[int], cross: bool) -> list[int]:
        """Return for each thread a producer that writes into its CTA's memory."""
        found = []
        for number in range(self.text.threads):
            cta = number // THREADS ^ int(cross)
            writers = [
                i for i in range(THREADS) if roles[cta * THREADS + i] and counts[cta * THREADS + i]
            ]
            found.append(self.chance.of(writers))
        return found

    def _phases(self, form: str, objects: str, count: int) -> None:
        """Store the final parity of each object."""
        for number in range(count):
            over = self.text.register("p")
            place = f"[{objects}+{8 * number}]"
            self.text.line(f"mbarrier.test_wait.parity.{NEAR} {over}, {place}, 0;")
            self.text.keep(form, "p", over)

    def rendezvous(self) -> None:
        """Let all threads of a CTA arrive, wait, and read what another thread wrote before."""
        text, chance = self.text, self.chance
        arrives = [n for n in self.names if _can_share(n)]
        name = chance.of(arrives or ["mbarrier.arrive." + NEAR])
        parity = "shared::cluster" in name or chance.one_in(2)
        default = _WAIT if parity else "mbarrier.try_wait." + NEAR
        wait = chance.of(_waits(self.names, parity) or [default])
        carries = "relaxed" not in name + wait
        trips = 3 + chance.below(3)
        counts = [1 + chance.below(3) for _ in range(text.threads)]
        objects, cells = self._variables(1, trips * THREADS)
        self._begin(objects, [self._totals(counts, [True] * len(counts), False)])
        count, sum_, value = text.column(counts), text.register("r"), text.register("r")
        own, other, far = (text.register("r") for _ in range(3))
        text.line(f"mov.b32 {sum_}, 0;", f"mad.lo.u32 {own}, %number, 4, {cells};")
        text.line(f"mapa.shared::cluster.u32 {far}, {objects}, %cta;")
        for trip in range(trips):
            text.line(f"mad.lo.u32 {value}, %thread, {chance.bits(31)}, {chance.bits(31)};")
            if carries:
                text.line(f"st.shared.b32 [{own}+{4 * THREADS * trip}], {value};")
            state = self._arrive(name, objects, far, count, 3)
            self._wait(wait, objects, str(trip & 1) if parity else state)
            text.line(f"xor.b32 {other}, %number, {1 + chance.below(THREADS - 1)};")
            text.line(f"mad.lo.u32 {other}, {other}, 4, {cells};")
            if carries:
                text.line(f"ld.shared.b32 {value}, [{other}+{4 * THREADS * trip}];")
            text.line(f"mad.lo.u32 {sum_}, {sum_}, 33, {value};")
        text.line(*MEET)
        text.keep("(rendezvous)", "r", sum_)
        self._phases("(rendezvous)", objects, 1)
