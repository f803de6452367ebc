"""How those who wait for something long are told how far it is."""

from collections.abc import Callable

Progress = Callable[[str, int, int | None], None]
"""Called with what was just done, how much is done, and of how much where that is known.

The first is empty where one thing alone is at work.
"""
