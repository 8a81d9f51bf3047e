#include <cmath>

#include "batch.hpp"
#include "bindings.hpp"
#include "spacedyn/error.hpp"

namespace spacedyn::python {
namespace {

Array allocate_or(const OutputArray& out, const Sizes& shape) {
  if (out.is_none()) return Array(shape);
  output_data(out, shape);
  return py::reinterpret_borrow<Array>(out.object);
}

/// Width of [F_b; τ] or of τ alone, by the last size of an array.
int width_of(const Array& array, const Model& model, const char* name, bool is_known) {
  const py::ssize_t last = array.ndim() > 0 ? array.shape(array.ndim() - 1) : 0;
  if (!is_known || (last != model.joint_count() && last != model.velocity_size())) {
    throw DimensionError(
        std::string(name) + ": expected n = " + std::to_string(model.joint_count()) +
        " joint torques or 6 + n = " + std::to_string(model.velocity_size()) +
        " forces for each state, got an array of shape " + shape_text(array.shape(), array.ndim()));
  }
  return static_cast<int>(last);
}

Array forward_batch(Batch& batch, const ArrayLike& states, const ArrayLike& tau,
                    const OutputArray& out) {
  const Model& model = batch.model();
  const Array x = read_array(states, {-1, row_size(model)}, "states");
  const Array input = read_numbers(tau, "tau");
  const int width =
      width_of(input, model, "tau", input.ndim() == 2 && input.shape(0) == x.shape(0));
  Array result = allocate_or(out, {x.shape(0), model.velocity_size()});
  double* data = result.mutable_data();
  const py::gil_scoped_release unlocked;
  batch.forward_dynamics(x.shape(0), x.data(), input.data(), width, data);
  return result;
}

Array inverse(Batch& batch, const ArrayLike& states, const ArrayLike& acceleration,
              const OutputArray& out) {
  const Model& model = batch.model();
  const Array x = read_array(states, {-1, row_size(model)}, "states");
  const Array rates = read_array(acceleration, {x.shape(0), model.velocity_size()}, "acceleration");
  Array result = allocate_or(out, {x.shape(0), model.velocity_size()});
  double* data = result.mutable_data();
  const py::gil_scoped_release unlocked;
  batch.inverse_dynamics(x.shape(0), x.data(), rates.data(), data);
  return result;
}

Array roll(Batch& batch, const ArrayLike& initial, const ArrayLike& controls, double step,
           int substeps) {
  const Model& model = batch.model();
  const Array x = read_array(initial, {-1, row_size(model)}, "initial");
  const Array input = read_numbers(controls, "controls");
  const int width =
      width_of(input, model, "controls", input.ndim() == 3 && input.shape(0) == x.shape(0));
  if (!(step > 0.0) || !std::isfinite(step)) {
    throw DomainError("step: expected a positive number of seconds, got " + std::to_string(step));
  }
  if (substeps < 1) {
    throw DomainError("substeps: expected at least 1, got " + std::to_string(substeps));
  }
  const py::ssize_t steps = input.shape(1);
  Array result(Sizes{x.shape(0), steps + 1, row_size(model)});
  double* data = result.mutable_data();
  const py::gil_scoped_release unlocked;
  batch.rollout(x.shape(0), x.data(), input.data(), width, steps, step, substeps, data);
  return result;
}

void bind_rows(py::module_& m) {
  m.def(
      "state_row",
      [](const State& state) {
        Array row(Sizes{13 + 2 * state.q.size()});
        write_row(state, row.mutable_data());
        return row;
      },
      py::arg("state"),
      "A state as a row of batches, (13 + 2n,): r_0, quaternion (w first), q, v_0, ω_0, q̇.");
  m.def(
      "state_from_row",
      [](const ModelHandle& model, const ArrayLike& row) {
        State state(*model);
        read_row(read_array(row, {row_size(*model)}, "row").data(), state);
        return state;
      },
      py::arg("model"), py::arg("row"), "The State of a row, (13 + 2n,).");
}

}  // namespace

void bind_batch(py::module_& m) {
  bind_rows(m);
  py::class_<Batch>(m, "Batch",
                    "Dynamics of many states of a model at once: vector lanes and threads.\n\n"
                    "States are rows (count, 13 + 2n): r_0 (3), quaternion w first (4), q (n),\n"
                    "v_0 (3), ω_0 (3), q̇ (n); see state_row(). A result depends on its row alone.\n"
                    "Raises DomainError for models with rotors, friction, couplings.")
      .def(py::init([](const ModelHandle& model, int threads, const ArrayLike& gravity) {
             return std::make_unique<Batch>(
                 model.pointer(), threads,
                 gravity.is_none() ? Vector3(Vector3::Zero()) : read_vector3(gravity, "gravity"));
           }),
           py::arg("model"), py::kw_only(), py::arg("threads") = 0, py::arg("gravity") = py::none(),
           "threads: 0 is one for each core; gravity (3,), m/s².")
      .def_property_readonly("threads", &Batch::threads, "number of threads")
      .def("forward_dynamics", &forward_batch, py::arg("states"), py::arg("tau"),
           py::arg("out") = py::none(),
           "u̇, (count, 6 + n), from torques (count, n) or [F_b; τ] (count, 6 + n). NaN where H is\n"
           "not positive definite.")
      .def("inverse_dynamics", &inverse, py::arg("states"), py::arg("acceleration"),
           py::arg("out") = py::none(), "[F_0; N_0; τ] for u̇, both (count, 6 + n).")
      .def("rollout", &roll, py::arg("initial"), py::arg("controls"), py::arg("step"),
           py::arg("substeps") = 1,
           "States (count, steps + 1, 13 + 2n) under controls (count, steps, n or 6 + n), each\n"
           "held for step s, by rk4; springs and dampers of joints act. NaN rows are lost states.");
}

}  // namespace spacedyn::python
