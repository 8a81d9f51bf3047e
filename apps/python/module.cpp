#include "bindings.hpp"
#include "spacedyn/reporting/build_info.hpp"

namespace spacedyn::python {
void bind_measures(py::module_& m);  // for apps/bench
}

PYBIND11_MODULE(_core, m) {
  using namespace spacedyn::python;
  m.doc() = "The C++ library, function by function; import spacedyn instead.";
  m.attr("__version__") = spacedyn::build_info().spacedyn;
  bind_errors(m);
  bind_rotations(m);
  bind_attitudes(m);
  bind_model(m);
  bind_description(m);
  bind_foreign(m);
  bind_state(m);
  bind_robots(m);
  bind_kinematics(m);
  bind_jacobians(m);
  bind_inertia(m);
  bind_derivatives(m);
  bind_constraints(m);
  bind_loop_assembly(m);
  bind_space_robot(m);
  bind_impacts(m);
  bind_reconfiguration(m);
  bind_dynamics(m);
  bind_references(m);
  bind_elements(m);
  bind_scenario(m);
  bind_simulation(m);
  bind_sweeps(m);
  bind_fits(m);
  bind_analysis(m);
  bind_inverse_kinematics(m);
  bind_trajectories(m);
  bind_resolved_rates(m);
  bind_batch(m);
  bind_terramechanics(m);
  bind_measures(m);
}
