"""Turns recorded as files, one a turn: for `maelstrom explain` and `maelstrom replay`.

Theory: an `on_turn` observer. A file is written beside its place and moved there, so a
reader finds all of it or nothing, and its name sorts by when the turn began. Equal
recordings have equal names: one saved twice is there once. The disk is waited for in a
thread, so it stands in nobody's way but its own turn's; where it fails, the engine logs
that, and the turn goes on.

Files are for their owner's eyes alone (mode 0600 where the system has modes): with
``content=True`` they hold what people wrote.
"""

import asyncio
import os
import re
from hashlib import sha256
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Final

from returns.result import Result

from maelstrom.core.diagnostics import Diagnostics
from maelstrom.core.recording import Recording, record
from maelstrom.core.wire_diagnostics import recording_from_text, recording_to_text
from maelstrom.effects.config_error import ConfigError

__all__ = ["Recorder", "read_recording", "record_to"]

_UNSAFE: Final = re.compile(r"[^A-Za-z0-9_-]+")
_ID: Final = 40
"""Characters of an id in a name: two of them, a time and a digest stay under 143, which
is the least that file systems in use allow."""
_TIME: Final = 15
"""Digits of a time in milliseconds: enough for the next thirty thousand years."""
_DIGEST: Final = 12
"""Hex digits of the content's digest, which tell turns of one name apart."""


class Recorder:
    """An observer that saves each turn; what `record_to` returns."""

    def __init__(self, folder: Path, *, content: bool) -> None:
        self.folder = folder
        self.content = content

    async def __call__(self, diagnostics: Diagnostics) -> None:
        """Save a turn."""
        await asyncio.to_thread(self.save, diagnostics)

    def save(self, diagnostics: Diagnostics) -> Path:
        """Save a turn here and now; the file.

        Raises:
            OSError: The disk failed; nothing of the turn is there.
        """
        recording = record(diagnostics, self.content)
        text = recording_to_text(recording).encode()
        path = self.folder / _name(recording, text)
        _write(path, text)
        return path


def record_to(folder: str | os.PathLike[str], content: bool = False) -> Recorder:
    """Save the diagnostics of each turn in a folder: `create_engine(on_turn=...)`.

    Args:
        folder: Where to; made where it is not there.
        content: Whether to keep request, prompt and raw answer too: replay needs them.

    Raises:
        ConfigError: The folder cannot be made, or an argument is of the wrong type.
    """
    if not isinstance(folder, str | os.PathLike):
        raise ConfigError("folder", "must be a path")
    if not isinstance(content, bool):
        raise ConfigError("content", "must be True or False")
    try:
        path = Path(folder)
        path.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError, TypeError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise ConfigError("folder", f"cannot be made: {reason}") from None
    return Recorder(path, content=content)


def read_recording(content: bytes) -> Result[Recording, str]:
    """A recorded turn from a file's content, or in words why it is none."""
    return recording_from_text(content)


def _name(recording: Recording, text: bytes) -> str:
    """When, whose, which; a turn whose message could not be read has no ids.

    >>> _name(record(Diagnostics(None, 1, 2, "failed")), b"")
    '000000000000001_none_none_e3b0c44298fc.json'
    """
    started = max(recording.diagnostics.started, 0)
    parts = (
        f"{started:0{_TIME}}",
        _safe(recording.session_id),
        _safe(recording.id),
        sha256(text).hexdigest()[:_DIGEST],
    )
    return "_".join(parts) + ".json"


def _safe(name: str | None) -> str:
    return "none" if name is None else _UNSAFE.sub("-", name)[:_ID]


def _write(path: Path, text: bytes) -> None:
    with NamedTemporaryFile(
        dir=path.parent, prefix=".", suffix=".part", delete=False
    ) as part:
        try:
            part.write(text)
            part.flush()
            os.fsync(part.fileno())
            part.close()  # before it is moved: some systems move no open file
            Path(part.name).replace(path)
        except BaseException:
            part.close()
            Path(part.name).unlink(missing_ok=True)
            raise
