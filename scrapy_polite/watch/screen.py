"""A terminal on which lines are shown in place of those before, without an alternate screen: what was shown last stays
when it ends."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, TextIO

from scrapy_polite.watch.terminal import Line, lines

if TYPE_CHECKING:
    from scrapy_polite.watch.reading import Reading

#: How soon a change of the terminal's size is noticed.
_LOOK_S = 0.2
_UP, _CLEAR_LINE, _CLEAR_BELOW, _CLEAR_ALL = "\x1b[{}A", "\x1b[K", "\x1b[J", "\x1b[H\x1b[2J"
#: A line that is wider than was reckoned is cut by the terminal (DECAWM) and takes no second row.
_NO_WRAP, _WRAP = "\x1b[?7l", "\x1b[?7h"


def can_draw(stream: TextIO, environment: Mapping[str, str]) -> bool:
    """Whether a stream is a terminal that moves its cursor."""
    return stream.isatty() and environment.get("TERM") != "dumb"


def has_colours(environment: Mapping[str, str]) -> bool:
    """https://no-color.org"""
    return not environment.get("NO_COLOR")


class Screen:
    """Draws frames on a terminal, each over the one before."""

    def __init__(self, stream: TextIO, *, colours: bool) -> None:
        self._stream = stream
        self._colours = colours
        self._rows = 0
        self._size = self.size()

    def size(self) -> os.terminal_size:
        """Columns and rows of the terminal as they are now."""
        try:
            size = os.get_terminal_size(self._stream.fileno())
        except (OSError, ValueError):
            return shutil.get_terminal_size()
        return size if all(size) else shutil.get_terminal_size()

    def draw(self, frame: Sequence[Line]) -> None:
        """One line too few for the terminal's height: the cursor stands below the last."""
        size = self.size()
        begin = _UP.format(self._rows) if self._rows else ""
        if size != self._size:  # where the old lines are now, the terminal alone knows
            begin = _CLEAR_ALL
        self._size, self._rows = size, len(frame)
        body = "".join(f"{line.painted() if self._colours else line.text}{_CLEAR_LINE}\n" for line in frame)
        self._stream.write(f"{begin}\r{_NO_WRAP}{body}{_CLEAR_BELOW}{_WRAP}")
        self._stream.flush()

    def leave(self) -> None:
        """Leave the terminal as it was, whatever was being written when Ctrl-C came."""
        self._stream.write(_WRAP)
        self._stream.flush()

    def wait(self, seconds: float) -> None:
        """Until it is time, or the terminal has another size."""
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0 and self.size() == self._size:
            time.sleep(min(left, _LOOK_S))


def show(read: Callable[[], Reading], screen: Screen, every_s: float, *, until_ended: bool) -> None:
    """Show one reading after the other until KeyboardInterrupt, or until nothing runs any more. A change of size is
    drawn at once."""
    try:
        while True:
            reading = read()
            columns, rows = screen.size()
            # The last column stays free: some terminals wrap a line that fills it.
            screen.draw(lines(reading, columns - 1, rows - 1))
            if until_ended and not any(run.is_running for run in reading.runs):
                return
            screen.wait(every_s)
    except KeyboardInterrupt:
        return
    finally:
        screen.leave()


def once(reading: Reading, stream: TextIO, *, width: int) -> None:
    """Print one reading as text."""
    stream.writelines(f"{line.text}\n" for line in lines(reading, width))
