"""A Ray cluster as an executor. Ray schedules, retries, and copes with nodes that end.

Workers get lanemap as a wheel, by Ray's `runtime_env`; only tasks and results travel. See Ray's
documentation, "Environment Dependencies" and "Fault tolerance".
"""

from __future__ import annotations

import hashlib
import logging
import socket
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import Any

from lanemap import cache, paths
from lanemap.errors import LanemapError, MissingEnvironment, UserError, extra, plural
from lanemap.records.files import write_files
from lanemap.sweeping.executors import Ended, Item, Result
from lanemap.sweeping.task import own_code

#: Tasks that wait for each place of the cluster.
_AHEAD = 2
#: How often a task is run again whose worker or node ended.
_RETRIES = 3
#: Seconds in which something must answer at an address.
_PATIENCE = 10
#: What a folder that is shipped to the workers leaves behind.
_EXCLUDED = [".git", ".venv*", "site", "sweeps/*/??", "**/__pycache__"]


class Cluster:
    """A Ray cluster: one that is there, or one of this machine's cores alone."""

    def __init__(
        self, address: str = "", per_gpu: int = 0, wheel: Path | None = None, ships: bool = False
    ) -> None:
        """Connect.

        Args:
            address: What `ray.init` takes, as ray://head:10001 or head:6379. Without one, Ray
                starts here.
            per_gpu: How many tasks share a GPU; 0 if they need none.
            wheel: lanemap's wheel for the workers; made from the checkout unless given. A cluster
                that starts here needs none.
            ships: Whether workers also get the current folder.

        Raises:
            MissingEnvironment: Ray is not here, nothing answers, or it is another Ray.
        """
        self._ray = _ray()
        environment: dict[str, Any] = {}
        if address:
            _reach(address)
            environment["py_modules"] = [str(named_by_content(wheel or own_wheel()))]
        if ships and address:
            environment |= {"working_dir": ".", "excludes": _EXCLUDED}
        options = (
            {"address": address} if address else {"address": "local", "include_dashboard": False}
        )
        try:
            self._context = self._ray.init(
                **options, runtime_env=environment, log_to_driver=False, logging_level="error"
            )
        except Exception as error:
            raise _refusal(address, error) from error
        # Its client logs a traceback of what it then raises.
        logging.getLogger("ray.util.client").setLevel(logging.CRITICAL)
        resources = self._ray.cluster_resources()
        gpus = int(resources.get("GPU", 0))
        share = 1 / per_gpu if per_gpu else 0
        self._options = {"num_cpus": 1, "num_gpus": share, "max_retries": _RETRIES}
        self.places = min(int(resources.get("CPU", 0)), gpus * per_gpu if per_gpu else sys.maxsize)
        where = address or "this machine"
        if not self.places:
            lacking = "GPU" if per_gpu and not gpus else "CPU"
            self.close()
            raise MissingEnvironment(f"the Ray cluster at {where} has no {lacking}")
        nodes = sum(bool(each["Alive"]) for each in self._ray.nodes())
        what = f"places on {plural(gpus, 'GPU')}" if per_gpu else "cores"
        self.name = f"Ray at {where}: {self.places} {what}, nodes: {nodes}"

    def __enter__(self) -> Cluster:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Disconnect; end what was started here."""
        self._ray.shutdown()

    def run(
        self, function: Callable[[Item], Result], items: Iterable[Item]
    ) -> Iterator[Ended[Item, Result]]:
        """See `Executor`."""
        ray = self._ray
        remote = ray.remote(**self._options)(_call)
        left, waiting = iter(items), dict[Any, Item]()
        try:
            while True:
                for item in islice(left, max(0, _AHEAD * self.places - len(waiting))):
                    try:
                        waiting[remote.remote(function, item)] = item
                    except Exception as error:  # the cluster does not take it
                        raise _sentence(error, ray) from error
                if not waiting:
                    return
                (done,), _ = ray.wait(list(waiting), num_returns=1)
                item = waiting.pop(done)
                try:
                    yield Ended(item, ray.get(done))
                except Exception as error:
                    yield Ended(item, error=_sentence(error, ray))
        finally:
            for reference in waiting:
                ray.cancel(reference, force=True)


def _call(function: Callable[[Item], Result], item: Item) -> Result:
    return function(item)


def _ray() -> Any:
    try:
        import ray
    except ImportError as error:
        raise MissingEnvironment(f"a Ray cluster needs the package ray: run {extra('ray')}") from (
            error
        )
    return ray


def _reach(address: str) -> None:
    """See that something listens at an address: Ray itself tries for ten minutes.

    Raises:
        UserError: it is no address.
        MissingEnvironment: nothing listens.
    """
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if not host or not port.isdecimal():
        raise UserError(f"{address} is no address of a Ray cluster; write ray://head:10001")
    try:
        socket.create_connection((host, int(port)), _PATIENCE).close()
    except (OSError, OverflowError) as error:
        raise MissingEnvironment(f"no Ray cluster answers at {address}: {error}") from error


def _first(error: BaseException) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    if lines and lines[0].endswith(":"):  # what follows is a traceback
        lines = [lines[0] + " " + lines[-1]]
    return lines[0].rstrip(".") if lines else type(error).__name__


def _refusal(address: str, error: Exception) -> MissingEnvironment:
    """Why there is no connection, in a sentence."""
    told = " ".join(str(error).split())
    if "ersion mismatch" in told:
        return MissingEnvironment(
            f"the Ray cluster at {address} has another version of Ray or Python than this process: "
            f"{told}"
        )
    if not address:
        return MissingEnvironment(f"Ray does not start here: {_first(error)}")
    return MissingEnvironment(f"no Ray cluster answers at {address}: {_first(error)}")


def _sentence(error: Exception, ray: Any) -> Exception:
    """What a task's failure says to a user."""
    cause = getattr(error, "cause", None)
    if isinstance(cause, LanemapError):
        return cause
    if isinstance(cause or error, ImportError) or "No module named 'lanemap" in str(error):
        return MissingEnvironment(
            f"a worker has no lanemap, or an older one ({_first(cause or error)}): name the right "
            "wheel by --wheel"
        )
    if isinstance(error, ray.exceptions.RuntimeEnvSetupError):
        told = " ".join(str(error).split())
        return MissingEnvironment(f"a node cannot install lanemap's wheel: {told[-400:]}")
    if isinstance(error, ray.exceptions.WorkerCrashedError):
        return UserError(f"its process ended, {1 + _RETRIES} times; is there enough memory?")
    return UserError(f"{type(error).__name__}: {_first(error)}")


def named_by_content(wheel: Path) -> Path:
    """A wheel under a name of its own: Ray takes wheels of one name for the same wheel.

    The hash of its contents becomes the build tag of the name (PyPA, binary distribution format).

    Raises:
        UserError: it is no wheel, or cannot be read.
        MissingEnvironment: the disk is full.
    """
    parts = wheel.name.removesuffix(".whl").split("-")
    if wheel.suffix != ".whl" or len(parts) not in (5, 6):
        raise UserError(f"{wheel} is no wheel; name the file that pip built or installed")
    try:
        data = wheel.read_bytes()
    except OSError as error:
        raise UserError(f"cannot read {wheel}: {error.strerror}") from error
    tag = f"0{hashlib.sha256(data).hexdigest()[:12]}"
    named = _wheels() / tag / f"{'-'.join([*parts[:2], tag, *parts[-3:]])}.whl"
    if not named.is_file():
        write_files({named: data})
    return named


def _wheels() -> Path:
    root = cache.wanted_folder()
    if root is None:
        raise MissingEnvironment("there is no folder to keep a wheel in; set LANEMAP_CACHE")
    return root / "wheels"


def own_wheel() -> Path:
    """Lanemap's wheel, built from the checkout once for each state of its code.

    Raises:
        MissingEnvironment: there is no checkout, or the wheel cannot be built.
    """
    checkout = Path(paths.__file__).resolve().parents[1]
    if not (checkout / "pyproject.toml").is_file():
        raise MissingEnvironment(
            "lanemap is not installed from a checkout, so that there is no wheel for the workers; "
            "name the one that it was installed from by --wheel"
        )
    folder = _wheels() / own_code()
    if not list(folder.glob("*.whl")):
        print("building lanemap's wheel for the workers", file=sys.stderr, flush=True)
        command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps"]
        done = subprocess.run(
            [*command, "--wheel-dir", str(folder), str(checkout)], capture_output=True, text=True
        )
        if done.returncode:
            said = (done.stderr.strip().splitlines() or ["pip says nothing"])[-1]
            raise MissingEnvironment(f"lanemap's wheel cannot be built: {said}")
    (wheel,) = folder.glob("*.whl")
    return wheel
