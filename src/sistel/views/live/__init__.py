"""Live motion in pages: kernels of a model as JavaScript, and the table by which `live.js` drives them."""

from sistel.views.live._kit import LiveKit, live_kit, live_modules

__all__ = ["LiveKit", "live_kit", "live_modules"]
