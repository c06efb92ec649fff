"""What `octoscope bench` runs; installed as viewer.benchmarks."""
