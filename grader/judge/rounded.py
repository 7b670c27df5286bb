"""Numbers rounded, or cut off, before they were gone on with: exponentials to two decimals, weights to one.

Looked for only where no mistake explains an answer. What rounding on the way gives lies near the right numbers, so it
is said only of answers that chance would not give as near.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from grader.judge.chance import NAMED, OFFERED, accidental_hits
from grader.judge.compare import differing, half_unit, indices, typed
from grader.judge.follow import Follower
from grader.model import Answer, Array, Blank, Finding, Pipeline
from grader.trace import pipelines, run

NEARLY: Final = 0.1
"""How often a wrong answer is nearly right: a key missed on the calculator, a digit misread."""

LEAST: Final = 2
"""With fewer decimals asked, rounding on the way is no fault of its own."""

ROOT: Final = "√d_k"
UNSEEN: Final = ("", "masked", "minus_max")
"""What is said to have been rounded only if nothing else was: everything, and steps that change no digit."""

E: Final = "e"
_WIDTHS: Final = ("d_head", "d_k")

Shortened = Callable[[Array], Array]


def on_the_way(follower: Follower, blank: Blank, answer: Answer) -> tuple[Finding, ...]:
    """What was rounded before it was gone on with, if that gives this answer from the learner's own values."""
    yours, own = typed(answer), follower.own(blank)
    if blank.kind != "numbers" or blank.decimals < LEAST or yours is None or own is None or own.shape != yours.shape:
        return ()
    if not np.isfinite(own).all() or not np.isfinite(yours).all():
        return ()
    ways = [way for way in _ways(follower, blank) if way.value.shape == own.shape and np.isfinite(way.value).all()]
    fits = [way for way in ways if not differing(answer, way.value, blank.decimals)]
    if not fits:
        return ()
    asked = {other.step for other, _ in follower.typed_before(blank)}
    found = min(fits, key=lambda way: (way.step not in asked, way.step in UNSEEN))  # the likeliest of those that do
    lucky = _lucky(blank, [way.value for way in ways], own, yours)
    if lucky >= OFFERED:
        return ()
    code = found.code if lucky < NAMED else f"perhaps-{found.code}"
    return (Finding(code, {"blank": blank.name, "step": found.step, "digits": found.digits}),)


def of_digits(answer: Answer, targets: Sequence[Array], blank: Blank) -> tuple[Finding, ...]:
    """A finding if fewer digits than asked are filled up with zeros."""
    yours = typed(answer)
    if blank.kind != "numbers" or yours is None:
        return ()
    for want in (one for one in targets if np.isfinite(one).all()):
        off = differing(answer, want, blank.decimals)
        cells = dict(zip(indices(want.shape), answer.cells, strict=True))
        if any(cells[index].decimals != blank.decimals for index in off):
            continue
        for digits in range(blank.decimals - 1, 0, -1):
            ways = _shortenings(digits)  # a single number cut off and filled up may be anything
            tried = ways.values() if yours.size > 1 else [ways["rounded"]]
            if any(np.abs(yours - short(want)).max() < half_unit(digits + 3) for short in tried):
                code = "zeros-for-digits" if yours.size > 1 else "perhaps-zeros-for-digits"
                return (Finding(code, {"digits": digits, "decimals": blank.decimals}),)
    return ()


def _shortenings(digits: int) -> dict[str, Shortened]:
    """Rounding and cutting off after so many decimals; what is a hair below a half or a whole unit counts as that."""
    unit, hair = 10.0**digits, 1e-9
    return {
        "rounded": lambda a: np.sign(a) * np.floor(np.abs(a) * unit + 0.5 + hair) / unit,
        "cut": lambda a: np.sign(a) * np.floor(np.abs(a) * unit + hair) / unit,
    }


# --- what losing digits on the way gives -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Way:
    """Digits lost at a step, or at every one, and what the blank then holds."""

    code: str
    step: str
    digits: int
    value: Array


@dataclass(frozen=True, slots=True)
class _Course:
    """A way of getting to a blank: from these values by this pipeline, to the cells of its last step."""

    pipeline: Pipeline
    given: Mapping[str, Array]
    names: tuple[str, ...]
    last: str
    cells: tuple[int, ...]

    def value(self, name: str, given: Mapping[str, Array]) -> Array | None:
        """A step from these values; none if they do not lead there."""
        try:
            return given[name] if name in given else run(self.pipeline, given, until=name).get(name)
        except (ValueError, IndexError, TypeError, ArithmeticError):
            return None

    def end(self, given: Mapping[str, Array]) -> Array | None:
        """What the blank holds if gone on with from these values."""
        whole = self.value(self.last, given)
        return None if whole is None or whole.ndim < len(self.cells) else np.asarray(whole[self.cells])

    def less(self, given: Mapping[str, Array], name: str, short: Shortened) -> dict[str, Array] | None:
        """These values with one step shortened; none if it has nothing to lose."""
        value = self.value(name, given)
        if value is None or value.dtype.kind != "f":
            return None
        with np.errstate(invalid="ignore"):
            shorter = np.where(np.isfinite(value), short(value), value)
        return None if np.array_equal(shorter, value) else {**given, name: shorter}


def _ways(follower: Follower, blank: Blank) -> Iterator[_Way]:
    """Every way of losing digits on the way to a blank, most digits kept first, the last step first."""
    courses = list(_courses(follower, blank))
    for digits in range(blank.decimals, 0, -1):
        for kind, short in _shortenings(digits).items():
            for course in courses:
                for step, given in _shortened(course, short):
                    value = course.end(given)
                    if value is not None:
                        yield _Way(f"{kind}-on-the-way" if step else f"{kind}-all-the-way", step, digits, value)


def _shortened(course: _Course, short: Shortened) -> Iterator[tuple[str, Mapping[str, Array]]]:
    """The values of a course with each step shortened in turn, with the root, and at last with every step."""
    for name in reversed(course.names):
        given = course.less(course.given, name, short)
        if given is not None:
            yield name, given
    divided = _over_short_root(course, short)
    if divided is not None:
        yield ROOT, divided
    powers = _of_short_e(course, short)
    if powers is not None:
        yield E, powers
    everywhere = dict(course.given)
    for name in course.names:
        everywhere = course.less(everywhere, name, short) or everywhere
    yield "", everywhere


def _over_short_root(course: _Course, short: Shortened) -> dict[str, Array] | None:
    """Scores divided by 1.41 for √2."""
    width = next((one for one in (course.value(name, course.given) for name in _WIDTHS) if one is not None), None)
    scaled = None if "scaled" in course.given else course.value("scaled", course.given)
    if width is None or scaled is None:
        return None
    root = np.sqrt(width)
    return {**course.given, "scaled": scaled * root / short(root)} if short(root) else None


def _of_short_e(course: _Course, short: Shortened) -> dict[str, Array] | None:
    """Powers of 2.7 for those of e."""
    power = course.value("minus_max", course.given) if "exp" in course.names and "exp" not in course.given else None
    base = float(short(np.array(np.e)))
    return None if power is None or base <= 1 else {**course.given, "exp": base**power}


def _courses(follower: Follower, blank: Blank) -> Iterator[_Course]:
    """From the learner's own values; and the same with a softmax whose maximum was not subtracted first."""
    step = blank.step or ""
    given = {name: array for name, array in follower.before(step).items() if name != step}
    behind = follower.made_of(step)
    names = tuple(one.name for one in follower.pipeline.steps if one.name in behind and one.name not in follower.inputs)
    course = _Course(follower.pipeline, given, names, step, blank.cells)
    yield course
    masked = course.value("masked", given) if "minus_max" in names and "minus_max" not in given else None
    if masked is not None:
        yield _Course(course.pipeline, {**given, "minus_max": masked}, names, step, blank.cells)
    yield from _in_one_go(course)


def _in_one_go(course: _Course) -> Iterator[_Course]:
    """A softmax that is one step of its pipeline, cut into its own."""
    how = next(one for one in course.pipeline.steps if one.name == course.last)
    row, whole = course.value(how.needs[0], course.given), course.value(course.last, course.given)
    softmax = pipelines()["softmax"]
    if len(how.needs) != 1 or row is None or whole is None or row.dtype.kind != "f" or row.ndim == 0:
        return
    trace = run(softmax, {"masked": row})
    if trace["weights"].shape == whole.shape and np.allclose(trace["weights"], whole, rtol=0, atol=1e-12):
        for given in ({"masked": row}, {"masked": row, "minus_max": row}):
            yield _Course(softmax, given, ("exp", "sum"), "weights", course.cells)


# --- how much an answer can carry --------------------------------------------------------------------------------


def _lucky(blank: Blank, values: Sequence[Array], own: Array, yours: Array) -> float:
    """How often chance would hit one of these values: anywhere, or among answers as near to the right one as this."""
    distinct = {np.round(value, blank.decimals).tobytes(): value for value in values}
    half = half_unit(blank.decimals)
    changed = np.abs(yours - own) > half
    alike = sum(np.array_equal(np.abs(value - own) > half, changed) for value in distinct.values())
    window = min(1.0, half / float(np.abs(yours - own).max()))
    near = NEARLY * alike * window ** _free(changed, own, yours, half)
    return max(accidental_hits(blank, distinct.values(), own, yours), near)


def _free(changed: Array, own: Array, yours: Array, half: float) -> int:
    """How many numbers of an answer could be anything: in a row whose sum is right, one follows from the others."""
    rows = np.atleast_2d(changed)
    off = np.atleast_2d(yours).sum(axis=-1) - np.atleast_2d(own).sum(axis=-1)
    bound = rows.any(axis=-1) & (np.abs(off) <= 2 * half * rows.shape[-1])
    return max(1, int(rows.sum() - bound.sum()))
