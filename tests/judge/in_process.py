"""Asks a plain Python function as a submission is asked, without a process of its own."""

import numpy as np

from grader.bank import draw, load
from grader.bank.seeds import DEFAULT
from grader.judge import conventions
from grader.model import Outcome


def variant_of(name, seed=DEFAULT):
    """The exercise with its default conventions, or as drawn from a seed."""
    return draw.rebuild(load.find(name), seed, 0)


def asker(variant, function, counts=None):
    """What mark hands to judging, for a function of this process; `counts` takes how many inputs each round had."""
    spec, settings = variant.template.function, variant.chosen["conventions"]

    def ask(inputs):
        if counts is not None:
            counts.append(len(inputs))
        return [outcome(conventions.arguments(spec, settings, one)) for one in inputs]

    def outcome(arguments):
        given = [one.copy() if isinstance(one, np.ndarray) else one for one in arguments]
        try:
            with np.errstate(all="ignore"):
                made = function(*given)
        except Exception as error:  # noqa: BLE001 -- as the sandbox does
            return Outcome("exception", error=type(error).__name__, message=str(error))
        each = made if isinstance(made, tuple) or len(spec.returns) > 1 else (made,)
        values = tuple(np.array(one) for one in each)[: len(spec.returns)]
        changed = tuple(
            place
            for place, (one, other) in enumerate(zip(given, arguments, strict=True))
            if isinstance(one, np.ndarray) and not np.array_equal(one, other)
        )
        return Outcome("returned", conventions.canonical(spec, settings, values), inputs_changed=changed)

    return ask
