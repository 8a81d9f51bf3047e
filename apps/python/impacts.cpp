#include <pybind11/stl.h>

#include "bindings.hpp"
#include "spacedyn/inertia/impact_index.hpp"
#include "spacedyn/inertia/impulse.hpp"
#include "states.hpp"

namespace spacedyn::python {
namespace {

using Rows = std::optional<std::vector<int>>;

ImpactEffect effect(const ModelHandle& model, const State& state, const FrameArgument& at,
                    const ArrayLike& direction, const std::optional<FrameArgument>& against,
                    const Rows& free) {
  const Vector3 along = read_vector3(direction, "direction");
  state.check(*model);
  if (!against) return impact_effect(*model, state, at.on(*model), along, free);
  return impact_effect(*model, state, at.on(*model), against->on(*model), along, free);
}

void bind_effect(py::module_& m) {
  py::class_<ImpactEffect> type(m, "ImpactEffect", "What an impulse of 1 N s does.");
  type.def_readonly(
      "effective_mass", &ImpactEffect::effective_mass,
      "1/(nᵀ J H⁻¹ Jᵀ n), kg: the mass of a free particle that would give way as much");
  def_view(type, "velocity_change", &ImpactEffect::velocity_change,
           "(6 + n,), H⁻¹ Jᵀ n of u = [v_0; ω_0; q̇]");
  m.def(
      "impact_effect", &effect, py::arg("model"), py::arg("state"), py::arg("at"),
      py::arg("direction"), py::arg("against") = py::none(), py::kw_only(),
      py::arg("free") = py::none(),
      "Of an impulse from outside on frame `at` along a direction (3,), or between two frames: on\n"
      "`against` it acts the other way round. free: rows of u that move freely; None: all.");
}

}  // namespace

void bind_impacts(py::module_& m) {
  bind_effect(m);
  py::class_<ImpactDisturbance> disturbance(
      m, "ImpactDisturbance", "How a part of the base's motion answers impulses; read-only views.");
  def_view(disturbance, "map", &ImpactDisturbance::map, "(3 or 6, 3), change per N s");
  def_view(disturbance, "singular_values", &ImpactDisturbance::singular_values, "(3,), descending");
  def_view(disturbance, "directions", &ImpactDisturbance::directions,
           "(3, 3), unit impulses that belong to them, in the columns");
  disturbance.def_readonly("rank", &ImpactDisturbance::rank, "singular values that are not zero")
      .def_property_readonly("index", &ImpactDisturbance::index, "the largest singular value")
      .def_property_readonly(
          "free_directions",
          [](const ImpactDisturbance& d) { return to_array(d.free_directions()); },
          "(3, 3 − rank), impulses along them disturb nothing");

  py::class_<ImpactIndex> index(m, "ImpactIndex", "Impulse index of a point; read-only views.");
  index.def_readonly("turning", &ImpactIndex::turning, "Δω_0, rad/s per N s")
      .def_readonly("shifting", &ImpactIndex::shifting, "Δv_0, m/s per N s")
      .def_readonly("base", &ImpactIndex::base, "[Δv_0; ρ Δω_0], m/s per N s")
      .def_readonly("length", &ImpactIndex::length, "ρ, m, radius of gyration");
  def_view(index, "velocity_per_impulse", &ImpactIndex::velocity_per_impulse,
           "(6 + n, 3), change of u per N s");
  def_view(index, "inverse_mass", &ImpactIndex::inverse_mass,
           "(3, 3), 1/kg: 1/(n · inverse_mass n) is the virtual mass along n");
  m.def(
      "impact_index",
      [](const ModelHandle& model, const State& state, const FrameArgument& frame, bool locked) {
        return impact_index(*model, state, frame.on(*model),
                            locked ? ImpactJoints::locked : ImpactJoints::free);
      },
      py::arg("model"), py::arg("state"), py::arg("frame"), py::arg("locked") = false,
      "What impulses at a frame do to the base; joints give way, or are locked.");

  py::class_<ImpactMap> map(m, "ImpactMap", "Impacts over positions of two joints; views.");
  def_view(map, "turning", &ImpactMap::turning, "(rows, columns), |Δω_0| of 1 N s, rad/s");
  def_view(map, "shifting", &ImpactMap::shifting, "(rows, columns), |Δv_0|, m/s");
  def_view(map, "virtual_mass", &ImpactMap::virtual_mass, "(rows, columns), kg");
  m.def(
      "impact_map",
      [](const ModelHandle& model, const State& state, const FrameArgument& frame,
         const IndexArgument& first, const ArrayLike& first_positions, const IndexArgument& second,
         const ArrayLike& second_positions, const ArrayLike& direction, bool locked) {
        std::optional<Vector3> along;
        if (!direction.is_none()) along = read_vector3(direction, "direction");
        return impact_map(
            *model, state, frame.on(*model),
            {first.joint_of(*model), read_vector(first_positions, -1, "first_positions")},
            {second.joint_of(*model), read_vector(second_positions, -1, "second_positions")}, along,
            locked ? ImpactJoints::locked : ImpactJoints::free);
      },
      py::arg("model"), py::arg("state"), py::arg("frame"), py::arg("first"),
      py::arg("first_positions"), py::arg("second"), py::arg("second_positions"),
      py::arg("direction") = py::none(), py::arg("locked") = false,
      "A row for each position of the first joint, a column for each of the second: of the worst\n"
      "impulse of 1 N s, or of one along a direction (inertial axes).");
}

}  // namespace spacedyn::python
