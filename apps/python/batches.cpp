#include <unistd.h>

#include <mutex>

#include "bindings.hpp"
#include "spacedyn/batch/batch_dynamics.hpp"
#include "spacedyn/error.hpp"
#include "unlocked.hpp"

namespace spacedyn::python {
namespace {

/// BatchDynamics for all threads of Python, one after another, and for processes that were forked:
/// the threads of a batch stay in the process that made it, so another process makes its own.
class Batch {
 public:
  Batch(std::shared_ptr<const Model> model, const BatchOptions& options)
      : model_(std::move(model)), options_(options), process_(::getpid()) {
    dynamics_ = std::make_unique<BatchDynamics>(model_, options_);
  }
  ~Batch() {
    if (process_ != ::getpid()) forget();
  }
  Batch(const Batch&) = delete;
  Batch& operator=(const Batch&) = delete;

  const Model& model() const { return *model_; }
  int threads() const { return dynamics_->thread_count(); }
  std::string instruction_set() const {
    return std::string(to_string(dynamics_->instruction_set()));
  }

  /// Calls function(dynamics) without the lock of the interpreter.
  template <typename Function>
  void run(const Function& function) {
    const Unlocked unlocked;
    const std::lock_guard<std::mutex> guard(mutex_);
    if (process_ != ::getpid()) {
      forget();
      dynamics_ = std::make_unique<BatchDynamics>(model_, options_);
      process_ = ::getpid();
    }
    function(*dynamics_);
  }

 private:
  /// Its threads cannot be joined here; the memory is lost on purpose.
  void forget() { static_cast<void>(dynamics_.release()); }

  std::shared_ptr<const Model> model_;
  BatchOptions options_;
  ::pid_t process_;
  std::unique_ptr<BatchDynamics> dynamics_;
  std::mutex mutex_;
};

Eigen::Map<const RowMatrixX> rows_of(const Array& array) {
  const py::ssize_t count = array.shape(0);
  return {array.data(), count, count > 0 ? array.size() / count : array.shape(1)};
}
Eigen::Map<RowMatrixX> rows_of(Array& array) {
  const py::ssize_t count = array.shape(0);
  return {array.mutable_data(), count, count > 0 ? array.size() / count : array.shape(1)};
}

Array allocate_or(const OutputArray& out, const Sizes& shape) {
  if (out.is_none()) return Array(shape);
  output_data(out, shape);
  return py::reinterpret_borrow<Array>(out.object);
}

/// [F_b; τ] or τ alone, by the last size of an array.
void check_input(const Array& array, const Model& model, const char* name, bool is_known) {
  const py::ssize_t last = array.ndim() > 0 ? array.shape(array.ndim() - 1) : 0;
  if (!is_known || (last != model.joint_count() && last != model.velocity_size())) {
    throw DimensionError(
        std::string(name) + ": expected n = " + std::to_string(model.joint_count()) +
        " joint torques or 6 + n = " + std::to_string(model.velocity_size()) +
        " forces for each state, got an array of shape " + shape_text(array.shape(), array.ndim()));
  }
}

Array forward_batch(Batch& batch, const ArrayLike& states, const ArrayLike& tau,
                    const OutputArray& out) {
  const Model& model = batch.model();
  const Array x = read_array(states, {-1, state_row_size(model)}, "states", Numbers::any);
  const Array input = read_numbers(tau, "tau");
  check_input(input, model, "tau", input.ndim() == 2 && input.shape(0) == x.shape(0));
  Array result = allocate_or(out, {x.shape(0), model.velocity_size()});
  Eigen::Map<RowMatrixX> rates = rows_of(result);
  batch.run([&](BatchDynamics& dynamics) {
    dynamics.forward_dynamics(rows_of(x), rows_of(input), rates);
  });
  return result;
}

Array inverse_batch(Batch& batch, const ArrayLike& states, const ArrayLike& acceleration,
                    const OutputArray& out) {
  const Model& model = batch.model();
  const Array x = read_array(states, {-1, state_row_size(model)}, "states", Numbers::any);
  const Array rates =
      read_array(acceleration, {x.shape(0), model.velocity_size()}, "acceleration", Numbers::any);
  Array result = allocate_or(out, {x.shape(0), model.velocity_size()});
  Eigen::Map<RowMatrixX> forces = rows_of(result);
  batch.run([&](BatchDynamics& dynamics) {
    dynamics.inverse_dynamics(rows_of(x), rows_of(rates), forces);
  });
  return result;
}

/// H or its inverse.
template <void (BatchDynamics::*kCompute)(const ConstRowsRef&, RowsRef)>
Array matrix_batch(Batch& batch, const ArrayLike& states, const OutputArray& out) {
  const Model& model = batch.model();
  const Array x = read_array(states, {-1, state_row_size(model)}, "states", Numbers::any);
  const py::ssize_t size = model.velocity_size();
  Array result = allocate_or(out, {x.shape(0), size, size});
  if (x.shape(0) == 0) return result;
  Eigen::Map<RowMatrixX> matrices = rows_of(result);
  batch.run([&](BatchDynamics& dynamics) { (dynamics.*kCompute)(rows_of(x), matrices); });
  return result;
}

/// Matrices that the library writes column by column.
Array matrices(py::ssize_t count, py::ssize_t rows, py::ssize_t columns) {
  const py::ssize_t item = sizeof(double);
  return Array({count, rows, columns}, {rows * columns * item, item, rows * item});
}

/// Arrays of BatchDerivatives.
struct DerivativeArrays {
  DerivativeArrays(py::ssize_t count, py::ssize_t size)
      : acceleration(Sizes{count, size}),
        configuration(matrices(count, size, size)),
        velocity(matrices(count, size, size)),
        force(matrices(count, size, size)) {}
  Array acceleration, configuration, velocity, force;
};

std::shared_ptr<DerivativeArrays> differentiate_batch(Batch& batch, const ArrayLike& states,
                                                      const ArrayLike& tau,
                                                      std::shared_ptr<DerivativeArrays> out) {
  const Model& model = batch.model();
  const Array x = read_array(states, {-1, state_row_size(model)}, "states", Numbers::any);
  const Array input = read_numbers(tau, "tau");
  check_input(input, model, "tau", input.ndim() == 2 && input.shape(0) == x.shape(0));
  const py::ssize_t count = x.shape(0), size = model.velocity_size();
  if (!out) {
    out = std::make_shared<DerivativeArrays>(count, size);
  } else if (out->acceleration.shape(0) != count || out->acceleration.shape(1) != size) {
    throw DimensionError("out: expected derivatives of " + std::to_string(count) +
                         " states, got some of shape " + shape_text(out->force.shape(), 3));
  }
  if (count == 0) return out;
  Eigen::Map<RowMatrixX> acceleration = rows_of(out->acceleration),
                         configuration = rows_of(out->configuration),
                         velocity = rows_of(out->velocity), force = rows_of(out->force);
  batch.run([&](BatchDynamics& dynamics) {
    dynamics.forward_dynamics_derivatives(rows_of(x), rows_of(input),
                                          {acceleration, configuration, velocity, force});
  });
  return out;
}

/// Positions and orientations of a frame.
py::tuple poses_of(Batch& batch, const ArrayLike& states, const FrameArgument& frame) {
  const Model& model = batch.model();
  const Array x = read_array(states, {-1, state_row_size(model)}, "states", Numbers::any);
  Array position(Sizes{x.shape(0), 3}), orientation = matrices(x.shape(0), 3, 3);
  const Frame place = frame.on(model);
  if (x.shape(0) > 0) {
    Eigen::Map<RowMatrixX> positions = rows_of(position), orientations = rows_of(orientation);
    batch.run([&](BatchDynamics& dynamics) {
      dynamics.frame_poses(rows_of(x), place, positions, orientations);
    });
  }
  return py::make_tuple(position, orientation);
}

template <BatchJacobian kKind>
Array jacobians_of(Batch& batch, const ArrayLike& states, const FrameArgument& frame) {
  const Model& model = batch.model();
  const Array x = read_array(states, {-1, state_row_size(model)}, "states", Numbers::any);
  Array result = matrices(x.shape(0), 6, model.joint_count());
  const Frame place = frame.on(model);
  if (result.size() == 0) return result;
  Eigen::Map<RowMatrixX> J = rows_of(result);
  batch.run(
      [&](BatchDynamics& dynamics) { dynamics.frame_jacobians(rows_of(x), place, kKind, J); });
  return result;
}

Array roll(Batch& batch, const ArrayLike& initial, const ArrayLike& controls, double step,
           int substeps, const OutputArray& out) {
  const Model& model = batch.model();
  const py::ssize_t size = state_row_size(model);
  const Array x = read_array(initial, {-1, size}, "initial", Numbers::any);
  const Array input = read_numbers(controls, "controls");
  check_input(input, model, "controls", input.ndim() == 3 && input.shape(0) == x.shape(0));
  const py::ssize_t steps = input.shape(1);
  Array result = allocate_or(out, {x.shape(0), steps + 1, size});
  if (x.shape(0) == 0) return result;
  Eigen::Map<RowMatrixX> states = rows_of(result);
  const Eigen::Map<const RowMatrixX> forces(input.data(), x.shape(0), steps * input.shape(2));
  batch.run([&](BatchDynamics& dynamics) {
    dynamics.rollout(rows_of(x), forces, {step, static_cast<int>(steps), substeps}, states);
  });
  return result;
}

void bind_rows(py::module_& m) {
  m.def(
      "state_row", [](const State& state) { return to_array(state_row(state)); }, py::arg("state"),
      "A state as a row of batches, (13 + 2n,): r_0, quaternion (w first), q, v_0, ω_0, q̇.");
  m.def(
      "state_from_row",
      [](const ModelHandle& model, const ArrayLike& row) {
        return state_from_row(*model, read_vector(row, state_row_size(*model), "row"));
      },
      py::arg("model"), py::arg("row"), "The State of a row, (13 + 2n,).");
}

}  // namespace

void bind_batch(py::module_& m) {
  bind_rows(m);
  py::class_<DerivativeArrays, std::shared_ptr<DerivativeArrays>>(
      m, "BatchDerivatives", "u̇ of many states and its derivatives.")
      .def_readonly("acceleration", &DerivativeArrays::acceleration, "(count, 6 + n), u̇")
      .def_readonly("configuration", &DerivativeArrays::configuration,
                    "(count, 6 + n, 6 + n), by x = [r_0; θ; q], θ a rotation vector on the left")
      .def_readonly("velocity", &DerivativeArrays::velocity, "(count, 6 + n, 6 + n), by u")
      .def_readonly("force", &DerivativeArrays::force,
                    "(count, 6 + n, 6 + n), by [F_b; τ]: H⁻¹ of the free coordinates");
  py::class_<Batch>(
      m, "Batch",
      "Dynamics of many states of a model at once: vector lanes and threads.\n\n"
      "States are rows (count, 13 + 2n): r_0 (3), quaternion w first (4), q (n),\n"
      "v_0 (3), ω_0 (3), q̇ (n); see state_row(). Robots with spherical joints or joints that\n"
      "follow others are evaluated state by state. A result depends on its row alone: numbers\n"
      "that are not finite make NaN of it, so lost states can be given again.\n"
      "Raises DomainError for models with rotors, friction, couplings.")
      .def(py::init([](const ModelHandle& model, int threads, const ArrayLike& gravity) {
             BatchOptions options{threads, Vector3::Zero()};
             if (!gravity.is_none()) options.gravity = read_vector3(gravity, "gravity");
             return std::make_unique<Batch>(model.pointer(), options);
           }),
           py::arg("model"), py::kw_only(), py::arg("threads") = 0, py::arg("gravity") = py::none(),
           "threads: 0 is one for each core; gravity (3,), m/s².")
      .def_property_readonly("threads", &Batch::threads, "number of threads")
      .def_property_readonly("instruction_set", &Batch::instruction_set,
                             "of the vector lanes: baseline, avx2 or avx512")
      .def("forward_dynamics", &forward_batch, py::arg("states"), py::arg("tau"),
           py::arg("out") = py::none(),
           "u̇, (count, 6 + n), from torques (count, n) or [F_b; τ] (count, 6 + n). NaN where H is\n"
           "not positive definite.")
      .def("inverse_dynamics", &inverse_batch, py::arg("states"), py::arg("acceleration"),
           py::arg("out") = py::none(), "[F_0; N_0; τ] for u̇, both (count, 6 + n).")
      .def("inertia_matrix", &matrix_batch<&BatchDynamics::inertia_matrix>, py::arg("states"),
           py::arg("out") = py::none(), "H of (18), (count, 6 + n, 6 + n), see inertia_matrix().")
      .def("inverse_inertia", &matrix_batch<&BatchDynamics::inverse_inertia>, py::arg("states"),
           py::arg("out") = py::none(),
           "H⁻¹, (count, 6 + n, 6 + n), see inverse_inertia(). NaN where H is not positive\n"
           "definite.")
      .def("forward_dynamics_derivatives", &differentiate_batch, py::arg("states"), py::arg("tau"),
           py::arg("out") = nullptr,
           "u̇ and its derivatives, from torques (count, n) or [F_b; τ] (count, 6 + n), state by\n"
           "state in each thread; `out` is a result of before to be written again. Raises "
           "DomainError for models with joints that follow others.")
      .def("frame_poses", &poses_of, py::arg("states"), py::arg("frame"),
           "Positions (count, 3), m, and orientations (count, 3, 3), frame to inertial axes.")
      .def("frame_jacobian", &jacobians_of<BatchJacobian::of_joints>, py::arg("states"),
           py::arg("frame"), "J_m of (16), (count, 6, n), see frame_jacobian().")
      .def("generalized_jacobian", &jacobians_of<BatchJacobian::generalized>, py::arg("states"),
           py::arg("frame"), "J*, (count, 6, n), see generalized_jacobian().")
      .def("rollout", &roll, py::arg("initial"), py::arg("controls"), py::arg("step"),
           py::arg("substeps") = 1, py::arg("out") = py::none(),
           "States (count, steps + 1, 13 + 2n) under controls (count, steps, n or 6 + n), each\n"
           "held for step s, by rk4; springs and dampers of joints act. NaN rows are lost states.");
}

}  // namespace spacedyn::python
