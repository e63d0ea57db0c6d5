"""The page in the browser: draws what a run shows, sends what the user presses."""
