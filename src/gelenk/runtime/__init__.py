"""What turns functions into a running robot: messages, clock, recorder, campaigns."""
