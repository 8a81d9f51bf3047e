#include <pybind11/stl.h>

#include "bindings.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/loading/yaml.hpp"
#include "spacedyn/model/names.hpp"

namespace spacedyn::python {
namespace {

using ScenarioClass = py::class_<Scenario, std::shared_ptr<Scenario>>;

/// The value of an enumeration that has a name, among all of them.
template <typename Values>
typename Values::value_type named(const Values& all, const std::string& name, const char* what) {
  std::vector<std::string> known;
  for (const auto value : all) {
    if (to_string(value) == name) return value;
    known.emplace_back(to_string(value));
  }
  std::string list;
  for (const std::string& text : known) list += (list.empty() ? "" : ", ") + text;
  throw DomainError(std::string(what) + ": expected one of " + list + ", got '" + name + "'" +
                    did_you_mean(name, known));
}

BaseMode base_mode(const std::string& name) {
  if (name == "floating") return BaseMode::floating;
  if (name == "fixed") return BaseMode::fixed;
  throw DomainError("base_mode: expected 'floating' or 'fixed', got '" + name + "'");
}

std::string name_of(BaseMode mode) {
  if (mode == BaseMode::floating) return "floating";
  return mode == BaseMode::fixed ? "fixed" : "prescribed";
}

std::vector<Channel> channels_of(const std::vector<std::string>& names) {
  std::vector<Channel> channels;
  for (const std::string& name : names) channels.push_back(named(all_channels(), name, "channels"));
  return channels;
}

std::vector<std::string> names_of(const std::vector<Channel>& channels) {
  std::vector<std::string> names;
  for (const Channel channel : channels) names.emplace_back(to_string(channel));
  return names;
}

std::shared_ptr<Scenario> make_scenario(const ModelHandle& model, const State* initial,
                                        double duration, double output_interval,
                                        const std::string& name) {
  auto scenario = std::make_shared<Scenario>();
  scenario->name = name;
  scenario->setup.model = model.pointer();
  if (model->has_fixed_base()) scenario->setup.base_mode = BaseMode::fixed;
  scenario->initial = initial != nullptr ? *initial : State(*model);
  scenario->initial.check(*model);
  scenario->duration = duration;
  scenario->output_interval = output_interval;
  scenario->channels = default_channels();
  return scenario;
}

void bind_plain(ScenarioClass& scenario) {
  scenario.def(py::init(&make_scenario), py::arg("model"), py::arg("initial") = py::none(),
               py::kw_only(), py::arg("duration"), py::arg("output_interval"),
               py::arg("name") = "scenario");
  scenario.def_readwrite("name", &Scenario::name, "name");
  scenario.def_readonly("file", &Scenario::file, "path it was read from, may be empty");
  scenario.def_readwrite("duration", &Scenario::duration, "s");
  scenario.def_readwrite("output_interval", &Scenario::output_interval, "s");
  scenario.def_property_readonly(
      "model", [](const Scenario& s) { return std::make_shared<ModelHandle>(s.setup.model); },
      "the Model");
  scenario.def_property(
      "initial", [](const Scenario& s) { return State(s.initial); },
      [](Scenario& s, const State& state) {
        state.check(*s.setup.model);
        s.initial = state;
      },
      "the State at t = 0, a copy: assign to change it");
  scenario.def_property(
      "channels", [](const Scenario& s) { return names_of(s.channels); },
      [](Scenario& s, const std::vector<std::string>& names) { s.channels = channels_of(names); },
      "names of what is recorded, a copy");
  scenario.def_property_readonly(
      "warnings",
      [](const Scenario& s) {
        std::vector<std::string> texts;
        for (const Diagnostic& warning : s.warnings) texts.push_back(to_string(warning));
        return texts;
      },
      "what was noticed while reading");
  scenario.def(
      "copy", [](const Scenario& s) { return std::make_shared<Scenario>(s); },
      "A scenario of its own; elements are in common.");
  scenario.def("__repr__", [](const Scenario& s) {
    return "<spacedyn.Scenario '" + s.name + "' of '" + s.setup.model->name() + "'>";
  });
}

void bind_integrator(ScenarioClass& scenario) {
  scenario.def_property(
      "method", [](const Scenario& s) { return std::string(to_string(s.setup.integrator.method)); },
      [](Scenario& s, const std::string& name) {
        s.setup.integrator.method = named(all_integration_methods(), name, "method");
      },
      "method of integration, for instance dop853");
  scenario.def_property(
      "step", [](const Scenario& s) { return s.setup.integrator.step; },
      [](Scenario& s, double step) { s.setup.integrator.step = step; },
      "s: of fixed-step methods the step, of others the first one, 0: found");
  scenario.def_property(
      "relative_tolerance", [](const Scenario& s) { return s.setup.integrator.relative_tolerance; },
      [](Scenario& s, double value) { s.setup.integrator.relative_tolerance = value; },
      "of adaptive methods");
  scenario.def_property(
      "absolute_tolerance",
      [](const Scenario& s) { return s.setup.integrator.absolute_tolerance.joint; },
      [](Scenario& s, double value) {
        s.setup.integrator.absolute_tolerance = {value, value, value, value, value, value, value};
      },
      "of adaptive methods, all components alike; SI units");
  scenario.def_property(
      "max_steps", [](const Scenario& s) { return s.setup.integrator.max_steps; },
      [](Scenario& s, long value) { s.setup.integrator.max_steps = value; },
      "after so many accepted steps a run fails");
}

template <typename Elements>
std::vector<std::string> element_names(const Elements& elements) {
  std::vector<std::string> names;
  for (const auto& element : elements) names.push_back(element->name());
  return names;
}

void bind_system(ScenarioClass& scenario) {
  scenario.def_property(
      "gravity", [](const Scenario& s) { return to_array(s.setup.gravity); },
      [](Scenario& s, const ArrayLike& g) { s.setup.gravity = read_vector3(g, "gravity"); },
      "(3,), m/s², a copy");
  scenario.def_property(
      "base_mode", [](const Scenario& s) { return name_of(s.setup.base_mode); },
      [](Scenario& s, const std::string& name) { s.setup.base_mode = base_mode(name); },
      "floating, fixed or prescribed");
  scenario.def_property(
      "locked_joints", [](const Scenario& s) { return s.setup.locked_joints; },
      [](Scenario& s, const std::vector<IndexArgument>& joints) {
        std::vector<int> locked;
        for (const auto& joint : joints) locked.push_back(joint.joint_of(*s.setup.model));
        s.setup.locked_joints = locked;
      },
      "joints held at rest from the start, by index or name");
  scenario.def_property_readonly(
      "controllers", [](const Scenario& s) { return element_names(s.setup.controllers); },
      "names of the controllers");
  scenario.def_property_readonly(
      "forces", [](const Scenario& s) { return element_names(s.setup.forces); },
      "names of the force elements");
  scenario.def(
      "add_controller",
      [](Scenario& s, const std::shared_ptr<Controller>& controller) {
        controller->check(*s.setup.model);
        s.setup.controllers.push_back(controller);
      },
      py::arg("controller"), "Adds a controller.");
  scenario.def(
      "add_force",
      [](Scenario& s, const std::shared_ptr<ForceElement>& force) {
        force->check(*s.setup.model);
        s.setup.forces.push_back(force);
      },
      py::arg("force"), "Adds a force element.");
  scenario.def(
      "clear_controllers", [](Scenario& s) { s.setup.controllers.clear(); },
      "Removes all controllers.");
  scenario.def(
      "clear_forces", [](Scenario& s) { s.setup.forces.clear(); }, "Removes all forces.");
}

}  // namespace

void bind_scenario(py::module_& m) {
  ScenarioClass scenario(m, "Scenario", "A robot, what happens to it, and what to record.");
  bind_plain(scenario);
  bind_integrator(scenario);
  bind_system(scenario);
  m.def(
      "load_scenario",
      [](const PathArgument& path, const std::vector<Override>& overrides) {
        return std::make_shared<Scenario>(load_scenario(path.text, overrides));
      },
      py::arg("path"), py::arg("overrides") = std::vector<Override>{},
      "Reads a scenario file and its model.\n\n"
      "Overrides are pairs of key path and YAML text, for instance ('duration', '10').");
  m.def(
      "open_scenario",
      [](const PathArgument& path, const std::vector<Override>& overrides) {
        return std::make_shared<Scenario>(open_scenario(path.text, overrides));
      },
      py::arg("path"), py::arg("overrides") = std::vector<Override>{},
      "Reads a scenario file, or a URDF, MJCF or .def model in its first flight: ten seconds\n"
      "without forces in which the joints begin to move.");
  m.def("parse_scenario", &parse_scenario, py::arg("text"), py::arg("file") = "<text>",
        py::arg("overrides") = std::vector<Override>{},
        "Reads a scenario from text; file names it in messages.");
  m.attr("all_channels") = py::cast(names_of(all_channels()));
}

}  // namespace spacedyn::python
