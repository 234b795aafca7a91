"""Live motion in pages: kernels of a model as JavaScript, and the table by which `web/src/live` drives them."""

from sistel.views.live._kit import LiveKit, live_kit
from sistel.views.live._source import Source

__all__ = ["LiveKit", "Source", "live_kit"]
