"""`python -m grader` is `grade`."""

import sys
from pathlib import Path

if __name__ == "__main__":
    # Python puts the folder one stands in first on its path: a `numpy.py` beside the exercises would be run as ours.
    if not sys.flags.safe_path and Path(sys.path[0]).resolve() != Path(__file__).resolve().parents[1]:
        del sys.path[0]

    from grader.cli import main

    main()
