"""A program as CUDA C: one thread computes one state, or a few neighbouring ones.

Arrays are structures of arrays, shape (size, count): the numbers of one coordinate of all states lie side by side, so
that neighbouring threads read neighbouring addresses. The source holds the kernel ``<name>`` for any count, and, when
`states` is 2 or 4, also ``<name>_x2`` or ``<name>_x4``, whose threads read and write so many states at once.

What was tried on an H200 with the Panda arm and left out, because it was slower or no better: hints that data is used
once (``__ldcs``), threads that go on to further states and read them ahead, constants in a table.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sistel.errors import Text, refuse
from sistel.expr import Op
from sistel.kernels import _c_text
from sistel.kernels._cuda_sincos import sincos_source

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sistel.expr import Program

_TAKEN = """blockIdx blockDim threadIdx gridDim warpSize dim3 char1 char2 char3 char4 short2 short3 short4 int1 int2
int3 int4 uint1 uint2 uint3 uint4 long2 long3 long4 float1 float2 float3 float4 double1 double2 double3
double4 rsqrt rsqrtf rcbrt rcbrtf rhypot normcdf erfinv sinpi cospi sincospi clock clock64 min max umin umax
saturate count here far huge
x0 x1 x2 x3 y0 y1 y2 y3 sistel_pair sistel_sincos"""
_WORDS = _c_text.RESERVED | frozenset(_TAKEN.split())

STATES: dict[_c_text.Precision, tuple[int, ...]] = {"float32": (1, 2, 4), "float64": (1, 2)}
"""How many states a thread may compute: as many as 16 bytes hold, the widest access there is."""

BLOCK = 64
"""Threads of a block: small blocks start and end apart from each other, so that reading and computing overlap."""


LARGE = 3000
"""Lines beyond which a thread's values go through memory whatever is done: leaving the number of registers open makes
CUDA's assembler give up and use 32 of them (G1 humanoid, CUDA 13), so it is told to use all."""


def to_cuda(
    program: Program,
    name: str,
    dtype: str = "float64",
    *,
    states: int = 1,
    block: int = BLOCK,
    least_blocks: int | None = None,
    labels: _c_text.Labels | None = None,
) -> str:
    """Print a program as CUDA C.

    Args:
        program: What to compute.
        name: The kernel's name.
        dtype: ``float64`` or ``float32``, of all numbers: nothing is computed in the other one.
        states: States of a thread: 1, 2, or 4 in float32. Beyond 1 the source has a second kernel,
            ``<name>_x<states>``, for counts that are a multiple of it and arrays aligned to as many numbers.
        block: Most threads of a block in a launch.
        least_blocks: Blocks that must fit on a multiprocessor at once, which caps the registers; None leaves them
            free, which is quicker as a rule: values that do not fit go through memory. Programs of more than `LARGE`
            lines take 1.
        labels: Words about the numbers of blocks, for the comment: ``{"q": ["shoulder [rad]", "elbow [rad]"]}``.

    Returns:
        The source: ``extern "C" __global__ void name(inputs…, outputs…, const unsigned int count)``.

    Raises:
        SistelError: A name, a precision or a number that CUDA does not take, or labels that do not fit.
    """
    precision = _c_text.checked_precision(dtype)
    _c_text.checked_name(name, "CUDA", _WORDS)
    _c_text.checked_routines(program, "CUDA", precision)
    _check_launch(precision, states, block, least_blocks)
    labels = _c_text.checked_labels(labels, (*program.inputs, *program.outputs))
    if least_blocks is None and len(program) > LARGE:
        least_blocks = 1
    bounds = f"{block}" if least_blocks is None else f"{block}, {least_blocks}"
    return _Printer(program, name, precision, bounds).text(states, labels)


def _check_launch(dtype: _c_text.Precision, states: int, block: int, least_blocks: int | None) -> None:
    if states not in STATES[dtype]:
        numbers = ", ".join(map(str, STATES[dtype]))
        refuse(
            "bad-states",
            Text(
                f"states of a thread in {dtype}: {numbers}; not {states}",
                f"состояний у потока при {dtype}: {numbers}; а не {states}",
            ),
        )
    if not (32 <= block <= 1024 and block % 32 == 0):
        refuse(
            "bad-block",
            Text(f"a block has 32, 64, … 1024 threads, not {block}", f"в блоке 32, 64, … 1024 потока, а не {block}"),
        )
    if least_blocks is not None and not 1 <= least_blocks <= 32:
        refuse(
            "bad-block",
            Text(
                f"a multiprocessor holds 1 to 32 blocks, not {least_blocks}",
                f"мультипроцессор вмещает от 1 до 32 блоков, а не {least_blocks}",
            ),
        )


class _Printer:
    def __init__(self, program: Program, name: str, dtype: _c_text.Precision, bounds: str) -> None:
        self.program = program
        self.name = name
        self.dtype = dtype
        self.scalar = _c_text.SCALARS[dtype]
        self.bounds = bounds
        self.inputs, self.outputs = _c_text.parameters(name, program.inputs, program.outputs, _WORDS)
        self.angles = bool({Op.SIN, Op.COS} & set(program.operation))
        arguments = [f"const {self.scalar} *__restrict__ {x}" for x in self.inputs]
        arguments += [f"{self.scalar} *__restrict__ {x}" for x in self.outputs]
        self.arguments = ", ".join([*arguments, "const unsigned int count"])

    def text(self, states: int, labels: _c_text.Labels) -> str:
        parts = [sincos_source(self.dtype)] if self.angles else []
        parts += [self._structs(), self._state()]
        if self.angles:
            parts.append(self._again())
        parts += [self._kernel(number) for number in sorted({1, states})]
        return "\n".join([self._remarks(states, labels), *parts])

    def _remarks(self, states: int, labels: _c_text.Labels) -> str:
        lines = [f"// {self.name}: straight-line code, SI units, {self.dtype}; one thread a state."]
        lines.append("// Arrays have the shape (size, count): number i of state s is at [i * count + s].")
        for names, blocks, role in (
            (self.inputs, self.program.inputs, "in "),
            (self.outputs, self.program.outputs, "out"),
        ):
            lines += _c_text.remarks(
                names, blocks, labels, f"//   {role}  {{name}}[{{size}}][count]", "//          [{i}] {label}"
            )
        most = self.bounds.split(",", maxsplit=1)[0]
        lines.append(f"// Launch with blocks of at most {most} threads, as many as cover count.")
        if states > 1:
            lines.append(f"// {self.name}_x{states}: {states} states a thread, for counts divisible by {states} and")
            lines.append(f"// arrays aligned to {states} numbers.")
        return "\n".join([*lines, ""])

    # --- one state ---------------------------------------------------------------------------------------------

    def _structs(self) -> str:
        lines: list[str] = []
        for kind, names, blocks in (
            ("inputs", self.inputs, self.program.inputs),
            ("outputs", self.outputs, self.program.outputs),
        ):
            members = [f"    {self.scalar} {n}[{size}];" for n, (_, size) in zip(names, blocks, strict=True) if size]
            lines += [f"struct {self.name}_{kind}", "{", *members, "};", ""]
        return "\n".join(lines)

    def _state(self) -> str:
        """The function that computes one state in registers."""
        program, values = self.program, list[str]()
        body: list[str] = []
        pairs: dict[int, str] = {}
        for index, (op, a, b, c, number) in enumerate(
            zip(program.operation, program.first, program.second, program.third, program.number, strict=True)
        ):
            if op == Op.CONSTANT:
                values.append(_c_text.literal(number, self.dtype))
            elif op == Op.INPUT:
                values.append(f"x.{self.inputs[a]}[{b}]")
            elif op in (Op.SIN, Op.COS):
                if a not in pairs:
                    pairs[a] = f"v{index}"
                    body.append(f"    const sistel_pair v{index} = sistel_sincos<huge>({values[a]}, far);")
                values.append(f"{pairs[a]}.{'sine' if op == Op.SIN else 'cosine'}")
            else:
                body.append(_c_text.definition(index, op, (a, b, c), values, self.dtype))
                values.append(f"v{index}")
        place = 0
        for output, (_, size) in zip(self.outputs, program.outputs, strict=True):
            body += [f"    y.{output}[{column}] = {values[program.results[place + column]]};" for column in range(size)]
            place += size
        return "\n".join(
            [
                "// Returns whether an angle was too large, and the results are not to be used.",
                f"template <bool huge> static __device__ __forceinline__ bool {self.name}_state",
                f"(const {self.name}_inputs &x, {self.name}_outputs &y)",
                "{",
                "    bool far = false;",
                *body,
                "    return far;",
                "}",
                "",
            ]
        )

    # --- all states --------------------------------------------------------------------------------------------

    def _again(self) -> str:
        head = f"static __device__ __noinline__ void {self.name}_again({self.arguments}, const unsigned int here)"
        compute = f"    {self.name}_state<true>(x0, y0);"
        lines = ["// One state with a huge angle.", head, "{", *self._loads(1), compute, *self._stores(1), "}", ""]
        return "\n".join(lines)

    def _kernel(self, states: int) -> str:
        name = self.name if states == 1 else f"{self.name}_x{states}"
        times = f" * {states}u" if states > 1 else ""
        lines = [
            f'extern "C" __global__ void __launch_bounds__({self.bounds})',
            f"{name}({self.arguments})",
            "{",
            f"    const unsigned int here = (blockIdx.x * blockDim.x + threadIdx.x){times};",
            "    if (here >= count) return;",
            *self._loads(states),
        ]
        computes = [f"{self.name}_state<false>(x{s}, y{s})" for s in range(states)]
        if self.angles:
            # All of them are computed before the one branch.
            lines.append(f"    if (__builtin_expect({' | '.join(computes)}, 0)) {{")
            arguments = ", ".join([*self.inputs, *self.outputs, "count", "here"])
            lines += [f"        {self.name}_again({arguments}{f' + {s}u' if s else ''});" for s in range(states)]
            lines += ["        return;", "    }"]
        else:
            lines += [f"    {compute};" for compute in computes]
        return "\n".join([*lines, *self._stores(states), "}", ""])

    def _loads(self, states: int) -> list[str]:
        vector = f"{self.scalar}{states}"
        lines = [f"    {self.name}_inputs x{s};" for s in range(states)]
        lines += [f"    {self.name}_outputs y{s};" for s in range(states)]
        for number, (entry, place) in enumerate(_places(self.inputs, self.program.inputs)):
            if states == 1:
                lines.append(f"    x0.{entry} = __ldg({place});")
            else:
                lines.append(f"    const {vector} v{number} = __ldg((const {vector} *)({place}));")
                lines += [f"    x{s}.{entry} = v{number}.{'xyzw'[s]};" for s in range(states)]
        return lines

    def _stores(self, states: int) -> list[str]:
        vector = f"{self.scalar}{states}"
        lines: list[str] = []
        for entry, place in _places(self.outputs, self.program.outputs):
            if states == 1:
                lines.append(f"    *({place}) = y0.{entry};")
            else:
                entries = ", ".join(f"y{s}.{entry}" for s in range(states))
                lines.append(f"    *({vector} *)({place}) = make_{vector}({entries});")
        return lines


def _places(names: Sequence[str], blocks: Sequence[tuple[str, int]]) -> Iterator[tuple[str, str]]:
    """Every number of some blocks: what it is called in a state, and where it is in memory."""
    for name, (_, size) in zip(names, blocks, strict=True):
        for i in range(size):
            yield f"{name}[{i}]", f"{name} + ((size_t)count * {i} + here)"
