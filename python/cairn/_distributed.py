"""What dense and block-sparse matrices over the ranks of a communicator have in common."""

from typing import Any


class Distributed:
    """Copies have memory of their own, by whichever way they are made; nothing of it leaves the communicator."""

    __slots__ = ()

    def copy(self) -> Any:
        raise NotImplementedError

    def __copy__(self) -> Any:
        return self.copy()

    def __deepcopy__(self, known: Any) -> Any:
        return self.copy()

    def __reduce__(self) -> tuple[Any, ...]:
        raise TypeError(f"a {type(self).__name__} belongs to its communicator and cannot be pickled; save() writes it to a file")
