"""Run Debian's test programs of ScaLAPACK, with libraries preloaded or without, and read what they print.

They end with status 0 whatever happens, and their summaries leave out some of the errors that they print, so the whole
text is read: no word of an error, the end is reached, and as many tests passed as without the drop-in.
"""
import os
import re
import subprocess
import tempfile
from pathlib import Path

PROGRAMS = Path(os.environ["CAIRN_SCALAPACK_TESTS"])  # those of the MPI that this build uses
LAUNCHER = os.environ["CAIRN_LAUNCHER"]
DROP_IN = os.environ.get("CAIRN_SCALAPACK_DROPIN", "")
HANDED_BACK = os.environ["CAIRN_SCALAPACK_HANDED_BACK"]
# What is computed is the same whatever the MPI: under a second one a sample is run, unless all is asked for.
SAMPLE = "CAIRN_TEST_SECOND_MPI" in os.environ and "CAIRN_TEST_ALL" not in os.environ
RANKS, PATIENCE = 4, 120  # seconds a program; a hang is a failure

ERRORS = re.compile(r"ERROR|SHOULD HAVE BEEN|[Oo]verwrite|FAILED|modified|incorrect|ILLEGAL|[Bb]ad |not supported")
HARMLESS = re.compile(r"\s*SUBROUTINE +TOTAL TESTS +PASSED +FAILED +SKIPPED|.*tests skipped because of illegal")
PBLAS_ROW = re.compile(r" +\| +(P\w+) +(\d+) +(\d+) +(\d+) +(\d+)")
LAPACK_COUNT = re.compile(r" *(\d+) tests completed and (passed|failed)| *(\d+) tests (skipped)")


def launch(program, data, preload=(), patience=PATIENCE, **environment):
    """(status, stdout, stderr) of a test program in an empty directory that holds only `data` (name -> text)."""
    with tempfile.TemporaryDirectory(prefix="cairn_scalapack.") as directory:
        for name, text in data.items():
            Path(directory, name).write_text(text, encoding="ascii")
        # The launcher may preload something itself.
        command = ["sh", "-c", 'LD_PRELOAD="$LD_PRELOAD $PRELOAD" exec "$0"', str(PROGRAMS / program)]
        environment = {"CAIRN_MPI_TIMEOUT": str(patience), "PRELOAD": " ".join(preload), **environment}
        done = subprocess.run(
            [LAUNCHER, "-n", str(RANKS), *command], cwd=directory, capture_output=True, text=True, errors="replace",
            check=False, env={**os.environ, **environment})
        return done.returncode, done.stdout, done.stderr


def dropped_in(program, data):
    """`launch` with the drop-in, and behind it a library that counts what reaches ScaLAPACK nevertheless."""
    return launch(program, data, (DROP_IN, HANDED_BACK), CAIRN_SCALAPACK="always")


def handed_back(stderr, routine=""):
    """Calls of p?gemm, or of another routine, that reached the original, over all ranks; None if no rank has counted."""
    counts = re.findall(rf"^handed back{re.escape(routine and ' ' + routine)}: (\d+)$", stderr, re.M)
    return sum(map(int, counts)) if len(counts) == RANKS else None


def errors(text):
    return [line for line in text.splitlines() if ERRORS.search(line) and not HARMLESS.match(line)]


def pblas_data(letter, text=None):
    """The data file of a PBLAS level-3 tester: Debian's or the given text."""
    name = f"P{letter.upper()}BLAS3TST.dat"
    return {name: text or (PROGRAMS / "PBLAS" / name).read_text(encoding="ascii")}


def pblas_counts(text):
    """routine -> (tests, passed, failed, skipped), of the summary."""
    return {row[1]: tuple(map(int, row.groups()[1:])) for row in map(PBLAS_ROW.match, text.splitlines()) if row}


def pblas_faults(result, expected):
    """What is wrong with a tester's run, one sentence each; `expected` are the counts of the stock run."""
    status, text, _ = result
    faults = errors(text)
    counts = pblas_counts(text)
    if status != 0:
        faults.append(f"status {status}")
    if "End of Tests." not in text:
        faults.append("the end was not reached")
    if counts != expected:
        faults.append(f"counts {counts}, expected {expected}")
    for routine, (tests, passed, failed, skipped) in counts.items():
        seen = len(re.findall(rf"Computational check: {routine} +PASSED", text))
        if failed or passed + skipped != tests or seen != passed:
            faults.append(f"{routine}: {seen} checks passed, the summary says {passed} of {tests}")
    return faults


def lapack_data(name):
    """Debian's; without estimates of conditions where p?porfs stands still, with stock ScaLAPACK, too."""
    text = (PROGRAMS / name).read_text(encoding="ascii")
    if name in ("LLT.dat", "LU.dat"):
        text = re.sub(r"^T( +\(T or F\) Test Cond)", r"F\1", text, flags=re.M)
    return {name: text}


def lapack_faults(result, passed):
    """What is wrong with the run of a LAPACK-level program, of which so many tests must pass, and none be skipped."""
    status, text, _ = result
    faults = errors(text)
    if status != 0:
        faults.append(f"status {status}")
    if "END OF TESTS." not in text:
        faults.append("the end was not reached")
    counts = {m[2] or m[4]: int(m[1] or m[3]) for m in map(LAPACK_COUNT.match, text.splitlines()) if m}
    if counts != {"passed": passed, "failed": 0, "skipped": 0}:
        faults.append(f"counts {counts}, expected {passed} passed")
    return faults
