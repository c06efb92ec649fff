"""Sample scenes; installed as octoscope.assets and read through importlib.resources."""
