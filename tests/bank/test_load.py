"""Templates are found by name, built with their defaults, and hashed by what draws."""

from fractions import Fraction

import pytest

from grader.bank import load
from grader.errors import BadInput


def test_a_template_is_built_with_its_defaults_filled_in(make):
    """What a template leaves out has the grammar's defaults, and points are exact."""
    template = make("head")
    assert (template.id, template.chapter, template.difficulty) == ("head", "01_first", 2)
    assert [ask.points for ask in template.ask] == [Fraction(1, 2), 2, 1]
    assert [ask.decimals for ask in template.ask] == [4, 4, 4]
    assert [ask.kind for ask in template.ask] == ["numbers"] * 3
    assert template.ask[0].note.en == ""
    assert template.fair.spread == 3.9


def test_a_function_template_keeps_cases_and_conventions(make):
    """A function exercise has its parameters, results, conventions and cases, a removed input among them."""
    function = make("coding").function
    assert [parameter.default for parameter in function.parameters] == [None, None, None, "None"]
    assert function.conventions == {"mask_true": ("allowed", "blocked")}
    assert function.cases[1].draw == {"mask": None}


def test_wording_does_not_change_the_drawing_hash(make):
    """Statement, notes, option texts, feedback, hints, points and a case's texts may change freely."""
    before = {name: make(name).drawing_hash for name in ("head", "choosing", "coding")}
    after = {
        "head": make("head", ("Row {{ i }}", "Line {{ i }}"), ("1/2", "3"), ("First.", "At first.")),
        "choosing": make("choosing", ("Not V.", "V it is not."), ("the values", "just V"), ("en: K", "en: Kappa")),
        "coding": make("coding", ('"(n, m)"', '"n x m"'), ("minutes: 9", "minutes: 10")),
    }
    assert {name: template.drawing_hash for name, template in after.items()} == before


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("head", ("low: -2", "low: -1")),
        ("head", ("decimals: 4", "decimals: 3")),
        ("head", ("d_k: [2, 3]", "d_k: [2, 3, 5]")),
        ("head", ("i: 1}", "i: 0}")),
        ("choosing", ("answer: values", "answer: keys")),
        ("choosing", ("key: keys", "key: other")),
        ("computed", ("mistake: scale_missing", "mistake: scale_twice")),
        ("coding", ("{n: 2}", "{n: 1}")),
        ("coding", ("allowed, blocked", "blocked, allowed")),
    ],
)
def test_whatever_draws_changes_the_drawing_hash(make, name, change):
    """A change of numbers, sizes, cells, options or cases makes another version."""
    assert make(name).drawing_hash != make(name, change).drawing_hash


def test_stating_a_default_is_the_same_version(make):
    """A default written out draws the same, so it is the same version."""
    assert (
        make("head").drawing_hash
        == make("head", ("take: [i], points: 2", "take: [i], decimals: 4, points: 2")).drawing_hash
    )


def test_a_template_is_found_in_a_folder_of_the_courses_own(folder):
    """A course's bank folder is searched beside ours, and `bank` goes over both."""
    assert load.find("head", (folder,)).file.parent.name == "01_first"
    assert {"head", "coding"} <= set(load.index((folder,)))


def test_finding_one_template_reads_no_other(folder):
    """A broken neighbour does not matter to the template that is asked for."""
    (folder / "templates" / "01_first" / "broken.yaml").write_text("id: [", encoding="utf-8")
    assert load.find("head", (folder,)).id == "head"


def test_an_unknown_id_names_the_nearest(folder):
    """A misspelt id is an error of the caller that offers the closest one."""
    with pytest.raises(BadInput) as caught:
        load.find("chosing", (folder,))
    assert (caught.value.code, caught.value.numbers["nearest"]) == ("unknown-problem", "choosing")


@pytest.mark.parametrize("name", ["nosuch", "zzz", ""])
def test_a_name_that_is_like_none_gets_no_guess(folder, name):
    """What was typed may be meant for a similar name only; otherwise it is said how to see what there is."""
    with pytest.raises(BadInput) as caught:
        load.find(name, (folder,))
    assert (caught.value.code, caught.value.numbers["nearest"]) == ("unknown-problem-none", "")


def test_a_long_list_of_names_is_cut():
    """Twenty names are shown, and a sign that there are more."""
    _, said = load.unknown("unknown-size", "?", [f"n{number:02}" for number in range(30)])
    assert (len(said["known"]), said["known"][0], said["known"][-1]) == (21, "n00", "…")


def test_broken_yaml_names_its_line(tmp_path):
    """YAML that cannot be read gives file, line and column."""
    path = tmp_path / "broken.yaml"
    path.write_text("id: broken\nsizes: {n: 2\nask: []\n", encoding="utf-8")
    with pytest.raises(BadInput) as caught:
        load.load(path)
    assert (caught.value.code, caught.value.file) == ("bad-yaml", path)
    assert caught.value.line in {2, 3}


def test_a_file_that_is_missing_or_not_text_is_bad_input(tmp_path):
    """A missing file and one in another encoding are errors of the caller, not crashes."""
    path = tmp_path / "latin.yaml"
    path.write_bytes(b"title: caf\xe9\n")
    for wrong in (path, tmp_path / "missing.yaml"):
        with pytest.raises(BadInput) as caught:
            load.load(wrong)
        assert caught.value.code == "unreadable-file"


def test_an_incomplete_template_is_bad_input(tmp_path):
    """The quick way of loading says that a template is incomplete instead of failing somewhere inside."""
    path = tmp_path / "empty.yaml"
    path.write_text("id: empty\n", encoding="utf-8")
    with pytest.raises(BadInput) as caught:
        load.load(path)
    assert caught.value.code == "bad-template"


@pytest.mark.parametrize(
    "text",
    ["a: 2024-13-45", "a: !!bool maybe", "a: !!int ''", "a: !!timestamp soon", "[" * 100_000, "- " * 100_000, "a: \0"],
    ids=lambda text: text[:16],
)
def test_values_that_yaml_cannot_make_are_the_files_fault(tmp_path, text):
    """Whatever the library raises over them."""
    file = tmp_path / "mine.yaml"
    file.write_text(text, encoding="utf-8")

    with pytest.raises(BadInput) as caught:
        load.read(file)

    assert (caught.value.code, caught.value.file) == ("bad-yaml", file)


@pytest.mark.parametrize("number", ["9" * 5000, "0x" + "f" * 5000, "1:" * 3000 + "1", "1:" * 3000 + "1.5"])
def test_a_number_that_takes_long_to_write_out_is_refused_at_its_place(tmp_path, number):
    """Before it is made: Python refuses to write thousands of digits, and `60 ** 3000` is a number to YAML."""
    file = tmp_path / "mine.yaml"
    file.write_text(f"a: 1\nb: {number}\n", encoding="utf-8")

    with pytest.raises(BadInput) as caught:
        load.read(file)

    assert (caught.value.code, caught.value.line) == ("yaml-long-number", 2)
