#include "bindings.hpp"
#include "spacedyn/control/resting_table.hpp"

namespace spacedyn::python {
namespace {

VectorX any_vector(const ArrayLike& source, const char* name) {
  return read_vector(source, -1, name);
}

TableReference::Interpolation interpolation(const std::string& name) {
  if (name == "linear") return TableReference::Interpolation::linear;
  if (name == "cubic") return TableReference::Interpolation::cubic;
  throw py::value_error("interpolation: expected 'linear' or 'cubic', got '" + name + "'");
}

/// Position, velocity and acceleration of all components at a time.
py::tuple evaluate(const Reference& reference, double time) {
  VectorX position(reference.size()), velocity(reference.size()), acceleration(reference.size());
  for (int i = 0; i < reference.size(); ++i) {
    const ReferenceValue value = reference.evaluate(i, time);
    position(i) = value.position;
    velocity(i) = value.velocity;
    acceleration(i) = value.acceleration;
  }
  return py::make_tuple(to_array(position), to_array(velocity), to_array(acceleration));
}

}  // namespace

void bind_references(py::module_& m) {
  py::class_<Reference, std::shared_ptr<Reference>>(
      m, "Reference", "A vector function of time with two derivatives.")
      .def_property_readonly("size", &Reference::size, "number of components")
      .def("evaluate", &evaluate, py::arg("time"),
           "Position, velocity and acceleration, (size,) each, at a time, s.");
  py::class_<ConstantReference, Reference, std::shared_ptr<ConstantReference>>(
      m, "ConstantReference", "A position held for ever.")
      .def(py::init([](const ArrayLike& position) {
             return std::make_shared<ConstantReference>(any_vector(position, "position"));
           }),
           py::arg("position"));
  py::class_<QuinticReference, Reference, std::shared_ptr<QuinticReference>>(
      m, "QuinticReference", "From rest to rest by the polynomial 10 s³ − 15 s⁴ + 6 s⁵.")
      .def(py::init(
               [](const ArrayLike& from, const ArrayLike& to, double from_time, double duration) {
                 return std::make_shared<QuinticReference>(
                     any_vector(from, "start"), any_vector(to, "end"), from_time, duration);
               }),
           py::arg("start"), py::arg("end"), py::arg("from_time"), py::arg("duration"));
  py::class_<TrapezoidReference, Reference, std::shared_ptr<TrapezoidReference>>(
      m, "TrapezoidReference", "From rest to rest with limited velocity and acceleration.")
      .def(py::init([](const ArrayLike& from, const ArrayLike& to, double from_time,
                       const ArrayLike& velocity, const ArrayLike& acceleration) {
             return std::make_shared<TrapezoidReference>(
                 any_vector(from, "start"), any_vector(to, "end"), from_time,
                 any_vector(velocity, "velocity"), any_vector(acceleration, "acceleration"));
           }),
           py::arg("start"), py::arg("end"), py::arg("from_time"), py::arg("velocity"),
           py::arg("acceleration"));
  py::class_<TableReference, Reference, std::shared_ptr<TableReference>>(
      m, "TableReference",
      "Interpolation between rows, at rest outside of them; a cubic one is the natural spline, "
      "without "
      "acceleration at both ends.")
      .def(
          py::init([](const ArrayLike& times, const ArrayLike& positions, const std::string& kind) {
            const VectorX t = any_vector(times, "times");
            // one row for each time here, one column there
            const MatrixX rows = read_matrix(positions, t.size(), -1, "positions");
            return std::make_shared<TableReference>(std::vector<double>(t.begin(), t.end()),
                                                    rows.transpose(), interpolation(kind));
          }),
          py::arg("times"), py::arg("positions"), py::arg("interpolation") = "cubic");
  py::class_<RestingTable, Reference, std::shared_ptr<RestingTable>>(
      m, "RestingTable", "The cubic spline through rows that is at rest at both ends and outside.")
      .def(py::init([](const ArrayLike& times, const ArrayLike& positions) {
             const VectorX t = any_vector(times, "times");
             const MatrixX rows = read_matrix(positions, t.size(), -1, "positions");
             return std::make_shared<RestingTable>(std::vector<double>(t.begin(), t.end()),
                                                   rows.transpose());
           }),
           py::arg("times"), py::arg("positions"));
}

}  // namespace spacedyn::python
