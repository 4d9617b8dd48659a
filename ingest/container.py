"""The content of a file, whether it is plain, gzip or a zip member."""

import hashlib
import zipfile
import zlib
from pathlib import Path
from typing import IO, Protocol

from ..errors import ProfdbError

_CHUNK = 1 << 18
# An encrypted member is a RuntimeError, an unknown way of packing a NotImplementedError.
_ZIP_ERRORS = (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, NotImplementedError)


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
            if not self._inside and not (taken := taken.lstrip(b"\0")):
                # What follows a member is another one, or padding with zeros.
                self._rest = b""
                continue
            try:
                out = self._inflate.decompress(taken, size)
            except zlib.error as error:
                raise self._damaged(f"is damaged before byte {self.position()}: {error}") from None
            self._rest = self._inflate.unconsumed_tail
            self._inside = not self._inflate.eof
            if self._inflate.eof:
                self._rest = self._inflate.unused_data
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
        self._path = path
        try:
            archive = zipfile.ZipFile(path)
            members = [m for m in archive.infolist() if not m.is_dir()]
            traces = [m for m in members if m.filename.endswith((".json", ".csv"))] or members
            if len(traces) != 1:
                raise ProfdbError(
                    f"{path} holds {len(traces)} files; unpack it and ingest the folder"
                )
            self._file: IO[bytes] = archive.open(traces[0])
        except _ZIP_ERRORS as error:
            raise self._unreadable(error) from None
        self._share = traces[0].compress_size / max(traces[0].file_size, 1)

    def read(self, size: int) -> bytes:
        try:
            return self._file.read(size)
        except _ZIP_ERRORS as error:
            raise self._unreadable(error) from None

    def position(self) -> int:
        return int(self._file.tell() * self._share)

    def _unreadable(self, error: Exception) -> ProfdbError:
        return ProfdbError(f"{self._path} is a zip archive that cannot be read: {error}")


def open_content(path: Path) -> Content:
    """Open a file by what its first bytes are, not by its name."""
    with path.open("rb") as file:
        magic = file.read(4)
    if magic[:2] == b"\x1f\x8b":
        return _Gzip(path)
    if magic == b"PK\x03\x04":
        return _ZipMember(path)
    return _Plain(path)


def head_of(path: Path, size: int) -> bytes:
    """Give the first bytes of the content, fewer where it ends or is damaged before.

    Raises ProfdbError where not even the first byte can be had.
    """
    content, head = open_content(path), b""
    try:
        while len(head) < size and (part := content.read(size - len(head))):
            head += part
    except ProfdbError:
        # Enough to judge what it is; whoever reads it all says where the damage is.
        if not head:
            raise
    return head


class Hashed:
    """A content that is hashed as it is read."""

    def __init__(self, content: Content) -> None:
        self.kind = content.kind
        self._content = content
        self._hash = hashlib.sha256()

    def read(self, size: int) -> bytes:
        """Give up to `size` bytes; none at the end."""
        taken = self._content.read(size)
        self._hash.update(taken)
        return taken

    def position(self) -> int:
        """Bytes of the file on disk that were taken so far."""
        return self._content.position()

    def sha256(self) -> str:
        """SHA-256 of the whole content, in hex; what was not read yet is read here."""
        while self.read(_CHUNK):
            pass
        return self._hash.hexdigest()


def sha256(path: Path) -> str:
    """SHA-256 of the content, so that packing a file does not make it another one."""
    return Hashed(open_content(path)).sha256()


def digest_of(hashes: list[str]) -> str:
    """Digest of a profile from the SHA-256 of its files, in their order."""
    return hashes[0] if len(hashes) == 1 else hashlib.sha256("".join(hashes).encode()).hexdigest()
