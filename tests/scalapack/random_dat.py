#!/usr/bin/env python3
"""Random data files for PBLAS's level-3 testers: random_dat.py LETTER SEED [TRSM] prints one, of 20 tests on 4 grids.

Every test has its own sizes, offsets, block sizes, first blocks and sources; 0 occurs among the sizes, alpha and beta,
and -1 (replicated) among the sources. All of it is legal on every grid of the file: the testers skip what is not.
"""
import random
import sys

TESTS, GRIDS = 20, 4
LARGEST = 100  # rows and columns; the testers keep three whole matrices a rank in 2 MB

# Sources must exist in every grid of a file, so that some files are for tall, wide or square grids only.
FAMILIES = (
    ((1, 1), (1, 2), (2, 1), (2, 2), (1, 4), (4, 1), (1, 3), (3, 1)),
    ((1, 2), (1, 3), (1, 4), (2, 2)),
    ((2, 1), (3, 1), (4, 1), (2, 2)),
    ((2, 2),),
)
REAL = {"ALPHA": ("2.5", "1", "0", "-1"), "BETA": ("-0.5", "1", "0")}
REAL_ROUTINES = "GEMM SYMM SYRK SYR2K TRMM TRSM GEADD TRADD".split()
COMPLEX_ROUTINES = "GEMM SYMM HEMM SYRK HERK SYR2K HER2K TRMM TRSM GEADD TRADD".split()


def blocks(dice):
    return dice.choice((1, 2, 3, 4, 5, 7, 8, 16, 33, 128))


def operand(dice, rows, cols, most_rows, most_cols, least_source=-1):
    """Entries of a matrix that has a submatrix of rows × cols somewhere."""
    i, j = dice.randint(1, 20), dice.randint(1, 20)
    m, n = max(1, i - 1 + rows + dice.choice((0, 0, 3))), max(1, j - 1 + cols + dice.choice((0, 0, 5)))
    return {"M": m, "N": n, "IMB": blocks(dice), "INB": blocks(dice), "MB": blocks(dice), "NB": blocks(dice),
            "RSRC": dice.randrange(least_source, most_rows), "CSRC": dice.randrange(least_source, most_cols), "I": i, "J": j}


def one_test(dice, least_rows, least_cols):
    """A test as columns of the file: name -> value."""
    size = lambda: dice.choice((0, 1, 2, 13, 17, 32, dice.randint(3, LARGEST - 25)))
    test = {"M": size(), "N": size(), "K": size(), "TRANSA": dice.choice("NTCntc"), "TRANSB": dice.choice("NTCntc")}
    shapes = {"A": (test["M"], test["K"]), "B": (test["K"], test["N"]), "C": (test["M"], test["N"])}
    for name, (rows, cols) in shapes.items():
        if test.get("TRANS" + name, "N") not in "Nn":
            rows, cols = cols, rows
        test.update({f"{entry}_{name}": value
                     for entry, value in operand(dice, rows, cols, least_rows, least_cols).items()})
    return test


def one_solve(dice, least_rows, least_cols):
    """The same for TRSM, in square blocks or not. A copy of B on several ranks is ScaLAPACK's. It must be legal for GEMM,
    too: the testers judge a solve by what they last found of another routine, where they found nothing."""
    size = lambda: dice.choice((1, 2, 13, 17, 32, dice.randint(3, LARGEST - 25)))
    test = {"M": size(), "N": size(), "TRANSA": dice.choice("NTCntc"), "TRANSB": "N", "SIDE": dice.choice("LR")}
    test["K"] = test["M"]
    order = max(test["M"], test["N" if test["SIDE"] == "R" else "M"])
    square = {"IMB": 8, "INB": 8, "MB": 8, "NB": 8, "RSRC": 0, "CSRC": 0, "I": 1, "J": 9} if dice.random() < 0.4 else {}
    for name, (rows, cols) in {"A": (order, order), "B": (test["M"], test["N"]), "C": (test["M"], test["N"])}.items():
        entries = operand(dice, rows, cols, least_rows, least_cols, 0 if name == "B" else -1)
        entries.update(square)
        if square:
            entries.update({"M": rows, "N": cols + 8})
        test.update({f"{entry}_{name}": value for entry, value in entries.items()})
    return test


def number(dice, letter, name):
    part = lambda: dice.choice(REAL[name])
    exponent = "D0" if letter in "dz" else "E0"
    real = lambda text: (text if "." in text else text + ".") + exponent
    return real(part()) if letter in "sd" else f"({real(part())}, {real(dice.choice(('0', '0', '2', '-1')))})"


def routines(letter):
    return [f"P{letter.upper()}{name}" for name in (REAL_ROUTINES if letter in "sd" else COMPLEX_ROUTINES)]


def expected(letter, routine="GEMM"):
    """The counts of the summary where all tests pass: routine -> (tests, passed, failed, skipped)."""
    tests = TESTS * GRIDS
    return {name: (tests, tests, 0, 0) if name[2:] in ("GEMM", routine) else (0, 0, 0, 0) for name in routines(letter)}


def data(letter, seed, routine="GEMM"):
    dice = random.Random(f"{letter} {seed}" + ("" if routine == "GEMM" else f" {routine}"))
    family = FAMILIES[seed % len(FAMILIES)]
    grids = [dice.choice(family) for _ in range(GRIDS)]
    least = [min(sides) for sides in zip(*grids)]
    tests = [(one_test if routine == "GEMM" else one_solve)(dice, *least) for _ in range(TESTS)]
    row = lambda values, what: " ".join(map(str, values)) + "\t" + what
    column = lambda key, what: row((test[key] for test in tests), what)
    lines = ["'Random tests'", f"'seed {seed}'", "'RANDOM.SUMM'\toutput file name", "6\tdevice out",
             "F\tstop on failures", "F\ttest error exits", "0\tverbosity",
             f"{dice.choice((0, 1, 10))}\tleading dimension gap", "16.0\tthreshold",
             f"{dice.choice((2, 10, 32))}\tlogical block size", f"{GRIDS}\tgrids", row((g[0] for g in grids), "P"),
             row((g[1] for g in grids), "Q"), number(dice, letter, "ALPHA") + "\tALPHA",
             number(dice, letter, "BETA") + "\tBETA", f"{TESTS}\ttests"]
    for what, values in (("DIAG", "NU"), ("SIDE", "LR")):
        lines.append(row((f"'{test.get(what) or dice.choice(values)}'" for test in tests), what))
    for what in ("TRANSA", "TRANSB"):
        lines.append(row((f"'{test[what]}'" for test in tests), what))
    lines.append(row((f"'{dice.choice('UL')}'" for _ in tests), "UPLO"))
    lines += [column(key, key) for key in ("M", "N", "K")]
    for name in "ABC":
        lines += [column(f"{key}_{name}", f"{key}_{name}")
                  for key in ("M", "N", "IMB", "INB", "MB", "NB", "RSRC", "CSRC", "I", "J")]
    lines += [f"{name:<8}{'T' if name[2:] in ('GEMM', routine) else 'F'}\ttested" for name in routines(letter)]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4) or sys.argv[1] not in ("s", "d", "c", "z"):
        sys.exit(__doc__)
    print(data(sys.argv[1], int(sys.argv[2]), *sys.argv[3:]), end="")
