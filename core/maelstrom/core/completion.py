"""What is asked of a model beside its prompt, and what came back."""

from attrs import frozen

__all__ = ["Completion", "ModelCall", "ModelOptions", "Usage"]

from maelstrom.core.errors import EngineError
from maelstrom.core.prompt import Prompt


@frozen
class ModelOptions:
    """Options of a model call; None leaves the provider's default.

    ``max_tokens`` bounds the answer, ``reasoning`` is the provider's effort word
    ("low", "medium", "high").
    """

    temperature: float | None = None
    max_tokens: int | None = None
    seed: int | None = None
    reasoning: str | None = None


@frozen
class Usage:
    """Tokens of a call; None where the provider does not say.

    ``input_tokens`` counts the cached ones too, ``output_tokens`` the reasoning ones.
    """

    input_tokens: int | None = None
    output_tokens: int | None = None
    cache_read_tokens: int | None = None
    cache_write_tokens: int | None = None


@frozen
class Completion:
    """A model's answer as text.

    ``finish_reason`` is ``"stop"`` or ``"length"``: adapters map all others to errors.
    """

    text: str
    model: str
    response_id: str | None = None
    finish_reason: str = "stop"
    usage: Usage = Usage()


@frozen
class ModelCall:
    """One call as it went, for diagnostics: prompt, answer or error, time in ms."""

    provider: str
    model: str
    prompt: Prompt
    milliseconds: int
    completion: Completion | None = None
    error: EngineError | None = None
