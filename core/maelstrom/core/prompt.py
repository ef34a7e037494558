"""A prompt is a pure value: named sections under two roles."""

from typing import Literal, TypeAlias

from attrs import frozen

__all__ = ["Message", "Prompt", "Role", "Section"]

Role: TypeAlias = Literal["user", "assistant"]
"""Who says a message of a prompt."""


@frozen
class Section:
    """A named part of a prompt."""

    name: str
    text: str


@frozen
class Message:
    """One message to the model, of one or more parts."""

    role: Role
    parts: tuple[Section, ...]

    @property
    def text(self) -> str:
        """The parts as one text, an empty line between them."""
        return "\n\n".join(part.text for part in self.parts)


@frozen
class Prompt:
    """What the model is told: system sections, then messages, the asking one last."""

    system: tuple[Section, ...]
    messages: tuple[Message, ...]

    @property
    def system_text(self) -> str:
        """The system sections as one text, an empty line between them."""
        return "\n\n".join(section.text for section in self.system)
