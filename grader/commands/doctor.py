"""What holds learners' code on this machine: every wall and every limit, tried."""

from grader.commands.session import Session
from grader.sandbox import doctor

SEEN, MISSING = 0, 1


def look(session: Session) -> int:
    """Try everything, tell it line by line, and say what to do about what is missing."""
    session.tell(session.sentence("doctor-machine", machine=doctor.machine()))
    advice: list[str] = []
    for check in doctor.checks():
        sign = session.sentence("doctor-holds" if check.holds else "doctor-missing") if session.plain else _sign(check)
        session.tell(f"{sign} {session.sentence(f'doctor-{check.code}')}")
        if not check.holds and check.advice not in advice:
            advice.append(check.advice)
    for code in advice:
        session.tell("\n" + session.sentence(f"doctor-advice-{code}"))
    if not advice:
        session.tell("\n" + session.sentence("doctor-well"))
    return MISSING if advice else SEEN


def _sign(check: doctor.Check) -> str:
    return "✓" if check.holds else "✗"
