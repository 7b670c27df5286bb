"""How a case ended: from what the kernel tells to an `Outcome`, and from an `Outcome` to the finding to be shown.

The texts in an outcome come from the submission's process. A finding takes its code from our own list alone; the texts
only fill places in its sentence.
"""

import signal
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from grader.model import Ending, Finding, Limits, Outcome
from grader.sandbox.box import Death
from grader.sandbox.inside.modules import allowed

NEAR_MEMORY = 0.5  # of the limit: a process killed from outside that used so much was killed for its memory


def died(death: Death | None, limits: Limits) -> Outcome:
    """The outcome of a process that ended without an answer. Only the kernel's facts count."""
    if death is None or death.killed:
        return Outcome("wrong-return", error="protocol")  # it closed its end and went on
    if death.code >= 0:
        return Outcome("exit", message=str(death.code))
    name = _signal_name(-death.code)
    if name == "SIGXCPU" or (name == "SIGKILL" and death.cpu >= limits.cpu):
        return Outcome("timeout", error="cpu")
    if name == "SIGKILL" and death.peak >= NEAR_MEMORY * limits.memory * 1024:
        return Outcome("memory", error=name)
    if name == "SIGXFSZ":
        return Outcome("output-limit", error=name)
    return Outcome("signal", error=name)


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"SIG{number}"


def limited(outcome: Outcome, limits: Limits, returns: int) -> Outcome:
    """The outcome with the limit that it met, from our own numbers."""
    met: Mapping[str, float] = {
        "timeout": limits.cpu if outcome.error == "cpu" else limits.wall,
        "memory": limits.memory,
        "output-limit": limits.output,
        "wrong-return": limits.result if outcome.error == "too-large" else returns,
    }
    return replace(outcome, limit=met[outcome.ending]) if outcome.ending in met else outcome


def finding(outcome: Outcome, function: str) -> Finding:
    """The code and the numbers of an outcome's sentence: `returned` if there is nothing to say.

    Where the line is known and the code has a sentence for it, the code ends in `-at-line`.
    """
    code, numbers = _CODES[outcome.ending](outcome, function)
    if outcome.line is not None and code in AT_LINE:
        code += "-at-line"
        numbers |= {"line": outcome.line, "source": outcome.frames[-1].source if outcome.frames else ""}
    return Finding(code, {"function": function, **numbers}, line=outcome.line)


AT_LINE = {
    "not-written",
    "syntax-error",
    "syntax-error-before",
    "exception",
    "exception-bare",
    "exception-recursion",
    "exception-input",
    "exception-closed",
    "exception-truth",
    "exception-none",
    "timeout",
    "memory",
    "exit",
}
"""The codes that have a second sentence, with {line} and {source}."""

Coded = tuple[str, dict[str, Any]]


def _returned(outcome: Outcome, _function: str) -> Coded:
    if not outcome.inputs_changed:
        return "returned", {}
    return "inputs-changed", {"arguments": ", ".join(str(index + 1) for index in outcome.inputs_changed)}


def _not_written(outcome: Outcome, function: str) -> Coded:
    name = outcome.frames[-1].function if outcome.frames else function
    return ("not-written", {}) if name == function else ("not-written-other", {"name": name})


def _syntax_error(outcome: Outcome, _function: str) -> Coded:
    texts = {"error": outcome.error, "message": outcome.message}
    if not outcome.message:
        return "syntax-error-nested", texts  # the parser gave up without a word
    before = outcome.message.startswith(_PERHAPS_BEFORE)
    return ("syntax-error-before" if before else "syntax-error"), texts


_PERHAPS_BEFORE = ("invalid syntax", "unexpected indent", "unindent", "unmatched")
"""How Python's message begins where what is wrong may stand on a line before: it notices when it cannot go on."""


def _import_error(outcome: Outcome, _function: str) -> Coded:
    if outcome.error == "ModuleNotFoundError" and outcome.near:
        return "import-error", {"module": outcome.near, "allowed": ", ".join(allowed(outcome.allowed))}
    return "import-error-name", {"message": outcome.message}


def _missing_function(outcome: Outcome, _function: str) -> Coded:
    if outcome.error == "not-callable":
        return "missing-function-not-callable", {"what": outcome.message}
    if outcome.error == "class":
        return "missing-function-class", {"message": outcome.message}
    return ("missing-function-near", {"near": outcome.near}) if outcome.near else ("missing-function", {})


def _exception(outcome: Outcome, _function: str) -> Coded:
    texts = {"error": outcome.error, "message": outcome.message}
    if special := _SPECIAL.get(outcome.error):
        return special, texts
    if outcome.message.startswith(_CLOSED):
        return "exception-closed", texts
    if outcome.error == "TypeError" and outcome.line is None:
        return "exception-parameters", texts  # raised by the call itself
    return next((code for code, word in _OFTEN.items() if word in outcome.message), _plain(outcome)), texts


def _plain(outcome: Outcome) -> str:
    return "exception" if outcome.message else "exception-bare"


_OFTEN = {
    "exception-truth": "The truth value of an array",
    "exception-none": "'NoneType'",
}
"""Messages that learners meet often and do not understand, each by some of its words; there is a hint for each."""


_SPECIAL = {
    "RecursionError": "exception-recursion",
    "EOFError": "exception-input",
    "PermissionError": "exception-closed",
    "FileNotFoundError": "exception-closed",  # for all that can be seen from inside, there are no files
    "BlockingIOError": "exception-closed",  # another process
    "gaierror": "exception-closed",  # a name of the network
}
_CLOSED = ("can't start new thread", "unknown encoding: idna")
"""What the walls make Python say of a thread, and of the network, in errors that come of other things as well."""


def _wrong_return(outcome: Outcome, _function: str) -> Coded:
    numbers = {"what": outcome.message, "limit": _whole(outcome.limit)}
    known = {"none", "none-inside", "type", "count", "ragged", "dtype", "too-large", "too-deep"}
    return f"wrong-return-{outcome.error if outcome.error in known else 'protocol'}", numbers


def _timeout(outcome: Outcome, _function: str) -> Coded:
    code = {"cpu": "timeout-cpu", "not-run": "timeout-not-run"}.get(outcome.error, "timeout")
    return code, {"limit": _whole(outcome.limit)}


def _limit(outcome: Outcome, _function: str) -> Coded:
    return outcome.ending, {"limit": _whole(outcome.limit)}


def _exit(outcome: Outcome, _function: str) -> Coded:
    return "exit", {"exit_code": outcome.message}


def _signal(outcome: Outcome, _function: str) -> Coded:
    return "signal", {"signal": outcome.error}


def _whole(limit: float | None) -> float:
    """A limit as people write it: 5 and not 5.0."""
    limit = limit or 0
    return int(limit) if limit == int(limit) else limit


_CODES: Mapping[Ending, Callable[[Outcome, str], Coded]] = {
    "returned": _returned,
    "not-written": _not_written,
    "syntax-error": _syntax_error,
    "import-error": _import_error,
    "missing-function": _missing_function,
    "exception": _exception,
    "wrong-return": _wrong_return,
    "timeout": _timeout,
    "memory": _limit,
    "exit": _exit,
    "signal": _signal,
    "output-limit": _limit,
}
