"""The basis of each type of curve against its textbook definition."""

import numpy as np
import pytest

from octoscope.scene.formats.obj.freeform.axes import MOST_DEGREES, Axis, BadBasisError, axis_of


def value(axis: Axis, controls: np.ndarray, parameter: float) -> np.ndarray:
    """The point of a curve at one parameter."""
    span = int(np.clip(np.searchsorted(axis.breaks, parameter, side="right") - 1, 0, len(axis.firsts) - 1))
    begin, end = axis.breaks[span : span + 2]
    powers = ((parameter - begin) / (end - begin)) ** np.arange(axis.degree + 1)
    of_span = controls[axis.firsts[span] : axis.firsts[span] + axis.degree + 1]
    return (axis.polynomials[span] @ powers) @ of_span


def de_casteljau(points: np.ndarray, t: float) -> np.ndarray:
    while len(points) > 1:
        points = (1.0 - t) * points[:-1] + t * points[1:]
    return points[0]


def cox_de_boor(knots: np.ndarray, i: int, degree: int, u: float) -> float:
    if degree == 0:
        return float(knots[i] <= u < knots[i + 1])
    left, right = knots[i + degree] - knots[i], knots[i + degree + 1] - knots[i + 1]
    first = (u - knots[i]) / left * cox_de_boor(knots, i, degree - 1, u) if left else 0.0
    second = (knots[i + degree + 1] - u) / right * cox_de_boor(knots, i + 1, degree - 1, u) if right else 0.0
    return first + second


@pytest.mark.parametrize("degree", (1, 2, 3, 7, MOST_DEGREES))
def test_bezier_curves_are_those_of_de_casteljau(degree):
    rng = np.random.default_rng(degree)
    parameters = np.array([-1.0, 0.5, 4.0, 5.0])
    axis = axis_of("bezier", degree, parameters)
    controls = rng.normal(size=(axis.control_count, 3))
    assert axis.control_count == 3 * degree + 1
    for segment in range(3):
        for t in rng.uniform(0, 1, 5):
            u = (1 - t) * parameters[segment] + t * parameters[segment + 1]
            own = controls[segment * degree : (segment + 1) * degree + 1]
            assert np.allclose(value(axis, controls, u), de_casteljau(own, t), atol=1e-7)


@pytest.mark.parametrize("degree", (1, 2, 3, 5))
@pytest.mark.parametrize("seed", range(4))
def test_b_splines_are_those_of_cox_and_de_boor(degree, seed):
    rng = np.random.default_rng(seed)
    ends = degree + 1 if seed % 2 else 1  # clamped or not
    knots = np.sort(np.concatenate([np.zeros(ends), rng.integers(1, 9, 13), np.full(ends, 9.0)]).astype(float))
    count = len(knots) - degree - 1
    axis = axis_of("bspline", degree, knots)
    controls = rng.normal(size=(count, 3))
    assert axis.control_count == count
    for u in rng.uniform(axis.breaks[0], axis.breaks[-1], 20):
        basis = np.array([cox_de_boor(knots, i, degree, u) for i in range(count)])
        assert np.allclose(value(axis, controls, u), basis @ controls)


def test_cardinal_splines_pass_through_their_points_in_the_direction_of_the_neighbours():
    controls = np.random.default_rng(1).normal(size=(6, 3))
    axis = axis_of("cardinal", 3, np.array([0.0, 1.0, 2.0, 3.0]))
    for k in range(3):
        assert np.allclose(value(axis, controls, float(k)), controls[k + 1])
        step = 1e-6
        tangent = (value(axis, controls, k + step) - value(axis, controls, float(k))) / step
        assert np.allclose(tangent, (controls[k + 2] - controls[k]) / 2, atol=1e-4)


def test_taylor_polynomials_have_their_coefficients_as_control_points():
    controls = np.array([(1.0, 0, 0), (0, 2.0, 0), (0, 0, 3.0)] * 2)
    axis = axis_of("taylor", 2, np.array([0.0, 2.0, 4.0]))
    assert np.allclose(value(axis, controls, 1.0), (1.0, 2 * 0.5, 3 * 0.25))
    assert np.allclose(value(axis, controls, 3.0), (1.0, 2 * 0.5, 3 * 0.25))


def test_a_basis_matrix_with_the_numbers_of_bezier_is_bezier():
    matrix = np.array([(1, -3, 3, -1), (0, 3, -6, 3), (0, 0, 3, -3), (0, 0, 0, 1)], dtype=float)
    controls = np.random.default_rng(2).normal(size=(7, 3))
    parameters = np.array([0.0, 1.0, 3.0])
    given, known = axis_of("bmatrix", 3, parameters, matrix, 3), axis_of("bezier", 3, parameters)
    for u in (0.0, 0.3, 1.5, 3.0):
        assert np.allclose(value(given, controls, u), value(known, controls, u))


@pytest.mark.parametrize(
    ("kind", "degree", "parameters"),
    [
        ("bezier", 0, [0, 1]),
        ("bezier", MOST_DEGREES + 1, [0, 1]),
        ("bezier", 3, [0]),
        ("bezier", 3, [1, 0]),
        ("bezier", 3, [1, 1]),
        ("bspline", 3, [0, 0, 0, 1, 1, 1]),
        ("bspline", 1, [0, 1, 1, 2]),
        ("cardinal", 2, [0, 1]),
        ("bmatrix", 3, [0, 1]),
        ("", 3, [0, 1]),
    ],
)
def test_what_is_no_basis_is_refused(kind, degree, parameters):
    with pytest.raises(BadBasisError):
        axis_of(kind, degree, np.array(parameters, dtype=float))
