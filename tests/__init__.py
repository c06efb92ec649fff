"""Tests; the folders mirror the packages. oracles.py holds the brute force that everything is compared with."""
