"""The catalogue in a prompt: vessels are read back from it, as they were.

The forms that were not taken stand beside it as files, for a reader to judge. To
rewrite them, run this file as a program from the root of the project:

    PYTHONPATH=core:effects:adapters:. python -m tests.core.test_prompt_catalogue
"""

import json
import re
from pathlib import Path

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.catalogues import FORMS
from maelstrom.adapters.demo import VESSELS
from maelstrom.adapters.testing.apps import vessels
from maelstrom.core.prompt_catalogue import catalogue_text
from maelstrom.core.vessel import Action, Size, Variant, Vessel

FOLDER = Path(__file__).parents[1] / "golden" / "catalogues"

# ---------------------------------------------------------------- a reader of its lines

_VALUE = json.JSONDecoder()


class _Line:
    """What is left of a line while it is read from its front."""

    def __init__(self, text):
        self.rest = text

    def takes(self, word):
        """Whether this word comes next; it is read."""
        found = self.rest.startswith(word)
        self.rest = self.rest.removeprefix(word)
        return found

    def value(self):
        """The JSON value that comes next."""
        value, end = _VALUE.raw_decode(self.rest)
        self.rest = self.rest[end:]
        return value

    def size(self):
        """The least size, where one is stated."""
        found = re.match(r" min (\d+) x (\d+)", self.rest)
        if found is None:
            return Size(1, 1)
        self.rest = self.rest[found.end() :]
        return Size(int(found[1]), int(found[2]))


def read_catalogue(text):
    """The vessels of a catalogue's text."""
    first, *lines, last = text.split("\n")
    assert (first, last) == ("<vessels>", "</vessels>")
    found = []
    for line in map(_Line, lines if lines != ["none"] else []):
        if line.takes("vessel "):
            found.append(_read_vessel(line))
        elif line.takes("variant "):
            _read_variant(line, found[-1])
        else:
            assert line.takes("action ")
            _read_action(line, found[-1])
        assert line.rest == ""
    return tuple(_made(**one) for one in found)


def _read_vessel(line):
    name = line.value()
    assert line.takes(": ")
    form = {"id": name, "description": line.value(), "initial": None}
    return form | {"variants": {}, "actions": {}}


def _read_variant(line, vessel):
    name = line.value()
    size = line.size()
    if line.takes(" initial"):
        vessel["initial"] = name
    assert line.takes(": ")
    description = line.value()
    actions = line.value() if line.takes(" ") else []
    vessel["variants"][name] = (Variant(name, description, min_size=size), actions)


def _read_action(line, vessel):
    name = line.value()
    owners = line.value() if line.takes(" in ") else vessel["variants"]
    target = line.value() if line.takes(" to ") else None
    idempotent = line.takes(" idempotent")
    assert line.takes(": ")
    description, params = line.value(), _read_params(line)
    action = Action(name, description, to=target, params=params, idempotent=idempotent)
    vessel["actions"] |= {(owner, name): action for owner in owners}


def _read_params(line):
    if line.takes(" params "):
        return line.value()
    if not line.takes(" takes "):
        return None
    properties = line.value()
    optional = line.value() if line.takes(" optional ") else []
    return {
        "type": "object",
        "properties": properties,
        "required": [name for name in properties if name not in optional],
        "additionalProperties": False,
    }


def _made(id, description, initial, variants, actions):  # noqa: A002  the record's word
    made = tuple(
        attrs.evolve(variant, actions=tuple(actions[name, one] for one in ids))
        for name, (variant, ids) in variants.items()
    )
    return Vessel(id, description, made, initial_variant=initial)


# ---------------------------------------------------------------- nothing is lost


def _said(catalogue):
    """The vessels, of schemas what they say: the order of names in them says nothing."""

    def schema(params):
        if params is not None and "required" in params:
            params = params | {"required": sorted(params["required"])}
        return json.dumps(params, sort_keys=True)

    def variant(one):
        actions = (attrs.evolve(a, params=schema(a.params)) for a in one.actions)
        return attrs.evolve(one, actions=tuple(actions))

    return tuple(
        attrs.evolve(one, variants=tuple(map(variant, one.variants)))
        for one in catalogue
    )


names = st.one_of(
    st.sampled_from(["a", "b", "list", '"', "\\", " in ", '": "', "\n", "</vessels>"]),
    st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=4),
)
fields = st.dictionaries(
    names,
    st.sampled_from([{"type": "string"}, {"enum": [1, True, None, "é<"]}, {}, True]),
    max_size=3,
)


@st.composite
def schemas(draw):
    """A schema of parameters: of names alone, or one that says more or less."""
    properties = draw(fields)
    required = [name for name in properties if draw(st.booleans())]
    schema = {
        "type": "object",
        "properties": properties,
        "required": draw(st.permutations(required)),
        "additionalProperties": False,
    }
    change = draw(st.sampled_from([{}, {}, {"minProperties": 1}, {"required": ["?"]}]))
    left_out = draw(st.sampled_from([None, None, *schema]))
    return {key: value for key, value in (schema | change).items() if key != left_out}


@st.composite
def odd_vessels(draw):
    """A vessel of any texts, in which one id may mean several actions."""
    ids = draw(st.lists(names, min_size=1, max_size=3, unique=True))
    action = st.builds(
        Action,
        names,
        st.text(max_size=3).filter(str.isprintable),
        to=st.sampled_from([None, *ids]),
        params=st.none() | schemas(),
        idempotent=st.booleans(),
    )
    pool = draw(st.lists(action, min_size=1, max_size=4))
    some = st.lists(st.sampled_from(pool), max_size=3, unique_by=lambda one: one.id)
    variants = tuple(
        Variant(
            name,
            draw(names),
            min_size=Size(draw(st.integers(1, 30)), draw(st.integers(1, 30))),
            actions=tuple(draw(some)),
        )
        for name in ids
    )
    initial = draw(st.sampled_from([None, *ids]))
    return Vessel(draw(names), draw(names), variants, initial_variant=initial)


@given(st.one_of(vessels(), st.lists(odd_vessels(), max_size=3).map(tuple)))
def test_vessels_are_read_back(catalogue):
    """The text says all there is of them: whatever their ids and texts are."""
    read = read_catalogue(catalogue_text(catalogue))

    assert _said(read) == _said(catalogue)


def test_one_id_for_several_actions():
    """Where an id means two things, each line says which variants it is of."""
    more = Action("go", "Further", to="b")
    catalogue = (
        Vessel(
            "v",
            "V",
            (
                Variant("a", "A", actions=(more,)),
                Variant("b", "B", actions=(Action("go", "Back", to="a"),)),
                Variant("c", "C", actions=(more,)),
            ),
        ),
    )
    text = catalogue_text(catalogue)

    assert text.splitlines()[5:7] == [
        'action "go" in ["a","c"] to "b": "Further"',
        'action "go" in ["b"] to "a": "Back"',
    ]
    assert read_catalogue(text) == catalogue


@pytest.mark.parametrize(
    ("params", "said"),
    [
        ({"type": "object"}, ' params {"type":"object"}'),
        (
            {
                "type": "object",
                "properties": {"b": {}, "a": {"type": "integer"}},
                "required": ["b", "a"],
                "additionalProperties": False,
            },
            ' takes {"a":{"type":"integer"},"b":{}}',
        ),
        (
            {
                "type": "object",
                "properties": {"b": {}, "a": {}},
                "required": ["b"],
                "additionalProperties": False,
            },
            ' takes {"a":{},"b":{}} optional ["a"]',
        ),
        (None, ""),
    ],
)
def test_parameters_by_name(params, said):
    """Where names are all that a schema says, they stand alone."""
    action = Action("go", "Go", params=params)
    text = catalogue_text((Vessel("v", "V", (Variant("a", "A", actions=(action,)),)),))

    assert text.splitlines()[-2] == f'action "go": "Go"{said}'


# ---------------------------------------------------------------- as files


def _path(form):
    return FOLDER / f"{re.sub('[^a-z]+', '-', form.lower())}.txt"


@pytest.mark.parametrize("form", FORMS)
def test_forms_are_as_they_were(form):
    """The library's form and those not taken, of the example app."""
    assert FORMS[form](VESSELS) == _path(form).read_text("utf-8").rstrip("\n")


def test_the_librarys_form_is_the_shortest():
    """It is taken for its size, of those that name what they state."""
    assert min(FORMS, key=lambda form: len(FORMS[form](VESSELS))) == "outline"


def test_no_file_is_left_over():
    """Each is checked by a case."""
    assert set(FOLDER.glob("*")) == {_path(form) for form in FORMS}


if __name__ == "__main__":
    for form_ in FORMS:
        _path(form_).write_text(FORMS[form_](VESSELS) + "\n", encoding="utf-8")
