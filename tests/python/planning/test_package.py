"""The package as it is installed."""

import ast
import importlib.metadata
import os
import shutil
import subprocess
import sys
import tarfile
from importlib.util import find_spec
from pathlib import Path

import pytest
from scikit_build_core.build import build_sdist

import cairn

SOURCE = Path(__file__).parents[3]
PACKAGE = Path(cairn.__file__).parent


def run(code: str) -> str:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout


def test_needs_no_mpi4py_and_no_numpy_to_plan() -> None:
    loaded = run("import sys, cairn; cairn.plan(64, 64, 64, ranks=4).explain(); print(*sys.modules)").split()
    assert "cairn._core" in loaded
    assert not {"mpi4py", "numpy", "matplotlib", "scipy", "cairn._mpi"} & set(loaded)


def test_imports_itself_and_little_of_the_standard_library() -> None:  # bench/python/overhead.py has the milliseconds
    loaded = run("import sys; before = set(sys.modules); import cairn; print(*(set(sys.modules) - before))").split()
    assert {module.split(".")[0] for module in loaded} - sys.stdlib_module_names == {"cairn"}
    assert len(loaded) < 60  # 37: `json` and `re` bring most of them


@pytest.mark.skipif(find_spec("cairn._mpi") is None, reason="built without MPI")
def test_every_public_name_is_there_and_documented() -> None:
    for name in cairn.__all__:
        if name == "layout":
            continue
        assert getattr(cairn, name).__doc__, name
    assert set(cairn.__all__) <= set(dir(cairn))
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        cairn.nonsense


def test_has_its_types_and_one_version() -> None:
    assert (PACKAGE / "py.typed").exists()
    for stub in PACKAGE.glob("_*.pyi"):
        ast.parse(stub.read_text())
    assert {stub.name for stub in PACKAGE.glob("*.pyi")} >= {"_core.pyi"}
    assert cairn.__version__ == importlib.metadata.version("cairn")
    assert f"project(cairn VERSION {cairn.__version__} " in (SOURCE / "CMakeLists.txt").read_text()


def test_brings_the_command() -> None:
    command = PACKAGE.parent / "bin" / "cairn"
    said = subprocess.run([command, "plan", "gemm", "64", "64", "64", "--ranks", "4", "--json"], capture_output=True, text=True, check=True)
    assert cairn.Plan.from_json(said.stdout).ranks == 4


def test_its_command_finds_what_draws_beside_itself(tmp_path: Path) -> None:
    """Moved, with another script in the place of the one that draws, which says what it was given, and by which Python."""
    for folder in ("bin", "share"):
        shutil.copytree(PACKAGE / folder, tmp_path / "it's moved" / folder)
    (script,) = (tmp_path / "it's moved" / "share").rglob("plot.py")
    assert script.read_text() == (SOURCE / "python" / "plot.py").read_text()
    script.write_text("import json, sys; open(sys.argv[1], 'w').write(sys.executable + json.load(sys.stdin)['name'])")
    drawn = tmp_path / "it's drawn.svg"
    command = [str(tmp_path / "it's moved" / "bin" / "cairn"), "reproduce", "cosma-figure3", "--plot", str(drawn)]
    subprocess.run(command, env=os.environ | {"CAIRN_PYTHON": sys.executable}, check=True, capture_output=True)
    assert drawn.read_text() == sys.executable + "cosma-figure3"


def test_its_command_draws_by_the_python_of_the_package(tmp_path: Path) -> None:
    command = [str(PACKAGE.parent / "bin" / "cairn"), "reproduce", "cosma-figure3", "--plot"]
    nowhere = str(tmp_path / "no such folder" / "drawn.svg")
    with subprocess.Popen([*command, nowhere], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as beside:
        subprocess.run([*command, str(tmp_path / "drawn.svg")], env=os.environ | {"PATH": "/usr/bin:/bin"}, check=True, capture_output=True)
        said = beside.communicate()[1]
    assert (tmp_path / "drawn.svg").read_text().startswith("<?xml")
    assert beside.returncode != 0 and "--plot: " in said.splitlines()[-1]


def test_source_distribution_has_all_that_is_built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(SOURCE)
    with tarfile.open(tmp_path / build_sdist(str(tmp_path))) as archive:
        names = {name.split("/", 1)[1] for name in archive.getnames() if "/" in name}
    needed = [SOURCE / "CMakeLists.txt", SOURCE / "LICENSE", SOURCE / "pyproject.toml"]
    for folder in ("src", "include", "apps", "cmake", "python", "tools"):
        needed += [path for path in (SOURCE / folder).rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    assert not {str(path.relative_to(SOURCE)) for path in needed} - names
    assert not [name for name in names if name.startswith(("build/", ".ci/", ".git/"))]
