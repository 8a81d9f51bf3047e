#include "system/propellant_flow.hpp"

#include <algorithm>

#include "math/squared_arm.hpp"
#include "spacedyn/forces/declarations.hpp"
#include "spacedyn/system/propellant.hpp"
#include "system/system_elements.hpp"

namespace spacedyn {

std::optional<double> propellant_used(const ForcedSystem& system, const State& state) {
  const SystemElements elements(system);
  std::optional<double> used;
  for (const SystemElements::Slot& slot : elements.slots()) {
    const auto count = static_cast<Eigen::Index>(slot.tanks.size());
    if (count > 0) used = used.value_or(0.0) + state.z.segment(slot.slice.offset, count).sum();
  }
  return used;
}

bool draws_from_tanks(const ForcedSystem& system) {
  const auto draws = [](const auto& element) {
    const std::vector<std::string> tanks = declarations_of(*element).tanks;
    return std::any_of(tanks.begin(), tanks.end(), [](const auto& tank) { return !tank.empty(); });
  };
  return std::any_of(system.forces.begin(), system.forces.end(), draws) ||
         std::any_of(system.controllers.begin(), system.controllers.end(), draws);
}

void WetModel::Moments::add(double more, const Vector3& position, const Matrix3& about_centroid) {
  mass += more;
  first += more * position;
  second += about_centroid + more * squared_arm(position);
}

WetModel::WetModel(const Model& full) : model_(full) {
  for (const Tank& tank : full.tanks()) {
    if (std::find(bodies_.begin(), bodies_.end(), tank.body) == bodies_.end()) {
      bodies_.push_back(tank.body);
    }
  }
  std::sort(bodies_.begin(), bodies_.end());
  for (const int body : bodies_) {
    const Body& whole = full.body(body);
    Moments dry;
    dry.add(whole.mass, whole.center_of_mass, whole.inertia_L);
    for (const Tank& tank : full.tanks()) {
      if (tank.body != body) continue;
      dry.add(-tank.propellant, tank.position,
              -tank.propellant * tank.specific_inertia() * Matrix3::Identity());
    }
    dry_.push_back(dry);
  }
}

void WetModel::fill(const VectorX& left) {
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    Moments now = dry_[i];
    for (std::size_t t = 0; t < model_.tanks_.size(); ++t) {
      const Tank& tank = model_.tanks_[t];
      const double mass = std::max(0.0, left(static_cast<Eigen::Index>(t)));
      if (tank.body != bodies_[i]) continue;
      now.add(mass, tank.position, mass * tank.specific_inertia() * Matrix3::Identity());
    }
    Body& body = model_.bodies_[static_cast<std::size_t>(bodies_[i])];
    body.mass = now.mass;
    if (now.mass > 0.0) body.center_of_mass = now.first / now.mass;
    body.inertia_L = now.second - now.mass * squared_arm(body.center_of_mass);
  }
  model_.total_mass_ = 0.0;
  for (const Body& body : model_.bodies_) model_.total_mass_ += body.mass;
}

PropellantFlow::PropellantFlow(const ForcedSystem& system, const SystemElements& elements)
    : wet_(*system.model),
      feeds_(system.model->tanks().size()),
      left_(VectorX::Zero(static_cast<Eigen::Index>(feeds_.size()))) {
  for (std::size_t tank = 0; tank < feeds_.size(); ++tank) {
    feeds_[tank] = feeds(elements, static_cast<int>(tank));
  }
}

void PropellantFlow::update(const VectorX& z) {
  for (std::size_t tank = 0; tank < feeds_.size(); ++tank) {
    left_(static_cast<Eigen::Index>(tank)) = left(tank, z);
  }
  wet_.fill(left_);
}

double PropellantFlow::left(std::size_t tank, ConstVectorRef z) const {
  double left = model().tanks()[tank].propellant;
  for (const int component : feeds_[tank]) left -= z(component);
  return left;
}

double PropellantFlow::outflow(std::size_t tank, ConstVectorRef zd) const {
  double rate = 0.0;
  for (const int component : feeds_[tank]) rate += zd(component);
  return rate;
}

}  // namespace spacedyn
