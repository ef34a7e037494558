"""Keys named twice: where they stand, and that the first one wins."""

import json

from hypothesis import given
from hypothesis import strategies as st

from maelstrom.core.json_duplicates import Duplicates

# Objects as their pairs, so that a key can stand in one more than once.
trees = st.recursive(
    st.integers(0, 3) | st.just("a"),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.lists(st.tuples(st.sampled_from("ab"), inner), max_size=3).map(tuple)
    ),
    max_leaves=20,
)


def text(tree):
    """The JSON text of a tree."""
    match tree:
        case tuple():
            pairs = [f"{json.dumps(key)}:{text(item)}" for key, item in tree]
            return f"{{{','.join(pairs)}}}"
        case list():
            return f"[{','.join(map(text, tree))}]"
        case _:
            return json.dumps(tree)


def value(tree):
    """The value in which the first of equal keys wins."""
    match tree:
        case tuple():
            return {key: value(item) for key, item in reversed(tree)}
        case list():
            return list(map(value, tree))
        case _:
            return tree


def doubles(tree, path=()):
    """Where an object names a key twice, outer ones first, one by one."""
    match tree:
        case tuple():
            if len(dict(tree)) < len(tree):
                yield path
            for key, item in tree:
                yield from doubles(item, (*path, key))
        case list():
            for place, item in enumerate(tree):
                yield from doubles(item, (*path, place))


def types(found):
    """The classes of a value and of all that is inside."""
    inner = found.values() if isinstance(found, dict) else found
    inner = inner if isinstance(found, dict | list) else ()
    return {type(found)}.union(*map(types, inner))


@given(trees)
def test_each_is_found_where_it_stands(tree):
    """As a walk over the pairs finds them; the first key wins everywhere."""
    duplicates = Duplicates()
    top = json.JSONDecoder(object_pairs_hook=duplicates.made).decode(text(tree))

    settled, found = duplicates.settled(top)
    assert settled == value(tree)
    assert types(settled) <= {dict, list, int, str}
    assert tuple(found) == tuple(dict.fromkeys(doubles(tree)))


def test_what_a_later_key_holds_is_looked_at():
    """Nothing is kept of it, but its own doubles are named."""
    duplicates = Duplicates()
    told = '{"a":[1],"a":[{"b":1,"b":2}]}'
    top = json.JSONDecoder(object_pairs_hook=duplicates.made).decode(told)

    assert duplicates.settled(top) == ({"a": [1]}, {(): "a", ("a", 0): "b"})
