#include "spacedyn/analysis/inverse_kinematics.hpp"

#include <pybind11/stl.h>

#include "bindings.hpp"
#include "unlocked.hpp"

namespace spacedyn::python {
namespace {

FrameGoal make_goal(const Frame& frame, const ArrayLike& position, const ArrayLike& orientation,
                    double position_weight, double orientation_weight) {
  if (position.is_none() && orientation.is_none()) {
    throw py::type_error("FrameGoal: expected a position, an orientation or both, got neither");
  }
  FrameGoal goal;
  goal.frame = frame;
  goal.kind = position.is_none()      ? GoalKind::orientation
              : orientation.is_none() ? GoalKind::position
                                      : GoalKind::pose;
  if (!position.is_none()) goal.pose.position = read_vector3(position, "position");
  if (!orientation.is_none()) goal.pose.rotation = read_matrix3(orientation, "orientation");
  goal.position_weight = position_weight;
  goal.orientation_weight = orientation_weight;
  return goal;
}

void set(InverseKinematicsSettings& settings, double position_tolerance,
         double orientation_tolerance, int max_iterations, int restarts, bool respect_limits) {
  settings.position_tolerance = position_tolerance;
  settings.orientation_tolerance = orientation_tolerance;
  settings.max_iterations = max_iterations;
  settings.restarts = restarts;
  settings.respect_limits = respect_limits;
}

InverseKinematicsResult solve(const ModelHandle& model, const State& state,
                              const std::vector<FrameGoal>& goals, const ArrayLike& posture,
                              double position_tolerance, double orientation_tolerance,
                              int max_iterations, int restarts, bool respect_limits) {
  InverseKinematicsOptions options;
  set(options, position_tolerance, orientation_tolerance, max_iterations, restarts, respect_limits);
  if (!posture.is_none()) options.posture = read_vector(posture, model->joint_count(), "posture");
  const Unlocked unlocked;
  return solve_inverse_kinematics(*model, state, goals, options);
}

FreeFloatingResult solve_floating(const ModelHandle& model, const State& state,
                                  const std::vector<FrameGoal>& goals, const ArrayLike& momentum,
                                  double joint_speed, double position_tolerance,
                                  double orientation_tolerance, int max_iterations, int restarts,
                                  bool respect_limits) {
  FreeFloatingOptions options;
  set(options, position_tolerance, orientation_tolerance, max_iterations, restarts, respect_limits);
  options.joint_speed = joint_speed;
  if (!momentum.is_none()) options.flight.momentum = read_vector6(momentum, "momentum");
  const Unlocked unlocked;
  return solve_free_floating_inverse_kinematics(*model, FreeFloatingPath(state), goals, options);
}

FreeFloatingPath fly_path(const ModelHandle& model, const State& state, const ArrayLike& times,
                          const ArrayLike& positions, const ArrayLike& momentum) {
  const VectorX t = read_vector(times, -1, "times");
  const MatrixX q = read_matrix(positions, t.size(), model->joint_count(), "positions");
  FlightOptions options;
  if (!momentum.is_none()) options.momentum = read_vector6(momentum, "momentum");
  std::vector<JointKnot> knots;
  for (Eigen::Index i = 0; i < t.size(); ++i) knots.push_back({t(i), q.row(i)});
  const Unlocked unlocked;
  return continue_free_floating_path(*model, FreeFloatingPath(state), knots, options);
}

void bind_report(py::module_& m) {
  py::class_<InverseKinematicsReport>(m, "InverseKinematicsReport", "How a search went.")
      .def_property_readonly(
          "status", [](const InverseKinematicsReport& r) { return to_string(r.status); },
          "converged, best found or iteration limit")
      .def_property_readonly("converged", &InverseKinematicsReport::converged,
                             "whether every goal is reached")
      .def_readonly("iterations", &InverseKinematicsReport::iterations, "of all starts together")
      .def_readonly("restarts", &InverseKinematicsReport::restarts, "further starts needed")
      .def_readonly("error", &InverseKinematicsReport::error, "½|W e|²")
      .def_readonly("at_limit", &InverseKinematicsReport::at_limit, "joints on a position limit")
      .def_property_readonly(
          "residuals",
          [](const InverseKinematicsReport& r) {
            py::list list;
            for (const auto& x : r.residuals) {
              list.append(py::make_tuple(x.position, x.orientation));
            }
            return list;
          },
          "(position, orientation) of each goal, m and rad");
}

void bind_results(py::module_& m) {
  py::class_<InverseKinematicsResult> result(m, "InverseKinematicsResult", "q and the report.");
  def_view(result, "q", &InverseKinematicsResult::q, "(n,), joint positions, rad or m");
  result.def_readonly("report", &InverseKinematicsResult::report, "InverseKinematicsReport");

  py::class_<FreeFloatingPath>(m, "FreeFloatingPath", "A motion of joints and base, sampled.")
      .def_property_readonly(
          "time",
          [](const FreeFloatingPath& p) {
            return to_array(VectorX(Eigen::Map<const VectorX>(
                p.time.data(), static_cast<Eigen::Index>(p.time.size()))));
          },
          "(samples,), s, a copy")
      .def_readonly("states", &FreeFloatingPath::states, "list of State, copies");
  py::class_<FreeFloatingResult>(m, "FreeFloatingResult", "The path and the report.")
      .def_readonly("path", &FreeFloatingResult::path, "FreeFloatingPath to the goals")
      .def_readonly("report", &FreeFloatingResult::report, "InverseKinematicsReport");
}

}  // namespace

void bind_inverse_kinematics(py::module_& m) {
  py::class_<FrameGoal>(m, "FrameGoal",
                        "Where a frame should be: position (3,) m, orientation (3, 3), inertial.")
      .def(py::init(&make_goal), py::arg("frame"), py::arg("position") = py::none(),
           py::arg("orientation") = py::none(), py::kw_only(), py::arg("position_weight") = 1.0,
           py::arg("orientation_weight") = 1.0);
  bind_report(m);
  bind_results(m);
  m.def("solve_inverse_kinematics", &solve, py::arg("model"), py::arg("state"), py::arg("goals"),
        py::kw_only(), py::arg("posture") = py::none(), py::arg("position_tolerance") = 1e-9,
        py::arg("orientation_tolerance") = 1e-9, py::arg("max_iterations") = 200,
        py::arg("restarts") = 24, py::arg("respect_limits") = true,
        "Joint positions that bring frames to their goals while the base stays where it is.");
  m.def("solve_free_floating_inverse_kinematics", &solve_floating, py::arg("model"),
        py::arg("state"), py::arg("goals"), py::kw_only(), py::arg("momentum") = py::none(),
        py::arg("joint_speed") = 1.0, py::arg("position_tolerance") = 1e-9,
        py::arg("orientation_tolerance") = 1e-9, py::arg("max_iterations") = 200,
        py::arg("restarts") = 24, py::arg("respect_limits") = true,
        "A joint motion that brings frames to their goals while the base floats at momentum\n"
        "[P; L_0], (6,), about the base centroid, zero by default.");
  m.def("continue_free_floating_path", &fly_path, py::arg("model"), py::arg("state"),
        py::arg("times"), py::arg("positions"), py::kw_only(), py::arg("momentum") = py::none(),
        "How the base answers joints that pass positions (knots, n) at times (knots,), s.");
}

}  // namespace spacedyn::python
