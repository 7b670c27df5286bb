"""Starts the process that runs submissions. A script run by its path; neither it nor `inside` imports anything of ours.

    python child.py server NUMPY FD WALLS MODULES...   serve many submissions, one fork each, by orders over FD
    python child.py once NUMPY MODULES...              serve one submission over stdin and stdout, print to stderr

NUMPY is the folder that holds the numpy package. Only numpy is found there: the packages beside it, and ours, are not.
WALLS are those wanted, with commas between; MODULES are more that a course allows, each as NAME=FOLDER.

The package `inside`, in the order of a run:

    server        orders of the grader: fork, kill, tell how it ended        (the one that sees no submission)
    walls         what closes the process in: namespaces, landlock, seccomp; over the few calls in kernel
    modules       what a submission can import
    limits        what the kernel holds the process to; where print goes; the clock
    serve         one submission: load the file, then case by case
    warm          a little file of our own, run before the first fork
    submission    compile, run and find the function; call it
    values        arguments in, what a function may return out
    reports       how a run ended: code, own lines, texts, everything capped
    wire          frames, texts and arrays; its layouts are the grader's too
"""

import gc
import importlib
import importlib.machinery
import sys
from pathlib import Path
from typing import Any, cast


class Finder:
    """Finds a few packages, and nothing else, each in the folder it is installed in."""

    def __init__(self, folders: dict[str, str]) -> None:
        """Keep the folder of each package."""
        self.folders = folders

    def find_spec(self, name: str, path: object = None, target: object = None) -> Any:  # noqa: ARG002
        """What the usual search finds in that folder, for these packages alone."""
        folder = self.folders.get(name)
        return folder and importlib.machinery.PathFinder.find_spec(name, [folder])


def main(mode: str, numpy_folder: str, *rest: str) -> None:
    """Import numpy and our few modules, close the way to them, and serve."""
    gc.disable()  # looking for garbage takes a sixth of the time, and there is next to none; a submission turns it on
    finder = Finder({"numpy": numpy_folder, "inside": str(Path(__file__).parent)})
    sys.meta_path.append(cast("Any", finder))
    own, more = (rest[:2], rest[2:]) if mode == "server" else ((), rest)
    # Namespaces are entered by a small process, before numpy is there: the one that stays outside has nothing to hold.
    walls = importlib.import_module("inside.walls").choose(own[1].split(",") if own and own[1] else ())
    with importlib.import_module("inside.modules").untold_of_forks():
        server = importlib.import_module("inside.server")
    del finder.folders["inside"]
    finder.folders |= {name.partition(".")[0]: folder for name, _, folder in (one.partition("=") for one in more)}
    for name in [name for name in sys.modules if name.partition(".")[0] == "inside"]:
        del sys.modules[name]
    names = [one.partition("=")[0] for one in more]
    if mode == "server":
        server.serve_many(int(own[0]), walls, names)
    else:
        server.serve_one()


if __name__ == "__main__":
    main(*sys.argv[1:])
