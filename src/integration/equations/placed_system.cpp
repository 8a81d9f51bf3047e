#include "integration/equations/placed_system.hpp"

#include "dynamics/tree/tree_sums.hpp"
#include "integration/equations/energy_balance.hpp"

namespace spacedyn {
namespace {

/// Names of the components of z in messages and checkpoints.
std::vector<std::string> auxiliary_names(const SystemElements& elements) {
  std::vector<std::string> names;
  for (const SystemElements::Auxiliary& z : elements.auxiliaries()) {
    names.push_back("state " + std::to_string(z.index) + " of '" + z.element + "'");
  }
  return names;
}

}  // namespace

GivenSystem::GivenSystem(const SimulationSetup& setup)
    : setup_(setup),
      elements_(setup),
      flow_(draws_from_tanks(setup) ? std::make_unique<PropellantFlow>(setup, elements_) : nullptr),
      layout_(setup.model->joint_count(), auxiliary_names(elements_),
              static_cast<int>(EnergySources(setup, elements_).all.size()),
              elements_.integral_count()) {}

SystemMotion::SystemMotion(const SimulationSetup& setup)
    : GivenSystem(setup),
      discrete_(setup),
      state_(*setup.model),
      elements_use_links_(uses_links(elements_)),
      mobility_(spacedyn::mobility(setup, discrete_)),
      tree_(*setup.model, mobility_),
      links_{LinkFrames(*setup.model), LinkVelocities(*setup.model), LoopMotion(*setup.model)} {
  state_.z = VectorX::Zero(layout_.auxiliaries);
}

PlacedSystem::PlacedSystem(const SimulationSetup& setup)
    : SystemMotion(setup),
      loads_(*setup.model),
      acceleration_(VectorX::Zero(setup.model->velocity_size())),
      forces_(acceleration_),
      element_memory_(elements_) {
  loads_.gravity = setup.gravity;
}

bool GivenSystem::has_prescribed_motion() const {
  return setup_.base_mode == BaseMode::prescribed || !setup_.prescribed_joints.empty();
}

const SystemMotion::Links& SystemMotion::links() const {
  if (!links_.are_current) export_motion(state_, tree_, links_.frames, links_.velocities);
  links_.are_current = true;
  return links_;
}

const LoopMotion& SystemMotion::own_motion() const {
  LoopMotion& own = links_.own;
  if (!links_.own_is_current) {
    own.take(state_);
    export_motion(own.state, tree_, own.frames, own.velocities);
  }
  links_.own_is_current = true;
  return own;
}

EvaluationContext SystemMotion::context(bool with_links) const {
  if (with_links) links();
  return {time_,
          model(),
          state_,
          links_.frames,
          links_.velocities,
          state_.z,
          &discrete_.q_step_start,
          nullptr,
          &mobility_,
          &discrete_.events};
}

double SystemMotion::velocity(int row) const {
  if (row < 3) return state_.v_0(row);
  return row < 6 ? state_.omega_0(row - 3) : state_.qd(row - 6);
}

void PlacedSystem::prescribe() {
  const Instant now{time_, &discrete_.events};
  if (setup_.base_mode == BaseMode::prescribed) {
    Vector6 acceleration;
    setup_.prescribed_base->evaluate(now, state_, acceleration);
    acceleration_.head<6>() = acceleration;
  }
  for (const PrescribedJoint& prescribed : setup_.prescribed_joints) {
    const ReferenceValue value = prescribed.reference->at(0, now);
    state_.q(prescribed.joint - 1) = value.position;
    state_.qd(prescribed.joint - 1) = value.velocity;
    acceleration_(prescribed.joint + 5) = value.acceleration;
  }
}

void SystemMotion::move(const VectorX& acceleration) {
  update_motion(state_, acceleration, tree_);
  links_.are_current = links_.own_is_current = false;
}

void PlacedSystem::clear_loads(bool all) {
  if (wrenches_act_ || all) {
    loads_.clear();
  } else {
    loads_.tau.setZero();
    loads_.F_b.setZero();
  }
  wrenches_act_ = true;  // until it is known, also if an element throws
}

void SystemMotion::renew_mobility() {
  mobility_ = spacedyn::mobility(setup_, discrete_);
  tree_ = TreeWorkspace(model(), mobility_);
}

Momentum SystemMotion::momentum() const { return system_sums(model(), state_, tree_).momentum; }

AuditPoint SystemMotion::audit_point() const {
  const SystemSums sums = system_sums(model(), state_, tree_);
  const SystemElements::StoredEnergy stored =
      elements_.stored_energy(context_of_elements(), discrete_);
  const double mass = model().total_mass();
  const double uniform = -mass * setup_.gravity.dot(sums.r_g);
  const Energy energy{sums.kinetic_energy, uniform + stored.gravity, stored.elastic};
  // below it velocities of contacts that are stepped over mean nothing
  const bool is_stepped = setup_.integrator.method == IntegrationMethod::time_stepping;
  const double slowest = is_stepped ? setup_.integrator.contact_tolerance
                                    : setup_.integrator.absolute_tolerance.linear_velocity;
  const double weight_impulse = mass * setup_.gravity.norm() * time_;
  const double of_tolerance = mass * slowest * slowest / (is_stepped ? 1.0 : kResolution);
  return {sums.momentum, audit_scale(sums, mass * slowest + kRoundingOfSums * weight_impulse),
          energy, least_energy(energy, of_tolerance), sums.r_g};
}

}  // namespace spacedyn
