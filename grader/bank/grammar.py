"""The grammar of a template file: every key there is, as strict models."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from grader.bank.values import (
    LARGEST_SIZE,
    Index,
    Name,
    Number,
    Points,
    Positive,
    Right,
    Said,
    Shape,
    Size,
    Times,
    Truth,
    Unit,
)


class Strict(BaseModel):
    """No key that is not known, no value that has to be converted."""

    model_config = ConfigDict(strict=True, extra="forbid")


class TextModel(Strict):
    """A text in both languages."""

    en: Said
    zh: Said


class OptionModel(Strict):
    """One option of a choice."""

    key: Said
    text: TextModel
    feedback: TextModel | None = None
    mistake: str | None = None
    truth: Truth = None


class AskModel(Strict):
    """One blank."""

    name: Name
    kind: Literal["numbers", "shape", "mask", "choice", "choices", "truth"] = "numbers"
    step: str | None = None
    take: list[Index] = []
    decimals: Annotated[int, Field(ge=0, le=8)] = 4
    points: Points = 1
    note: TextModel | None = None
    options: Annotated[list[OptionModel], Field(max_length=26)] = []
    right: Right = None
    shuffle: bool = True
    feedback: TextModel | None = None


class ParameterModel(Strict):
    """One parameter of a function exercise."""

    name: Said
    input: str
    shape: Said
    default: str | None = None


class ReturnedModel(Strict):
    """One returned value of a function exercise."""

    name: Said
    step: str
    shape: Said
    points: Points = 1
    dtype: Literal["float", "bool"] = "float"


class CaseModel(Strict):
    """One case of a function exercise."""

    name: Name
    sizes: dict[Name, Size] = {}
    draw: dict[Name, dict[str, Any] | None] = {}


class ConventionsModel(Strict):
    """What a function exercise's variants may differ in."""

    mask_true: list[Literal["allowed", "blocked"]] = []
    weights_stored: list[Literal["in_out", "out_in"]] = []
    return_order: list[Literal["output_first", "weights_first"]] = []


class FunctionModel(Strict):
    """A function exercise."""

    name: Name
    parameters: Annotated[list[ParameterModel], Field(min_length=1)]
    returns: Annotated[list[ReturnedModel], Field(min_length=1)]
    conventions: ConventionsModel | None = None
    cases: Annotated[list[CaseModel], Field(min_length=1)]


class FairModel(Strict):
    """What a draw must keep to."""

    spread: Positive = 3.9
    differ: list[Annotated[list[str], Field(min_length=2, max_length=2)]] = []
    unseen: list[str] = []
    bound: Positive = 200


class PinModel(Strict):
    """A variant with numbers of its own."""

    sizes: dict[str, Annotated[int, Field(ge=1, le=LARGEST_SIZE)]] = {}
    inputs: dict[str, Any] = {}
    case: str | None = None
    words: dict[str, Any] | None = None


class TemplateModel(Strict):
    """One template file."""

    id: Name
    title: TextModel
    skill: Name
    difficulty: Annotated[int, Field(ge=1, le=3)]
    minutes: Annotated[int, Field(ge=1, le=120)]
    pipeline: str
    about: list[str] = []
    sizes: dict[Name, Size] = {}
    draw: dict[Name, dict[str, Any]] = {}
    cases: list[dict[str, Any]] = []
    pins: dict[Name, PinModel] = {}
    statement: TextModel
    ask: list[AskModel] = []
    function: FunctionModel | None = None
    hints: Annotated[list[TextModel], Field(min_length=2)]
    fair: FairModel | None = None


# --- the kinds of drawing ----------------------------------------------------------------------------------------


class EntriesModel(Strict):
    """A matrix of small numbers on a grid."""

    shape: Shape
    low: Number
    high: Number
    step: Unit = 1
    times: Times = 1
    exclude: list[Number] = []


class IndexModel(Strict):
    """One index."""

    index: Index
    from_: Annotated[int, Field(ge=0)] = Field(0, alias="from")


class SharesModel(Strict):
    """Rows of positive decimals that add up to one."""

    shares: Shape
    unit: Unit
    least: Unit | None = None


class MaskModel(Strict):
    """A boolean mask."""

    mask: Literal["random", "causal", "padding"]
    shape: Shape


class LengthsModel(Strict):
    """Lengths of padded sequences."""

    lengths: Shape
    most: Index
    from_: Annotated[int, Field(ge=0)] = Field(1, alias="from")


class ValueModel(Strict):
    """A constant."""

    value: Any


class PickModel(Strict):
    """One of some values."""

    pick: Annotated[list[Any], Field(min_length=1)]


class LikeModel(Strict):
    """The numbers of another entry."""

    like: str
    unless: dict[str, Any] | None = None


DRAW: Mapping[str, type[Strict]] = {
    "shape": EntriesModel,
    "index": IndexModel,
    "shares": SharesModel,
    "mask": MaskModel,
    "lengths": LengthsModel,
    "value": ValueModel,
    "pick": PickModel,
    "like": LikeModel,
}
_INSIDE: Mapping[str, type[Strict]] = {
    "ask": AskModel,
    "options": OptionModel,
    "parameters": ParameterModel,
    "returns": ReturnedModel,
    "function": FunctionModel,
    "conventions": ConventionsModel,
    "fair": FairModel,
    "pins": PinModel,
}
_TEXTS = frozenset({"title", "statement", "hints", "text", "feedback", "note"})


def model_at(loc: Sequence[int | str], model: type[Strict]) -> type[Strict]:
    """The model whose fields may stand at a location."""
    names = [part for part in loc if isinstance(part, str)]
    for name in reversed(names):
        if name in _TEXTS:
            return TextModel
        if name == "cases" and "function" in names:
            return CaseModel
        if name in _INSIDE:
            return _INSIDE[name]
    return model


def fields(model: type[Strict]) -> tuple[str, ...]:
    """The keys that a model knows, as they are written."""
    return tuple(info.alias or name for name, info in model.model_fields.items())
