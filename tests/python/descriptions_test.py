#!/usr/bin/env python3
"""Classes of what files describe: all kinds have one, and what they say flies as the file does."""

import copy
import inspect
import json
import keyword
import pathlib
import pickle
import tempfile
import unittest

import numpy as np
import yaml

import spacedyn as sd
from support import ROOT, SCENARIOS, Case

MODULES = (sd.forces, sd.contacts, sd.controllers, sd.references, sd.sensors, sd.events, sd.connections, sd.terrains,
           sd.parts)
PLANAR = ROOT / "models" / "robots" / "planar_2r.yaml"


def classes(module):
    return [each for each in vars(module).values()
            if inspect.isclass(each) and issubclass(each, sd.Description) and each.__module__ == module.__name__]


def parameters(kind):
    return inspect.signature(kind).parameters


def described(module, mapping):
    """The object of the class in a module that has the type of a mapping."""
    mapping = dict(mapping)
    kind = next(each for each in classes(module) if each.TAG[0] and mapping.get(each.TAG[0]) == each.TAG[1])
    del mapping[kind.TAG[0]]
    if "actions" in mapping:
        mapping["actions"] = [described(sd.events, each) for each in mapping["actions"]]
    if isinstance(mapping.get("reference"), dict) and "type" in mapping["reference"]:
        mapping["reference"] = described(sd.references, mapping["reference"])
    mapping = {key: value for key, value in mapping.items() if key not in ("description", "source")}
    return kind(**{key + "_" if keyword.iskeyword(key) else key: value for key, value in mapping.items()})


def described_scenario(path):
    """A scenario file as objects."""
    with open(path, encoding="utf-8") as file:
        keys = yaml.safe_load(file)["scenario"]
    keys.pop("description", None)
    keys.pop("source", None)
    for key, module in (("forces", sd.forces), ("control", sd.controllers), ("sensors", sd.sensors),
                        ("events", sd.events), ("connections", sd.connections)):
        if key in keys:
            keys[key] = [described(module, each) for each in keys[key]]
    for contact in keys.get("contacts", []):
        contact["normal"] = described(sd.contacts, contact["normal"])
    if "contacts" in keys:
        keys["contacts"] = [sd.contacts.Contact(**each) for each in keys["contacts"]]
    return sd.ScenarioDescription(**keys)


def spring(**more):
    return sd.forces.SpringDamper(from_="base", to="hand", stiffness=3, **more)


class Kinds(Case):
    def test_each_kind_of_the_schemas_has_a_class(self):
        definitions = json.loads(sd.scenario_schema())["$defs"]

        def tags(schema):
            while isinstance(schema, dict) and "$ref" in schema:
                schema = definitions[schema["$ref"].rpartition("/")[2]]
            if "properties" in schema:
                return {each["const"] for each in schema["properties"].values()
                        if isinstance(each, dict) and "const" in each}
            parts = [schema["items"]] if "items" in schema else schema.get("oneOf", schema.get("anyOf", []))
            return set().union(*map(tags, parts))

        count = 0
        for key, module in (("forces", sd.forces), ("control", sd.controllers), ("sensors", sd.sensors),
                            ("events", sd.events), ("connections", sd.connections)):
            expected = tags(definitions["scenario"]["properties"][key])
            self.assertGreater(len(expected), 4)
            self.assertLessEqual(expected, {each.TAG[1] for each in classes(module)}, key)
            count += len(expected)
        self.assertGreater(count, 29)

    def test_signatures_say_types_and_defaults(self):
        known = parameters(sd.forces.SpringDamper)
        self.assertTrue(all(each.kind is each.KEYWORD_ONLY for each in known.values()))
        self.assertEqual(known["stiffness"].annotation, "Optional[Number]")  # or spring
        self.assertIs(parameters(sd.forces.Tether)["stiffness"].default, inspect.Parameter.empty)
        self.assertEqual(parameters(sd.ScenarioDescription)["name"].default, "scenario")
        self.assertIn("N/m", sd.forces.Tether.__doc__)

    def test_each_class_and_each_key_is_documented(self):
        for module in MODULES:
            for kind in classes(module):
                with self.subTest(f"{module.__name__}.{kind.__name__}"):
                    self.assertTrue(kind.__doc__)
                    for name in parameters(kind) if kind.TAG[0] else ():
                        self.assertIn(f"- `{name}`: ", kind.__doc__)


class Objects(Case):
    def test_text_and_equality(self):
        self.assertEqual(repr(spring()), "SpringDamper(from_='base', to='hand', stiffness=3)")
        self.assertEqual(spring(), eval(repr(spring()), {"SpringDamper": sd.forces.SpringDamper}))
        self.assertEqual(spring(), copy.deepcopy(spring()))
        self.assertEqual(spring(), pickle.loads(pickle.dumps(spring())))
        self.assertNotEqual(spring(), spring(damping=2))
        self.assertNotEqual(spring(), {"type": "spring_damper"})
        self.assertEqual(spring().to_dict(), {"type": "spring_damper", "from": "base", "to": "hand", "stiffness": 3})
        self.assertEqual(yaml.safe_load(spring(name="a: b").to_yaml())["name"], "a: b")

    def test_values_may_be_arrays_and_can_be_changed(self):
        wrench = sd.forces.Wrench(at="hand", force=np.array([1.0, 0.0, 0.0]))
        wrench.until = "20 ms"
        self.assertEqual(wrench.to_dict()["force"], [1.0, 0.0, 0.0])
        self.assertEqual(wrench, sd.forces.Wrench(at="hand", force=(1, 0, 0), until="20 ms"))

    def test_values_that_are_the_default_are_written_where_they_are_given(self):
        # without a restitution nothing happens at a limit, with one of 0 the joint stops
        limit = sd.events.JointLimit(joint="elbow", restitution=0.0)
        self.assertEqual(limit.to_dict(), {"type": "joint_limit", "joint": "elbow", "restitution": 0.0})
        limit.restitution = None
        self.assertNotIn("restitution", limit.to_dict())

    def test_wrong_keys_are_refused_at_once(self):
        error = self.assert_raises(TypeError, "SpringDamper: there is no key 'stifness'", sd.forces.SpringDamper,
                                   from_="base", to="hand", stifness=3)
        self.assertIn("did you mean 'stiffness'?", str(error))
        self.assert_raises(TypeError, "missing 1 required keyword-only argument: 'stiffness'", sd.forces.Tether,
                           from_="base", to="hand")
        self.assert_raises(TypeError, "positional", sd.forces.Brake, "elbow")
        with self.assertRaisesRegex(AttributeError, "did you mean 'damping'"):
            spring().dampin = 3
        self.assert_raises(TypeError, "there is no key 'duraton'", sd.ScenarioDescription, model=PLANAR, duraton=1)


class Flights(Case):
    def flight(self, **more):
        keys = {"model": PLANAR, "duration": 1, "output": {"interval": 0.1}, "forces": [spring()]}
        return sd.ScenarioDescription(**{**keys, **more})

    def test_shipped_scenarios_fly_alike(self):
        for name in ("ets7_arm_slew", "lander", "rover_turn", "wheel_dump", "newtons_cradle"):
            path = SCENARIOS / f"{name}.yaml"
            with self.subTest(name):
                scenario = described_scenario(path).build(SCENARIOS, [("duration", "0.1")])
                self.assert_equal_arrays(sd.simulate(scenario).values, sd.simulate(path, duration=0.1).values)

    def test_every_shipped_scenario_can_be_described(self):
        for path in sorted(SCENARIOS.glob("*.yaml")):
            with self.subTest(path.name):
                made = described_scenario(path)
                with open(path, encoding="utf-8") as file:
                    expected = yaml.safe_load(file)["scenario"]
                self.assertEqual(yaml.safe_load(made.to_yaml())["scenario"].keys(),
                                 expected.keys() - {"description", "source"})
                made.build(SCENARIOS)

    def test_model_may_be_a_path_a_model_or_a_mapping(self):
        with open(PLANAR, encoding="utf-8") as file:
            mapping = yaml.safe_load(file)["model"]
        finals = [sd.simulate(self.flight(model=model)).values
                  for model in (PLANAR, str(PLANAR), sd.load_model(PLANAR), mapping)]
        for final in finals[1:]:
            self.assert_equal_arrays(final, finals[0])

    def test_parts_make_a_model(self):
        model = {"name": "wheeled", "base": sd.parts.Base(name="bus", mass=50, inertia=[5, 5, 5]),
                 "links": [sd.parts.Link(name="boom", parent="bus", mass=2, inertia=[0.1, 0.2, 0.2],
                                         joint=sd.parts.Joint(name="hinge", type="revolute"))]}
        built = self.flight(model=model, forces=[]).build()
        self.assertEqual((built.model.name, built.model.joint_names), ("wheeled", ["hinge"]))

    def test_a_joint_may_follow_another(self):
        follow = sd.MimicDescription(joint="a", ratio=-2.0, offset=0.5)
        builder = sd.ModelBuilder("pair")
        builder.set_base(sd.BaseDescription(name="base", mass=5, inertia=np.eye(3), fixed=True))
        for name, mimic in (("a", None), ("b", follow)):
            builder.add_link(sd.LinkDescription(name=name, parent="base", mass=1, inertia=np.eye(3),
                                                joint=sd.JointDescription(mimic=mimic)))
        robot = builder.build()
        self.assertEqual((robot.joint_names, robot.coordinates), (["a", "b"], ["a"]))
        described = sd.description(robot).links[1].joint.mimic
        self.assertEqual((described.joint, described.ratio, described.offset), ("a", -2.0, 0.5))
        self.assertIsNone(sd.description(robot).links[0].joint.mimic)
        state = sd.State(robot, q=[0.3, 0.0], qd=[0.1, 0.0])
        self.assert_equal_arrays(state.q, [0.3, -2.0 * 0.3 + 0.5])
        state.q[0], state.qd[0] = 0.7, -0.4
        sd.follow(robot, state)
        self.assert_equal_arrays(state.q, [0.7, -2.0 * 0.7 + 0.5])
        self.assert_equal_arrays(state.qd, [-0.4, 0.8])
        self.assert_raises(sd.DimensionError, "", sd.follow, robot, sd.State(sd.load_model(PLANAR.parent / "ets7.yaml")))
        self.assert_raises(RuntimeError, "", setattr, sd.JointDescription(), "mimic", 3)

    def test_file_flies_alike(self):
        model = sd.load_model(PLANAR)
        flight = self.flight(model=model, initial={"joints": {"elbow": {"position": "-30 deg"}}})
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "flight.yaml"
            path.write_text(flight.to_yaml(), encoding="utf-8")
            self.assert_equal_arrays(sd.simulate(path).values, sd.simulate(flight).values)

    def test_settings_are_those_of_a_file(self):
        self.assertEqual(sd.simulate(self.flight(), duration=0.5, integrator__method="dopri5").time[-1], 0.5)
        self.assertEqual(self.flight().check(), [])

    def test_a_state_may_begin_it(self):
        state = sd.State(sd.load_model(PLANAR), q=[0.1, 0.2])
        flight = self.flight(initial=state)
        self.assert_equal_arrays(flight.build().initial.q, [0.1, 0.2])
        self.assert_raises(TypeError, "initial", flight.to_yaml)

    def test_what_is_wrong_has_a_path_and_no_line(self):
        error = self.assert_raises(sd.ParseError, "", self.flight(forces=[spring(), spring(damping="3 kg")]).build)
        self.assertEqual((error.path, error.line, error.file), ("scenario.forces.1.damping", 0, ""))
        self.assertTrue(str(error).startswith("error: scenario.forces.1.damping: expected"), str(error))
        error = self.assert_raises(sd.ParseError, "hint: did you mean 'hand'", self.flight(
            forces=[sd.forces.SpringDamper(from_="base", to="hnd", stiffness=1)]).check)
        self.assertNotIn("<scenario>", str(error))
        self.assert_raises(TypeError, "got object", self.flight(forces=[object()]).build)
        self.assert_raises(sd.OverrideError, "", sd.simulate, self.flight(), durtion=3)


if __name__ == "__main__":
    unittest.main()
