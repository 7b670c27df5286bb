"""Where in a template's file stands what a draw failed at, as near as it can be told."""

from grader.bank.places import Loc
from grader.errors import GradeError
from grader.model import Fairness, Seed, Template

_OF_SIZES = frozenset({"unfair-size-not-whole", "step-too-large"})
_OF_FAIR = frozenset({"unfair-spread", "unfair-saturated", "unfair-too-large"})


def of_seed(template: Template, seed: Seed) -> Loc:
    """Where all numbers of a variant come from: its pin, or what is drawn."""
    if seed.pin is not None and seed.pin in template.pins:
        return "pins", seed.pin
    if template.draw:
        return ("draw",)
    return ("ask",) if template.ask else ("function",)


def of_error(template: Template, seed: Seed, error: GradeError) -> Loc:
    """Where the cause of an error in drawing stands."""
    named = str(error.numbers.get("blank") or error.numbers.get("what") or error.numbers.get("name") or "")
    for place, ask in enumerate(template.ask):
        if ask.name == named and error.code in {"take-outside", "unfair-right-options"}:
            return ("ask", place, "take") if error.code == "take-outside" else ("ask", place, "name")
    if seed.pin is not None:
        return of_seed(template, seed)
    if error.code in _OF_SIZES and template.sizes:
        return ("sizes",)
    if error.code in _OF_FAIR and template.fair != Fairness():
        return ("fair",)
    return ("draw", named) if named in template.draw else of_seed(template, seed)
