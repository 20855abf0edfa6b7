"""The kinds of files in results/, each with the schema that its JSON must follow.

The kind of a file says which evidence it may bear, what its findings are and how many layout maps
it holds. Reading and writing both check a file against its schema, and analysis chooses a page by
the kind alone. A new kind is a class in one of these modules and a line in FILES.
"""

from __future__ import annotations

from pydantic import ValidationError

from lanemap.errors import UserError
from lanemap.records.kinds.banks import BankRulesFile
from lanemap.records.kinds.base import EVIDENCE, SCHEMA, File
from lanemap.records.kinds.doors import DoorFile
from lanemap.records.kinds.kernels import (
    AttentionGradientsFile,
    GemmRatiosFile,
    HostCallsFile,
    KernelAttentionsFile,
    KernelProductsFile,
    KernelTimesFile,
    TileEstimateFile,
    TileTimesFile,
)
from lanemap.records.kinds.lds import LdsPathsFile
from lanemap.records.kinds.museum import MuseumFile
from lanemap.records.kinds.probes import LayoutFamilyFile, LayoutMapFile, ReadingsFile
from lanemap.records.kinds.tables import (
    ApproximationsFile,
    AssemblerFormsFile,
    CompilerFaultsFile,
    CompilerReleasesFile,
    CopiesFile,
    EarlierTargetsFile,
    InstructionMutantsFile,
    MbarriersFile,
    MutationScoresFile,
    PipelinesFile,
    ProgramsFile,
    TensorMapsFile,
)
from lanemap.records.kinds.tensor_cores import TensorCoresFile
from lanemap.records.kinds.timing import L2MapFile, PredictionsFile, StreamsFile, TimingFile

__all__ = ["EVIDENCE", "FILES", "SCHEMA", "hold_to_schema"]

FILES: dict[str, type[File]] = {
    "layout_map": LayoutMapFile,
    "layout_family": LayoutFamilyFile,
    "readings": ReadingsFile,
    "bank_rules": BankRulesFile,
    "mutation_scores": MutationScoresFile,
    "instruction_mutants": InstructionMutantsFile,
    "assembler_forms": AssemblerFormsFile,
    "compiler_releases": CompilerReleasesFile,
    "programs": ProgramsFile,
    "mbarriers": MbarriersFile,
    "copies": CopiesFile,
    "pipelines": PipelinesFile,
    "earlier_targets": EarlierTargetsFile,
    "compiler_faults": CompilerFaultsFile,
    "approximations": ApproximationsFile,
    "tensor_maps": TensorMapsFile,
    "tensor_cores": TensorCoresFile,
    "museum": MuseumFile,
    "door": DoorFile,
    "kernel_times": KernelTimesFile,
    "kernel_products": KernelProductsFile,
    "attention_gradients": AttentionGradientsFile,
    "host_calls": HostCallsFile,
    "gemm_ratios": GemmRatiosFile,
    "tile_times": TileTimesFile,
    "tile_estimate": TileEstimateFile,
    "kernel_attentions": KernelAttentionsFile,
    "lds_paths": LdsPathsFile,
    "timing": TimingFile,
    "predictions": PredictionsFile,
    "l2_map": L2MapFile,
    "streams": StreamsFile,
}


def hold_to_schema(text: str, kind: object) -> None:
    """Check the JSON text of a file against the schema of its kind.

    Raises:
        UserError: there is no such kind, or a value is missing, unknown or of another type; the
            sentence says where.
    """
    model = FILES.get(kind) if isinstance(kind, str) else None
    if model is None:
        raise UserError(f"its kind {kind!r} is not one of {', '.join(FILES)}")
    try:
        model.model_validate_json(text)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = "".join(
            f"[{part}]" if isinstance(part, int) else f".{part}" for part in first["loc"]
        )
        where = place.lstrip(".") or "it as a whole"
        raise UserError(f"as a file of kind {kind}, {where}: {first['msg']}") from error
