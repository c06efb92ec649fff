"""A ray and eight boxes at once.

numba makes SIMD of long loops only, and this one has eight steps: so the instructions are written out, as LLVM's
vectors, which every processor has or is given in parts. The loop in plain numpy stands in the tests.
"""

from __future__ import annotations

import math

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

_WIDTH = 8
_VECTOR = ir.VectorType(ir.FloatType(), _WIDTH)
_FAR_ERROR = 1.0 + 2.0**-20  # twice what Ize asks for, and more


@intrinsic
def enter_boxes(typing_context, nodes, node, rows, ray, limit, near):
    """Write where a ray enters each of a node's eight boxes, inf where it does not before `limit`.

    Args:
        nodes: (n, 8, 8) float32, C-contiguous: six rows of boxes and two others. node: which n.
        rows: (6,) int64: of the near planes x, y, z among a node's six rows, and of the far ones.
        ray: (9,) float32: 1 / direction, and where the ray begins, for near planes and for far ones.
        limit: float32. near: (8,) float32, written.

    Returns:
        int64, a bit for each box that is entered.
    """
    signature = types.int64(nodes, node, rows, ray, limit, near)

    def generate(context, builder, signature, arguments):
        nodes, rows, ray, near = (
            context.make_array(signature.args[k])(context, builder, arguments[k]).data for k in (0, 2, 3, 5)
        )
        node = context.cast(builder, arguments[1], signature.args[1], types.intp)
        limit = context.cast(builder, arguments[4], signature.args[4], types.float32)
        node = builder.gep(nodes, [builder.mul(node, ir.Constant(node.type, _WIDTH * _WIDTH))])

        def splat(scalar):
            one = builder.insert_element(ir.Constant(_VECTOR, ir.Undefined), scalar, ir.Constant(ir.IntType(32), 0))
            lanes = ir.Constant(ir.VectorType(ir.IntType(32), _WIDTH), [0] * _WIDTH)
            return builder.shuffle_vector(one, ir.Constant(_VECTOR, ir.Undefined), lanes)

        def value_of(k):
            return splat(builder.load(cgutils.gep_inbounds(builder, ray, k)))

        def crossing(plane):
            """Where the ray crosses eight planes, one axis of near or far ones."""
            row = builder.load(cgutils.gep_inbounds(builder, rows, plane))
            place = builder.gep(node, [builder.mul(row, ir.Constant(row.type, _WIDTH))])
            planes = builder.load(builder.bitcast(place, _VECTOR.as_pointer()), align=4)
            return builder.fmul(builder.fsub(planes, value_of(3 + plane)), value_of(plane % 3))

        def larger(a, b):
            return builder.select(builder.fcmp_ordered(">", a, b), a, b)

        def smaller(a, b):
            return builder.select(builder.fcmp_ordered("<", a, b), a, b)

        enter = larger(larger(crossing(0), crossing(1)), larger(crossing(2), ir.Constant(_VECTOR, [0.0] * _WIDTH)))
        leave = smaller(smaller(crossing(3), crossing(4)), crossing(5))
        leave = smaller(builder.fmul(leave, ir.Constant(_VECTOR, [_FAR_ERROR] * _WIDTH)), splat(limit))
        entered = builder.fcmp_ordered("<=", enter, leave)
        enter = builder.select(entered, enter, ir.Constant(_VECTOR, [math.inf] * _WIDTH))
        builder.store(enter, builder.bitcast(near, _VECTOR.as_pointer()), align=4)
        return builder.zext(builder.bitcast(entered, ir.IntType(_WIDTH)), ir.IntType(64))

    return signature, generate


@intrinsic
def fetch(typing_context, rows, row):
    """Begin to bring a row of an array, C-contiguous, 256 bytes at most, from memory: it is read soon."""

    def generate(context, builder, signature, arguments):
        array = context.make_array(signature.args[0])(context, builder, arguments[0])
        row = context.cast(builder, arguments[1], signature.args[1], types.intp)
        stride = builder.extract_value(array.strides, 0)
        place = builder.ptrtoint(array.data, stride.type)
        place = builder.add(place, builder.mul(row, stride))
        integer, pointer = ir.IntType(32), ir.IntType(8).as_pointer()
        function = cgutils.get_or_insert_function(
            builder.module,
            ir.FunctionType(ir.VoidType(), [pointer, integer, integer, integer]),
            "llvm.prefetch.p0",
        )
        for line in range(4 if signature.args[0].ndim == 3 else 1):
            address = builder.inttoptr(builder.add(place, ir.Constant(stride.type, 64 * line)), pointer)
            builder.call(function, [address, ir.Constant(integer, 0), ir.Constant(integer, 3), ir.Constant(integer, 1)])
        return context.get_dummy_value()

    return types.none(rows, row), generate


@intrinsic
def lowest_bit(typing_context, bits):
    """Which is the lowest bit of an int64 that is set; undefined for 0."""

    def generate(context, builder, signature, arguments):
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.int64), generate
