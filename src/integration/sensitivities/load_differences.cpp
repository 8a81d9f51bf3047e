#include "integration/sensitivities/load_differences.hpp"

#include <algorithm>

#include "control/load_differentiator.hpp"
#include "integration/sensitivities/tangent_equation.hpp"
#include "spacedyn/forces/load_derivatives.hpp"

namespace spacedyn {
namespace {

/// Whether the same coordinates put the links of two models where they have the same places.
bool move_alike(const Model& one, const Model& other) {
  if (one.topology().connection() != other.topology().connection()) return false;
  for (int i = 0; i < one.body_count(); ++i) {
    if (one.body(i).center_of_mass != other.body(i).center_of_mass) return false;
    if (i == 0) continue;
    const Joint &a = one.joint(i), &b = other.joint(i);
    if (a.type != b.type || a.spherical != b.spherical || a.turn != b.turn || a.slide != b.slide ||
        a.origin != b.origin || a.rotation != b.rotation) {
      return false;
    }
  }
  // rows of loops are those of the flight
  return one.loops().empty() && other.loops().empty();
}

bool resists_alike(const Model& one, const Model& other, int i) {
  return one.body(i).mass == other.body(i).mass &&
         one.body(i).inertia_L == other.body(i).inertia_L &&
         (i == 0 || one.joint(i).armature == other.joint(i).armature);
}

/// Whether an element of a system is one that its users have made, not one that follows from its
/// model.
bool is_given(const SimulationSetup& setup, const SystemElements::Slot& slot) {
  if (slot.controller != nullptr) return true;
  return std::any_of(setup.forces.begin(), setup.forces.end(),
                     [&](const auto& force) { return force.get() == slot.force; });
}

bool has_wheels(const Model& model) {
  for (int i = 1; i <= model.joint_count(); ++i) {
    if (model.wheel(i) != nullptr) return true;
  }
  return false;
}

/// What differs of one side. @returns false if that is not known
bool compare(const EquationsOfMotion& flight, const EquationsOfMotion& side, NumberScope& scope) {
  const SimulationSetup &a = flight.setup(), &b = side.setup();
  if (flight.flow() != nullptr || side.flow() != nullptr) return false;
  if (a.base_mode != b.base_mode || a.gravity != b.gravity) return false;
  if (flight.has_prescribed_motion() || side.has_prescribed_motion()) return false;
  const bool has_model = a.model == b.model;
  if (!has_model && !move_alike(*a.model, *b.model)) return false;
  for (int i = 0; !has_model && i < a.model->body_count(); ++i) {
    if (!resists_alike(*a.model, *b.model, i)) scope.bodies.push_back(i);
  }
  const auto &ours = flight.elements().slots(), &theirs = side.elements().slots();
  if (ours.size() != theirs.size()) return false;
  for (std::size_t i = 0; i < ours.size(); ++i) {
    if (ours[i].slice.offset != theirs[i].slice.offset) return false;
    const bool is_same =
        is_given(a, ours[i]) ? &ours[i].element() == &theirs[i].element() : has_model;
    if (!is_same) scope.own[i] = true;
  }
  return true;
}

bool is_in_rigid_connection(const EquationsOfMotion& equations) {
  const auto& connections = equations.setup().connections;
  for (std::size_t i = 0; i < connections.size(); ++i) {
    if (connections[i].is_rigid() && equations.discrete().connections[i].active) return true;
  }
  return false;
}

}  // namespace

NumberScope scope_of(const EquationsOfMotion& flight, const EquationsOfMotion& above,
                     const EquationsOfMotion& below) {
  NumberScope scope;
  scope.own.assign(flight.elements().slots().size(), false);
  scope.uses_links =
      spacedyn::uses_links(above.elements()) || spacedyn::uses_links(below.elements());
  scope.is_of_loads = compare(flight, above, scope) && compare(flight, below, scope);
  std::sort(scope.bodies.begin(), scope.bodies.end());
  scope.bodies.erase(std::unique(scope.bodies.begin(), scope.bodies.end()), scope.bodies.end());
  // wheels limit what all others do
  if (has_wheels(*flight.setup().model)) scope.own.assign(scope.own.size(), true);
  return scope;
}

LoadDifferences::LoadDifferences(EquationsOfMotion& flight, Eigen::Index columns)
    : flight_(flight),
      entries_(static_cast<std::size_t>(columns)),
      forces_(MatrixX::Zero(flight.model().velocity_size(), columns)),
      changes_(forces_),
      above_(flight.model()),
      below_(flight.model()),
      changed_(VectorX::Zero(flight.model().velocity_size())),
      rate_(VectorX::Zero(flight.layout().auxiliaries)),
      rates_(rate_),
      links_(flight.model()) {
  above_.gravity = below_.gravity = flight.setup().gravity;
}

bool LoadDifferences::add(TangentColumn& column, Eigen::Index index, double moved) {
  if (!column.scope.is_of_loads || !flight_.has_jacobian() || is_in_rigid_connection(flight_)) {
    return false;
  }
  if (count_ == 0) has_links_ = false;
  const Entry entry{&column, index, moved};
  auto force = forces_.col(static_cast<Eigen::Index>(count_));
  force.setZero();
  add_loads(entry, force);
  if (!column.scope.bodies.empty()) add_inertias(column, force);
  if (!force.allFinite()) refuse_course(column.name, flight_.time(), "a side cannot be evaluated");
  entries_[count_++] = entry;
  return true;
}

bool LoadDifferences::differs(Eigen::Index index) const {
  for (std::size_t k = 0; k < count_; ++k) {
    if (entries_[k].index == index) return !forces_.col(static_cast<Eigen::Index>(k)).isZero(0.0);
  }
  return false;
}

template <typename Visit>
void LoadDifferences::visit(const Entry& entry, double sign, const VectorX* acceleration,
                            const Visit& visit) {
  const TangentColumn& column = *entry.column;
  EquationsOfMotion& side = (sign > 0.0 ? column.above : column.below)->parts().equations;
  const DiscreteState &one = column.above->parts().equations.discrete(),
                      &other = column.below->parts().equations.discrete();
  const EvaluationContext flown =
      column.scope.uses_links ? flight_.context() : flight_.context_of_elements();
  const EvaluationContext context{
      entry.moved == 0.0 ? flown.time : side.inside(flown.time + sign * entry.moved),
      side.model(),
      flown.state,
      flown.frames,
      flown.velocities,
      flown.state.z,
      &side.discrete().q_step_start,
      acceleration,
      &side.mobility(),
      &side.discrete().events};
  const auto& slots = side.elements().slots();
  for (std::size_t i = 0; i < slots.size(); ++i) {
    const SystemElements::Slot& slot = slots[i];
    const std::size_t law = slot.controller_index;
    const bool is_shared =
        slot.controller == nullptr
            ? column.shares_events
            : column.shares_memory && one.controllers[law].law == other.controllers[law].law;
    const bool is_same = !column.scope.own[i] && is_shared && entry.moved == 0.0;
    // ż of a controller may follow accelerations
    if (is_same && !(acceleration != nullptr && slot.slice.size > 0)) continue;
    visit(side, slot, context);
  }
}

void LoadDifferences::add_loads(const Entry& entry, Eigen::Ref<VectorX> force) {
  for (const double sign : {1.0, -1.0}) {
    Loads& loads = sign > 0.0 ? above_ : below_;
    loads.clear();
    visit(entry, sign, nullptr,
          [&](EquationsOfMotion& side, const SystemElements::Slot& slot,
              const EvaluationContext& context) {
            side.elements().apply(slot, context, side.discrete(), side.element_memory(), loads);
          });
  }
  const double part = 0.5 / entry.column->step;
  if (above_.force != below_.force || above_.moment != below_.moment) {
    return add_generalized_change(flight_.context(), below_, above_, part, force);
  }
  force.head<6>() = part * (above_.F_b - below_.F_b);
  force.tail(above_.tau.size()) = part * (above_.tau - below_.tau);
}

void LoadDifferences::add_inertias(const TangentColumn& column, Eigen::Ref<VectorX> force) {
  const EvaluationContext at = flight_.context();
  if (!has_links_) {
    compute_link_accelerations(at.model, at.state, at.frames, at.velocities, *acceleration_,
                               links_);
    has_links_ = true;
  }
  const Model &above = column.above->parts().equations.model(),
              &below = column.below->parts().equations.model();
  const double part = 0.5 / column.step;
  for (const int body : column.scope.bodies) {
    const auto i = static_cast<std::size_t>(body);
    const double mass = part * (above.body(body).mass - below.body(body).mass);
    const Matrix3 I = part * (above.body(body).inertia_L - below.body(body).inertia_L);
    const Matrix3& A = at.frames.A[i];
    const Vector3 omega = A.transpose() * at.velocities.omega[i];
    const Vector3 moment = I * (A.transpose() * links_.omegad[i]) + omega.cross(I * omega);
    add_generalized_force(at.model, at.frames, body,
                          -mass * (links_.vd[i] - flight_.setup().gravity), -(A * moment), force);
    if (body == 0) continue;
    const double armature = part * (above.joint(body).armature - below.joint(body).armature);
    force(body + 5) -= armature * (*acceleration_)(body + 5);
  }
}

void LoadDifferences::add_to(Eigen::Ref<MatrixX> rates, const MatrixX& response) {
  if (count_ == 0) return;
  const StateLayout& layout = flight_.layout();
  const auto count = static_cast<Eigen::Index>(count_);
  changes_.leftCols(count).noalias() = response * forces_.leftCols(count);
  for (Eigen::Index k = 0; k < count; ++k) {
    const Entry& entry = entries_[static_cast<std::size_t>(k)];
    auto rate = rates.col(entry.index);
    rate.segment(layout.v_0(), changes_.rows()) += changes_.col(k);
    if (layout.auxiliaries == 0) continue;
    add_auxiliary_rates(entry, changes_.col(k), rate.segment(layout.z(), layout.auxiliaries));
  }
}

void LoadDifferences::add_products(const MatrixX& covectors, const MatrixX& response,
                                   MatrixX& products) {
  if (count_ == 0) return;
  const StateLayout& layout = flight_.layout();
  momenta_.noalias() = response.transpose() * covectors.middleRows(layout.v_0(), response.rows());
  for (std::size_t k = 0; k < count_; ++k) {
    const Entry& entry = entries_[k];
    const auto column = static_cast<Eigen::Index>(k);
    auto product = products.col(entry.index);
    product.noalias() += momenta_.transpose() * forces_.col(column);
    if (layout.auxiliaries == 0) continue;
    rates_.setZero();
    changes_.col(column).noalias() = response * forces_.col(column);
    add_auxiliary_rates(entry, changes_.col(column), rates_);
    product.noalias() += covectors.middleRows(layout.z(), layout.auxiliaries).transpose() * rates_;
  }
}

void LoadDifferences::add_auxiliary_rates(const Entry& entry, ConstVectorRef change,
                                          VectorRef rate) {
  const double part = 0.5 / entry.column->step;
  for (const double sign : {1.0, -1.0}) {
    changed_ = *acceleration_ + sign * entry.column->step * change;
    visit(entry, sign, &changed_,
          [&](EquationsOfMotion& side, const SystemElements::Slot& slot,
              const EvaluationContext& context) {
            if (slot.slice.size == 0) return;
            side.elements().auxiliary_rate(slot, context, side.discrete(), side.element_memory(),
                                           rate_);
            rate.segment(slot.slice.offset, slot.slice.size) +=
                sign * part * rate_.segment(slot.slice.offset, slot.slice.size);
          });
  }
}

}  // namespace spacedyn
