"""Judge what is not a number: letters, true or false. A wrong option says what choosing it meant."""

from fractions import Fraction

from grader.model import Answer, Blank, Finding, StepReport


def judge(blank: Blank, answer: Answer) -> StepReport:
    """Mark a choice, several choices, or true/false.

    Reading has seen to it that the letters are those of options, and one where one is wanted. Several choices earn the
    right letters less the wrong ones, as a share of all right ones, never below zero.
    """
    if blank.kind == "truth":
        return _truth(blank, answer)
    right = {choice.letter for choice in blank.choices if choice.right}
    picked = set(answer.letters)
    if picked == right:
        return StepReport(blank.name, "right", blank.points, blank.points, answer.notices, read_as=answer.read_as)
    findings = tuple(
        Finding(
            choice.mistake or "wrong-option",
            {"blank": blank.name, "letter": choice.letter, "key": choice.key},
            (choice.mistake,) if choice.mistake else (),
        )
        for choice in blank.choices
        if choice.letter in picked and not choice.right
    )
    if blank.kind == "choices":
        missed = sorted(right - picked)
        findings += (Finding("options-missing", {"blank": blank.name, "count": len(missed)}),) if missed else ()
        share = Fraction(max(0, len(picked & right) - len(picked - right)), max(1, len(right)))
    else:
        share = Fraction(0)
    return StepReport(
        blank.name, "wrong", blank.points * share, blank.points, findings + answer.notices, read_as=answer.read_as
    )


def _truth(blank: Blank, answer: Answer) -> StepReport:
    if answer.truth is blank.truth:
        return StepReport(blank.name, "right", blank.points, blank.points, answer.notices, read_as=answer.read_as)
    finding = Finding("wrong-truth", {"blank": blank.name, "key": "truth"})
    return StepReport(
        blank.name, "wrong", Fraction(0), blank.points, (finding, *answer.notices), read_as=answer.read_as
    )
