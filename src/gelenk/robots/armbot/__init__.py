"""ArmBot: any manipulator, in a world of obstacles, belts, balls, boxes and triggers.

After J. Roth, ArmBot, TH Nuernberg 2021. Students write an environment file and a
controller; `gelenk armbot -e FILE` runs them.
"""
