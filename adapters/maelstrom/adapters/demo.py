"""The example app: a calendar, the weather, tasks and notes.

What an app registers, as data: `maelstrom demo`, the playground and the first example
all show these four. Descriptions are written for the model to read; they also say what
the things are called in some other languages, which is all that a planner without a
model has to go by.
"""

from typing import Final

from maelstrom.core.chart_state import ChartState
from maelstrom.core.json_value import Json
from maelstrom.core.layout import LayoutMode
from maelstrom.core.request import Dimensions
from maelstrom.core.vessel import Action, Size, Variant, Vessel

__all__ = ["CALENDAR", "NOTES", "TASKS", "VESSELS", "WEATHER", "demo_chart"]


def _object(**properties: Json) -> Json:
    """The JSON Schema of an object that requires each of these, and takes no more."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _text(description: str) -> Json:
    return {
        "type": "string",
        "minLength": 1,
        "maxLength": 200,
        "description": description,
    }


_SHOW_MONTH: Final = Action(
    "showMonth", "Show the whole month, a monthly overview", to="month", idempotent=True
)
_SHOW_WEEK: Final = Action(
    "showWeek", "Show one week, seven days side by side", to="week", idempotent=True
)
_SHOW_DAY: Final = Action(
    "showDay", "Show today alone, hour by hour", to="day", idempotent=True
)
_COLLAPSE: Final = Action(
    "collapse",
    "Shrink to one line with the next event",
    to="collapsed",
    idempotent=True,
)
_ADD_EVENT: Final = Action(
    "addEvent",
    "Put an event, a meeting or an appointment into the calendar",
    params=_object(title=_text("What the event is called")),
)

CALENDAR: Final = Vessel(
    "calendar",
    "The user's calendar: events, meetings, appointments, schedule, agenda "
    "(Kalender, calendrier, calendario, календарь, ημερολόγιο, カレンダー, 日历, 달력)",
    (
        Variant(
            "month",
            "A month at a glance",
            min_size=Size(6, 4),
            actions=(_SHOW_WEEK, _SHOW_DAY, _COLLAPSE, _ADD_EVENT),
        ),
        Variant(
            "week",
            "Seven days side by side",
            min_size=Size(5, 3),
            actions=(_SHOW_MONTH, _SHOW_DAY, _COLLAPSE, _ADD_EVENT),
        ),
        Variant(
            "day",
            "One day, hour by hour",
            min_size=Size(3, 3),
            actions=(_SHOW_MONTH, _SHOW_WEEK, _COLLAPSE, _ADD_EVENT),
        ),
        Variant(
            "collapsed",
            "One line with the next event",
            min_size=Size(3, 1),
            actions=(
                _SHOW_MONTH,
                _SHOW_WEEK,
                _SHOW_DAY,
                Action("expand", "Open up to the week", to="week", idempotent=True),
            ),
        ),
    ),
    initial_variant="week",
)

_SET_LOCATION: Final = Action(
    "setLocation",
    "Show the weather of another city, town or place",
    params=_object(city=_text("The city's name")),
    idempotent=True,
)
_SET_UNITS: Final = Action(
    "setUnits",
    "Show temperatures in other units, degrees",
    params=_object(units={"enum": ["celsius", "fahrenheit"]}),
    idempotent=True,
)
_REFRESH: Final = Action("refresh", "Ask the weather service again, update")

WEATHER: Final = Vessel(
    "weather",
    "The weather: temperature, rain, wind, sun "
    "(Wetter, météo, tiempo, погода, καιρός, 天気, 天气, 날씨)",
    (
        Variant(
            "current",
            "The weather right now",
            min_size=Size(3, 2),
            actions=(
                Action(
                    "showForecast",
                    "Show the forecast of the coming days",
                    to="forecast",
                    idempotent=True,
                ),
                _SET_LOCATION,
                _SET_UNITS,
                _REFRESH,
            ),
        ),
        Variant(
            "forecast",
            "The coming days",
            min_size=Size(5, 2),
            actions=(
                Action(
                    "showCurrent",
                    "Show the weather right now",
                    to="current",
                    idempotent=True,
                ),
                _SET_LOCATION,
                _SET_UNITS,
                _REFRESH,
            ),
        ),
    ),
)

_ADD_TASK: Final = Action(
    "addTask", "Add a task to do", params=_object(title=_text("What is to be done"))
)
_COMPLETE_TASK: Final = Action(
    "completeTask",
    "Mark a task as done, check it off",
    params=_object(title=_text("The task's title")),
    idempotent=True,
)
_SORT: Final = Action(
    "sort",
    "Sort the tasks, order them",
    params=_object(by={"enum": ["due", "priority", "title"]}),
    idempotent=True,
)

TASKS: Final = Vessel(
    "tasks",
    "What is to be done: tasks, todos, chores "
    "(Aufgaben, tâches, tareas, задачи, εργασίες, タスク, 任务, 할일)",
    (
        Variant(
            "list",
            "A list to check off",
            min_size=Size(3, 3),
            actions=(
                Action(
                    "showBoard",
                    "Show the tasks as a kanban board",
                    to="board",
                    idempotent=True,
                ),
                _ADD_TASK,
                _COMPLETE_TASK,
                _SORT,
            ),
        ),
        Variant(
            "board",
            "Columns from planned to done",
            min_size=Size(6, 3),
            actions=(
                Action(
                    "showList",
                    "Show the tasks as a list",
                    to="list",
                    idempotent=True,
                ),
                _ADD_TASK,
                _COMPLETE_TASK,
            ),
        ),
    ),
)

_WRITE_NOTE: Final = Action(
    "writeNote", "Write a text down", params=_object(text=_text("What to write"))
)

NOTES: Final = Vessel(
    "notes",
    "Short texts to remember: notes, memos, ideas "
    "(Notizen, remarques, apuntes, заметки, σημειώσεις, メモ, 笔记, 메모)",
    (
        Variant(
            "list",
            "All notes, newest first",
            min_size=Size(3, 2),
            actions=(
                Action(
                    "openEditor",
                    "Edit a note in the editor",
                    to="editor",
                    idempotent=True,
                ),
                _WRITE_NOTE,
            ),
        ),
        Variant(
            "editor",
            "One note to write in",
            min_size=Size(4, 3),
            actions=(
                Action(
                    "closeEditor",
                    "Leave the editor, back to all notes",
                    to="list",
                    idempotent=True,
                ),
                _WRITE_NOTE,
            ),
        ),
    ),
)

VESSELS: Final = (CALENDAR, WEATHER, TASKS, NOTES)
"""The example app, in the order of its registration."""


def demo_chart(
    mode: LayoutMode = "grid", columns: int = 12, rows: int = 8
) -> ChartState:
    """The example app's chart before anything is asked: empty, all vessels known.

    >>> demo_chart("tiling").layout
    TilingLayout(root=None, nodes=())
    """
    return ChartState(dimensions=Dimensions(columns, rows), mode=mode, vessels=VESSELS)
