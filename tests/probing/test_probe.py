import textwrap

import pytest

from lanemap.errors import UserError
from lanemap.probing.probe import State, find_probe, find_probes

FILE = """
from lanemap.probing.probe import axis, probe


class Count:
    def explain(self, readings):
        return len(readings)


@axis("pattern", ("near", "far"))
@axis("times", (1, 2, 3))
@probe("v_nothing", target="gfx950", source="text", analysis=Count())
def {name}(state):
    \"\"\"What is asked?

    More of it.
    \"\"\"
    return [state.label, state["times"], state.entry("e")]
"""


class Device:
    def __init__(self):
        self.loaded = []

    def load(self, source):
        self.loaded.append(source)
        return {"e": f"entry of {source}"}


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "mine.py").write_text(FILE.format(name="mine"))
    (tmp_path / "_helper.py").write_text("raise RuntimeError('is no probe')")
    return tmp_path


def test_a_probe_is_one_file_found_by_its_path(folder):
    found = find_probe("mine", folder)
    assert (found.name, found.variant, found.question) == ("mine", "v_nothing", "What is asked?")
    assert list(find_probes(folder)) == ["mine"]


def test_the_function_is_called_at_every_point_and_the_source_loaded_once(folder):
    device = Device()
    readings = find_probe("mine", folder).readings(device)
    assert readings[::3] == [f"pattern={p} times={t}" for p in ("near", "far") for t in (1, 2, 3)]
    assert readings[1::3] == [1, 2, 3, 1, 2, 3]
    assert readings[2] == "entry of text"
    assert device.loaded == ["text"]


def test_an_axis_is_overridden_by_name_and_read_as_its_own_type(folder):
    probe = find_probe("mine", folder).with_axes({"times": ["0x10", 2]})
    assert dict(probe.axes) == {"pattern": ("near", "far"), "times": (16, 2)}
    assert probe.overrides == ("times=16,2",)
    assert len(list(probe.points())) == 4


def test_an_override_that_changes_nothing_is_none(folder):
    probe = find_probe("mine", folder).with_axes({"pattern": ["near", "far"]})
    assert probe.overrides == ()


@pytest.mark.parametrize(
    ("axes", "words"),
    [
        ({"colour": ["red"]}, "no axis 'colour'; it has pattern, times"),
        ({"times": ["many"]}, "takes integers, not 'many'"),
    ],
)
def test_an_axis_that_cannot_be_overridden_so_is_refused(folder, axes, words):
    with pytest.raises(UserError, match=words):
        find_probe("mine", folder).with_axes(axes)


def test_an_unknown_probe_is_answered_with_close_names(folder):
    with pytest.raises(UserError, match="no probe 'mime'; did you mean mine"):
        find_probe("mime", folder)


def test_two_probes_of_one_name_are_refused(folder):
    (folder / "other.py").write_text(FILE.format(name="mine"))
    with pytest.raises(UserError, match=r"other\.py defines the probe mine a second time"):
        find_probes(folder)


def test_a_file_that_cannot_be_imported_is_named(folder):
    (folder / "wrong.py").write_text(textwrap.dedent("import a_package_that_is_not_here"))
    with pytest.raises(UserError, match=r"wrong\.py cannot be imported"):
        find_probes(folder)


def test_a_state_knows_its_point():
    state = State(Device(), "text", {"pattern": "near", "times": 2}, {})
    assert (state["pattern"], state.label) == ("near", "pattern=near times=2")
