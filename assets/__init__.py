"""Sample scenes; installed as viewer.assets and read through importlib.resources."""
