"""What `lanemap time` predicts: the launch of a file's kernel, or that of one of kernels/."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lanemap.errors import UserError, plural
from lanemap.timing.model.kinds import Sampler
from lanemap.timing.model.launched import Joined, joined
from lanemap.timing.model.recording import Recorded, TraceRecorder
from lanemap.timing.model.shares import TARGET
from lanemap.toolchain import ptxas

if TYPE_CHECKING:
    from lanemap.cli.launching import FileLaunch
    from lanemap.devices.emulator import EmulatorDevice, EmulatorModule


@dataclass(frozen=True)
class Traced:
    """A launch.

    Attributes:
        joined: Its trace.
        text: The PTX.
        module: What the emulator loaded, which knows the lines of the source.
    """

    joined: Joined
    text: str
    module: EmulatorModule


def of_file(launch: FileLaunch, every: bool) -> Traced:
    """Launch a file's kernel on the emulator.

    Raises:
        UserError: the launch has hazards, or is outside of what the model knows.
        MissingEnvironment: ptxas or nvdisasm is not here.
    """
    from lanemap.cli.launching import open_for
    from lanemap.devices.emulator import EmulatorDevice, EmulatorModule

    device = open_for(launch.file, TARGET, "emulator", "report", False, None)
    assert isinstance(device, EmulatorDevice)
    module, _, run = launch.prepared(device)
    assert isinstance(module, EmulatorModule)
    recorder = TraceRecorder()
    text = ptxas.lowered(module.text or launch.file.read_text())
    sampler = Sampler(text, recorder.count, every)
    with device.only(sampler), device.observe(recorder):
        run()
    again = "see `lanemap run` with the same options"
    return _traced(device, module, text, recorder.launches[-1], sampler, launch.file.name, again)


def of_kernel(name: str, problem: str, entry: str, every: bool) -> Traced:
    """Compute a problem on the emulator with one of kernels/.

    Args:
        name: As `lanemap list kernels` shows it.
        problem: Axes that are not those of its default problem, such as "m=4096,n=4096,k=4096".
        entry: The symbol of the kernel, where several are launched.
        every: Whether all CTAs are run.

    Raises:
        UserError: there is no such kernel, problem or entry; or see `of_file`.
        MissingEnvironment: a compiler, ptxas or nvdisasm is not here.
    """
    import lanemap
    from lanemap.benching.benchmark import parsed
    from lanemap.benching.find import benchmarks

    benchmark = benchmarks(name, TARGET)[0]
    device: Any = lanemap.open_device(TARGET, "emulator", hazards="report")
    asked = parsed(benchmark.default, problem) if problem else benchmark.default
    text = benchmark.text(device, asked)
    if text is None:
        raise UserError(f"{name} has no text before its problem is computed; time it as a file")
    text = ptxas.lowered(text)
    recorder = TraceRecorder()
    sampler = Sampler(text, recorder.count, every)
    with device.only(sampler), device.observe(recorder):
        case = benchmark.case(device, asked)
        case.fill(case.inputs[0])
        case.run()
    own = [each for each in recorder.launches if entry in ("", each.kernel)]
    kernels = ", ".join(sorted({each.kernel for each in recorder.launches}))
    if not own:
        raise UserError(f"{name} launches {kernels}, and not --entry {entry}")
    if len(own) > 1:
        raise UserError(f"{name} launches {plural(len(own), 'kernel')}: name one of {kernels} "
                        "with --entry")  # fmt: skip
    again = f"see `lanemap bench {name} --target {TARGET}` with the same problem"
    return _traced(device, device.load(text), text, own[0], sampler, name, again)


def _traced(
    device: EmulatorDevice,
    module: EmulatorModule,
    text: str,
    recorded: Recorded,
    sampler: Sampler,
    name: str,
    again: str,
) -> Traced:
    """Raises: UserError: there were hazards; `again` says who shows them."""
    if device.hazards:
        raise UserError(
            f"{recorded.kernel} has {plural(len(device.findings), 'hazard')}, so what it does is "
            f"not certain; {again}"
        )
    cubin = ptxas.assemble(text, TARGET, ("-lineinfo",), name)
    return Traced(joined(recorded, text, cubin, sampler.samples[recorded.kernel]), text, module)
