#include "spacedyn/inertia/reconfiguration.hpp"

#include <pybind11/stl.h>

#include "bindings.hpp"

namespace spacedyn::python {
namespace {

py::tuple pair(ModelState&& system) {
  return py::make_tuple(ModelHandle(std::move(system.model)), std::move(system.state));
}

void bind_joints(py::module_& m) {
  m.def(
      "lock_joints",
      [](const ModelHandle& model, const State& state, const std::vector<std::string>& joints) {
        return pair(lock_joints(*model, state, joints));
      },
      py::arg("model"), py::arg("state"), py::arg("joints"),
      "(model, state) with joints held where they are; momentum is preserved.");
  m.def(
      "unlock_joints",
      [](const ModelHandle& locked, const State& state, const ModelHandle& original,
         const JointPositions& positions) {
        return pair(unlock_joints(*locked, state, *original, positions));
      },
      py::arg("locked"), py::arg("state"), py::arg("original"), py::arg("positions"),
      "(model, state) with locked joints free again; positions by name, rad or m.");
  m.def(
      "rerooted",
      [](const ModelHandle& model, const State& state, const std::string& new_base) {
        return pair(rerooted(*model, state, new_base));
      },
      py::arg("model"), py::arg("state"), py::arg("new_base"),
      "(model, state): the same motion with another link as base.");
}

void bind_reconfigured_parts(py::module_& m) {
  m.def(
      "submodel",
      [](const ModelHandle& model, const State& state, const std::string& link) {
        return pair(submodel(*model, state, link));
      },
      py::arg("model"), py::arg("state"), py::arg("link"),
      "(model, state) of a link and all that it carries.");
  m.def(
      "detach",
      [](const ModelHandle& model, const State& state, const std::string& link) {
        DetachedModels both = detach(*model, state, link);
        return py::make_tuple(pair(std::move(both.remaining)), pair(std::move(both.detached)));
      },
      py::arg("model"), py::arg("state"), py::arg("link"),
      "((model, state) of what remains, (model, state) of the link and what it carries).");
  m.def(
      "attach",
      [](const ModelHandle& robot, const State& robot_state, const ModelHandle& attached,
         const State& attached_state, const std::string& link, const std::string& prefix,
         bool matching) {
        const Grasp grasp{link, prefix, matching ? JoinVelocity::matching : JoinVelocity::plastic};
        return pair(attach(*robot, robot_state, *attached, attached_state, grasp));
      },
      py::arg("robot"), py::arg("robot_state"), py::arg("attached"), py::arg("attached_state"),
      py::arg("link"), py::arg("prefix"), py::kw_only(), py::arg("matching") = false,
      "(model, state) of a robot whose link holds the base of another one: a plastic impact,\n"
      "or, if matching, only where both move alike already.");
}

}  // namespace

void bind_reconfiguration(py::module_& m) {
  bind_joints(m);
  bind_reconfigured_parts(m);
}

}  // namespace spacedyn::python
