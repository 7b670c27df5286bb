"""`grade`, and `python -m grader` likewise."""

import signal
import sys

INTERRUPTED = 130


def main() -> None:
    """Load the command line and run it; Ctrl-C is quiet before that and behind it, too."""
    try:
        from grader.cli import main as run  # noqa: PLC0415 -- it takes a while

        run()
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    finally:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # all is said; Python is about to clean up


def _forget_here() -> None:
    """Python looks for modules where one stands first: a `numpy.py` beside the exercises would be run as ours."""
    from pathlib import Path  # noqa: PLC0415 -- as above

    if not sys.flags.safe_path and Path(sys.path[0]).resolve() != Path(__file__).resolve().parents[1]:
        del sys.path[0]


if __name__ == "__main__":
    try:
        _forget_here()
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    main()
