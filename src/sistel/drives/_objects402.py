"""Objects of CiA 402 that emulated drives have, as data: one row an object."""

from __future__ import annotations

from sistel.records import record


@record
class ObjectWord:
    """One entry of the object dictionary."""

    index: int
    sub: int
    name: str
    bits: int
    signed: bool
    access: str
    """rw, ro or wo."""
    usual: int = 0
    least: int | None = None
    most: int | None = None

    @property
    def size(self) -> int:
        """Of its value [bytes]."""
        return self.bits // 8

    def encode(self, value: int) -> bytes:
        """As the bus carries it."""
        return int(value).to_bytes(self.size, "little", signed=self.signed)

    def decode(self, data: bytes) -> int:
        """What the bus carries."""
        return int.from_bytes(data, "little", signed=self.signed)


WIDEST = (1 << 31) - 1
RO, RW, WO = "ro", "rw", "wo"


def _word(index: int, sub: int, name: str, kind: str, access: str, usual: int = 0, *ends: int) -> ObjectWord:
    least, most = ends or (None, None)
    return ObjectWord(
        index=index, sub=sub, name=name, bits=int(kind[1:]), signed=kind[0] == "i", access=access, usual=usual,
        least=least, most=most,
    )  # fmt: skip


OBJECTS: dict[tuple[int, int], ObjectWord] = {
    (word.index, word.sub): word
    for word in (
        _word(0x1000, 0, "device type", "u32", RO, 0x00020192),
        _word(0x1001, 0, "error register", "u8", RO),
        _word(0x1017, 0, "producer heartbeat time", "u16", RW),
        _word(0x6007, 0, "abort connection option", "i16", RW, 1, -32768, 32767),
        _word(0x603F, 0, "error code", "u16", RO),
        _word(0x6040, 0, "controlword", "u16", RW),
        _word(0x6041, 0, "statusword", "u16", RO),
        _word(0x605A, 0, "quick stop option", "i16", RW, 2, 0, 8),
        _word(0x6060, 0, "mode of operation", "i8", RW, 0, -4, 10),
        _word(0x6061, 0, "mode of operation display", "i8", RO),
        _word(0x6062, 0, "position demand", "i32", RO),
        _word(0x6064, 0, "position", "i32", RO),
        _word(0x6065, 0, "following error window", "u32", RW, 2000),
        _word(0x6066, 0, "following error time", "u16", RW, 100),
        _word(0x6067, 0, "position window", "u32", RW, 20),
        _word(0x606C, 0, "velocity", "i32", RO),
        _word(0x607A, 0, "target position", "i32", RW),
        _word(0x607C, 0, "home offset", "i32", RW),
        _word(0x607D, 1, "least position", "i32", RW, -WIDEST),
        _word(0x607D, 2, "greatest position", "i32", RW, WIDEST),
        _word(0x6081, 0, "profile velocity", "u32", RW, 1000),
        _word(0x6083, 0, "profile acceleration", "u32", RW, 1000),
        _word(0x6084, 0, "profile deceleration", "u32", RW, 1000),
        _word(0x6085, 0, "quick stop deceleration", "u32", RW, 30000),
        _word(0x6086, 0, "motion profile type", "i16", RW, 0, 0, 1),
        _word(0x6098, 0, "homing method", "i8", RW, 37, -4, 37),
        _word(0x6099, 1, "homing speed to the switch", "u32", RW, 100),
        _word(0x6099, 2, "homing speed to the zero", "u32", RW, 100),
        _word(0x609A, 0, "homing acceleration", "u32", RW, 1000),
        _word(0x6502, 0, "supported modes", "u32", RO, 0x21),
    )
}
"""By index and sub-index."""

# Commands of the controlword and bits of the statusword.
SHUTDOWN, SWITCH_ON, ENABLE, START, START_NOW = 0x06, 0x07, 0x0F, 0x1F, 0x3F
RESET = 0x80
REACHED, LIMITED, ACKNOWLEDGED, FOLLOWING = 1 << 10, 1 << 11, 1 << 12, 1 << 13

NO_OBJECT, NO_SUBINDEX, READ_ONLY = 0x06020000, 0x06090011, 0x06010002
TOO_LONG, TOO_SHORT, TOO_LARGE, TOO_SMALL, WRONG_STATE = 0x06070012, 0x06070013, 0x06090031, 0x06090032, 0x08000022
"""Codes with which a drive refuses an object."""
FOLLOWING_ERROR, TOO_HOT, LINK_LOST = 0x8611, 0x4310, 0x8130
"""Error codes (0x603F)."""
PROFILE_POSITION, HOMING = 1, 6
HERE, HERE_BEFORE, BACKWARD, FORWARD, INDEX_BACKWARD, INDEX_FORWARD = 37, 35, 17, 18, 33, 34
"""Methods of homing [K]: the counter is 0 here (35 in older drives), at the limit switch backwards or forwards without
an index, at the next index pulse backwards or forwards."""
