"""A template's faults are all found at once, each where it stands."""

import pytest

from grader.bank import load, schema
from grader.errors import BadInput, BadInputs

CASES = [
    ("head", "skill: one_head", "skil: one_head", "unknown-key", "skil"),
    ("head", "difficulty: 2", "difficulty: 4", "number-too-large", "4"),
    ("head", "minutes: 5", "minutes: five", "wanted-integer", "five"),
    ("head", "pipeline: one_head", "pipeline: one_hed", "unknown-pipeline", "one_hed"),
    ("head", "about: [scale_missing]", "about: [scale_mising]", "unknown-mistake", "scale_mising"),
    ("head", "zh: 一个头}", "zh: 3}", "wanted-text", "3"),
    ("head", "{en: One head, zh: 一个头}", "{en: One, head, zh: 一个头}", "text-needs-quotes", "head, zh"),
    ("head", "step: scaled", "step: scald", "unknown-step", "scald"),
    ("head", "take: [i], decimals", "take: [j], decimals", "unknown-index", "[j], decimals"),
    ("head", "low: -2, high: 2}\n  k", "low: 3, high: 2}\n  k", "low-over-high", "3, high: 2}\n  k"),
    ("head", "q: {shape: [n, d_k]", "q: {shape: [n, d_q]", "unknown-size", "[n, d_q]"),
    ("head", "i: {index: n}", "i: {indx: n}", "unknown-draw", "{indx: n}"),
    ("head", "i: {index: n}", "i: {index: n, form: 1}", "unknown-key", "form"),
    ("head", "Row {{ i }}", "Row {{ ii }}", "unknown-name", "|\n    {{ show"),
    ("head", "Row {{ i }}", "Row {{ i", "bad-placeholder", "|\n    {{ show"),
    ("head", "Row {{ i }}", "Row {{ i.__class__.__mro__ }}", "forbidden-name", "|\n    {{ show"),
    ("head", "Row {{ i }}", "Row {{ i['__class__'] }}", "forbidden-name", "|\n    {{ show"),
    ("head", "Row {{ i }}", "Row {{ i | center(9) }}", "unknown-filter", "|\n    {{ show"),
    ("head", "points: 2", "points: 0", "bad-points", "0, note"),
    ("head", "points: 2", "points: -1", "bad-points", "-1, note"),
    ("head", "points: 2", 'points: "1/0"', "bad-points", '"1/0", note'),
    ("head", "points: 2", 'points: "1e999999999"', "bad-points", '"1e999999999", note'),
    ("head", "zh: 一个头}", 'zh: ""}', "empty-text", '""}'),
    ("head", "{en: First., zh: 首先。}", '{en: " ", zh: 首先。}', "empty-text", '" ", zh'),
    ("choosing", "{en: the values, zh: 值}", '{en: the values, zh: ""}', "empty-text", '""}'),
    ("choosing", "zh: 不是 V。}", 'zh: ""}', "empty-text", '""}'),
    ("head", "low: -2, high: 2}\n  k", "low: -1000000, high: 2}\n  k", "number-too-small", "-1000000"),
    ("head", "low: -2, high: 2}\n  k", "low: -2, high: .inf}\n  k", "wanted-number", ".inf"),
    ("head", "step: 0.5", "step: 0", "number-not-above", "0, exclude"),
    ("head", "step: 0.5", "step: -1", "number-not-above", "-1, exclude"),
    ("head", "n: 2, m", "n: 0, m", "number-too-small", "0, m"),
    ("head", "n: 2, m", "n: 9999, m", "number-too-large", "9999, m"),
    ("head", '{en: "row {{ i }}"', '{en: "2 decimals, {{ i }}"', "note-decimals", '"2 decimals'),
    ("head", 'zh: "第 {{ i }} 行"}', 'zh: "第 {{ i }} 行，两位小数"}', "note-decimals", '"第 {{ i }} 行，两'),
    ("head", "skill: one_head", "skill: one_heed", "skill-nearly", "one_heed"),
    ("head", "n: 2, m", "n: [], m", "bad-size", "[], m"),
    ("head", "title:", "title: null #", "no-value", "null #"),
    ("head", "sizes:", "Sizes: {}\nsizes:", "unknown-key", "Sizes"),
    ("choosing", "truth: true", "truth: yess", "bad-truth", "yess"),
    ("head", "pipeline: one_head", "pipeline: two hed", "unknown-pipeline", "two hed"),
    ("head", "q: {shape: [n, d_k]", "q q: {shape: [n, d_k]", "not-a-name", "{shape: [n, d_k]"),
    ("head", "Row {{ i }}", "Row", "languages-differ", "en: |\n    {{ show"),
    ("head", "i: 1}", "}", "pin-incomplete", "sizes: {d_k: 2}"),
    ("head", ", {en: Then., zh: 然后。}]", "]", "list-too-short", "[{en: First."),
    ("head", "id: head", "id: hat", "id-not-file-name", "hat"),
    ("head", "name: output", "name: scaled", "name-taken", "scaled, step: output"),
    (
        "choosing",
        "text: {en: V, zh: V}, feedback: {en: Not V., zh: 不是 V。}",
        "text: {en: V, zh: V}",
        "missing-key",
        "{key: values",
    ),
    ("choosing", "answer: values", "answer: valves", "unknown-option", "valves"),
    ("choosing", "right: case.answer", "right: case.anser", "unknown-field", "case.anser"),
    ("choosing", "{same: [q, q_new]}", "{same: [q, q_newer]}", "unknown-step", "{same: [q, q_newer]}"),
    ("choosing", "x_new: {like: x}", "x_new: {like: y}", "unknown-input", "y}"),
    ("choosing", "key: keys", "key: values", "name-taken", "values, text: {en: K"),
    ("choosing", "{en: Not V., zh", '{en: "Not {{ n }}.", zh', "placeholder-not-filled", '"Not {{ n }}."'),
    ("choosing", "kind: choice\n", "kind: chioce\n", "not-one-of", "chioce"),
    ("computed", "mistake: scale_missing", "mistake: scale_gone", "unknown-mistake", "scale_gone"),
    ("coding", "input: v,", "input: w,", "unknown-input", "w,"),
    ("coding", "step: weights", "step: weight", "unknown-step", "weight,"),
    ("coding", "[allowed, blocked]", "[allowed, block]", "not-one-of", "block]"),
    ("coding", "name: bare", "name: masked", "name-taken", "masked, sizes"),
    ("coding", "sizes: {n: 3", "sizes: {n: m / d_k", "unknown-size", "m / d_k"),
]


@pytest.mark.parametrize("case", CASES, ids=[f"{case[3]}-{case[2][:20]!r}" for case in CASES])
def test_a_fault_is_found_where_it_stands(edit, case):
    """Each fault of grammar or meaning has its code, and the line and column of what is wrong."""
    name, old, new, code, at = case
    path = edit(name)
    text = path.read_text(encoding="utf-8").replace(old, new, 1)
    path.write_text(text, encoding="utf-8")
    found, _ = schema.faults(path)
    found = [fault for fault in found if fault.code.removesuffix("-none") == code]
    assert found, schema.faults(path)
    before = text[: text.index(at, text.index(new) if at in new else 0)]
    place = (before.count("\n") + 1, len(before) - before.rfind("\n"))
    fault = found[0]
    assert (fault.file, fault.line, fault.column) == (path, *place)


@pytest.mark.parametrize("name", ["head", "choosing", "computed", "coding"])
def test_a_template_in_order_passes(make, name):
    """The full check gives the same template as the quick way of loading."""
    template = make(name)
    assert schema.check(template.file) == template


def test_all_faults_come_at_once(edit):
    """An author sees every fault of a file together, in order of lines."""
    path = edit("head", ("skill: one_head", "skil: one_head"), ("minutes: 5", "minutes: 5.5"))
    with pytest.raises(BadInputs) as caught:
        schema.check(path)
    assert {fault.code for fault in caught.value.faults} == {"missing-key", "unknown-key", "wanted-integer"}
    assert [fault.line for fault in caught.value.faults] == sorted(fault.line for fault in caught.value.faults)


def test_a_misspelt_key_names_the_nearest(make):
    """Near misses are offered, at every depth."""
    path = make("head").file
    for old, new, near in (
        ("points: 2", "pionts: 2", "points"),
        ("step: 0.5", "stpe: 0.5", "step"),
        ("hints", "hint", "hints"),
    ):
        text = path.read_text(encoding="utf-8")
        path.write_text(text.replace(old, new, 1), encoding="utf-8")
        found, _ = schema.faults(path)
        path.write_text(text, encoding="utf-8")
        assert near in {fault.numbers.get("nearest") for fault in found if fault.code == "unknown-key"}


def test_a_key_given_twice_is_a_fault(make):
    """YAML would keep the last of two and say nothing."""
    path = make("head", ("skill: one_head", "skill: one_head\nminutes: 9")).file
    found, _ = schema.faults(path)
    assert [(fault.code, fault.numbers["key"]) for fault in found] == [("duplicate-key", "minutes")]
    assert found[0].line == path.read_text(encoding="utf-8").splitlines().index("minutes: 5") + 1


def test_a_courses_own_template_is_checked_before_use(edit, folder):
    """A template of a course's folder is held against the grammar, ours is trusted."""
    edit("head", ("skill: one_head", "skil: one_head"))
    with pytest.raises(BadInputs):
        load.find("head", (folder,))


@pytest.mark.parametrize("text", ["", "[]", "3", "a: [", "- {}\n", "id: x\ndraw: 3\nsizes: []\nask: {}\nfunction: 4\n"])
def test_no_file_breaks_the_check(tmp_path, text):
    """Whatever stands in the file, there are faults and no crash."""
    path = tmp_path / "x.yaml"
    path.write_text(text, encoding="utf-8")
    try:
        found, _ = schema.faults(path)
    except BadInput as fault:
        found = [fault]
    assert found
