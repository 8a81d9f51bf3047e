#include "bindings.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/math/rotations.hpp"
#include "spacedyn/state/configuration.hpp"
#include "spacedyn/state/conventions.hpp"
#include "spacedyn/state/followers.hpp"

namespace spacedyn::python {
namespace {

void assign(VectorX& target, const ArrayLike& value, const char* name) {
  if (!value.is_none()) target = read_vector(value, target.size(), name);
}

void assign(Vector3& target, const ArrayLike& value, const char* name) {
  if (!value.is_none()) target = read_vector3(value, name);
}

Matrix3 attitude(const ArrayLike& A_0, const ArrayLike& quaternion) {
  if (!A_0.is_none() && !quaternion.is_none()) {
    throw py::type_error("A_0 and quaternion: expected one of them, got both");
  }
  if (!A_0.is_none()) return read_matrix3(A_0, "A_0");
  if (quaternion.is_none()) return Matrix3::Identity();
  const VectorX x = read_vector(quaternion, 4, "quaternion");
  return matrix_from_quaternion(Quaternion(x(0), x(1), x(2), x(3)));
}

State make_state(const ModelHandle& model, const ArrayLike& q, const ArrayLike& qd,
                 const ArrayLike& r_0, const ArrayLike& A_0, const ArrayLike& quaternion,
                 const ArrayLike& v_0, const ArrayLike& omega_0, const ArrayLike& z) {
  State state(*model);
  assign(state.q, q, "q");
  assign(state.qd, qd, "qd");
  assign(state.r_0, r_0, "r_0");
  state.A_0 = attitude(A_0, quaternion);
  assign(state.v_0, v_0, "v_0");
  assign(state.omega_0, omega_0, "omega_0");
  if (!z.is_none()) state.z = read_vector(z, -1, "z");
  follow(*model, state);
  state.check(*model);
  return state;
}

Array quaternion_of(const State& state) {
  const Quaternion x = quaternion_from_matrix(state.A_0);
  return to_array(Eigen::Vector4d(x.w(), x.x(), x.y(), x.z()));
}

std::string text_of(const State& state) {
  return "<spacedyn.State of " + std::to_string(state.q.size()) + " joints>";
}

void bind_state_class(py::module_& m) {
  py::class_<State> state(
      m, "State",
      "Where a system is and how it moves at one instant; inertial frame, SI units.\n\n"
      "Arrays are writable views of the state: `state.q[0] = 0.1` changes it, and a view keeps\n"
      "the state alive. Sizes never change.");
  state.def(py::init(&make_state), py::arg("model"), py::kw_only(), py::arg("q") = py::none(),
            py::arg("qd") = py::none(), py::arg("r_0") = py::none(), py::arg("A_0") = py::none(),
            py::arg("quaternion") = py::none(), py::arg("v_0") = py::none(),
            py::arg("omega_0") = py::none(), py::arg("z") = py::none(),
            "Zero and identity where nothing is given; the quaternion has w first.");
  def_writable_view(state, "r_0", &State::r_0, "(3,), base centroid, m");
  def_writable_view(state, "A_0", &State::A_0, "(3, 3), base attitude, base to inertial");
  def_writable_view(state, "q", &State::q, "(n,), joint positions, rad or m");
  def_writable_view(state, "v_0", &State::v_0, "(3,), velocity of the base centroid, m/s");
  def_writable_view(state, "omega_0", &State::omega_0, "(3,), angular velocity of the base, rad/s");
  def_writable_view(state, "qd", &State::qd, "(n,), joint velocities, rad/s or m/s");
  def_writable_view(state, "z", &State::z,
                    "auxiliary states of force elements and controllers, often none");
  state.def_property(
      "quaternion", &quaternion_of,
      [](State& self, const ArrayLike& value) { self.A_0 = attitude({py::none()}, value); },
      "(4,), base attitude as a unit quaternion, w first, w ≥ 0; a copy");
  state.def(
      "velocity", [](const State& self) { return to_array(self.velocity()); },
      "u = [v_0; ω_0; q̇], (6 + n,).");
  state.def(
      "copy", [](const State& self) { return State(self); }, "A state of its own.");
  state.def("__copy__", [](const State& self) { return State(self); });
  state.def(
      "__deepcopy__", [](const State& self, const py::dict&) { return State(self); },
      py::arg("memo"));
  state.def(py::pickle(
      [](const State& s) {
        return py::make_tuple(to_array(s.r_0), to_array(s.A_0), to_array(s.q), to_array(s.v_0),
                              to_array(s.omega_0), to_array(s.qd), to_array(s.z));
      },
      [](const py::tuple& parts) {
        const auto vector = [&](std::size_t i) {
          return read_vector({parts[i]}, -1, "state", Numbers::any);
        };
        State s;
        s.r_0 = vector(0);
        s.A_0 = read_matrix3({parts[1]}, "state");
        s.q = vector(2);
        s.v_0 = vector(3);
        s.omega_0 = vector(4);
        s.qd = vector(5);
        s.z = vector(6);
        return s;
      }));
  state.def(
      "check", [](const State& self, const ModelHandle& model) { self.check(*model); },
      py::arg("model"), "Raises DimensionError or DomainError unless the state fits the model.");
  state.def("__repr__", &text_of);
}

void bind_loads_class(py::module_& m) {
  py::class_<Loads> loads(
      m, "Loads",
      "Everything that acts on a system at one instant; inertial axes, SI units.\n\n"
      "Arrays are writable views, as those of State.");
  loads.def(py::init([](const ModelHandle& model, const ArrayLike& tau, const ArrayLike& F_b,
                        const ArrayLike& gravity) {
              Loads result(*model);
              assign(result.tau, tau, "tau");
              if (!F_b.is_none()) result.F_b = read_vector6(F_b, "F_b");
              assign(result.gravity, gravity, "gravity");
              return result;
            }),
            py::arg("model"), py::kw_only(), py::arg("tau") = py::none(),
            py::arg("F_b") = py::none(), py::arg("gravity") = py::none());
  def_writable_view(loads, "gravity", &Loads::gravity, "(3,), acceleration of free fall, m/s²");
  def_writable_view(loads, "F_b", &Loads::F_b,
                    "(6,), force and moment on the base about its centroid, N and N m");
  def_writable_view(loads, "tau", &Loads::tau, "(n,), joint torques or forces, N m or N");
  def_writable_view(loads, "force", &Loads::force, "(3, n + 1), external force on each body, N");
  def_writable_view(loads, "moment", &Loads::moment,
                    "(3, n + 1), external moment about the centroid of each body, N m");
  loads.def("clear", &Loads::clear, "Removes every load; gravity stays.");
  loads.def("__repr__", [](const Loads& self) {
    return "<spacedyn.Loads of " + std::to_string(self.tau.size()) + " joints>";
  });
}

void bind_conventions(py::module_& m) {
  py::enum_<Convention>(m, "Convention",
                        "Whose states and velocities; joints keep the order of the model.\n\n"
                        "pinocchio: base origin, quaternion (x, y, z, w), q; Aᵀv, Aᵀω, q̇.\n"
                        "rbdl: base origin, quaternion (x, y, z), q, w; v, Aᵀω, q̇.\n"
                        "spart: base centroid, quaternion (x, y, z, w), q; Aᵀω, v, q̇.\n"
                        "mujoco: base origin, quaternion (w, x, y, z), q; v, Aᵀω, q̇.")
      .value("pinocchio", Convention::pinocchio)
      .value("rbdl", Convention::rbdl)
      .value("spart", Convention::spart)
      .value("mujoco", Convention::mujoco);
  m.def(
      "positions_in",
      [](Convention convention, const ModelHandle& model, const State& state) {
        return to_array(positions_in(convention, *model, state));
      },
      py::arg("convention"), py::arg("model"), py::arg("state"),
      "Positions of a state in another convention, (7 + n,).");
  m.def(
      "velocities_in",
      [](Convention convention, const ModelHandle& model, const State& state) {
        return to_array(velocities_in(convention, *model, state));
      },
      py::arg("convention"), py::arg("model"), py::arg("state"),
      "Velocities of a state in another convention, (6 + n,).");
  m.def(
      "state_from",
      [](Convention convention, const ModelHandle& model, const ArrayLike& positions,
         const ArrayLike& velocities) {
        const int n = model->joint_count();
        return state_from(convention, *model, read_vector(positions, 7 + n, "positions"),
                          read_vector(velocities, 6 + n, "velocities"));
      },
      py::arg("convention"), py::arg("model"), py::arg("positions"), py::arg("velocities"),
      "The State with positions (7 + n,) and velocities (6 + n,) of another convention.");
  m.def(
      "velocity_map",
      [](Convention convention, const ModelHandle& model, const State& state) {
        return to_array(velocity_map(convention, *model, state));
      },
      py::arg("convention"), py::arg("model"), py::arg("state"),
      "X with velocities_in(…) = X u, (6 + n, 6 + n); H = Xᵀ H_theirs X.");
}

/// Positions of spherical joints are rotation vectors, to which velocities are not added.
void bind_configuration(py::module_& m) {
  m.def(
      "follow",
      [](const ModelHandle& model, State& state) {
        state.check(*model);
        follow(*model, state);
      },
      py::arg("model"), py::arg("state"),
      "Sets positions and velocities of the joints of a state that follow others.");
  m.def(
      "displace_joints",
      [](const ModelHandle& model, const ArrayLike& displacement, const ArrayLike& q) {
        const int n = model->joint_count();
        VectorX moved = read_vector(q, n, "q");
        displace_joints(*model, read_vector(displacement, n, "displacement"), moved);
        return to_array(moved);
      },
      py::arg("model"), py::arg("displacement"), py::arg("q"),
      "Joint positions (n,) moved by a displacement (n,), which has the dimension of q̇: the sum\n"
      "but for spherical joints, whose positions are rotation vectors.");
  m.def(
      "joint_difference",
      [](const ModelHandle& model, const ArrayLike& start, const ArrayLike& end) {
        const int n = model->joint_count();
        return to_array(
            joint_difference(*model, read_vector(start, n, "start"), read_vector(end, n, "end")));
      },
      py::arg("model"), py::arg("start"), py::arg("end"),
      "The displacement (n,) that leads from one configuration (n,) to another.");
  m.def(
      "joint_position_rate",
      [](const ModelHandle& model, const ArrayLike& q, const ArrayLike& qd) {
        const int n = model->joint_count();
        VectorX rate(n);
        joint_position_rate(*model, read_vector(q, n, "q"), read_vector(qd, n, "qd"), rate);
        return to_array(rate);
      },
      py::arg("model"), py::arg("q"), py::arg("qd"),
      "dq/dt, (n,): q̇ itself but for spherical joints, whose q̇ is an angular velocity.");
}

}  // namespace

void bind_state(py::module_& m) {
  bind_state_class(m);
  bind_configuration(m);
  bind_loads_class(m);
  bind_conventions(m);
}

}  // namespace spacedyn::python
