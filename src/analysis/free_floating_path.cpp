#include "spacedyn/analysis/free_floating_path.hpp"

#include <cmath>
#include <string>

#include "analysis/base_flight.hpp"
#include "constraints/tree_only.hpp"
#include "spacedyn/error.hpp"
#include "state/spherical.hpp"

namespace spacedyn {
namespace {

void check_path(const Model& model, const FreeFloatingPath& path) {
  if (path.states.empty() || path.time.size() != path.states.size()) {
    throw DomainError("the path has " + std::to_string(path.states.size()) + " states and " +
                      std::to_string(path.time.size()) +
                      " times, expected as many of both and at least one");
  }
  path.states.back().check(model);
}

void check_knots(const Model& model, double start, const std::vector<JointKnot>& knots) {
  double before = start;
  for (std::size_t k = 0; k < knots.size(); ++k) {
    const std::string name = "knot " + std::to_string(k + 1) + ": ";
    if (knots[k].q.size() != model.joint_count()) {
      throw DimensionError(name + "q has " + std::to_string(knots[k].q.size()) +
                           " elements, expected " + std::to_string(model.joint_count()) +
                           ", one per joint");
    }
    if (!knots[k].q.allFinite()) throw DomainError(name + "q is not finite");
    if (!std::isfinite(knots[k].time) || !(knots[k].time > before)) {
      throw DomainError(name + "its time must be finite and after the one before");
    }
    before = knots[k].time;
  }
}

}  // namespace

FreeFloatingPath continue_free_floating_path(const Model& model, FreeFloatingPath path,
                                             const std::vector<JointKnot>& knots,
                                             const FlightOptions& options) {
  refuse_spherical_joints(model, "paths of joints are straight lines of their positions");
  require_tree(model, "a free-floating path");
  check_path(model, path);
  check_knots(model, path.time.back(), knots);
  const BaseFlight flight(model, path.states.back(), options);
  for (const JointKnot& knot : knots) {
    const State from = path.states.back();
    const double start = path.time.back();
    const double duration = knot.time - start;
    flight.fly(from, knot.q, duration, [&](double t, const State& state) {
      path.time.push_back(t == duration ? knot.time : start + t);
      path.states.push_back(state);
    });
  }
  return path;
}

}  // namespace spacedyn
