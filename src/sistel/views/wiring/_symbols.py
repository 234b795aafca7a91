"""Symbols of blocks, inputs and displays in a square of 20 px, as paths of SVG."""

from __future__ import annotations

AXES = "M2 18H18M2 18V2"

SYMBOLS: dict[str, str] = {
    "sum": "M4 10H16M10 4V16",
    "product": "M5 5L15 15M15 5L5 15",
    "gain": "M4 3V17L17 10Z",
    "min": "M2 4L10 15L18 4M4 18H16",
    "max": "M2 16L10 5L18 16M4 2H16",
    "hypot": "M3 16H16V4ZM13 16V13H16",
    "saturation": "M1 10H19M10 1V19M2 16H6L14 4H18",
    "dead-zone": "M1 10H19M10 1V19M3 17L7 10M13 10L17 3",
    "table": "M2 2H18V18H2ZM2 7H18M2 12H18M8 2V18",
    "integrator": "M13 3C9 2 10 8 10 10S11 18 7 17",
    "derivative": "M3 17L9 5L12 11L17 3",
    "lag": f"{AXES}M2 18C6 6 10 5 18 5",
    "second-order": f"{AXES}M2 18C5 -2 8 0 10 7S14 8 18 6",
    "delay": "M2 10H18M14 6L18 10L14 14M6 3V17M10 3V17",
    "rate-limiter": f"{AXES}M2 16L12 5H18",
    "mean": "M2 10H18M2 14C5 4 7 4 9 10S14 16 18 7",
    "and": "M4 3H9A7 7 0 0 1 9 17H4Z",
    "or": "M3 3C9 3 14 5 18 10C14 15 9 17 3 17C6 12 6 8 3 3Z",
    "xor": "M6 3C11 3 15 5 18 10C15 15 11 17 6 17C9 12 9 8 6 3M2 3C5 8 5 12 2 17",
    "not": "M3 3V17L14 10ZM14 10A2 2 0 1 0 18 10A2 2 0 1 0 14 10",
    "switch": "M1 5H7M1 15H7M7 15L14 8M14 10H19",
    "hysteresis": "M2 15H12V5M8 15V5H18",
    "relay": "M2 16H10V4H18M1 10H19",
    "trigger": "M4 2H16V18H4ZM7 6V10M7 14H10M13 6H11",
    "sample": "M1 14H6L15 6M15 14H19",
    "edge": "M2 16H9V4H17M6 10L9 7L12 10",
    "counter": "M3 17V13M7 17V10M11 17V7M15 17V4",
    "timer": "M10 10V5M10 10L13 12M3 10A7 7 0 1 0 17 10A7 7 0 1 0 3 10M8 1H12",
    "p": "M2 17L17 4M2 17H18",
    "pd": "M3 3V17M3 12H14L18 6",
    "pi": "M2 17V11L18 4M2 17H18",
    "pid": "M3 2V14L8 14L18 5M2 17H18",
    "number": "M3 6H17V14H3ZM6 8V12",
    "button": "M3 17H17M6 17V9H14V17M10 9V3M7 6L10 9L13 6",
    "latching": "M3 17H17M6 17V9H14V17M6 5H14",
    "toggle": "M3 15H17M10 15L14 4M8 15A2 2 0 1 1 12 15",
    "rotary": "M3 11A7 7 0 1 0 17 11A7 7 0 1 0 3 11M10 11L14 6M10 1V2M3 4L4 5M17 4L16 5",
    "slider": "M2 10H18M12 5V15M14 5V15M12 5H14M12 15H14",
    "joystick": "M3 17H17M10 15V8M7 5A3 3 0 1 0 13 5A3 3 0 1 0 7 5",
    "lamp": "M4 10A6 6 0 1 0 16 10A6 6 0 1 0 4 10M6 6L14 14M14 6L6 14",
    "dial": "M3 15A8 8 0 1 1 17 15M10 12L14 6",
    "indicator": "M2 5H18V15H2ZM6 8V12M10 8V12M14 8V12",
    "motor": "M3 10A7 7 0 1 0 17 10A7 7 0 1 0 3 10M7 13V7L10 11L13 7V13",
}
"""By the key of the kind; others are drawn by their names alone."""
SAMPLE = "M-9 4L2 -5M-12 4H-9M3 4H6"
"""A contact that closes for an instant, upon a wire."""
HOLD = "M-9 5H-5V1H-1V-3H3V-7H7"
"""A staircase."""
