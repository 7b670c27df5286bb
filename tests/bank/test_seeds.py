"""Seeds are derived the same everywhere, and each name has a stream of its own."""

import hashlib
import json
from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from grader.bank.seeds import Stream, derived, self_study
from grader.model import Seed

names = st.text(min_size=1, max_size=20)


def by_hand(secret, *parts):
    """HMAC-SHA256 as RFC 2104 states it, from hashlib alone."""
    key = (hashlib.sha256(secret).digest() if len(secret) > 64 else secret).ljust(64, b"\0")
    message = json.dumps(list(parts), ensure_ascii=True).encode()
    inner = hashlib.sha256(bytes(byte ^ 0x36 for byte in key) + message).digest()
    return hashlib.sha256(bytes(byte ^ 0x5C for byte in key) + inner).hexdigest()


def test_the_derived_seed_has_its_known_value():
    """A course's seeds never change: this one was written down once."""
    seed = derived(b"a secret", "张伟", "causal_attention", "9f3ac21e", 2)
    assert seed == Seed("886b8ee1db44584c")


@given(st.binary(max_size=100), names, names, names, st.integers(0, 99))
def test_a_derived_seed_is_the_hmac_of_its_parts(secret, student, template, drawing, attempt):
    """The derivation is HMAC-SHA256 with the course's secret over all parts, cut to sixteen digits."""
    seed = derived(secret, student, template, drawing, attempt)
    assert seed.text == by_hand(secret, student, template, drawing, attempt)[:16]


def test_every_part_takes_part():
    """Another secret, student, template, version or attempt gives another seed."""
    parts = (b"s", "ann", "t", "0", 1)
    others = [
        (b"z", "ann", "t", "0", 1),
        (b"s", "bob", "t", "0", 1),
        (b"s", "ann", "u", "0", 1),
        (b"s", "ann", "t", "1", 1),
    ]
    others += [(b"s", "ann", "t", "0", 2), (b"s", "an", "nt", "0", 1)]
    assert len({derived(*one) for one in [parts, *others]}) == len(others) + 1


def stream(name="x", seed=0, redraw=0):
    """A stream of one template."""
    return Stream("template", "0123abcd", self_study(seed), redraw, name)


def test_a_stream_has_its_known_values():
    """The numbers of a stream never change: these were written down once."""
    one = stream()
    assert [one.integer(-9, 9) for _ in range(40)] == [
        -6,
        7,
        -3,
        4,
        4,
        -2,
        4,
        2,
        -8,
        3,
        -4,
        7,
        3,
        7,
        -6,
        1,
        3,
        -3,
        6,
        -2,
        -1,
        6,
        5,
        -4,
        9,
        7,
        -8,
        -9,
        0,
        5,
        -7,
        -3,
        0,
        -4,
        -2,
        -5,
        -6,
        0,
        3,
        3,
    ]


def test_a_stream_is_the_raw_output_of_the_generator_keyed_by_sha256():
    """A stream is Philox keyed by SHA-256 of its parts, taken modulo the span: computed here independently."""
    parts = json.dumps(["template", "0123abcd", "7", None, 3, "q"]).encode()
    key = int.from_bytes(hashlib.sha256(parts).digest()[:16], "little")
    raw = [int(word) for word in np.random.Philox(key=key).random_raw(50)]
    one = stream("q", seed=7, redraw=3)
    assert [one.integer(0, 9) for _ in range(50)] == [word % 10 for word in raw]


def test_streams_of_different_names_seeds_and_redraws_differ():
    """No two streams give the same numbers."""
    streams = [stream(name, seed, redraw) for name in "ab" for seed in (0, 1) for redraw in (0, 1)]
    drawn = {tuple(one.integer(0, 999) for _ in range(8)) for one in streams}
    assert len(drawn) == len(streams)


@given(st.integers(-(2**70), 2**70), st.integers(0, 2**63))
def test_an_integer_lies_in_its_range(low, span):
    """Whatever the range, the number drawn lies in it, the ends included."""
    assert low <= stream().integer(low, low + span) <= low + span


def test_integers_are_uniform():
    """Every value of a range comes up about equally often."""
    one = stream("uniform")
    counts = Counter(one.integer(-3, 3) for _ in range(7000))
    assert set(counts) == set(range(-3, 4))
    assert sum((count - 1000) ** 2 / 1000 for count in counts.values()) < 22.5  # chi-squared, 6 degrees, 0.999


def test_a_word_beyond_the_last_whole_span_is_rejected():
    """Numbers that would make low values likelier are thrown away, so that the draw is uniform exactly."""
    one = stream()
    span = 2**63 + 1
    raw = stream()
    kept = [word for word in (raw.integer(0, 2**64 - 1) for _ in range(40)) if word < span]
    assert [one.integer(0, span - 1) for _ in range(10)] == kept[:10]


def test_shuffling_is_uniform():
    """Every order of three comes up about equally often."""
    counts = Counter(tuple(stream("s", seed).shuffled("abc")) for seed in range(3000))
    assert len(counts) == 6
    assert sum((count - 500) ** 2 / 500 for count in counts.values()) < 20.5  # chi-squared, 5 degrees, 0.999
