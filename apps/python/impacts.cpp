#include "bindings.hpp"
#include "spacedyn/inertia/impact_index.hpp"
#include "states.hpp"

namespace spacedyn::python {

void bind_impacts(py::module_& m) {
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
