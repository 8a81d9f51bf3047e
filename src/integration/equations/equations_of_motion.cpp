#include "integration/equations/equations_of_motion.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "constraints/singular_passage.hpp"
#include "dynamics/tree/tree_sums.hpp"
#include "spacedyn/forces/declarations.hpp"
#include "spacedyn/math/rotations.hpp"
#include "spacedyn/state/configuration.hpp"
#include "spacedyn/state/followers.hpp"
#include "state/spherical.hpp"

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

/// Those of the elements and the others, where there are any.
std::vector<EnergySource> all_sources(const SimulationSetup& setup, const SystemElements& elements,
                                      OtherSources& others) {
  std::vector<EnergySource> sources;
  for (const SystemElements::Slot& slot : elements.slots()) {
    const bool is_force = slot.force != nullptr;
    sources.push_back({slot.element().name(),
                       is_force ? EnergySource::Kind::force : EnergySource::Kind::controller});
  }
  if (setup.base_mode == BaseMode::prescribed || !setup.prescribed_joints.empty()) {
    others.motion = static_cast<int>(sources.size());
    sources.push_back({"prescribed_motion", EnergySource::Kind::motion});
  }
  if (draws_from_tanks(setup)) {
    others.propellant = static_cast<int>(sources.size());
    sources.push_back({"propellant", EnergySource::Kind::motion});
  }
  if (!all_events(setup).empty()) {
    others.events = static_cast<int>(sources.size());
    sources.push_back({"events", EnergySource::Kind::events});
  }
  return sources;
}

/// Index of the first element that is not finite; the size if all are.
template <typename Derived>
int first_not_finite(const Eigen::DenseBase<Derived>& values) {
  int i = 0;
  while (i < values.size() && std::isfinite(values.derived().coeff(i))) ++i;
  return i;
}

}  // namespace

std::vector<EnergySource> energy_sources(const SimulationSetup& setup) {
  OtherSources others;
  return all_sources(setup, SystemElements(setup), others);
}

EquationsOfMotion::EquationsOfMotion(const SimulationSetup& setup)
    : setup_(setup),
      elements_(setup),
      element_workspace_(elements_),
      flow_(draws_from_tanks(setup) ? std::make_unique<PropellantFlow>(setup, elements_) : nullptr),
      fields_(acceleration_fields(setup)),
      sensor_sampler_(setup),
      sampler_(elements_),
      discrete_(setup),
      sources_(all_sources(setup, elements_, others_)),
      layout_(setup.model->joint_count(), auxiliary_names(elements_),
              static_cast<int>(sources_.size()), elements_.integral_count()),
      mobility_(spacedyn::mobility(setup, discrete_)),
      state_(*setup.model),
      elements_use_links_(elements_.uses_links()),
      frames_(*setup.model),
      velocities_(*setup.model),
      workspace_(*setup.model, mobility_),
      loads_(*setup.model),
      is_unsupported_(spacedyn::is_unsupported(setup)),
      loop_motion_(setup.model->loops().empty() && setup.connections.empty()
                       ? nullptr
                       : std::make_unique<LoopMotion>(*setup.model)),
      acceleration_(VectorX::Zero(setup.model->velocity_size())),
      forces_(VectorX::Zero(setup.model->velocity_size())) {
  if (method_traits(setup.integrator).steps_contacts) discrete_.contact_points.clear();
  rigid_ = make_rigid_dynamics();
  const bool has_motions =
      std::any_of(setup.forces.begin(), setup.forces.end(),
                  [](const auto& force) { return declarations_of(*force).motion != nullptr; });
  if (has_motions) motions_ = std::make_unique<MotionForces>(elements_);
  rebuild_loops();
  loads_.gravity = setup.gravity;
  state_.z = VectorX::Zero(layout_.auxiliaries);
}
EquationsOfMotion::~EquationsOfMotion() = default;

void EquationsOfMotion::operator()(const VectorX& x, VectorX& rate, double time) {
  if (counts_) ++evaluations_;
  if (evaluate_inside(x, time)) {
    write_rate(x, rate);
  } else {
    rate.setConstant(std::numeric_limits<double>::quiet_NaN());
  }
}

bool EquationsOfMotion::evaluate(const VectorX& x, double time) {
  return update_kinematics(x, time) && apply_elements() && solve_dynamics();
}

bool EquationsOfMotion::differentiate_loads(const VectorX& x, double time, double delay,
                                            LoadDifferentiator& differentiator,
                                            LoadDerivatives& derivatives) {
  if (counts_) ++evaluations_;
  if (!update_kinematics(x, std::clamp(time, segment_start_, segment_last_)) || !apply_elements())
    return false;
  // wrenches act through links even of elements that do not look at them
  elements_.differentiate({context(), mobility_, delay}, discrete_, differentiator,
                          element_workspace_, derivatives);
  if (!motions_) return true;
  motions_->clear();
  return solve_tree() && hold_motions();
}

bool EquationsOfMotion::update_kinematics(const VectorX& x, double time) {
  if (!unpack(x, time)) return false;
  move();
  return true;
}

void EquationsOfMotion::leave_if_asked() const {
  if (observer_ != nullptr && observer_->must_end_now()) throw Interruption();
}

bool EquationsOfMotion::unpack(const VectorX& x, double time) {
  leave_if_asked();
  // audit integrals may overflow: they must not stop a motion
  const auto motion = x.head(layout_.integrals());
  if ((0.0 * motion).sum() != 0.0) {
    return fail(Failure::Cause::state_not_finite, first_not_finite(motion));
  }
  time_ = time;
  theta_ = x.segment<3>(StateLayout::theta);
  if (!AttitudeChart::is_inside(theta_)) return fail(Failure::Cause::attitude_left_chart);
  state_.r_0 = x.segment<3>(StateLayout::r_0);
  state_.A_0 = chart_.attitude(theta_);
  state_.q = x.segment(StateLayout::q, layout_.joints);
  state_.v_0 = x.segment<3>(layout_.v_0());
  state_.omega_0 = x.segment<3>(layout_.omega_0());
  state_.qd = x.segment(layout_.qd(), layout_.joints);
  state_.z = x.segment(layout_.z(), layout_.auxiliaries);
  if (!unpack_spherical_joints(x)) return false;
  if (flow_) take_masses();
  prescribe();
  follow(model(), state_);
  return true;
}

void EquationsOfMotion::move() {
  update_motion(state_, acceleration_, workspace_);
  links_are_current_ = loop_motion_is_current_ = loops_are_current_ = motions_are_current_ = false;
}

void EquationsOfMotion::export_links() const {
  if (links_are_current_) return;
  export_motion(state_, workspace_, frames_, velocities_);
  links_are_current_ = true;
}

const LinkFrames& EquationsOfMotion::frames() const {
  export_links();
  return frames_;
}

const LinkVelocities& EquationsOfMotion::velocities() const {
  export_links();
  return velocities_;
}

void EquationsOfMotion::prescribe() {
  if (setup_.base_mode == BaseMode::prescribed) {
    Vector6 acceleration;
    setup_.prescribed_base->evaluate(now().instant(), state_, acceleration);
    acceleration_.head<6>() = acceleration;
  }
  for (const PrescribedJoint& prescribed : setup_.prescribed_joints) {
    const ReferenceValue value = prescribed.reference->at(0, now().instant());
    state_.q(prescribed.joint - 1) = value.position;
    state_.qd(prescribed.joint - 1) = value.velocity;
    acceleration_(prescribed.joint + 5) = value.acceleration;
  }
}

bool EquationsOfMotion::apply_elements() {
  loads_.clear();
  body_loads_ = 0.0;
  if (elements_use_links_) export_links();
  elements_.apply(now(), discrete_, element_workspace_, loads_,
                  [this] { return power_of_loads(); });
  for (const BodyWrench& wrench : contact_wrenches_) {
    loads_.force.col(wrench.body) += wrench.force;
    loads_.moment.col(wrench.body) += wrench.moment;
  }
  if (!contact_wrenches_.empty()) body_loads_ = size_of_wrenches(loads_);
  const double others = loads_.tau.lpNorm<1>() + loads_.F_b.lpNorm<1>();
  return std::isfinite(others + body_loads_) || loads_are_finite();
}

double EquationsOfMotion::power_of_loads() {
  const double power = power_on_coordinates(state_, loads_);
  body_loads_ = size_of_wrenches(loads_);
  if (body_loads_ == 0.0) return power;
  return power + power_on_bodies(velocities(), loads_);
}

double EquationsOfMotion::velocity(int row) const {
  if (row < 3) return state_.v_0(row);
  return row < 6 ? state_.omega_0(row - 3) : state_.qd(row - 6);
}

bool EquationsOfMotion::loads_are_finite() {
  const auto size = [](const auto& values) { return static_cast<int>(values.size()); };
  const int joint = first_not_finite(loads_.tau);
  if (joint < size(loads_.tau)) return fail(Failure::Cause::torque_not_finite, joint + 1);
  if (!loads_.F_b.allFinite()) return fail(Failure::Cause::base_wrench_not_finite);
  const int entry = std::min(first_not_finite(loads_.force.reshaped()),
                             first_not_finite(loads_.moment.reshaped()));
  if (entry < size(loads_.force)) return fail(Failure::Cause::body_load_not_finite, entry / 3);
  return true;
}

bool EquationsOfMotion::solve_tree() {
  DynamicsStatus status = loops_ ? constrained_dynamics(state_, loads_, gains_, *loops_, workspace_,
                                                        acceleration_, forces_)
                                 : forward_dynamics(loads_, workspace_, acceleration_, forces_);
  if (loops_ && passage_->is_near(*loops_)) {
    const SingularPassage::Path path = passage_->find(state_, acceleration_.tail(layout_.joints));
    if (path == SingularPassage::Path::ambiguous)
      return fail(Failure::Cause::branch_ambiguous, 0, &passage_->weakest_loop());
    if (path == SingularPassage::Path::found) {
      if (flow_) set_mass_properties(passage_->tree(), model(), flow_->bodies());
      status = passage_->accelerate(loads_, acceleration_, forces_);
    }
  }
  if (status != DynamicsStatus::ok) {
    return fail(Failure::Cause::inertia_not_positive_definite);
  }
  if (!acceleration_.allFinite()) {
    return fail(Failure::Cause::acceleration_not_finite, first_not_finite(acceleration_));
  }
  return true;
}

bool EquationsOfMotion::solve_dynamics() {
  if (motions_) motions_->clear();
  if (!solve_tree() || !hold_motions() || !hold_contacts()) return false;
  // what is given and what is computed for prescribed coordinates, together
  power_of_motion_ = 0.0;
  for (const int row : mobility_.prescribed()) {
    power_of_motion_ += forces_(row) * velocity(row);
    forces_(row) += row < 6 ? loads_.F_b(row) : loads_.tau(row - 6);
  }
  return true;
}

bool EquationsOfMotion::fail(Failure::Cause cause, int index, const Loop* loop) {
  if (!failure_) failure_ = {cause, index, loop};
  return false;
}

void EquationsOfMotion::write_rate(const VectorX& x, VectorX& rate) {
  rate.segment<3>(StateLayout::r_0) = state_.v_0;
  rate.segment<3>(StateLayout::theta) = apply_dexp_inverse_so3(theta_, state_.omega_0);
  joint_position_rate(model(), x.segment(StateLayout::q, layout_.joints), state_.qd,
                      rate.segment(StateLayout::q, layout_.joints));
  rate.segment<6>(layout_.v_0()) = acceleration_.head<6>();
  rate.segment(layout_.qd(), layout_.joints) = acceleration_.tail(layout_.joints);
  EvaluationContext completed = now();
  completed.acceleration = &acceleration_;
  elements_.complete(completed, discrete_, element_workspace_,
                     rate.segment(layout_.z(), layout_.auxiliaries));
  if (rigid_) fill_contact_powers();
  if (motions_) motions_->add_powers(element_workspace_.powers);
  write_integral_rates(received(), element_workspace_.powers, power_of_motion_, others_,
                       rate.segment(layout_.integrals(), layout_.audit_count()));
  if (layout_.element_integrals > 0)
    elements_.integrands(now(), rate.tail(layout_.element_integrals));
  if (rigid_) write_contact_integrands(rate.tail(layout_.element_integrals));

  if (flow_) add_outflow(rate);

  // prescribed coordinates are set from their references, not integrated
  if (!mobility_.base_free()) {
    rate.segment<6>(StateLayout::r_0).setZero();
    rate.segment<6>(layout_.v_0()).setZero();
  }
  for (const PrescribedJoint& prescribed : setup_.prescribed_joints) {
    rate(StateLayout::q + prescribed.joint - 1) = 0.0;
    rate(layout_.qd() + prescribed.joint - 1) = 0.0;
  }
  for (int i = 0; i < layout_.joints; ++i) {
    if (!discrete_.locked[static_cast<std::size_t>(i)]) continue;
    rate(StateLayout::q + i) = 0.0;
    rate(layout_.qd() + i) = 0.0;
  }
}

Received EquationsOfMotion::received() const {
  Received sum = received_by_coordinates(loads_, forces_, model().total_mass());
  if (body_loads_ != 0.0 || forces_.head<3>() != Vector3::Zero()) {
    add_received_by_links(model(), frames(), loads_, forces_, sum);
  }
  return sum;
}

const LoopMotion& EquationsOfMotion::loop_motion() const {
  if (loop_motion_is_current_) return *loop_motion_;
  loop_motion_->take(state_);
  export_motion(loop_motion_->state, workspace_, loop_motion_->frames, loop_motion_->velocities);
  loop_motion_is_current_ = true;
  return *loop_motion_;
}

const VectorX& EquationsOfMotion::multipliers() {
  if (loops_ && update_loops()) {
    multipliers_ = loops_->multipliers;
    loops_->solver.shorten(multipliers_);
  } else {
    multipliers_.resize(0);
  }
  if (!motions_) return multipliers_;
  const Eigen::Index rows = multipliers_.size(), added = motions_->forces().size();
  multipliers_.conservativeResize(rows + added);
  multipliers_.tail(added) = motions_->forces();
  return multipliers_;
}

EvaluationContext EquationsOfMotion::context() const {
  export_links();
  return now();
}

Momentum EquationsOfMotion::momentum() const {
  return system_sums(model(), state_, workspace_).momentum;
}

Energy EquationsOfMotion::energy() const { return audit_point().energy; }

AuditPoint EquationsOfMotion::audit_point() const {
  const SystemSums sums = system_sums(model(), state_, workspace_);
  const SystemElements::StoredEnergy stored =
      elements_.stored_energy(elements_use_links_ ? context() : now(), discrete_);
  const double uniform = -model().total_mass() * setup_.gravity.dot(sums.r_g);
  const Energy energy{sums.kinetic_energy, uniform + stored.gravity, stored.elastic};
  const double slowest = setup_.integrator.absolute_tolerance.linear_velocity;
  const double mass = model().total_mass();
  const double weight_impulse = mass * setup_.gravity.norm() * now().time;
  return {sums.momentum, audit_scale(sums, mass * slowest + kRoundingOfSums * weight_impulse),
          energy, least_energy(energy, mass * slowest * slowest), sums.r_g};
}

AuditIntegrals EquationsOfMotion::integrals(const VectorX& x) const {
  return unpack_integrals(x.segment(layout_.integrals(), layout_.audit_count()));
}

void EquationsOfMotion::source_energies(const VectorX& x,
                                        std::vector<SourceEnergy>& energies) const {
  const auto integrals = x.tail(layout_.integral_count());
  energies.resize(sources_.size());
  for (int source = 0; source < layout_.sources; ++source) {
    energies[static_cast<std::size_t>(source)] = {integrals(StateLayout::work(source)),
                                                  integrals(StateLayout::dissipated(source)), 0.0};
  }
  const EvaluationContext here = context();
  for (std::size_t i = 0; i < elements_.slots().size(); ++i) {
    energies[i].stored = elements_.stored_energy(elements_.slots()[i], here, discrete_);
  }
}

}  // namespace spacedyn
