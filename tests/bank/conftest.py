"""Small templates of the tests' own, so that they do not change when the bank's content does."""

import pytest

from grader.bank import load

HEAD = """
id: head
title: {en: One head, zh: 一个头}
skill: one_head
difficulty: 2
minutes: 5
pipeline: one_head
about: [scale_missing]
sizes: {n: 2, m: 3, d_k: [2, 3], d_v: 2}
draw:
  q: {shape: [n, d_k], low: -2, high: 2}
  k: {shape: [m, d_k], low: -2, high: 2}
  v: {shape: [m, d_v], low: -1, high: 1, step: 0.5, exclude: [0]}
  i: {index: n}
pins:
  lesson:
    sizes: {d_k: 2}
    inputs: {q: [[1, 0], [0, 1]], k: [[1, 0], [0, 1], [1, 1]], v: [[1, 2], [3, 4.5], [-0.0, 6]], i: 1}
statement:
  en: |
    {{ show("Q", q) }} {{ show("K", k) }} {{ show("V", v) }} Row {{ i }}.
  zh: |
    {{ show("Q", q) }} {{ show("K", k) }} {{ show("V", v) }} 第 {{ i }} 行。
ask:
  - {name: scaled, step: scaled, take: [i], decimals: 4, points: 1/2}
  - {name: weights, step: weights, take: [i], points: 2, note: {en: "row {{ i }}", zh: "第 {{ i }} 行"}}
  - {name: output, step: output, take: [i]}
hints: [{en: First., zh: 首先。}, {en: Then., zh: 然后。}]
"""

CHOICE = """
id: choosing
title: {en: Which one, zh: 哪一个}
skill: one_head
difficulty: 1
minutes: 2
pipeline: what_if
sizes: {n: 2, d_model: 2, d_k: 2, d_v: 2}
cases:
  - {key: wv, changed: wv, answer: values, same: true, name: {en: the values, zh: 值}}
  - {key: wq, changed: wq, answer: queries, same: false, name: {en: the queries, zh: 查询}}
draw:
  x: {shape: [n, d_model], low: -1, high: 1, step: 0.5}
  wq: {shape: [d_model, d_k], low: -1, high: 1}
  wk: {shape: [d_model, d_k], low: -1, high: 1}
  wv: {shape: [d_model, d_v], low: -2, high: 2}
  x_new: {like: x}
  wq_new: {like: wq, unless: {changed: wq}}
  wk_new: {like: wk}
  wv_new: {like: wv, unless: {changed: wv}}
statement: {en: "{{ case.name }} {{ n }}", zh: "{{ case.name }} {{ n }}"}
ask:
  - name: which
    kind: choice
    right: case.answer
    options:
      - {key: values, text: {en: V, zh: V}, feedback: {en: Not V., zh: 不是 V。}}
      - {key: queries, text: {en: Q, zh: Q}, feedback: {en: "Not {Q}.", zh: "不是 {Q}。"}}
      - {key: keys, text: {en: K, zh: K}, feedback: {en: Not K., zh: 不是 K。}}
  - name: stays
    kind: choices
    options:
      - {key: q, text: {en: Q, zh: Q}, truth: {same: [q, q_new]}, feedback: {en: See Q., zh: 看 Q。}}
      - {key: w, text: {en: A, zh: A}, truth: {same: [weights, weights_new]}, feedback: {en: See A., zh: 看 A。}}
      - {key: k, text: {en: K, zh: K}, truth: true}
  - {name: steady, kind: truth, right: case.same, feedback: {en: Look again., zh: 再看看。}}
hints: [{en: First., zh: 首先。}, {en: Then., zh: 然后。}]
fair: {differ: [[output, output_new]]}
"""

COMPUTED = """
id: computed
title: {en: Which number, zh: 哪个数}
skill: one_head
difficulty: 1
minutes: 2
pipeline: one_head
sizes: {n: 2, m: 3, d_k: 3}
draw:
  q: {shape: [n, d_k], low: -2, high: 2}
  k: {shape: [m, d_k], low: -2, high: 2}
statement: {en: "{{ show('Q', q) }} {{ show('K', k) }}", zh: "{{ show('Q', q) }} {{ show('K', k) }}"}
ask:
  - name: first
    kind: choice
    step: weights
    take: [0, 0]
    decimals: 3
    options:
      - {key: right, text: {en: "{{ value }}", zh: "{{ value }}"}}
      - key: unscaled
        mistake: scale_missing
        text: {en: "{{ value }}", zh: "{{ value }}"}
        feedback: {en: Not scaled., zh: 没有缩放。}
      - key: by_d_k
        mistake: scale_dk_not_sqrt
        text: {en: "{{ value }}", zh: "{{ value }}"}
        feedback: {en: Divided by d_k., zh: 除以了 d_k。}
hints: [{en: First., zh: 首先。}, {en: Then., zh: 然后。}]
"""

CODE = """
id: coding
title: {en: Write it, zh: 编写}
skill: one_head
difficulty: 2
minutes: 9
pipeline: one_head
about: [scale_missing]
sizes: {n: 3, m: 4, d_k: 5, d_v: 2}
draw:
  q: {shape: [n, d_k], low: -2, high: 2}
  k: {shape: [m, d_k], low: -2, high: 2}
  v: {shape: [m, d_v], low: -2, high: 2}
  mask: {mask: random, shape: [n, m]}
statement: {en: "{{ conventions.mask_true }}", zh: "{{ conventions.mask_true }}"}
function:
  name: attention
  parameters:
    - {name: Q, input: q, shape: "(n, d_k)"}
    - {name: K, input: k, shape: "(m, d_k)"}
    - {name: V, input: v, shape: "(m, d_v)"}
    - {name: mask, input: mask, shape: "(n, m)", default: None}
  returns:
    - {name: output, step: output, shape: "(n, d_v)", points: 1}
    - {name: weights, step: weights, shape: "(n, m)", points: "1/2"}
  conventions: {mask_true: [allowed, blocked]}
  cases:
    - {name: masked}
    - {name: bare, sizes: {n: 2}, draw: {mask: null}}
hints: [{en: First., zh: 首先。}, {en: Then., zh: 然后。}]
"""

TEMPLATES = {"head": HEAD, "choosing": CHOICE, "computed": COMPUTED, "coding": CODE}


@pytest.fixture
def folder(tmp_path):
    """A course's bank folder that holds the four templates."""
    chapter = tmp_path / "templates" / "01_first"
    chapter.mkdir(parents=True)
    for name, text in TEMPLATES.items():
        (chapter / f"{name}.yaml").write_text(text, encoding="utf-8")
    return tmp_path


@pytest.fixture
def edit(folder):
    """The file of one of the four templates, some text in it replaced by other text."""

    def edited(name, *changes):
        path = folder / "templates" / "01_first" / f"{name}.yaml"
        text = path.read_text(encoding="utf-8")
        for old, new in changes:
            assert old in text, old
            text = text.replace(old, new)
        path.write_text(text, encoding="utf-8")
        return path

    return edited


@pytest.fixture
def make(edit):
    """Build one of the four templates, some text in it replaced by other text."""
    return lambda name, *changes: load.load(edit(name, *changes))
