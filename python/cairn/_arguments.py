"""Arguments as Python has them, for the library: one clear error each, naming the argument."""

import cmath
import operator
import os
from collections.abc import Callable
from typing import Any, Literal, TypeAlias, TypeVar

from ._core import Layout, Op, Options, Order, ScalarType, Symmetry, Uplo, words_of_memory

OrderName: TypeAlias = Literal["C", "F"]
TransposeName: TypeAlias = Literal["N", "T", "C"]
UploName: TypeAlias = Literal["lower", "upper"]
SymmetryName: TypeAlias = Literal["general", "symmetric", "antisymmetric", "hermitian"]
FileName: TypeAlias = str | bytes | os.PathLike[str] | os.PathLike[bytes]
Chosen = TypeVar("Chosen")

_LEAST, _MOST = -(2**63), 2**63 - 1
_TYPES = {name: ScalarType[name] for name in ("float32", "float64", "complex64", "complex128")}
_OPS = {"N": Op.none, "T": Op.transpose, "C": Op.adjoint}
_UPLOS = {"lower": Uplo.lower, "upper": Uplo.upper}
_SYMMETRIES = {name: Symmetry[name] for name in ("general", "symmetric", "antisymmetric", "hermitian")}
_ORDERS = {"C": Order.row, "F": Order.col}


def integer(name: str, value: Any, least: int = _LEAST, most: int = _MOST) -> int:
    """An integer that the library can count with, 64 bits if it is not said which are expected."""
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name}: {value!r}, expected an integer") from None
    if not least <= number <= most:
        expected = "a 64-bit integer" if (least, most) == (_LEAST, _MOST) else f"{least} to {most}"
        raise ValueError(f"{name}: {number}, expected {expected}")
    return number


def number(name: str, value: Any) -> complex:
    """A number, of Python's or NumPy's, that fits into double precision."""
    if isinstance(value, (int, float, complex)):
        try:
            complex(value)
        except OverflowError:
            raise ValueError(f"{name}: an integer that is too large, expected a number below 2^1024") from None
        return value
    kind = getattr(getattr(value, "dtype", None), "kind", "?")
    if getattr(value, "shape", None) == () and kind in "biufc":
        found = complex(value) if kind == "c" else float(value)
        if not cmath.isfinite(found) and _is_finite(value):  # of more than double precision
            raise ValueError(f"{name}: {value!s} is too large, expected a number below 2^1024 in size")
        return found
    raise TypeError(f"{name}: {value!r}, expected a number")


def _is_finite(value: Any) -> bool:
    """Of NumPy's numbers."""
    import numpy

    return bool(numpy.isfinite(value))


def real(name: str, value: Any) -> float:
    found = number(name, value)
    if isinstance(found, complex):
        raise TypeError(f"{name}: {value!r}, expected a real number")
    return float(found)


def truth(name: str, value: Any) -> bool:
    """True or False, Python's or NumPy's."""
    if isinstance(value, bool) or getattr(getattr(value, "dtype", None), "kind", "?") == "b" and value.shape == ():
        return bool(value)
    raise TypeError(f"{name}: {value!r}, expected True or False")


def text(name: str, value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{name}: {value!r}, expected a text")
    try:
        value.encode()
    except UnicodeEncodeError:
        raise ValueError(f"{name}: {value!r}, expected a text that UTF-8 can spell, without lone surrogates") from None
    return value


def text_or_none(name: str, value: Any) -> str | None:
    return None if value is None else text(name, value)


def layout(name: str, value: Any) -> Layout | None:
    if value is not None and not isinstance(value, Layout):
        raise TypeError(f"{name}: {type(value).__name__}, expected a Layout")
    return value


def ranks_text(count: int) -> str:
    """For people."""
    return f"{count} rank" if count == 1 else f"{count} ranks"


def layout_text(value: Layout) -> str:
    """For ranks to agree on: short, and different where layouts are."""
    return f"({value}, {hash(value):x})"


def file_name(path: Any, name: str = "path") -> bytes:
    """As the system has it: what str and bytes name is the same, UTF-8 or not."""
    if not isinstance(path, (str, bytes, os.PathLike)):
        raise TypeError(f"{name}: {type(path).__name__}, expected a text, bytes or a path")
    encoded = os.fsencode(path)
    if not encoded:
        raise ValueError(f"{name}: an empty text, expected a name")
    if 0 in encoded:
        raise ValueError(f"{name}: {path!r}, expected a name without a null character")
    return encoded


def items(name: str, values: Any, expected: str) -> list[Any]:
    """Of what has some, as `expected` says."""
    try:
        return list(values)
    except TypeError:
        raise TypeError(f"{name}: {values!r}, expected {expected}") from None


def integers(name: str, values: Any, count: int | None = None, expected: str = "integers") -> list[int]:
    try:
        numbers = [integer(name, value) for value in values]
    except TypeError:
        raise TypeError(f"{name}: {values!r}, expected {expected}") from None
    if count is not None and len(numbers) != count:
        raise ValueError(f"{name}: {values!r}, expected {f'{count} integers' if expected == 'integers' else expected}")
    return numbers


def pair(name: str, values: Any, expected: str = "(rows, columns)") -> tuple[int, int]:
    """Two integers, of which the error says what they are."""
    first, second = integers(name, values, 2, expected)
    return first, second


def one_of(name: str, value: Any, all: dict[Any, Chosen]) -> Chosen:
    try:
        return all[value]
    except (KeyError, TypeError):
        raise ValueError(f"{name}: {value!r}, expected one of {', '.join(map(repr, all))}") from None


def scalar_type(value: Any, name: str = "dtype") -> ScalarType:
    """Of a name, a NumPy dtype or a NumPy scalar type; NumPy is imported only for other names."""
    text = "float64" if value is float else "complex128" if value is complex else value
    if not isinstance(text, str):
        text = getattr(value, "name", None) or getattr(value, "__name__", None)
    if not getattr(value, "isnative", True):
        text = f"{text} in the other byte order"
    if text not in _TYPES and text is not None:
        try:
            import numpy

            dtype = numpy.dtype(value)
            text = dtype.name if dtype.isnative else text
        except Exception:  # without NumPy, or whatever it finds in a text: also SyntaxError
            pass
    if text not in _TYPES:
        raise TypeError(f"{name}: {text or repr(value)}, expected {', '.join(_TYPES)}")
    return _TYPES[text]


def op(name: str, value: Any) -> Op:
    return one_of(name, value, _OPS)


def uplo(value: Any) -> Uplo:
    return one_of("uplo", value, _UPLOS)


def symmetry(value: Any) -> Symmetry:
    return one_of("symmetry", value, _SYMMETRIES)


def order(value: Any) -> Order:
    return one_of("order", value, _ORDERS)


def words_allowed(memory: str | int | None, type: ScalarType) -> int | None:
    return None if memory is None else words_of_memory(text("memory", str(memory)), "memory", type)


def _look_ahead(name: str, value: Any) -> int:
    """Of 32 bits, as the library takes it; what is beyond them means the same."""
    return max(-(2**31), min(integer(name, value), 2**31 - 1))


_UNDERSTAND: dict[str, Callable[[str, Any], Any]] = {
    "algorithm": text, "prefer": text, "look_ahead": _look_ahead, "max_idle": real, "transport": text, "collectives": text,
    "ranks_per_node": integer, "machine": text, "kernels": text, "verify_counts": truth, "trace": text,
}  # fmt: skip
OPTIONS = ("memory_words", *_UNDERSTAND)


def options(type: ScalarType, *, memory: str | int | None = None, **asked: Any) -> Options:
    """What may be asked of a plan, by the names of include/cairn/options.hpp. None as look_ahead or max_idle asks for nothing."""
    for name in asked:
        if name not in _UNDERSTAND:
            raise TypeError(f"{name}: no such argument, expected one of memory, {', '.join(_UNDERSTAND)}")
    o = Options()
    o.memory_words = words_allowed(memory, type)
    for name, understand in _UNDERSTAND.items():
        if name in asked and (asked[name] is not None or name not in ("look_ahead", "max_idle")):
            setattr(o, name, understand(name, asked[name]))
    return o
