#include "spacedyn/optimization/trajectory.hpp"

#include <pybind11/stl.h>

#include "bindings.hpp"
#include "unlocked.hpp"

namespace spacedyn::python {
namespace {

using JointArguments = std::optional<std::vector<IndexArgument>>;

/// All but the spins of reaction wheels and spherical joints.
std::vector<int> plain_joints(const Model& model) {
  std::vector<int> joints;
  for (int joint = 1; joint <= model.joint_count(); ++joint) {
    if (model.wheel(joint) == nullptr && model.joint(joint).spherical == 0) joints.push_back(joint);
  }
  return joints;
}

/// What both functions take.
TrajectoryGoal goal_of(const Model& model, const ArrayLike& to, const JointArguments& joints,
                       const std::optional<double>& duration, const ArrayLike& rate,
                       const ArrayLike& effort, const std::optional<double>& base_rate) {
  TrajectoryGoal goal;
  goal.joints = joints ? joints_of(*joints, model) : plain_joints(model);
  const auto n = static_cast<Eigen::Index>(goal.joints.size());
  goal.to = read_vector(to, n, "to");
  goal.duration = duration;
  goal.limits = trajectory_limits(model, goal.joints);
  if (!rate.is_none()) goal.limits->rate = read_vector(rate, n, "rate");
  if (!effort.is_none()) goal.limits->effort = read_vector(effort, n, "effort");
  if (base_rate) goal.limits->base_rate = *base_rate;
  return goal;
}

JointTrajectory plan(const ModelHandle& model, const State& state, const ArrayLike& to,
                     const JointArguments& joints, const std::optional<double>& duration,
                     const ArrayLike& rate, const ArrayLike& effort,
                     const std::optional<double>& base_rate, const ArrayLike& base_turn,
                     const ArrayLike& gravity, const std::optional<double>& clearance, int knots,
                     int max_evaluations) {
  TrajectoryGoal goal = goal_of(*model, to, joints, duration, rate, effort, base_rate);
  if (!base_turn.is_none()) goal.base_turn = read_vector3(base_turn, "base_turn");
  if (!gravity.is_none()) goal.gravity = read_vector3(gravity, "gravity");
  goal.clearance = clearance;
  goal.knots = knots;
  goal.max_evaluations = max_evaluations;
  const Unlocked unlocked;
  return plan_trajectory(*model, state, goal);
}

JointTrajectory plan_reactionless(const ModelHandle& model, const State& state, const ArrayLike& to,
                                  const JointArguments& joints,
                                  const std::optional<double>& duration, const ArrayLike& rate,
                                  const ArrayLike& effort, const std::optional<double>& base_rate,
                                  int rows) {
  const TrajectoryGoal goal = goal_of(*model, to, joints, duration, rate, effort, base_rate);
  const Unlocked unlocked;
  return plan_reactionless_path(*model, state, goal, rows);
}

}  // namespace

void bind_trajectories(py::module_& m) {
  py::class_<JointTrajectory> trajectory(
      m, "JointTrajectory",
      "A planned motion through rows, to be flown as a reference\n"
      "`spline` with these times and positions.");
  trajectory
      .def_property_readonly(
          "time",
          [](const JointTrajectory& t) {
            return to_array(VectorX(Eigen::Map<const VectorX>(
                t.time.data(), static_cast<Eigen::Index>(t.time.size()))));
          },
          "(rows,), s, a copy")
      .def_property_readonly(
          "position",
          [](const JointTrajectory& t) { return to_array(MatrixX(t.position.transpose())); },
          "(rows, joints), rad or m, a copy")
      .def_property_readonly("duration", &JointTrajectory::duration, "s")
      .def_readonly("feasible", &JointTrajectory::feasible,
                    "whether goal and limits are met, between the rows, too")
      .def_property_readonly(
          "used",
          [](const JointTrajectory& t) {
            py::dict used;
            used["position"] = t.used.position;
            used["rate"] = t.used.rate;
            used["effort"] = t.used.effort;
            used["base_rate"] = t.used.base_rate;
            return used;
          },
          "largest parts of the limits, 1: all")
      .def_property_readonly(
          "base_turn", [](const JointTrajectory& t) { return to_array(VectorX(t.base_turn)); },
          "(3,), rotation vector of the base in its axes before, rad, a copy")
      .def_readonly("base_rate", &JointTrajectory::base_rate,
                    "largest angular rate of the base, rad/s")
      .def_readonly("clearance", &JointTrajectory::clearance,
                    "least distance of collision shapes, m, if one was asked for, else inf")
      .def_readonly("evaluations", &JointTrajectory::evaluations, "of the search")
      .def_readonly("message", &JointTrajectory::message,
                    "how the search ended, and what is not met");
  m.def(
      "plan_trajectory", &plan, py::arg("model"), py::arg("state"), py::arg("to"), py::kw_only(),
      py::arg("joints") = py::none(), py::arg("duration") = py::none(),
      py::arg("rate") = py::none(), py::arg("effort") = py::none(),
      py::arg("base_rate") = py::none(), py::arg("base_turn") = py::none(),
      py::arg("gravity") = py::none(), py::arg("clearance") = py::none(), py::arg("knots") = 6,
      py::arg("max_evaluations") = 300,
      "The joint motion from rest to rest that takes the least time, or with a duration has the\n"
      "least jerk, within limits of positions, rates, efforts and the rate of the base: those of\n"
      "the model unless given. With base_turn, (3,) rad, it turns a base that floats. With a\n"
      "clearance, m, collision shapes that the joints move against each other keep it.");
  m.def("plan_reactionless_path", &plan_reactionless, py::arg("model"), py::arg("state"),
        py::arg("to"), py::kw_only(), py::arg("joints") = py::none(),
        py::arg("duration") = py::none(), py::arg("rate") = py::none(),
        py::arg("effort") = py::none(), py::arg("base_rate") = py::none(), py::arg("rows") = 61,
        "A joint motion that does not turn the base, to the goal or to the nearest posture that\n"
        "such motion reaches from there; `message` says which.");
}

}  // namespace spacedyn::python
