"""The history's tables in PostgreSQL, and what is said to them.

Theory: a session is one row of `maelstrom_sessions`, which holds its sequence number
and when its turns expire, and one row of `maelstrom_turns` a turn. An append is one
statement, so it is there whole or not at all and costs one round trip: it moves the
sequence number from `expected` on, which locks the session's row, and adds the turn if
that moved. Who comes second finds it moved. A session whose turns expired is not moved:
they go first, by a statement of their own. Time is the server's, so processes agree on
it.

A commit that the server confirms is on its disk, unless `synchronous_commit` is off:
then an append turns it on for itself.

To keep in step: `MIGRATIONS` only ever grows; `maelstrom_schema` counts those done.
"""

from types import MappingProxyType
from typing import Final

__all__ = [
    "DELETE",
    "EMPTY_EXPIRED",
    "FIND",
    "FOUND",
    "LOAD",
    "MIGRATING",
    "MIGRATIONS",
    "RECORD_FIRST",
    "RECORD_NEXT",
    "TOUCH",
    "VERSION",
    "VERSION_TABLE",
]

MIGRATIONS: Final = (
    # The body is text, not jsonb: it keeps every character, U+0000 among them.
    """
    CREATE TABLE maelstrom_sessions (
        session_id text PRIMARY KEY, seq bigint NOT NULL, expires_at timestamptz);
    CREATE INDEX maelstrom_sessions_expires_at ON maelstrom_sessions (expires_at)
        WHERE expires_at IS NOT NULL;
    CREATE TABLE maelstrom_turns (
        session_id text NOT NULL, seq bigint NOT NULL, request_id text NOT NULL,
        body text NOT NULL,
        PRIMARY KEY (session_id, seq), UNIQUE (session_id, request_id));
    """,
)
MIGRATING: Final = 0x6D61656C73746F6D
"""The advisory lock under which processes migrate: "maelstom" in ASCII, as 8 bytes go."""

VERSION_TABLE: Final = (
    "CREATE TABLE IF NOT EXISTS maelstrom_schema (version integer NOT NULL)"
)
VERSION: Final = "SELECT coalesce(max(version), 0) FROM maelstrom_schema"
TOUCH: Final = """
    UPDATE maelstrom_sessions
    SET expires_at = clock_timestamp() + %(ttl)s::float8 * interval '1 millisecond'
    WHERE session_id = %(session)s AND expires_at > clock_timestamp()
"""
LOAD: Final = """
    SELECT s.seq, t.body FROM maelstrom_sessions s LEFT JOIN maelstrom_turns t
    ON t.session_id = s.session_id AND t.seq > s.seq - %(limit)s
        AND (s.expires_at IS NULL OR s.expires_at > clock_timestamp())
    WHERE s.session_id = %(session)s ORDER BY t.seq
"""
FIND: Final = """
    SELECT t.body FROM maelstrom_turns t JOIN maelstrom_sessions s USING (session_id)
    WHERE t.session_id = %(session)s AND t.request_id = %(request)s
        AND (s.expires_at IS NULL OR s.expires_at > clock_timestamp())
"""
_MOVE_FIRST: Final = """
    INSERT INTO maelstrom_sessions VALUES (%(session)s, %(seq)s, {expires})
    ON CONFLICT DO NOTHING RETURNING session_id, {durable}
"""
_MOVE_NEXT: Final = """
    UPDATE maelstrom_sessions SET seq = %(seq)s, expires_at = {expires}
    WHERE session_id = %(session)s AND seq = %(expected)s
        AND (expires_at IS NULL OR expires_at > clock_timestamp())
    RETURNING session_id, {durable}
"""
# A few other sessions that expired go as well, so that the table stays small; rows that
# another process holds are left to it. With no retention (NULL) nothing is trimmed.
_RECORD: Final = """
    WITH moved AS ({move}), expired AS (
        SELECT session_id FROM maelstrom_sessions
        WHERE expires_at <= clock_timestamp() AND session_id <> %(session)s
        ORDER BY expires_at LIMIT 16 FOR UPDATE SKIP LOCKED),
    swept AS (
        UPDATE maelstrom_sessions s SET expires_at = NULL FROM expired e
        WHERE s.session_id = e.session_id),
    emptied AS (
        DELETE FROM maelstrom_turns t USING expired e
        WHERE t.session_id = e.session_id),
    trimmed AS (
        DELETE FROM maelstrom_turns t USING moved m
        WHERE t.session_id = m.session_id AND t.seq <= %(seq)s - %(retention)s::bigint)
    INSERT INTO maelstrom_turns
    SELECT session_id, %(seq)s, %(request)s, %(body)s FROM moved
"""
_PARTS: Final = MappingProxyType(
    {
        "expires": "clock_timestamp() + %(ttl)s::float8 * interval '1 millisecond'",
        "durable": "CASE current_setting('synchronous_commit')"
        " WHEN 'off' THEN set_config('synchronous_commit', 'on', true) END",
    }
)
RECORD_FIRST: Final = _RECORD.format(move=_MOVE_FIRST.format_map(_PARTS))
RECORD_NEXT: Final = _RECORD.format(move=_MOVE_NEXT.format_map(_PARTS))
EMPTY_EXPIRED: Final = """
    WITH expired AS (
        UPDATE maelstrom_sessions SET expires_at = NULL
        WHERE session_id = %(session)s AND expires_at <= clock_timestamp()
        RETURNING session_id)
    DELETE FROM maelstrom_turns t USING expired e WHERE t.session_id = e.session_id
"""
FOUND: Final = """
    SELECT s.seq, t.body FROM maelstrom_sessions s LEFT JOIN maelstrom_turns t
    ON t.session_id = s.session_id AND t.seq = %(seq)s
    WHERE s.session_id = %(session)s
"""
DELETE: Final = (
    "DELETE FROM maelstrom_sessions WHERE session_id = %(session)s",
    "DELETE FROM maelstrom_turns WHERE session_id = %(session)s",
)
