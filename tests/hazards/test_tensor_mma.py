"""Each fault of tcgen05.mma is caught at its line; its corrected twin is clean and right."""

from __future__ import annotations

from tests.hazards.runner import (  # noqa: F401
    pytest_generate_tests,
    suite,
    test_every_file_is_in_the_table,
    test_the_assembler_takes_it,
    test_the_corrected_twin_is_clean_and_right,
    test_the_corrected_twin_is_clean_in_strict_mode,
    test_the_fault_is_caught,
    test_the_report_holds_the_fault_too,
    test_what_sources_disagree_over_is_no_hazard_otherwise,
    test_what_would_never_end_is_raised_in_report_mode_too,
)
from tests.hazards.tensor_mma_pairs import SUITE as SUITE
