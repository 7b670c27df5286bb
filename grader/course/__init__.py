"""A class: a set for each student from a roster, the lock that keeps them, marking what is handed in."""
