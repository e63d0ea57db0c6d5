"""Why robots move: forces, inertias, energies."""
