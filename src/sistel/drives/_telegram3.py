"""FAULHABER V3.0 telegrams: ``S len node command data… crc E``, little-endian, with a CRC of 8 bits."""

from __future__ import annotations

from typing import NamedTuple

START, END = 0x53, 0x45
LONGEST = 62
POLYNOMIAL, FIRST = 0xD5, 0xFF
BOOT, READ, WRITE, FAILED, CONTROL, STATUS = range(6)
"""Commands."""


class Telegram(NamedTuple):
    """What one telegram says."""

    node: int
    command: int
    data: bytes

    def encode(self) -> bytes:
        """As the line carries it."""
        body = bytes([len(self.data) + 4, self.node, self.command]) + self.data
        return bytes([START]) + body + bytes([crc8(body), END])


def crc8(data: bytes) -> int:
    """The check sum of everything between the start and itself.

    >>> hex(crc8(bytes.fromhex("07010141 6000")))
    '0x73'
    """
    crc = FIRST
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ POLYNOMIAL if crc & 1 else crc >> 1
    return crc


def read_object(node: int, index: int, sub: int) -> Telegram:
    """A telegram that asks for an object."""
    return Telegram(node, READ, index.to_bytes(2, "little") + bytes([sub]))


def write_object(node: int, index: int, sub: int, data: bytes) -> Telegram:
    """A telegram that writes an object."""
    return Telegram(node, WRITE, index.to_bytes(2, "little") + bytes([sub]) + data)


def control_word(node: int, value: int) -> Telegram:
    """A telegram with a controlword."""
    return Telegram(node, CONTROL, value.to_bytes(2, "little"))


class Decoder:
    """Finds telegrams in a stream of bytes; damaged ones are passed over in silence, as drives do."""

    def __init__(self) -> None:
        self.buffer = bytearray()

    def feed(self, data: bytes) -> list[Telegram]:
        """All telegrams that are whole now."""
        self.buffer += data
        found: list[Telegram] = []
        while True:
            start = self.buffer.find(START)
            if start < 0:
                self.buffer.clear()
                return found
            del self.buffer[:start]
            if len(self.buffer) < 2:
                return found
            length = self.buffer[1]
            if not 4 <= length <= LONGEST:
                del self.buffer[:1]
                continue
            if len(self.buffer) < length + 2:
                return found
            body = bytes(self.buffer[1:length])
            crc, end = self.buffer[length], self.buffer[length + 1]
            if end != END or crc != crc8(body):
                del self.buffer[:1]
                continue
            found.append(Telegram(body[1], body[2], body[3:]))
            del self.buffer[: length + 2]
