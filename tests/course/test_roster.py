"""Class lists as people's spreadsheets save them."""

import pytest

from grader.course import roster
from grader.course.roster import Student
from grader.errors import BadInput, BadInputs


@pytest.fixture
def listed(tmp_path):
    """Read a class list that holds these bytes."""

    def read(content):
        file = tmp_path / "roster.csv"
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
        return roster.read(file)

    return read


def refused(listed, content):
    """The error that a class list gives."""
    with pytest.raises(BadInput) as caught:
        listed(content)
    return caught.value


def test_ids_keep_their_zeros_and_names_their_script(listed):
    """Ids are text."""
    assert listed("id,name\n007,王小明\n0012,Ann O'Hara\n") == (Student("007", "王小明"), Student("0012", "Ann O'Hara"))


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gb18030", "utf-16"])
@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_whatever_a_spreadsheet_saves_is_read(listed, encoding, ending, delimiter):
    """Encodings, line endings and delimiters of Windows, macOS and Chinese machines."""
    text = ending.join(["学号,姓名", "01,李雷", "02,韩梅梅", ""]).replace(",", delimiter)

    assert listed(text.encode(encoding)) == (Student("01", "李雷"), Student("02", "韩梅梅"))


def test_columns_are_found_by_name_in_any_order_and_case(listed):
    """What else a list holds does no harm; a list without names is fine."""
    assert listed("Group, Name , ID\nA,Ann,1\n") == (Student("1", "Ann"),)
    assert listed("id\n1\n2\n") == (Student("1", ""), Student("2", ""))


def test_rows_without_anything_are_passed_over(listed):
    """Empty lines and rows of commas, before and between."""
    assert listed("\n,,\nid,name,\n\n1,Ann,\n,,\n   \n2,Bob\n,\n") == (Student("1", "Ann"), Student("2", "Bob"))


def test_a_quoted_name_may_hold_a_comma_and_a_short_row_has_no_name(listed):
    """As in any CSV."""
    assert listed('name,id\n"O\'Hara, Ann",1\n') == (Student("1", "O'Hara, Ann"),)
    assert listed("id,name\n1\n") == (Student("1", ""),)


def test_a_list_without_an_id_column_says_what_was_read(listed):
    """The columns that stand there, and the line."""
    fault = refused(listed, "nr,name\n1,Ann\n")

    assert (fault.code, fault.line, fault.numbers["read"]) == ("roster-no-id", 1, "nr, name")
    assert refused(listed, "").code == "roster-no-id"


def test_a_list_without_students_is_refused(listed):
    """Only a heading."""
    assert refused(listed, "id,name\n\n,\n").code == "roster-empty"


def test_the_same_id_twice_is_refused_whatever_its_case(listed):
    """Two folders of one name would be one on many machines."""
    fault = refused(listed, "id,name\nab1,Ann\nAB1,Bob\n")

    assert (fault.code, fault.line, fault.numbers["read"]) == ("roster-twice", 3, "AB1")


@pytest.mark.parametrize(
    "name",
    [
        "",
        "a/b",
        "..",
        ".",
        "../x",
        "a b",
        ".hidden",
        "a.",
        "x" * 101,
        "a\\b",
    ],
)
def test_an_id_that_cannot_name_a_folder_is_refused_with_its_line(listed, name):
    """Paths, hidden folders, and a name without an id."""
    fault = refused(listed, f"id,name\n1,Ann\n{name},Bob\n")

    assert (fault.code, fault.line) == ("roster-bad-id", 3)


@pytest.mark.parametrize("name", ["CON", "nul.txt", "com1", "course.lock.json", "course.secret"])
def test_an_id_that_is_kept_for_something_else_is_refused_for_that(listed, name):
    """Names that Windows keeps, and those of our own files."""
    fault = refused(listed, f"id,name\n1,Ann\n{name},Bob\n")

    assert (fault.code, fault.line) == ("roster-reserved-id", 3)


def test_all_lines_that_cannot_be_used_are_told_at_once(listed):
    """So many of them; how many more there are is said."""
    with pytest.raises(BadInputs) as few:
        listed("id\n1\na b\n1\ncon\n")
    with pytest.raises(BadInputs) as many:
        listed("id\n" + "a b\n" * 25)

    told = [(fault.code, fault.line) for fault in few.value.faults]
    assert told == [("roster-bad-id", 3), ("roster-twice", 4), ("roster-reserved-id", 5)]
    assert len(many.value.faults) == 21
    assert (many.value.faults[-1].code, many.value.faults[-1].numbers["count"]) == ("roster-more", 5)


@pytest.mark.parametrize("heading", ["id,name,ID", "id,name,name"])
def test_two_columns_of_one_name_are_refused(listed, heading):
    """Which of them is meant cannot be told."""
    fault = refused(listed, f"{heading}\n1,Ann,2\n")

    assert (fault.code, fault.line) == ("roster-two-columns", 1)


@pytest.mark.parametrize("name", ["a.b-c_d@e+f", "学号7", "-1", "s123456"])
def test_an_id_may_be_an_address_or_chinese(listed, name):
    """Letters of any script, digits and a few signs."""
    assert listed(f"id\n{name}\n")[0].id == name


def test_a_binary_file_is_no_list(listed):
    """A spreadsheet's own format is not CSV."""
    assert refused(listed, b"PK\x03\x04\x00\x00\x00").code == "file-binary"
