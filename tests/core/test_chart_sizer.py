"""Pixels in, whole cells out, and no feedback loop."""

from hypothesis import given
from hypothesis import strategies as st

from maelstrom.core.chart_sizer import ChartSizer
from maelstrom.core.request import ChartResize, Dimensions

PIXELS = st.floats(0, 3000, allow_nan=False)


def ready(columns: int = 12, rows: int = 8, quiet: int = 150) -> ChartSizer:
    """A sizer of cells of 80 by 60 pixels that has been measured once."""
    sizer, _ = ChartSizer(80, 60, quiet=quiet).measure(columns * 80, rows * 60, at=0)
    return sizer


def test_the_first_measure_is_reported_at_once():
    """The app cannot ask anything before it knows its chart's size."""
    assert ready().dimensions == Dimensions(12, 8)


def test_a_shrink_of_one_pixel_and_back_reports_nothing():
    """A size that does not stand still is no size."""
    sizer, first = ready().measure(959, 480, at=10)
    sizer, second = sizer.measure(960, 480, at=20)

    assert (first, second, sizer.due) == (None, None, None)


def test_a_drag_reports_the_last_size_alone():
    """Each new size starts the wait anew; the report is from the size before all."""
    sizer, reports = ready(), []
    for at, width in enumerate((900, 800, 700, 600), start=1):
        sizer, report = sizer.measure(width, 480, at=at * 100)
        reports.append(report)
    assert reports == [None] * 4
    sizer, report = sizer.measure(600, 480, at=sizer.due)

    assert report == ChartResize(Dimensions(12, 8))
    assert sizer.dimensions == Dimensions(7, 8)


def test_cells_are_at_least_one_and_at_most_what_the_wire_takes():
    """A frame of no size, of an endless or an unknown one, still makes a chart."""
    sizes = ((0, 0), (float("inf"), 10**9), (float("nan"), -5))
    made = [ChartSizer(80, 60).measure(*size, at=0)[0].dimensions for size in sizes]

    assert made == [Dimensions(1, 1), Dimensions(1, 1000), Dimensions(1, 1)]


@given(PIXELS, PIXELS, st.integers(0, 300), st.lists(st.integers(0, 500)))
def test_no_report_causes_another(width, height, quiet, waits):
    """A frame that keeps its size is reported at most once, however often measured."""
    sizer, at, reports = ready(quiet=quiet), 0, 0
    for wait in waits:
        at += wait
        sizer, report = sizer.measure(width, height, at=at)
        reports += report is not None
    assert reports <= 1
    if reports:
        assert sizer.dimensions == Dimensions(
            max(1, int(width // 80)), max(1, int(height // 60))
        )


@given(st.lists(st.tuples(PIXELS, PIXELS, st.integers(0, 400))))
def test_reports_chain(measures):
    """Each report's previous is the size before it, and never the size it reports."""
    sizer, at = ready(), 0
    for width, height, wait in measures:
        at += wait
        before = sizer.dimensions
        sizer, report = sizer.measure(width, height, at=at)
        if report is None:
            assert sizer.dimensions == before
        else:
            assert report.previous == before != sizer.dimensions
