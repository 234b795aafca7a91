"""Motions of arms along trajectories: joints, driving forces, loads in the hand, limits and singular postures."""

from sistel.arms.travels._crossing import Crossing
from sistel.arms.travels._follow import through
from sistel.arms.travels._payload import Payload, read_payload, with_payload
from sistel.arms.travels._travel import Travel, travel

__all__ = ["Crossing", "Payload", "Travel", "read_payload", "through", "travel", "with_payload"]
