"""DYNAMIXEL 2.0 packets: ``FF FF FD 00 id length instruction parameters crc``, with a CRC of 16 bits."""

from __future__ import annotations

from typing import NamedTuple

HEAD = b"\xff\xff\xfd"
PING, READ, WRITE, STATUS, SYNC_WRITE = 0x01, 0x02, 0x03, 0x55, 0x83
ALL = 0xFE
"""Of everybody on the line; nobody answers."""


class Packet(NamedTuple):
    """What one packet says."""

    node: int
    instruction: int
    data: bytes
    """Parameters; in the answer of a servo the first one is its error."""

    def encode(self) -> bytes:
        """As the line carries it; three bytes that look like a head get a fourth one."""
        body = bytes([self.instruction]) + self.data
        body = body.replace(HEAD, HEAD + b"\xfd")
        whole = HEAD + b"\x00" + bytes([self.node]) + (len(body) + 2).to_bytes(2, "little") + body
        return whole + crc16(whole).to_bytes(2, "little")


def crc16(data: bytes) -> int:
    """The check sum of a packet (polynomial 0x8005, from 0).

    >>> crc16(bytes.fromhex("FFFFFD00 01 0300 01")).to_bytes(2, "little").hex()
    '194e'
    """
    crc = 0
    for byte in data:
        crc ^= byte << 8
        for _ in range(8):
            crc = (crc << 1 ^ 0x8005) & 0xFFFF if crc & 0x8000 else crc << 1
    return crc


def decode(stream: bytes) -> list[Packet]:
    """All whole packets of a stream; damaged ones are passed over."""
    found: list[Packet] = []
    at = stream.find(HEAD + b"\x00")
    while 0 <= at <= len(stream) - 10:
        length = int.from_bytes(stream[at + 5 : at + 7], "little")
        end = at + 7 + length
        if length >= 3 and end <= len(stream):
            whole = stream[at:end]
            if crc16(whole[:-2]) == int.from_bytes(whole[-2:], "little"):
                body = whole[7:-2].replace(HEAD + b"\xfd", HEAD)
                found.append(Packet(whole[4], body[0], body[1:]))
                at = stream.find(HEAD + b"\x00", end)
                continue
        at = stream.find(HEAD + b"\x00", at + 1)
    return found
