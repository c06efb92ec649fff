"""GLSL programs, one a file; installed as viewer.shaders and read through importlib.resources."""
