#include "instants.hpp"

namespace spacedyn::python {
namespace {

/// What all instants have; arrays are copies, since the instant is over after the call.
template <typename Class>
void bind_common(Class& type) {
  using Handle = typename Class::type;
  type.def_property_readonly(
      "time", [](const Handle& h) { return h->time; }, "s");
  type.def_property_readonly(
      "state", [](const Handle& h) { return State(h->state); }, "a copy of the State");
  type.def_property_readonly(
      "q", [](const Handle& h) { return to_array(h->state.q); }, "(n,), a copy");
  type.def_property_readonly(
      "qd", [](const Handle& h) { return to_array(h->state.qd); }, "(n,), a copy");
  type.def_property_readonly(
      "r_0", [](const Handle& h) { return to_array(h->state.r_0); }, "(3,), m, a copy");
  type.def_property_readonly(
      "A_0", [](const Handle& h) { return to_array(h->state.A_0); }, "(3, 3), a copy");
  type.def_property_readonly(
      "v_0", [](const Handle& h) { return to_array(h->state.v_0); }, "(3,), m/s, a copy");
  type.def_property_readonly(
      "omega_0", [](const Handle& h) { return to_array(h->state.omega_0); }, "(3,), rad/s, a copy");
  type.def_property_readonly(
      "frames", [](const Handle& h) { return LinkFrames(h->frames); }, "a copy of the LinkFrames");
  type.def_property_readonly(
      "velocities", [](const Handle& h) { return LinkVelocities(h->velocities); },
      "a copy of the LinkVelocities");
}

}  // namespace

void bind_instants(py::module_& m) {
  py::class_<ContextHandle, std::shared_ptr<ContextHandle>> context(
      m, "EvaluationContext",
      "One instant of a simulation as controllers and forces see it; valid during the call.");
  bind_common(context);
  context.def_property_readonly(
      "auxiliary", [](const ContextHandle& h) { return to_array(VectorX(h->auxiliary)); },
      "the element's own part of z, a copy");

  py::class_<PointHandle, std::shared_ptr<PointHandle>> point(
      m, "SimulationPoint",
      "One output of a simulation as observers see it; valid during the call.");
  bind_common(point);
  point.def_property_readonly(
      "acceleration", [](const PointHandle& h) { return to_array(h->acceleration); },
      "u̇, (6 + n,), a copy");
  point.def_property_readonly(
      "forces", [](const PointHandle& h) { return to_array(h->forces); },
      "base wrench and joint torques, (6 + n,), a copy");
  point.def_property_readonly(
      "momentum", [](const PointHandle& h) { return Momentum(h->momentum); }, "a copy");
  point.def_property_readonly(
      "kinetic_energy", [](const PointHandle& h) { return h->energy.kinetic; }, "J");
  point.def_property_readonly(
      "total_energy", [](const PointHandle& h) { return h->energy.total(); }, "J");
}

}  // namespace spacedyn::python
