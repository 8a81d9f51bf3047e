"""Facts of servicing_mission, see scenario_facts.py: durations that the file gives, and momentum by hand."""

import math


def servicing_mission(flight):
    """The satellite turns freely with 1 deg/s from 60 deg; only the jets, before the grasp, change the momentum."""
    times = {event["name"]: event["time"] for event in flight.summary["events"]}
    after = min(i for i, time in enumerate(flight.times) if time > times["grasped"])
    spin = [flight[f"angular_momentum_centroid_{axis}_kg_m2_s"] for axis in "xyz"]
    drift = math.dist([each[after] for each in spin], [each[-1] for each in spin])
    return [("inspection, s", f"{times['inspected'] - times['arrived']:.9f}", f"{60:.9f}"),
            ("from grasp to the wheels, s", f"{times['held'] - times['grasped']:.9f}", f"{40:.9f}"),
            ("the satellite comes round to 20 deg, s", f"{times['aligned']:.1f}", f"{340 - 60:.1f}"),
            ("angular momentum about z, N m s", f"{spin[2][-1]:.4f}", f"{180 * math.radians(1):.4f}"),
            ("its change after the grasp, N m s", f"{drift:.9f}", f"{0:.9f}")]


MISSION_FACTS = {"servicing_mission": servicing_mission}
