#include "spacedyn/constraints/loop_assembly.hpp"

#include <pybind11/stl.h>

#include "bindings.hpp"
#include "unlocked.hpp"

namespace spacedyn::python {
namespace {

void bind_residual(py::module_& m) {
  py::class_<LoopResidual>(m, "LoopResidual", "The largest residual of all loops.")
      .def_readonly("value", &LoopResidual::value, "m or rad, of velocities per s; 0 without loops")
      .def_readonly("loop", &LoopResidual::loop, "its name")
      .def_readonly("is_angle", &LoopResidual::is_angle, "whether it is an angle");
  m.def(
      "position_residual",
      [](const ModelHandle& model, const State& state) { return position_residual(*model, state); },
      py::arg("model"), py::arg("state"), "Largest component of φ of all loops, a LoopResidual.");
  m.def(
      "velocity_residual",
      [](const ModelHandle& model, const State& state) { return velocity_residual(*model, state); },
      py::arg("model"), py::arg("state"), "Largest component of K u of all loops, a LoopResidual.");
}

LoopAssembly assemble(const ModelHandle& model, const State& start,
                      const std::vector<IndexArgument>& held, bool nearest) {
  std::vector<int> joints;
  for (const IndexArgument& joint : held) joints.push_back(joint.joint_of(*model));
  const Unlocked unlocked;
  return assemble_loops(*model, start, joints, nearest);
}

}  // namespace

void bind_loop_assembly(py::module_& m) {
  bind_residual(m);
  py::class_<LoopAssembly>(m, "LoopAssembly", "How an assembly ended.")
      .def_readonly("state", &LoopAssembly::state, "on the loops, or as near as it came")
      .def_readonly("position", &LoopAssembly::position, "LoopResidual of that state")
      .def_readonly("velocity", &LoopAssembly::velocity, "LoopResidual of its velocities")
      .def_readonly("assembled", &LoopAssembly::assembled, "whether both are at most 1e-9");
  m.def("assemble_loops", &assemble, py::arg("model"), py::arg("start"),
        py::arg("held") = std::vector<IndexArgument>{}, py::kw_only(), py::arg("nearest") = true,
        "Moves joints onto the loops, in position and velocity, by the least Σ Δq² and Σ Δq̇²; the\n"
        "base stays, and so do the joints that are held, names or numbers. nearest: False takes\n"
        "some configuration on the loops, found sooner. Returns a LoopAssembly.");
}

}  // namespace spacedyn::python
