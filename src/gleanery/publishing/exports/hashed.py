"""A file that is hashed and counted while it is written."""

from __future__ import annotations

import hashlib
import io
from typing import IO, Any


class Hashed(io.RawIOBase):
    """Writes to another file, which stays open when this one is closed."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._hash = hashlib.sha256()
        self.count = 0

    @property
    def digest(self) -> str:
        return self._hash.hexdigest()

    def writable(self) -> bool:
        return True

    def tell(self) -> int:
        return self.count

    def write(self, data: Any) -> int:
        view = memoryview(data)
        self._file.write(view)
        self._hash.update(view)
        self.count += view.nbytes
        return view.nbytes
