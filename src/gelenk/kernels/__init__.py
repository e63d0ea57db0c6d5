"""The compiled inner loops that the packages beside it share."""
