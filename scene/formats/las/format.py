"""The endings of point clouds that laspy reads."""

FORMATS = {
    "LAS": (
        *((".las", ".laz"), ("las.reader", "read_las"), False, ("las.reader", "read_las_in_parts")),
        {".las": 10, ".laz": 80},
    )
}
