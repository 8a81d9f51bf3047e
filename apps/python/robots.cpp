#include <pybind11/stl.h>

#include "bindings.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/model/aggregate.hpp"
#include "spacedyn/model/model_builder.hpp"
#include "spacedyn/state/robot_state.hpp"

namespace spacedyn::python {
namespace {

/// A robot of a model as an argument: by name.
const Robot& robot_of(const Model& model, const std::string& name) {
  if (const Robot* robot = model.find_robot(name)) return *robot;
  std::string known;
  for (const Robot& robot : model.robots()) known += (known.empty() ? "" : ", ") + robot.name;
  throw DomainError("robot: model '" + model.name() + "' has no robot '" + name + "', " +
                    (known.empty() ? "it is a single one" : "it has " + known));
}

Model built(const std::string& name, const std::vector<RobotPart>& parts) {
  return ModelBuilder(aggregate(name, parts)).build();
}

void bind_aggregate(py::module_& m) {
  py::class_<RobotPart> part(m, "RobotPart", "One robot of an aggregate.");
  part.def(py::init([](const std::string& name, const ModelHandle& model, bool floats,
                       const Pose* base) {
             RobotPart result;
             result.name = name;
             result.model = model.pointer();
             result.floats = floats;
             if (base != nullptr) result.base = *base;
             return result;
           }),
           py::arg("name"), py::arg("model"), py::kw_only(), py::arg("floats") = true,
           py::arg("base") = py::none(),
           "floats: the base moves freely, else it is nailed to the inertial frame where the Pose\n"
           "`base` puts its centroid and axes.");
  part.def_readonly("name", &RobotPart::name, "name")
      .def_readonly("floats", &RobotPart::floats, "whether its base moves freely");
  m.def(
      "aggregate",
      [](const std::string& name, const std::vector<RobotPart>& parts) {
        return ModelHandle(built(name, parts));
      },
      py::arg("name"), py::arg("parts"),
      "Several robots as one Model, whose base is the inertial frame; names of their links, "
      "joints\n"
      "and frames become `<robot>.<name>`. Raises DomainError, ModelError.");
}

void bind_base_motion(py::module_& m) {
  py::class_<BaseMotion> type(m, "BaseMotion", "Where the base of a robot is and how it moves.");
  type.def(py::init<>());
  def_writable_view(type, "r_0", &BaseMotion::r_0, "(3,), base centroid, m");
  def_writable_view(type, "A_0", &BaseMotion::A_0, "(3, 3), base axes to inertial ones");
  def_writable_view(type, "v_0", &BaseMotion::v_0, "(3,), of the centroid, m/s");
  def_writable_view(type, "omega_0", &BaseMotion::omega_0, "(3,), rad/s");
  m.def(
      "base_motion",
      [](const ModelHandle& model, const std::string& robot, const State& state) {
        state.check(*model);
        return base_motion(*model, robot_of(*model, robot), state);
      },
      py::arg("model"), py::arg("robot"), py::arg("state"),
      "BaseMotion of one of the robots of a model, by name.");
  m.def(
      "set_base_motion",
      [](const ModelHandle& model, const std::string& robot, const BaseMotion& motion,
         State& state) {
        state.check(*model);
        set_base_motion(*model, robot_of(*model, robot), motion, state);
      },
      py::arg("model"), py::arg("robot"), py::arg("motion"), py::arg("state"),
      "Moves the base of a robot that floats in the state; its joints stay.");
}

void bind_robot_state(py::module_& m) {
  m.def(
      "robot_names",
      [](const ModelHandle& model) {
        py::list list;
        for (const Robot& robot : model->robots()) list.append(robot.name);
        return list;
      },
      py::arg("model"), "Names of the robots of an aggregate; empty for a single robot.");
  m.def(
      "robot_state",
      [](const ModelHandle& model, const std::string& robot, const State& state) {
        state.check(*model);
        return robot_state(*model, robot_of(*model, robot), state);
      },
      py::arg("model"), py::arg("robot"), py::arg("state"),
      "State of one robot as if it were alone, a copy.");
  m.def(
      "set_robot_state",
      [](const ModelHandle& model, const std::string& robot, const State& own, State& state) {
        state.check(*model);
        set_robot_state(*model, robot_of(*model, robot), own, state);
      },
      py::arg("model"), py::arg("robot"), py::arg("own"), py::arg("state"),
      "Puts the state of one robot into that of all; those of others stay.");
}

}  // namespace

void bind_robots(py::module_& m) {
  bind_aggregate(m);
  bind_base_motion(m);
  bind_robot_state(m);
}

}  // namespace spacedyn::python
