"""GLSL programs, one a file; installed as octoscope.shaders and read through importlib.resources."""
