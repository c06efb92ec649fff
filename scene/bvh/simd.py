"""Kernels of LLVM vector instructions: one ray against eight boxes at once.

numba makes SIMD of long loops only, and this one has eight steps. So the instructions are written out as LLVM's
vectors; LLVM splits them for processors whose vectors are shorter. The same loop in plain numpy stands in the tests.

An intrinsic is a function of types that returns a signature and a function that generates the instructions
(numba.extending.intrinsic). It imports what it generates them with: most programs have the machine code already.
"""

from __future__ import annotations

import math

from octoscope.octree.jit import intrinsic

_WIDTH = 8
_FAR_ERROR = 1.0 + 2.0**-20  # twice what Ize asks for, and more


@intrinsic
def enter_boxes(typing_context, nodes, node, rows, ray, limit, near):
    """Write where a ray enters each of a node's eight boxes, inf where it does not before `limit`; return their bits.

    The slab test: a ray is in a box between the last near plane that it crosses and the first far one.

    Args:
        rows: (6,) int64: of the near planes x, y, z among a node's six rows, and of the far ones.
        ray: (9,) float32: 1 / direction, and the ray's origin, for near planes and for far ones.
    """
    from llvmlite import ir
    from numba import types
    from numba.core import cgutils

    vector = ir.VectorType(ir.FloatType(), _WIDTH)
    signature = types.int64(nodes, node, rows, ray, limit, near)

    def generate(context, builder, signature, arguments):
        # Pointers to the arrays' data, and `node` as a pointer to the node's 64 floats.
        nodes, rows, ray, near = (
            context.make_array(signature.args[k])(context, builder, arguments[k]).data for k in (0, 2, 3, 5)
        )
        node = context.cast(builder, arguments[1], signature.args[1], types.intp)
        limit = context.cast(builder, arguments[4], signature.args[4], types.float32)
        node = builder.gep(nodes, [builder.mul(node, ir.Constant(node.type, _WIDTH * _WIDTH))])

        def splat(scalar):
            """Repeat a scalar in all eight lanes."""
            one = builder.insert_element(ir.Constant(vector, ir.Undefined), scalar, ir.Constant(ir.IntType(32), 0))
            lanes = ir.Constant(ir.VectorType(ir.IntType(32), _WIDTH), [0] * _WIDTH)
            return builder.shuffle_vector(one, ir.Constant(vector, ir.Undefined), lanes)

        def value_of(k):
            """Load a value of the ray into all lanes."""
            return splat(builder.load(cgutils.gep_inbounds(builder, ray, k)))

        def crossing(plane):
            """Compute where the ray crosses eight planes: one axis, near or far ones."""
            row = builder.load(cgutils.gep_inbounds(builder, rows, plane))
            address = builder.gep(node, [builder.mul(row, ir.Constant(row.type, _WIDTH))])
            planes = builder.load(builder.bitcast(address, vector.as_pointer()), align=4)
            return builder.fmul(builder.fsub(planes, value_of(3 + plane)), value_of(plane % 3))

        def larger(a, b):
            return builder.select(builder.fcmp_ordered(">", a, b), a, b)

        def smaller(a, b):
            return builder.select(builder.fcmp_ordered("<", a, b), a, b)

        # The vectors of eight: the last near plane, or 0; the first far plane, moved out by its error, or the limit.
        enter = larger(larger(crossing(0), crossing(1)), larger(crossing(2), ir.Constant(vector, [0.0] * _WIDTH)))
        leave = smaller(smaller(crossing(3), crossing(4)), crossing(5))
        leave = smaller(builder.fmul(leave, ir.Constant(vector, [_FAR_ERROR] * _WIDTH)), splat(limit))
        entered = builder.fcmp_ordered("<=", enter, leave)  # eight bits, which become an integer below
        enter = builder.select(entered, enter, ir.Constant(vector, [math.inf] * _WIDTH))
        builder.store(enter, builder.bitcast(near, vector.as_pointer()), align=4)
        return builder.zext(builder.bitcast(entered, ir.IntType(_WIDTH)), ir.IntType(64))

    return signature, generate


@intrinsic
def fetch(typing_context, rows, row):
    """Prefetch a row of a C-contiguous array, at most 256 bytes, because it is read soon."""
    from llvmlite import ir
    from numba import types
    from numba.core import cgutils

    def generate(context, builder, signature, arguments):
        array = context.make_array(signature.args[0])(context, builder, arguments[0])
        row = context.cast(builder, arguments[1], signature.args[1], types.intp)
        stride = builder.extract_value(array.strides, 0)
        start = builder.ptrtoint(array.data, stride.type)
        start = builder.add(start, builder.mul(row, stride))
        integer, pointer = ir.IntType(32), ir.IntType(8).as_pointer()
        function = cgutils.get_or_insert_function(
            builder.module,
            ir.FunctionType(ir.VoidType(), [pointer, integer, integer, integer]),
            "llvm.prefetch.p0",
        )
        for line in range(4 if signature.args[0].ndim == 3 else 1):
            address = builder.inttoptr(builder.add(start, ir.Constant(stride.type, 64 * line)), pointer)
            builder.call(function, [address, ir.Constant(integer, 0), ir.Constant(integer, 3), ir.Constant(integer, 1)])
        return context.get_dummy_value()

    return types.none(rows, row), generate


@intrinsic
def lowest_bit(typing_context, bits):
    """Return the index of the lowest bit of an int64 that is set; undefined for 0."""
    from llvmlite import ir
    from numba import types

    def generate(context, builder, signature, arguments):
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.int64), generate
