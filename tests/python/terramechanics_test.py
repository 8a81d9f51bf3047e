#!/usr/bin/env python3
"""Wheels and plates on loose soil without a simulation: published values, the inverse, misuse."""

import math
import unittest

import spacedyn as sd
from support import Case

LOAD = 64.68  # N
WHEEL = sd.SoilWheel(radius=0.09, width=0.11)


def regolith(**others):
    values = {"cohesion": 800, "friction_angle": math.radians(37.2), "k_c": 1.37e3, "k_phi": 8.14e5, "density": 1600,
              "shear_modulus_x": [0.036, 0.043], "shear_modulus_y": [0.013, 0.020], "lambda_": 0.9,
              "destructive_angle": math.radians(26.4)}
    return sd.Soil(**{**values, **others})


class Wheels(Case):
    def test_published_values(self):
        # six decimals are printed
        for slip, mm, pull, torque in ((0, 15.068394, -1.262719, 0.369354), (0.1, 15.322302, 4.108693, 0.893652),
                                       (0.2, 15.568728, 8.806111, 1.355116), (0.5, 16.294574, 19.515718, 2.425120)):
            h = sd.wheel_sinkage(WHEEL, regolith(), LOAD, slip, math.radians(5))
            force = sd.wheel_soil_force(WHEEL, regolith(), h, slip, math.radians(5))
            self.assert_equal_arrays([1e3 * h, force.drawbar_pull, force.resistance_torque], [mm, pull, torque], 1e-6)
            self.assertAlmostEqual(force.vertical_force, LOAD, delta=1e-9)

    def test_model_agrees_with_one_call(self):
        model = sd.WheelSoilModel(WHEEL, regolith())
        for slip, angle in ((0.2, 0.1), (-0.3, -0.2)):
            one, other = model.force(0.015, slip, angle), sd.wheel_soil_force(WHEEL, regolith(), 0.015, slip, angle)
            for name in ("drawbar_pull", "side_force", "vertical_force", "resistance_torque", "overturning_moment",
                         "aligning_moment"):
                self.assertEqual(getattr(one, name), getattr(other, name), name)
        self.assertAlmostEqual(model.angles(0.015, 0.2).entry, math.acos(1 - 0.015 / 0.09), delta=1e-15)
        self.assertEqual(model.stress(0.015, 0.2, 0.0, 1.0).normal, 0.0)
        self.assertEqual((model.wheel.radius, model.soil.cohesion), (0.09, 800))

    def test_plates(self):
        soil = regolith(unloading_modulus=[0, 1.6e8])
        resistance = sd.compaction_resistance(WHEEL, soil, LOAD, 9.8)
        # six decimals of closed forms
        self.assert_equal_arrays([1e3 * resistance.sinkage, resistance.resistance], [18.495904, 15.550086], 1e-6)
        z = sd.plate_sinkage(soil, 0.10, 0.11, LOAD, 9.8)
        self.assertAlmostEqual(1e3 * z, 7.114729, delta=1e-6)
        self.assertAlmostEqual(sd.plate_pressure(soil, 0.11, z, 9.8), LOAD / 0.011, delta=1e-9)
        bed = sd.pressed_bed(soil, 0.11, z, 9.8)
        self.assertAlmostEqual(sd.plate_pressure(soil, 0.11, z, 9.8, z), bed.modulus * (z - bed.floor), delta=1e-9)
        self.assertAlmostEqual(sd.shear_stress(soil, 1000, 0.036, 0.036),
                               (800 + 1000 * math.tan(math.radians(37.2))) * (1 - math.exp(-1)), delta=1e-9)
        soil.pressure = sd.PressureLaw.reece
        self.assertAlmostEqual(sd.plate_pressure(soil, 0.1, 0.1, 2.0), 800 * 1.37e3 + 1600 * 2 * 0.1 * 8.14e5,
                               delta=1e-6)

    def test_misuse_is_told(self):
        for soil, what in ((regolith(cohesion=-1), "cohesion"), (regolith(friction_angle=1.6), "friction")):
            self.assert_raises(sd.DomainError, what, sd.WheelSoilModel, WHEEL, soil)
        self.assert_raises(sd.DomainError, "radius", sd.WheelSoilModel, sd.SoilWheel(width=0.1), regolith())
        self.assert_raises(sd.DomainError, "load", sd.wheel_sinkage, WHEEL, regolith(), -1, 0.2, 0)
        self.assert_raises(sd.DomainError, "less than the load", sd.wheel_sinkage, WHEEL, regolith(), 1e6, 0.2, 0)
        self.assert_raises(TypeError, "there is no attribute 'colour'", sd.Soil, colour="red")
        self.assert_raises(sd.DimensionError, r"shear_modulus_x: expected .* \(2,\), got \(3,\)", sd.Soil,
                           shear_modulus_x=[1, 2, 3])


if __name__ == "__main__":
    unittest.main()
