#include "integration/equations/energy_balance.hpp"

#include <cmath>

#include "dynamics/tree/tree_sums.hpp"
#include "system/sensor_sampling.hpp"

namespace spacedyn {

EnergySources::EnergySources(const SimulationSetup& setup, const SystemElements& elements) {
  for (const SystemElements::Slot& slot : elements.slots()) {
    const bool is_force = slot.force != nullptr;
    all.push_back({slot.element().name(),
                   is_force ? EnergySource::Kind::force : EnergySource::Kind::controller});
  }
  const auto add = [this](const char* name, EnergySource::Kind kind) {
    all.push_back({name, kind});
    return static_cast<int>(all.size()) - 1;
  };
  if (setup.base_mode == BaseMode::prescribed || !setup.prescribed_joints.empty()) {
    others.motion = add("prescribed_motion", EnergySource::Kind::motion);
  }
  if (draws_from_tanks(setup)) others.propellant = add("propellant", EnergySource::Kind::motion);
  if (!all_events(setup).empty()) others.events = add("events", EnergySource::Kind::events);
}

std::vector<EnergySource> energy_sources(const SimulationSetup& setup) {
  return EnergySources(setup, SystemElements(setup)).all;
}

EnergyBalance::EnergyBalance(const PlacedSystem& system, const RigidDynamics* rigid,
                             const MotionForces* motions)
    : system_(system),
      rigid_(rigid),
      motions_(motions),
      sources_(system.setup(), system.elements()),
      fields_(acceleration_fields(system.setup())) {}

void EnergyBalance::read(const VectorX& x, std::vector<SourceEnergy>& energies) const {
  const StateLayout& layout = system_.layout();
  const SystemElements& elements = system_.elements();
  const auto integrals = x.tail(layout.integral_count());
  energies.resize(sources_.all.size());
  for (int source = 0; source < layout.sources; ++source) {
    energies[static_cast<std::size_t>(source)] = {integrals(StateLayout::work(source)),
                                                  integrals(StateLayout::dissipated(source)), 0.0};
  }
  const EvaluationContext here = system_.context();
  for (std::size_t i = 0; i < elements.slots().size(); ++i) {
    energies[i].stored = elements.stored_energy(elements.slots()[i], here, system_.discrete());
  }
}

int EnergyBalance::busiest_source() const {
  double most = 0.0;
  int busiest = -1;
  const auto see = [&](int source, double power) {
    if (!(power > most)) return;
    most = power;
    busiest = source;
  };
  int source = 0;
  for (const ElementPower& power : system_.element_memory().powers) {
    see(source++, std::abs(power.loads) + std::abs(power.stored) + std::abs(power.dissipated));
  }
  if (sources_.others.motion >= 0) see(sources_.others.motion, std::abs(power_of_motion_));
  return busiest;
}

AuditIntegrals EnergyBalance::integrals(const VectorX& x) const {
  const StateLayout& layout = system_.layout();
  return unpack_integrals(x.segment(layout.integrals(), layout.audit_count()));
}

void EnergyBalance::add(const AuditIntegrals& change, VectorX& x) const {
  // without events, which would be to blame, only rigid contacts change velocities
  const int source = sources_.others.events >= 0 || rigid_ == nullptr
                         ? sources_.others.events
                         : static_cast<int>(rigid_->points().contacts().front().slot);
  add_integrals(change, source, x.tail(system_.layout().integral_count()));
}

void EnergyBalance::add_contact_loss(std::size_t contact, const ContactImpact& impact,
                                     VectorX& x) const {
  const RigidPoints::Contact& own = rigid_->points().contacts()[contact];
  AuditIntegrals lost;
  lost.dissipated = impact.energy_lost;
  add_integrals(lost, static_cast<int>(own.slot), x.tail(system_.layout().integral_count()));
  auto integrals = x.tail(system_.layout().element_integrals).segment<2>(own.first_integral);
  integrals(0) += impact.impulse;
  integrals(1) += impact.friction_work;
}

void EnergyBalance::add_wrenches(const std::vector<BodyWrench>& wrenches, VectorX& rate) const {
  if (wrenches.empty()) return;
  const LinkFrames& frames = system_.own_motion().frames;
  const Vector3 r_g = center_of_mass(system_.model(), frames);
  const int first = system_.layout().integrals();
  auto impulse = rate.segment<3>(first + StateLayout::impulse);
  auto angular = rate.segment<3>(first + StateLayout::angular_impulse);
  for (const BodyWrench& wrench : wrenches) {
    impulse += wrench.force;
    const Vector3 arm = frames.r[static_cast<std::size_t>(wrench.body)] - r_g;
    angular += wrench.moment + arm.cross(wrench.force);
  }
}

void EnergyBalance::write_rates(VectorX& rate) const {
  const StateLayout& layout = system_.layout();
  std::vector<ElementPower>& powers = system_.element_memory().powers;
  if (rigid_ != nullptr) {
    const auto& contacts = rigid_->points().contacts();
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      const double lost = -rigid_->friction_power(i);
      powers[contacts[i].slot] = {-lost, 0.0, lost};
    }
  }
  if (motions_ != nullptr) motions_->add_powers(powers);
  const Loads& loads = system_.loads();
  const VectorX& forces = system_.forces();
  Received received = received_by_coordinates(loads, forces, system_.model().total_mass());
  const bool constraints_act = rigid_ != nullptr || motions_ != nullptr;
  const bool wrenches_act =
      constraints_act ? size_of_wrenches(loads) != 0.0 : system_.wrenches_act();
  if (wrenches_act || forces.head<3>() != Vector3::Zero()) {
    add_received_by_links(system_.model(), system_.own_motion().frames, loads, forces, received);
  }
  write_integral_rates(received, powers, power_of_motion_, sources_.others,
                       rate.segment(layout.integrals(), layout.audit_count()));
  if (layout.element_integrals > 0) {
    system_.elements().integrands(system_.context_of_elements(),
                                  rate.tail(layout.element_integrals));
  }
  if (rigid_ != nullptr) write_contacts(rate.tail(layout.element_integrals));
  if (system_.flow() != nullptr) add_outflow(rate);
}

void EnergyBalance::write_contacts(VectorRef rates) const {
  const auto& contacts = rigid_->points().contacts();
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    rates(contacts[i].first_integral) = rigid_->normal_force(i);
    rates(contacts[i].first_integral + 1) = rigid_->friction_power(i);
  }
}

// How tanks empty.
//
// State::r_0 and v_0 are those of the base's centroid, which moves in the base as its tanks empty:
// with c from the origin of its frame, ṙ_0 = v_0 + A ċ, and as v_0 is the velocity of the material
// that is there now, its derivative is v̇_0 + ω × A ċ. Propellant leaves with the velocity of its
// tank; what it is given besides is the force of the thruster.

void EnergyBalance::add_outflow(VectorX& rate) const {
  const StateLayout& layout = system_.layout();
  const Model& model = system_.model();
  const State& state = system_.state();
  const LinkFrames& links = system_.frames();
  const auto zd = rate.segment(layout.z(), layout.auxiliaries);
  const SystemSums sums = system_sums(model, state, system_.tree());
  auto integrals = rate.segment(layout.integrals(), layout.audit_count());
  Vector3 shift = Vector3::Zero();  // A ċ
  double work = 0.0;
  for (std::size_t i = 0; i < model.tanks().size(); ++i) {
    const double out = system_.flow()->outflow(i, zd);
    if (out == 0.0) continue;
    const Tank& tank = model.tanks()[i];
    const Frame center{"", tank.body, tank.position, Matrix3::Identity()};
    const Vector3 r = frame_position(links, center);
    const Vector6 velocity = frame_velocity(links, system_.velocities(), center);
    const Vector3 v = velocity.head<3>(), omega = velocity.tail<3>();
    const double k = tank.specific_inertia();
    integrals.segment<3>(StateLayout::impulse) -= out * v;
    integrals.segment<3>(StateLayout::angular_impulse) -=
        out * ((r - sums.r_g).cross(v - sums.v_g) + k * omega);
    double energy =
        0.5 * (v.squaredNorm() + k * omega.squaredNorm()) - system_.setup().gravity.dot(r);
    for (const AccelerationField* field : fields_) {
      energy += field->potential(system_.context(), tank.body, r, k);
    }
    work -= out * energy;
    if (tank.body == 0) shift -= out / model.body(0).mass * (r - state.r_0);
  }
  rate.segment<3>(StateLayout::r_0) += shift;
  rate.segment<3>(layout.v_0()) += state.omega_0.cross(shift);
  integrals(StateLayout::work(sources_.others.propellant)) = work;
  integrals(StateLayout::dissipated(sources_.others.propellant)) = 0.0;
  integrals(StateLayout::throughput) += std::abs(work);
}

}  // namespace spacedyn
