#include "evaluation_json.hpp"

#include <optional>

#include "closed_chain_json.hpp"
#include "spacedyn/constraints/constrained_dynamics.hpp"
#include "spacedyn/dynamics/forward_dynamics.hpp"
#include "spacedyn/dynamics/inverse_dynamics.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/forces/passive_joints.hpp"
#include "spacedyn/inertia/generalized_jacobian.hpp"
#include "spacedyn/inertia/gyro_cluster.hpp"
#include "spacedyn/inertia/impact_index.hpp"
#include "spacedyn/inertia/inertia_blocks.hpp"
#include "spacedyn/inertia/momentum.hpp"
#include "spacedyn/inertia/reduced_inertia.hpp"
#include "spacedyn/inertia/regressor.hpp"
#include "spacedyn/kinematics/jacobian_derivatives.hpp"
#include "spacedyn/kinematics/link_motion.hpp"
#include "spacedyn/state/followers.hpp"

namespace spacedyn::cli {
namespace {

/// Kinematics of a state, computed once for all that follows.
struct Motion {
  LinkFrames frames;
  LinkVelocities velocities;
  LinkAccelerations accelerations;

  Motion(const Model& model, const EvaluationInput& input, const VectorX& acceleration)
      : frames(model), velocities(model), accelerations(model) {
    compute_link_frames(model, input.state, frames);
    compute_link_velocities(model, input.state, frames, velocities);
    compute_link_accelerations(model, input.state, frames, velocities, acceleration, accelerations);
  }
};

Json base_and_joints(const Model& model, const VectorX& whole) {
  const VectorX acceleration = own_motion(model, whole);
  return {{"vd0", json_list(acceleration.head<3>())},
          {"wd0", json_list(acceleration.segment<3>(3))},
          {"qdd", json_list(acceleration.tail(acceleration.size() - 6))}};
}

/// Whether no joint moves anything that has inertia: such a model serves kinematics alone.
bool moves_nothing(const Model& model) {
  for (int i = 1; i <= model.joint_count(); ++i) {
    const Body& body = model.body(i);
    if (body.mass > 0.0 || !body.inertia_L.isZero(0.0)) return false;
    if (model.joint(i).armature > 0.0) return false;
  }
  return true;
}

/// What a function gives; null where it cannot for want of inertia in such a model.
template <typename Make>
Json unless_massless(const Model& model, const Make& make) {
  try {
    return make();
  } catch (const NumericalError&) {
    if (!moves_nothing(model)) throw;
    return nullptr;
  }
}

/// One entry for each link 1…n of an array that starts with the base.
template <typename Vector, typename Convert>
Json per_link(const std::vector<Vector>& values, const Convert& convert) {
  Json list = Json::array();
  for (std::size_t i = 1; i < values.size(); ++i) list.push_back(convert(values[i]));
  return list;
}

Json per_link(const std::vector<Vector3>& values) {
  return per_link(values, [](const Vector3& value) { return json_list(value); });
}

void add_topology(const Model& model, Json& json) {
  const Topology& topology = model.topology();
  Json names = Json::array();
  for (const int i : model.coordinates()) names.push_back(model.joint(i).name);
  json["joint_order"] = std::move(names);
  json["B"] = topology.connection();
  json["S"] = json_rows(topology.incidence_matrix());
  json["S0"] = json_list(topology.base_incidence());
  json["Se"] = json_list(topology.terminal_incidence());
}

void add_links(const Motion& motion, Json& json) {
  json["AA"] = per_link(motion.frames.A, [](const Matrix3& A) { return json_rows(A); });
  json["RR"] = per_link(motion.frames.r);
  json["joints"] = per_link(motion.frames.p);
  json["vv"] = per_link(motion.velocities.v);
  json["ww"] = per_link(motion.velocities.omega);
  json["vd"] = per_link(motion.accelerations.vd);
  json["wd"] = per_link(motion.accelerations.omegad);
}

/// Singular values, the impulses that belong to them, and those that disturb nothing.
Json disturbance_json(const ImpactDisturbance& disturbance) {
  return {{"index", disturbance.index()},
          {"singular_values", json_list(disturbance.singular_values)},
          {"directions", json_rows(disturbance.directions.transpose())},
          {"free_directions", json_rows(disturbance.free_directions().transpose())}};
}

/// What an impulse at a frame does; not where loops share it out or something has no inertia.
void add_impact(const Model& model, const State& state, const Frame& frame, Json& entry) {
  if (model.has_loops()) return;
  try {
    const ImpulseResponse response = impulse_response(model, state, frame);
    entry["inverse_inertia"] = json_rows(response.inverse_inertia);
    MatrixX changes(6 + static_cast<Eigen::Index>(model.coordinates().size()), 6);
    for (Eigen::Index k = 0; k < 6; ++k) {
      changes.col(k) = own_motion(model, response.velocity_per_impulse.col(k));
    }
    entry["velocity_per_impulse"] = json_rows(changes);
    // of impulses along x, y and z; null where the frame cannot move
    entry["effective_mass"] =
        json_list(response.inverse_inertia.diagonal().head<3>().cwiseInverse());
    const ImpactIndex index = impact_index(model, state, frame);
    entry["impact"] = {{"turning", disturbance_json(index.turning)},
                       {"shifting", disturbance_json(index.shifting)},
                       {"base", disturbance_json(index.base)},
                       {"length", index.length}};
  } catch (const NumericalError&) {
    entry["inverse_inertia"] = nullptr;
  }
}

void add_frames(const Model& model, const EvaluationInput& input, const Motion& motion,
                Json& json) {
  Json all = Json::object();
  std::optional<BaseResponse> response;
  unless_massless(model, [&] {
    response = base_response(model, input.state);
    return nullptr;
  });
  Matrix6X J_star(6, model.joint_count());
  for (const Frame& frame : model.frames()) {
    const Vector6 velocity = frame_velocity(motion.frames, motion.velocities, frame);
    const FrameJacobians J = frame_jacobians(model, input.state, frame);
    if (response) generalized_jacobian(J.J_m, J.J_b, *response, J_star);
    Json& entry = all[frame.name];
    entry["position"] = json_list(frame_position(motion.frames, frame));
    entry["orientation"] = json_rows(frame_orientation(motion.frames, frame));
    entry["velocity"] = json_list(velocity.head<3>());
    entry["angular_velocity"] = json_list(velocity.tail<3>());
    const Vector6 acceleration =
        frame_acceleration(motion.frames, motion.velocities, motion.accelerations, frame);
    entry["acceleration"] = json_list(acceleration.head<3>());
    entry["angular_acceleration"] = json_list(acceleration.tail<3>());
    entry["J_m"] = json_rows(own_columns(model, J.J_m));
    entry["J_b"] = json_rows(J.J_b);
    entry["J_m_dot"] = json_rows(own_columns(model, J.J_m_dot));
    entry["J_b_dot"] = json_rows(J.J_b_dot);
    entry["generalized_jacobian"] = response ? json_rows(own_columns(model, J_star)) : Json();
    add_impact(model, input.state, frame, entry);
  }
  json["frames"] = std::move(all);
}

void add_link_jacobians(const Model& model, const Motion& motion, Json& json) {
  Json translational = Json::array();
  Json rotational = Json::array();
  Matrix3X J(3, model.joint_count());
  for (int i = 1; i <= model.joint_count(); ++i) {
    translational_jacobian(model, motion.frames, i, J);
    translational.push_back(json_rows(own_columns(model, J)));
    rotational_jacobian(model, motion.frames, i, J);
    rotational.push_back(json_rows(own_columns(model, J)));
  }
  json["JJ_t"] = std::move(translational);
  json["JJ_r"] = std::move(rotational);
}

void add_inertia(const Model& model, const EvaluationInput& input, const Motion& motion,
                 Json& json) {
  InertiaBlocks blocks(model);
  JacobianWorkspace workspace(model);
  compute_inertia_blocks(model, motion.frames, workspace, blocks);
  MatrixX H(model.velocity_size(), model.velocity_size());
  assemble_inertia_matrix(blocks, H);
  json["H"] = json_rows(own_matrix(model, H));
  json["bias"] = json_list(own_force(model, bias_forces(model, input.state, input.loads.gravity)));
  json["H_star"] = unless_massless(
      model, [&] { return json_rows(own_matrix(model, reduced_inertia(model, input.state))); });
}

void add_dynamics(const Model& model, const EvaluationInput& input, Json& json) {
  json["inverse_dynamics"] = json_list(
      own_force(model, inverse_dynamics(model, input.state, input.acceleration, input.loads)));
  if (!model.has_loops()) {
    json["forward_dynamics"] = unless_massless(model, [&] {
      return base_and_joints(
          model, model.followers().empty()
                     ? forward_dynamics(model, input.state, input.loads)
                     : constrained_motion(model, input.state, input.loads).acceleration);
    });
  }
  json["passive_torque"] = json_list(own_force(model, passive_torque(model, input.state)));
}

/// Inverse dynamics of the state as a linear function of the inertial parameters.
void add_regressor(const Model& model, const EvaluationInput& input, Json& json) {
  json["parameters"] = json_list(inertial_parameters(model));
  const MatrixX regressor =
      inverse_dynamics_regressor(model, input.state, input.acceleration, input.loads.gravity);
  json["regressor"] = json_rows(MatrixX(own_columns(model, regressor.transpose()).transpose()));
}

void add_totals(const Model& model, const EvaluationInput& input, const Motion& motion,
                Json& json) {
  const Momentum total = momentum(model, motion.frames, motion.velocities);
  json["momentum"] = {{"linear", json_list(total.linear)},
                      {"angular", json_list(total.angular_base)},
                      {"angular_origin", json_list(total.angular_origin)}};
  json["kinetic_energy"] = kinetic_energy(model, motion.frames, motion.velocities);
  const double gravity = gravity_potential(model, motion.frames, input.loads.gravity);
  const double elastic = elastic_energy(model, input.state.q);
  json["gravity_potential"] = gravity;
  json["elastic_energy"] = elastic;
  json["potential_energy"] = gravity + elastic;
  json["mass"] = model.total_mass();
  json["center_of_mass"] = json_list(center_of_mass(model, motion.frames));
}

/// Of all gyros together, if there are any.
void add_gyros(const Model& model, const EvaluationInput& input, Json& json) {
  const std::vector<int> gimbals = gyro_gimbals(model);
  if (gimbals.empty()) return;
  const GyroCluster cluster = gyro_cluster(model, input.state, gimbals);
  Json names = Json::array();
  for (const int gimbal : gimbals) names.push_back(model.joint(gimbal).name);
  json["gyros"] = {
      {"gimbals", std::move(names)},          {"momentum", json_list(cluster.momentum)},
      {"torque", json_rows(cluster.torque)},  {"strengths", json_list(cluster.strengths)},
      {"weak_axis", json_list(cluster.weak)}, {"singularity", cluster.singularity}};
}

/// @returns accelerations that satisfy the loops: those of links are of the same motion
VectorX add_loops(const Model& model, const EvaluationInput& input, Json& json) {
  const ConstrainedMotion motion = constrained_motion(model, input.state, input.loads);
  // rows of joints that follow others are the last ones
  const auto following = static_cast<Eigen::Index>(model.followers().size());
  const Eigen::Index rows = motion.k.size() - following;
  json["forward_dynamics"] = base_and_joints(model, motion.acceleration);
  json["qdd"] = json_list(own_motion(model, motion.acceleration.tail(model.joint_count())));
  json["constraint_jacobian"] = json_rows(own_columns(model, motion.K.topRows(rows)));
  json["constraint_bias"] = json_list(motion.k.head(rows));
  json["multipliers"] = json_list(motion.multipliers.head(rows));
  json["rank"] = motion.rank - static_cast<int>(following);
  json["degrees_of_freedom"] = motion.degrees_of_freedom;
  json["closed_chain"] = closed_chain_json(model, input);
  return motion.acceleration;
}

}  // namespace

Json evaluation_json(const Model& model, const EvaluationInput& input) {
  Json json;
  VectorX acceleration = input.acceleration;
  if (model.has_loops()) acceleration = add_loops(model, input, json);
  const Motion motion(model, input, acceleration);
  add_topology(model, json);
  add_links(motion, json);
  add_frames(model, input, motion, json);
  add_link_jacobians(model, motion, json);
  add_inertia(model, input, motion, json);
  add_dynamics(model, input, json);
  add_regressor(model, input, json);
  add_totals(model, input, motion, json);
  add_gyros(model, input, json);
  return json;
}

}  // namespace spacedyn::cli
