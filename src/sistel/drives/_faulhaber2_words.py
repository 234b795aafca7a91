"""Commands of FAULHABER V2.5 as data: ranges of arguments, values after power-on; [K] where no manual confirms them."""

from __future__ import annotations

from sistel.records import record


@record
class CommandWord:
    """A command with an argument that is kept in a register."""

    least: int
    most: int
    usual: int


POSITION = 1_800_000_000  # [K]

REGISTERS: dict[str, CommandWord] = {
    "SP": CommandWord(least=0, most=32767, usual=6000),  # rpm
    "AC": CommandWord(least=0, most=30000, usual=1000),  # rev/s²
    "DEC": CommandWord(least=0, most=30000, usual=1000),  # rev/s²
    "LPC": CommandWord(least=0, most=12000, usual=12000),  # mA
    "LCC": CommandWord(least=0, most=12000, usual=12000),  # mA
    "ENCRES": CommandWord(least=0, most=65535, usual=0),  # 0: the Hall sensors count
    "DEV": CommandWord(least=1, most=32767, usual=30000),  # rpm
    "CORRIDOR": CommandWord(least=1, most=32767, usual=20),  # increments
    "APL": CommandWord(least=0, most=1, usual=0),
    "ANSW": CommandWord(least=0, most=7, usual=2),
    "NET": CommandWord(least=0, most=1, usual=1),
    "NODEADR": CommandWord(least=0, most=255, usual=0),
    "BAUD": CommandWord(least=600, most=115200, usual=9600),
    "SOR": CommandWord(least=0, most=4, usual=0),
    "NE": CommandWord(least=0, most=1, usual=0),
    "HP": CommandWord(least=0, most=31, usual=31),
    "HB": CommandWord(least=0, most=31, usual=0),
    "HD": CommandWord(least=0, most=31, usual=0),
    "HA": CommandWord(least=0, most=31, usual=0),
    "HL": CommandWord(least=0, most=31, usual=0),
    "HN": CommandWord(least=0, most=31, usual=0),
    "SHA": CommandWord(least=0, most=31, usual=0),
    "SHL": CommandWord(least=0, most=31, usual=0),
    "SHN": CommandWord(least=0, most=31, usual=0),
    "HOSP": CommandWord(least=-32767, most=32767, usual=100),  # rpm
}
BAUDS = (600, 1200, 2400, 4800, 9600, 19200, 38400, 57600, 115200)

ARGUMENTS: dict[str, tuple[int, int] | None] = {
    "LA": (-POSITION, POSITION),
    "LR": (-2_140_000_000, 2_140_000_000),
    "V": (-32767, 32767),
    "HO": (-POSITION, POSITION),
    "LL": (-POSITION, POSITION),
    "NP": (-POSITION, POSITION),
    "NV": (-32767, 32767),
    "DELAY": (0, 65535),
    "TIMEOUT": (0, 65535),
    "A": (0, 255),
    "JMP": (0, 255),
    "CALL": (0, 255),
    "JPH": (0, 255),
    "JPF": (0, 255),
    "JPT": (0, 255),
    "GADV": (0, 5),
    "GPROGSEQ": (0, 1),
}
"""Ranges of arguments that no register keeps."""
MAY_LACK = ("HO", "NP", "GPROGSEQ", "GADV")
PLAIN = (
    "EN", "DI", "M", "NPOFF", "NVOFF", "GOHOSEQ", "ENPROG", "DIPROG", "RESUME", "PROGSEQ", "END", "RET",
    "SAVE", "EEPSAV", "RESET", "CONTMOD",
)  # fmt: skip
"""Commands without an argument."""
QUERIES = (
    "POS", "TPOS", "GV", "GN", "GCL", "GRC", "GRU", "TEM", "VER", "GTYP", "GSER", "GADV", "OST", "GST", "GFS", "SWS",
    "MEM", "GPROGSEQ",
)  # fmt: skip
PROGRAM_ONLY = ("A", "JMP", "DELAY", "TIMEOUT", "CALL", "RET", "JPH", "JPF", "JPT")

UNKNOWN = "Unknown command"
INVALID = "Invalid parameter"
NOT_AVAILABLE = "Command not available"
TOO_HOT = "Overtemperature – drive disabled"
SAVED = "EEPROM writing done"
DEFECT = "Flash defect"

INPUT_LETTERS = "hftwx"
"""What a drive sends when the switch of a bit fires: analogue input, fault pin, inputs 3 to 5."""
WRITES = 10_000
MEMORY = 6656
"""[bytes] [K]"""
HALL = 3000
"""Increments per turn of linear Hall sensors [K]."""
HOT = 100
"""Temperature at which the power stage goes off [°C] [K]."""
LATE = 200
"""How long the speed may differ before that is an error [ms] [K]."""
