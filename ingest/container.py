"""The content of a file, whether it is plain, gzip or a zip member."""

import hashlib
import zipfile
import zlib
from pathlib import Path
from typing import IO, Protocol

from ..errors import ProfdbError

_CHUNK = 1 << 18


class Content(Protocol):
    """A stream of decompressed bytes that knows how far it is in the file."""

    kind: str

    def read(self, size: int) -> bytes:
        """Give up to `size` bytes; none at the end."""

    def position(self) -> int:
        """Bytes of the file on disk that were taken so far."""


class _Plain:
    kind = "plain"

    def __init__(self, path: Path) -> None:
        self._file = path.open("rb", buffering=0)

    def read(self, size: int) -> bytes:
        return self._file.read(size)

    def position(self) -> int:
        return self._file.tell()


class _Gzip:
    """Every member of a gzip file; a stream that is cut says at which byte."""

    kind = "gzip"

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file = path.open("rb", buffering=0)
        self._inflate = zlib.decompressobj(31)
        self._rest = b""
        self._inside = False

    def read(self, size: int) -> bytes:
        while True:
            taken = self._rest or self._file.read(_CHUNK)
            if not taken:
                return self._end()
            try:
                out = self._inflate.decompress(taken, size)
            except zlib.error as error:
                raise self._damaged(f"is damaged before byte {self.position()}: {error}") from None
            self._rest = self._inflate.unconsumed_tail
            self._inside = not self._inflate.eof
            if self._inflate.eof:
                # What follows a member is another one, or padding with zeros.
                self._rest = self._inflate.unused_data.lstrip(b"\0")
                self._inflate = zlib.decompressobj(31)
            if out:
                return out

    def position(self) -> int:
        return self._file.tell() - len(self._rest)

    def _end(self) -> bytes:
        if self._inside:
            raise self._damaged(f"ends at byte {self.position()} in the middle of the gzip stream")
        return b""

    def _damaged(self, what: str) -> ProfdbError:
        return ProfdbError(
            f"{self._path} {what}: it was cut or never finished; copy it again from the host"
        )


class _ZipMember:
    """The only JSON or CSV member of a zip archive."""

    kind = "zip"

    def __init__(self, path: Path) -> None:
        self._archive = zipfile.ZipFile(path)
        members = [m for m in self._archive.infolist() if not m.is_dir()]
        traces = [m for m in members if m.filename.endswith((".json", ".csv"))] or members
        if len(traces) != 1:
            raise ProfdbError(f"{path} holds {len(traces)} traces; unpack it and ingest the folder")
        self._file: IO[bytes] = self._archive.open(traces[0])
        self._share = traces[0].compress_size / max(traces[0].file_size, 1)

    def read(self, size: int) -> bytes:
        return self._file.read(size)

    def position(self) -> int:
        return int(self._file.tell() * self._share)


def open_content(path: Path) -> Content:
    """Open a file by what its first bytes are, not by its name."""
    magic = path.open("rb").read(4)
    if magic[:2] == b"\x1f\x8b":
        return _Gzip(path)
    if magic == b"PK\x03\x04":
        return _ZipMember(path)
    return _Plain(path)


def sha256(path: Path) -> str:
    """SHA-256 of the bytes on disk, in hex."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def digest_of(hashes: list[str]) -> str:
    """Digest of a profile from the SHA-256 of its files, in their order."""
    return hashes[0] if len(hashes) == 1 else hashlib.sha256("".join(hashes).encode()).hexdigest()
