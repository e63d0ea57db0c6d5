"""The methods of a robotics foundations course: where they live, formula, example."""
