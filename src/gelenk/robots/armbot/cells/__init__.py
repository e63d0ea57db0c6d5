"""The shipped cells as scenarios: what each must have achieved."""
