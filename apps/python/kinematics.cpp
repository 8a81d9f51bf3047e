#include "spacedyn/kinematics/link_motion.hpp"

#include "bindings.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/kinematics/points.hpp"
#include "states.hpp"

namespace spacedyn::python {
namespace {

void bind_link_frames(py::module_& m) {
  py::class_<LinkFrames> frames(m, "LinkFrames",
                                "Where every body is; index 0 is the base. Inertial components,\n"
                                "read-only views.");
  def_view(frames, "A", &LinkFrames::A, "(n + 1, 3, 3), link to inertial components");
  def_view(frames, "r", &LinkFrames::r, "(n + 1, 3), centroids, m");
  def_view(frames, "p", &LinkFrames::p, "(n + 1, 3), joints; row 0 unused, m");
  def_view(frames, "o", &LinkFrames::o, "(n + 1, 3), origins of link frames, m");
  def_view(frames, "k", &LinkFrames::k, "(n + 1, 3), joint axes; row 0 unused");

  py::class_<LinkVelocities> velocities(m, "LinkVelocities",
                                        "Velocity of each body; inertial, read-only views.");
  def_view(velocities, "v", &LinkVelocities::v, "(n + 1, 3), of the centroids, m/s");
  def_view(velocities, "omega", &LinkVelocities::omega, "(n + 1, 3), rad/s");
  def_view(velocities, "qd", &LinkVelocities::qd, "(n,), joint rates");

  py::class_<LinkAccelerations> accelerations(
      m, "LinkAccelerations", "Acceleration of each body; inertial, read-only views.");
  def_view(accelerations, "vd", &LinkAccelerations::vd, "(n + 1, 3), of the centroids, m/s²");
  def_view(accelerations, "omegad", &LinkAccelerations::omegad, "(n + 1, 3), rad/s²");
  def_view(accelerations, "qdd", &LinkAccelerations::qdd, "(n,)");
}

void bind_links(py::module_& m) {
  m.def(
      "compute_link_frames",
      [](const ModelHandle& model, const State& state) { return frames_of(model, state); },
      py::arg("model"), py::arg("state"), "Poses of all bodies, (1) and (6) of the paper.");
  m.def(
      "compute_link_velocities",
      [](const ModelHandle& model, const State& state) {
        return velocities_of(model, state, frames_of(model, state));
      },
      py::arg("model"), py::arg("state"), "Velocities of all bodies, (8), (9), (12), (13).");
  m.def(
      "compute_link_accelerations",
      [](const ModelHandle& model, const State& state, const ArrayLike& acceleration) {
        return Motion(model, state, acceleration).accelerations;
      },
      py::arg("model"), py::arg("state"), py::arg("acceleration"),
      "Accelerations of all bodies for u̇ = [v̇_0; ω̇_0; q̈], (6 + n,): (10), (11), (14), (15).");
}

void bind_frames(py::module_& m) {
  m.def(
      "frame_position",
      [](const ModelHandle& model, const State& state, const FrameArgument& frame) {
        return to_array(frame_position(frames_of(model, state), frame.on(*model)));
      },
      py::arg("model"), py::arg("state"), py::arg("frame"),
      "Origin of a frame, (3,), inertial, m.");
  m.def(
      "frame_orientation",
      [](const ModelHandle& model, const State& state, const FrameArgument& frame) {
        return to_array(frame_orientation(frames_of(model, state), frame.on(*model)));
      },
      py::arg("model"), py::arg("state"), py::arg("frame"),
      "Axes of a frame, (3, 3), frame to inertial components.");
  m.def(
      "frame_velocity",
      [](const ModelHandle& model, const State& state, const FrameArgument& frame) {
        const LinkFrames frames = frames_of(model, state);
        return to_array(
            frame_velocity(frames, velocities_of(model, state, frames), frame.on(*model)));
      },
      py::arg("model"), py::arg("state"), py::arg("frame"),
      "Twist of a frame, (6,): linear, then angular, inertial, m/s and rad/s.");
  m.def(
      "frame_acceleration",
      [](const ModelHandle& model, const State& state, const ArrayLike& acceleration,
         const FrameArgument& frame) {
        const Motion motion(model, state, acceleration);
        return to_array(frame_acceleration(motion.frames, motion.velocities, motion.accelerations,
                                           frame.on(*model)));
      },
      py::arg("model"), py::arg("state"), py::arg("acceleration"), py::arg("frame"),
      "Classical acceleration of a frame's origin and angular acceleration for u̇, (6,),\n"
      "inertial, m/s² and rad/s².");
  m.def(
      "material_point",
      [](const ModelHandle& model, const IndexArgument& body, const ArrayLike& position_L) {
        return material_point(*model, body.body_of(*model), read_vector3(position_L, "position_L"));
      },
      py::arg("model"), py::arg("body"), py::arg("position_L"),
      "The point of a body at (3,) m from the origin of its link frame, link axes.");
  m.def(
      "material_point_at",
      [](const ModelHandle& model, const State& state, const IndexArgument& body,
         const ArrayLike& position) {
        return material_point_at(*model, frames_of(model, state), body.body_of(*model),
                                 read_vector3(position, "position"));
      },
      py::arg("model"), py::arg("state"), py::arg("body"), py::arg("position"),
      "The point of a body that is now at (3,) m, inertial; it then moves with the body.");
}

}  // namespace

void bind_kinematics(py::module_& m) {
  bind_link_frames(m);
  bind_links(m);
  bind_frames(m);
}

}  // namespace spacedyn::python
