"""Where Python, PyTorch and the peers' libraries come from."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Either everything is installed into .venv-bench, once, or what the running Python has
# is used. Runs under the system's Python. What cannot be had is said on stderr; the
# peer that needs it then says so itself and is left out.
from __future__ import annotations

import fcntl
import os
import subprocess
import sys
import time
import venv
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Callable, Iterator, Mapping, Sequence

from . import inductor_cache

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / ".venv-bench"
LOCK = ROOT / ".venv-bench.lock"
PYTHON = FOLDER / "bin" / "python"
DEBIAN_ROOT = FOLDER / "debian"
DEBIAN_LIBRARIES = DEBIAN_ROOT / "usr" / "lib" / "x86_64-linux-gnu"
OPENBLAS = DEBIAN_LIBRARIES / "openblas-openmp" / "libopenblas.so.0"
XSMM_ARCHIVE = DEBIAN_ROOT / "usr" / "lib" / "libxsmm.a"
XSMM_SOURCE = Path(__file__).resolve().parent / "contestants" / "xsmm_linear.c"
XSMM_LIBRARY = FOLDER / "libxsmm_linear.so"
OPENMP_FOLDER = FOLDER / "openmp"
INDUCTOR_CACHE = FOLDER / "inductor"
LOCK_SECONDS = 300

TORCH_VERSION = "2.13.0"
MKL_VERSION = "2026.2.0"

_OTHERWISE = "take a Python that has PyTorch and say --no-install"


class InstallError(RuntimeError):
    """Something could not be installed."""


@dataclass(frozen=True)
class Settings:
    """The interpreter that measures, and what its environment must say."""

    python: str
    variables: Mapping[str, str] = field(default_factory=dict)


def default_build() -> Path:
    """The package that these files lie in, else the build folder beside them."""
    return ROOT if (ROOT / "lib" / "liblintel.so").exists() else ROOT / "build"


def adopt() -> Settings:
    """The running Python with the packages it has; nothing is installed or changed.

    It may be that of FOLDER, with what was installed there."""
    if find_spec("torch") is None:
        raise InstallError(f"--no-install: {sys.executable} has no package torch; without "
                           f"--no-install PyTorch is installed into {FOLDER.name}")
    own = Path(sys.prefix).resolve() == FOLDER.resolve()
    return Settings(sys.executable, _variables() if own else {})


def _variables() -> dict[str, str]:
    """Where the Python of FOLDER finds the libraries there, and keeps what Inductor compiles."""
    own = {"LD_LIBRARY_PATH": os.pathsep.join(
        filter(None, [str(OPENMP_FOLDER), str(DEBIAN_LIBRARIES),
                      os.environ.get("LD_LIBRARY_PATH")]))}
    if inductor_cache.VARIABLE not in os.environ:
        own[inductor_cache.VARIABLE] = str(INDUCTOR_CACHE)
    return own


def install(peers: Sequence[str]) -> Settings:
    """Makes the environment for Lintel, PyTorch and `peers`. PyTorch must be there."""
    with _alone():
        if not _has_pip():
            _make_environment()
        _install_torch()
        _link_openmp()
        steps: dict[str, Callable[[], None]] = {
            "mkl": _install_mkl, "openblas": _install_openblas, "libxsmm": _install_libxsmm}
        for peer in peers:
            try:
                steps.get(peer, lambda: None)()
            except (InstallError, OSError) as error:  # the others go on
                _say(f"{peer}: {error}")
    return Settings(str(PYTHON), _variables())


@contextmanager
def _alone() -> Iterator[None]:
    """While another process installs into the same folder, this one waits.

    Where no lock can be made nothing can be installed, and perhaps nothing has to be."""
    try:
        lock = open(LOCK, "w")
    except OSError:
        yield
        return
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            _say(f"waiting for another program that installs into {FOLDER.name}")
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _say(text: str) -> None:
    print(f"{Path(sys.argv[0]).stem}: {text}", file=sys.stderr, flush=True)


def _errors_of(command: Sequence[str | Path], folder: Path | None = None) -> str | None:
    """What a command that failed has written; none if it did not fail."""
    try:
        result = subprocess.run(command, cwd=folder, stdout=subprocess.DEVNULL,
                                stderr=subprocess.PIPE, text=True)
    except OSError as error:
        raise InstallError(f"{command[0]}: {error}") from error
    return result.stderr if result.returncode != 0 else None


def _run(command: Sequence[str | Path], folder: Path | None = None) -> None:
    errors = _errors_of(command, folder)
    if errors is not None:
        raise InstallError(f"{' '.join(map(str, command))}: {_last_line(errors)}")


def _last_line(output: str) -> str:
    """The reason, of what a command that failed has written."""
    return (output.strip().splitlines() or ["failed"])[-1]


def _has_pip() -> bool:
    """False also of an environment that was interrupted in the making: pip comes last."""
    try:
        _run([PYTHON, "-m", "pip", "--version"])
    except InstallError:
        return False
    return True


def _make_environment() -> None:
    _say(f"making {FOLDER.name}")
    try:
        venv.create(FOLDER, with_pip=True, clear=True)
    except OSError as error:
        raise InstallError(f"{FOLDER} cannot be made: {error}; {_OTHERWISE}") from error
    except subprocess.CalledProcessError as error:  # of ensurepip
        reason = _last_line((error.output or b"").decode(errors="replace"))
        raise InstallError(f"pip cannot be put into {FOLDER}: {reason}; install python3-venv, as "
                           f"Debian and Ubuntu call what it needs, or {_OTHERWISE}") from error


def _site_packages() -> Path:
    return next((FOLDER / "lib").glob("python3*")) / "site-packages"


def _has_package(name: str, version: str) -> bool:
    return any(_site_packages().glob(f"{name}-{version}*.dist-info"))


def _pip_install(*arguments: str) -> None:
    _run([PYTHON, "-m", "pip", "install", "--quiet", "--disable-pip-version-check",
          "--timeout", "60", "--retries", "2", *arguments])


def _install_torch() -> None:
    if _has_package("torch", TORCH_VERSION):
        return
    _say(f"installing PyTorch {TORCH_VERSION} into {FOLDER.name}")
    try:  # the CPU build, where it is to be had
        _pip_install(f"torch=={TORCH_VERSION}+cpu")
    except InstallError:
        # The other build does not start without the gigabytes of CUDA that it asks for.
        _say(f"there is no PyTorch {TORCH_VERSION}+cpu here; taking the build with CUDA")
        _pip_install(f"torch=={TORCH_VERSION}")


def _link_openmp() -> None:
    """PyTorch's OpenMP runtime under the name that other libraries ask for.

    The loader takes a file that it has loaded already for the same library, so
    that with this folder in its path there is one OpenMP runtime in the process."""
    packages = _site_packages()
    found = [*packages.glob("torch/lib/libgomp*.so*"), *packages.glob("torch.libs/libgomp*.so*")]
    if not found:
        raise InstallError(f"PyTorch {TORCH_VERSION} in {packages} has no libgomp")
    OPENMP_FOLDER.mkdir(exist_ok=True)
    link = OPENMP_FOLDER / "libgomp.so.1"
    if not (link.is_symlink() and link.resolve() == found[0].resolve()):
        link.unlink(missing_ok=True)
        link.symlink_to(found[0])


def _install_mkl() -> None:
    if not _has_package("mkl", MKL_VERSION):
        _say(f"installing MKL {MKL_VERSION} into {FOLDER.name}")
        # Its threads are to be those of PyTorch's OpenMP runtime, not of its own.
        _pip_install("--no-deps", f"mkl=={MKL_VERSION}")


def _unpack_debian(wanted: Path, *packages: str) -> None:
    """Debian packages without installing them: needs no root, and changes no system.

    Leaves at once where `wanted` is there, unless by an unpacking that was interrupted."""
    archives = FOLDER / "archives"
    unfinished = archives / f"{packages[-1]}.unfinished"
    if wanted.exists() and not unfinished.exists():
        return
    _say(f"unpacking {', '.join(packages)} into {FOLDER.name}")
    archives.mkdir(exist_ok=True)
    download = ["apt-get", "--quiet", "download", *packages]
    try:
        _run(download, archives)
    except InstallError:
        if os.geteuid() != 0:
            raise
        _update_lists()
        _run(download, archives)
    unfinished.touch()
    for package in packages:
        for archive in archives.glob(f"{package}_*.deb"):
            _run(["dpkg-deb", "--extract", archive, DEBIAN_ROOT])
    unfinished.unlink()


def _update_lists() -> None:
    """Waits for another apt run to let go of them, which apt itself does not."""
    until = time.monotonic() + LOCK_SECONDS
    while True:
        messages = _errors_of(["env", "LC_ALL=C", "apt-get", "--quiet", "update"])
        if messages is None:
            return
        if "Could not get lock" not in messages or time.monotonic() > until:
            raise InstallError(f"apt-get update: {_last_line(messages)}")
        _say("waiting for another apt run")
        time.sleep(10)


def debian_version(package: str) -> str:
    """As in the name of the archive that was unpacked: NAME_VERSION_ARCHITECTURE.deb."""
    archive = next((FOLDER / "archives").glob(f"{package}_*.deb"))
    return archive.name.split("_")[1]


def _install_openblas() -> None:
    _unpack_debian(OPENBLAS, "libquadmath0", "libgfortran5", "libopenblas0-openmp")


def _install_libxsmm() -> None:
    _unpack_debian(XSMM_ARCHIVE, "libxsmm-dev")
    newest = max(file.stat().st_mtime for file in (XSMM_SOURCE, Path(__file__)))
    if XSMM_LIBRARY.exists() and XSMM_LIBRARY.stat().st_mtime > newest:
        return
    XSMM_LIBRARY.unlink(missing_ok=True)  # rather than an old one, none
    linked = XSMM_LIBRARY.with_suffix(".part")
    # For any CPU: libxsmm compiles its kernels for the one at hand when they are called.
    _run(["g++", "-x", "c", "-std=c11", "-O3", "-fopenmp", "-fPIC", "-shared",
          XSMM_SOURCE, "-x", "none", "-I", DEBIAN_ROOT / "usr" / "include",
          "-o", linked, XSMM_ARCHIVE, XSMM_ARCHIVE.with_name("libxsmmnoblas.a"),
          "-ldl", "-lpthread", "-lm"])
    linked.replace(XSMM_LIBRARY)
