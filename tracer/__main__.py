"""Words of a shell to an exit code: 0 clean, 1 findings, 2 cannot do that, 3 a bug, 130 interrupted."""

import errno
import gc
import os
import sys
from collections.abc import Sequence


def main(words: Sequence[str] | None = None) -> None:
    """Runs the command that was typed, or these words, and ends the process."""
    gc.disable()  # a run is short and makes few circles; the collector would walk the whole ledger again and again
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")  # to look for some, it reads every package's metadata
    try:
        from tracer.cli import app  # within, for an interrupt while it is imported is one like any other

        app(words, prog_name="tracer")
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except KeyboardInterrupt:
        sys.exit(130)
    except Exception as error:  # the outermost edge: nothing is carried on
        sys.exit(_failed(error))


def _failed(error: Exception) -> int:
    """Says why the run ends, and its exit code; all but what a user can cause is a bug."""
    from tracer.cli.console import BUG, NOTHING, complain, drop, report_bug
    from tracer.model import Failure

    if isinstance(error, Failure):
        complain(str(error))
        return NOTHING
    if isinstance(error, OSError) and error.errno == errno.ENOSPC and error.filename is None:
        drop(sys.stdout)  # a page of help, which the library writes by itself
        complain(f"stdout cannot be written to: {error.strerror}")
        return NOTHING
    report_bug(error)
    return BUG


if __name__ == "__main__":
    main()
