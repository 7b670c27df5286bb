"""Which mistakes make a typed step what it is: sets of them, from the learner's own earlier values.

All sets of a size are computed and compared at once, the smallest size first. What fits is *named* only if the answer
can carry the claim, else *offered* as "this is what you get when", and not at all where chance would do as well.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import comb
from typing import Final

import numpy as np

from grader.judge.chance import NAMED, OFFERED, accidental_hits
from grader.judge.classes import called
from grader.judge.compare import SLACK, differing, half_unit, typed
from grader.judge.follow import Follower, is_degenerate
from grader.judge.sets import FAILED, MOST, Ground, Members, Values, changed_by, plan
from grader.model import Answer, Array, Blank, Finding, Mistake, Step

NEAR: Final = 400
"""Half units of the last decimal within which rounding on the way is worth working out."""

MOST_SETS: Final = 4000
"""How many sets of a size are worth trying by hand: with more, chance would have its way, and time runs."""

ROOM: Final = 50
"""Half units of the last decimal by which another answer may be off and still agree with a mistake."""

ROOM_SHARE: Final = 0.05
"""The most of its largest number by which it may be off."""

STRICTER: Final = 0.1
"""How much less may be left to chance for what another answer of the learner's speaks against."""

_LOOKED_AT: Final = 6
"""For how many of the nearest sets that is done."""


@dataclass(frozen=True, slots=True)
class Question:
    """One wrong answer and what it is held against: the learner's own values so far, and the mistakes of the hand.

    `own` is what should stand here; `about` are the mistakes that the template is about, the likeliest first; `others`
    are the other blanks with what was typed in them, so that nobody is accused of what another answer refutes;
    `empty` are the blanks still open, by their step, one of which may tell two explanations apart.
    """

    follower: Follower
    blank: Blank
    answer: Answer
    mistakes: tuple[Mistake, ...]
    own: Array | None
    about: Sequence[str] = ()
    others: Sequence[tuple[Blank, Answer]] = ()
    empty: Mapping[str, str] = field(default_factory=dict)


def of_blank(question: Question) -> tuple[Finding, ...]:
    """The findings for one wrong blank: mistakes named or offered, and what would tell them apart; or nothing."""
    search = _Search(question, question.follower.before(question.blank.step or ""))
    return _searched(search) or _from_the_start(question) or _past_own(question, search.seen)


def _searched(search: "_Search") -> tuple[Finding, ...]:
    for size in range(1, MOST + 1):
        if search.count(size) > MOST_SETS or (size > 1 and search.is_thin):
            break
        fits = search.fitting(size)
        if fits:
            return search.finding(fits, size)
        if search.lucky(size) > OFFERED:
            break
    return ()


def _from_the_start(question: Question) -> tuple[Finding, ...]:
    """Mistakes made all along the way, of which the earlier answers showed nothing: only some rows were asked for."""
    earlier = question.follower.typed_before(question.blank)
    partly = any(blank.cells for blank, _ in earlier)
    return _searched(_Search(question, question.follower.inputs, earlier)) if partly else ()


def _past_own(question: Question, seen: Mapping[bytes, Array]) -> tuple[Finding, ...]:
    """One mistake made past the learner's own earlier answers: the right row was typed, and another gone on with.

    The last answer before this blank is passed over, then the last two, and so on. Never a guess: named, or not said.
    `seen` is what was tried from the learner's own values, which chance might have hit as well.
    """
    order = question.follower.order
    earlier = sorted(question.follower.typed_before(question.blank), key=lambda one: order.get(one[0].step or "", -1))
    names, seen = [blank.name for blank, _ in earlier], dict(seen)
    for place in reversed(range(len(names))):
        passed = frozenset(names[place:])
        search = _Search(
            question, question.follower.before(question.blank.step or "", passed), passed=passed, seen=seen
        )
        fits = [] if search.is_thin else search.fitting(1)
        if fits:
            found = search.finding(fits, 1) if search.lucky() < NAMED * STRICTER else ()
            return (
                (*found, Finding("past-own", {"earlier": names[place], "blank": question.blank.name})) if found else ()
            )
    return ()


class _Search:
    """The search for one blank: what was tried, and how often chance would have hit it.

    From some values on; sets that do not give what was typed at these `earlier` blanks do not count, and those that do
    not give what was typed at the blanks `passed` over do.
    """

    def __init__(
        self,
        question: Question,
        inputs: Mapping[str, Array],
        earlier: Sequence[tuple[Blank, Array]] = (),
        passed: frozenset[str] = frozenset(),
        seen: dict[bytes, Array] | None = None,
    ) -> None:
        self.question, self.earlier, self.passed, step = question, earlier, passed, question.blank.step or ""
        inputs = {name: array for name, array in inputs.items() if name != step}
        wanted = (step, *(blank.step or "" for blank, _ in earlier))
        made = plan(question.follower.pipeline, frozenset(inputs), wanted, question.mistakes)
        self.ground = Ground(made, inputs)
        self.yours = typed(question.answer)
        self.right = _asked(question.blank, dict(question.follower.right))
        self.unharmed = _asked(question.blank, self.ground.right)
        self.seen: dict[bytes, Array] = {} if seen is None else seen
        self.extra = 0.0

    def lucky(self, size: int = 1) -> float:
        """How many accidental hits to expect among all that was searched, sets of this size at last.

        Several mistakes at once are soon found for what is one number in truth: the weights of two keys, or equal ones.
        """
        blank, own, tied = self.question.blank, self.question.own, size > 1
        return accidental_hits(blank, self.seen.values(), own, self.yours, self.extra, tied=tied)

    @property
    def is_thin(self) -> bool:
        """Whether the answer says little of how it came about: equal numbers along each row, or nothing but 0 and 1."""
        yours = self.yours
        return yours is not None and yours.ndim > 0 and (is_degenerate(yours) or bool(np.isin(yours, (0.0, 1.0)).all()))

    def count(self, size: int) -> int:
        """At most how many sets of this size there are."""
        return comb(sum(bool(way.forms) for way in self.ground.plan.ways), size)

    def fitting(self, size: int) -> list[Members]:
        """The sets of this size that give what was typed."""
        members, values = [], []
        for one, value in self._values(size):
            with np.errstate(over="ignore"):  # a mistake may give numbers near the largest there are
                key = np.round(value, self.question.blank.decimals).tobytes()
            self.seen.setdefault(key, value)
            members.append(one)
            values.append(value)
        if not values or self.yours is None:
            return []
        return self._close(members, np.stack(values))

    def _values(self, size: int) -> Iterator[tuple[Members, Array]]:
        """What the sets give in the cells asked for, where that is not what should stand here anyway."""
        for members, values in self.ground.walk(size, size):
            value = _asked(self.question.blank, values)
            if value is not None and value.shape == self.question.answer.shape and not self._is_right(value):
                yield members, value

    def _is_right(self, value: Array) -> bool:
        """Whether a value is what should stand here anyway: what one mistake does, another may undo."""
        return any(_same(value, one) for one in (self.question.own, self.right, self.unharmed))

    def _agrees_before(self, members: Members) -> bool:
        """Whether the earlier answers are what these mistakes give."""
        values = self.ground.values(members) if self.earlier else {}
        for blank, array in self.earlier:
            value = _asked(blank, values)
            if value is None or value.shape != array.shape or not _as_typed(value, array, blank):
                return False
        return True

    def _close(self, members: Sequence[Members], values: Array) -> list[Members]:
        """The sets that give what was typed: to the digits asked, or within what rounding on the way may move."""
        blank, answer = self.question.blank, self.question.answer
        assert self.yours is not None  # noqa: S101 -- the caller has looked
        with np.errstate(all="ignore"):
            apart = np.where(values == self.yours, 0.0, np.abs(values - self.yours))
            apart = np.nan_to_num(apart, nan=np.inf).reshape(len(values), -1).max(axis=-1, initial=0.0)  # (sets,)
        half = half_unit(blank.decimals)
        within = half * (1 + 1e-6) + SLACK * (1 + np.abs(np.nan_to_num(self.yours, neginf=0.0)).max(initial=0.0))
        exact = [
            place for place in np.flatnonzero(apart <= within) if not differing(answer, values[place], blank.decimals)
        ]
        if not exact and blank.kind == "numbers" and self.question.follower.is_rounded(blank):
            nearest = [place for place in np.argsort(apart)[:_LOOKED_AT] if apart[place] <= NEAR * half]
            exact = [place for place in nearest if self._within_rounding(members[int(place)], values[place])]
        close = [members[int(place)] for place in exact]
        return [one for one in close if self._agrees_before(one) and not self._is_refuted(one)]

    def _is_refuted(self, members: Members) -> bool:
        """Whether another answer shows that these mistakes were not made: they would have changed it too.

        A shape shows nothing of another: each is told by itself.
        """
        changed = self._everywhere(members)
        for blank, answer in self.question.others:
            if blank.kind == "shape" or not any(self._answers_for(blank, answer, forms) for _, forms in changed):
                continue
            value = self._given(blank, changed)
            if value is None:
                continue
            if value.shape != answer.shape or differing(answer, value, blank.decimals, _roomy(value, blank)):
                return True
        return False

    def _given(self, blank: Blank, changed: Sequence[tuple[Mistake, Mapping[str, Step]]]) -> Array | None:
        """What these mistakes give at another blank from the learner's own values before it; none if it is passed."""
        made = [replace(mistake, steps=tuple(forms.values())) for mistake, forms in changed]
        value = None if blank.name in self.passed else self.question.follower.own(blank, made, self.passed)
        if value is None or (value.dtype == bool) != (blank.kind == "mask"):
            return None
        return np.where(value, 0.0, -np.inf) if value.dtype == bool else value.astype(np.float64)

    def _agreement(self, members: Members) -> tuple[tuple[int, int], float]:
        """How the same mistakes made at steps beside this one agree with what was typed there.

        The more wrong answers they give, and then the fewer that they do not, the better; and how often chance would
        have given these as well.
        """
        follower, step, changed = self.question.follower, self.question.blank.step or "", self._everywhere(members)
        agree, against, chance = 0, 0, 1.0
        for blank, answer in self.question.others:
            beside = any((blank.step or "") in forms for _, forms in changed)
            if not beside or blank.step == step or follower.linked(blank.step or "", step):
                continue
            value, right = self._given(blank, changed), _asked(blank, dict(follower.right))
            if value is None or right is None:
                continue
            if value.shape != answer.shape or differing(answer, value, blank.decimals):
                against += 1
            elif not _is_the_right(answer, blank, follower.right):
                agree += 1
                chance *= min(1.0, accidental_hits(blank, [value], right, typed(answer)))
        return (agree, -against if agree else 0), chance

    def _everywhere(self, members: Members) -> list[tuple[Mistake, Mapping[str, Step]]]:
        """The mistakes of a set with all steps that each would change, those that lead elsewhere too."""
        follower = self.question.follower
        here = {step.name: step for step in follower.pipeline.steps if step.name not in follower.inputs}
        mistakes = [self.ground.plan.ways[one].mistake for one in members]
        return [(mistake, changed_by(mistake, here, follower.right)) for mistake in mistakes]

    def _answers_for(self, blank: Blank, answer: Answer, forms: Mapping[str, Step]) -> bool:
        """Whether what stands in another blank tells if a mistake was made here.

        A slip that is made at several steps beside each other (keys projected as wrongly as queries) may have been made
        at one of them alone: its form there needs nothing that the step would not need anyway. What is made of a
        changed step, and not of this one, tells something if it is right.
        """
        follower, step, other = self.question.follower, self.question.blank.step or "", blank.step or ""
        form = forms.get(other)
        if form is None:
            behind = not follower.made_of(other).isdisjoint(forms) and step not in follower.made_of(other)
            return behind and _is_the_right(answer, blank, follower.right)
        if other == step:
            return True
        right = next(one for one in follower.pipeline.steps if one.name == other)
        return not set(form.needs) <= set(right.needs) or follower.linked(other, step)

    def _made(self, members: Members) -> list[Mistake]:
        """The mistakes of a set, in the way each is made here."""
        ways = [self.ground.plan.ways[one] for one in members]
        return [replace(way.mistake, steps=tuple(way.forms.values())) for way in ways]

    def _within_rounding(self, members: Members, value: Array) -> bool:
        """Whether a value is what was typed, if the earlier values were gone on with before they were rounded."""
        if not np.all(np.isfinite(value)):
            return False
        made = self._made(members)
        spread = self.question.follower.spread(self.question.blank, value, made, self.passed)
        if differing(self.question.answer, value, self.question.blank.decimals, spread):
            return False
        self.extra = max(self.extra, float(spread.max(initial=0.0)))
        return True

    # --- how it is said ------------------------------------------------------------------------------------------

    def finding(self, fits: Sequence[Members], size: int) -> tuple[Finding, ...]:
        """One finding for all sets that fit best with the answers beside this one, and what would tell them apart."""
        agreement = {members: self._agreement(members) for members in fits}
        most = max(agree for agree, _ in agreement.values())
        fits = [members for members in fits if agreement[members][0] == most]
        lucky = self.lucky(size) * max(agreement[members][1] for members in fits)
        if size > 1 and lucky >= NAMED:
            return ()  # several mistakes at once are never a guess
        explained = {self._ids(members): members for members in sorted(fits, key=self._rank, reverse=True)}
        first, *others = reversed(explained)
        code = "offered" if lucky >= NAMED else first[0] if size == 1 else "several-mistakes"
        tells = self._telling(list(explained.values()))
        numbers = called((first, *others)) if code != "offered" else {"mistake": first[0]}
        numbers |= {"tells": tells} if tells else {}
        found = Finding(code, numbers, first, tuple(others))
        return (found, Finding("would-tell", {"step": tells})) if tells else (found,)

    def _ids(self, members: Members) -> tuple[str, ...]:
        ways = self.ground.plan.ways
        return tuple(ways[one].mistake.id for one in sorted(members, key=lambda one: (ways[one].first, one)))

    def _rank(self, members: Members) -> tuple[int, int, Members]:
        """The likeliest first: made at this very step, then what the template is about, then the catalogue's order."""
        about, mistakes = self.question.about, [self.ground.plan.ways[one].mistake for one in members]
        elsewhere = sum(mistake.step != self.question.blank.step for mistake in mistakes)
        places = [about.index(one.id) if one.id in about else len(about) for one in mistakes]
        return elsewhere, max(places), members

    def _telling(self, fits: Sequence[Members]) -> str:
        """The first open blank on the way at which the sets give different values; empty if none does."""
        if len(fits) < 2:  # noqa: PLR2004 -- nothing to tell apart
            return ""
        first, *others = [self.ground.values(members) for members in fits]
        for step in self.ground.plan.course:
            if step.name in self.question.empty and not all(_equal(first, one, step.name) for one in others):
                return self.question.empty[step.name]
        return ""


def _is_the_right(answer: Answer, blank: Blank, right: Mapping[str, Array]) -> bool:
    """Whether an answer is the reference's."""
    want = _asked(blank, dict(right))
    return want is not None and want.shape == answer.shape and not differing(answer, want, blank.decimals)


def _roomy(value: Array, blank: Blank) -> Array:
    """Room for what rounding on the way may have moved in another answer; less where few decimals are asked."""
    largest = float(np.abs(value[np.isfinite(value)]).max(initial=0.0))
    return np.full(value.shape, min(ROOM * half_unit(blank.decimals), ROOM_SHARE * largest))


def _asked(blank: Blank, values: Values) -> Array | None:
    """The cells asked for, as they are typed; `None` if there are none."""
    whole = values.get(blank.step or "", FAILED)
    if whole is FAILED:
        return None
    try:
        value = np.asarray(whole[blank.cells])
    except IndexError:
        return None
    if value.dtype == bool:
        return np.where(value, 0.0, -np.inf) if blank.kind == "mask" else None
    return value.astype(np.float64)


def _as_typed(value: Array, array: Array, blank: Blank) -> bool:
    """Whether a value was typed so, to the digits asked."""
    return bool(np.allclose(value, array, rtol=0, atol=half_unit(blank.decimals) * (1 + 1e-6)))


def _equal(one: Values, other: Values, name: str) -> bool:
    mine, yours = one.get(name, FAILED), other.get(name, FAILED)
    if mine is FAILED or yours is FAILED:
        return mine is yours
    if bool in {mine.dtype, yours.dtype} or mine.shape != yours.shape:
        return bool(np.array_equal(mine, yours))
    return bool(np.allclose(mine, yours, rtol=0, atol=1e-9, equal_nan=True))


def _same(value: Array, own: Array | None) -> bool:
    return own is not None and value.shape == own.shape and bool(np.allclose(value, own, rtol=0, atol=1e-12))
