#include "system/motion_forces.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "constraints/complementarity.hpp"
#include "spacedyn/constraints/loop_equations.hpp"
#include "spacedyn/forces/load_derivatives.hpp"
#include "state/state_changes.hpp"

namespace spacedyn {

MotionForces::MotionForces(const SystemElements& elements)
    : size_(model_size(*elements.system().model)) {
  Eigen::Index rows = 0;
  for (std::size_t slot = 0; slot < elements.slots().size(); ++slot) {
    const MotionConstraint* element = elements.slots()[slot].declared.motion;
    if (element == nullptr) continue;
    places_.push_back({element, elements.slots()[slot], slot, rows, element->bodies()});
    rows += element->row_count();
  }
  const Eigen::Index size = elements.system().model->velocity_size();
  K_T_ = responses_ = MatrixX::Zero(size, rows);
  inverse_ = MatrixX::Zero(rows, rows);
  free_ = VectorX::Zero(size);
  own_ = rates_ = gaps_ = right_ = forces_ = VectorX::Zero(rows);
}

bool MotionForces::any_holds(const DiscreteState& discrete) const {
  return std::any_of(places_.begin(), places_.end(), [&](const Place& place) {
    return SystemElements::is_on(place.slot, discrete);
  });
}

bool MotionForces::any_on_ground(const DiscreteState& discrete) const {
  return std::any_of(places_.begin(), places_.end(), [&](const Place& place) {
    return place.element->is_on_ground() && SystemElements::is_on(place.slot, discrete);
  });
}

void MotionForces::update(const EvaluationContext& context, const DiscreteState& discrete,
                          const Response& respond) {
  K_T_.setZero();
  responses_.setZero();
  own_.setZero();
  rates_.setZero();
  gaps_.setZero();
  for (Place& place : places_) {
    place.holds = SystemElements::is_on(place.slot, discrete);
    if (!place.holds) continue;
    const MotionConstraint& element = *place.element;
    element.rows(context, place.rows);
    for (int i = 0; i < element.row_count(); ++i) {
      const MotionRow& row = place.rows.rows[static_cast<std::size_t>(i)];
      const Eigen::Index k = place.first + i;
      rates_(k) = row.rate;
      gaps_(k) = row.gap.value_or(0.0);
      fill_row(context, place, place.rows, i, K_T_.col(k));
      respond(K_T_.col(k), free_, responses_.col(k));
      own_(k) = K_T_.col(k).dot(free_);
    }
  }
  const MatrixX G = K_T_.transpose() * responses_;
  inverse_ = inverse_of_delassus(G, own_);
  // G⁺ G is a projector
  rank_ = static_cast<int>(std::lround((inverse_ * G).trace()));
}

void MotionForces::fill_row(const EvaluationContext& context, const Place& place,
                            const MotionRows& rows, int row, VectorRef column) {
  const MotionRow& own = rows.rows[static_cast<std::size_t>(row)];
  column.setZero();
  for (std::size_t p = 0; p < place.bodies.size(); ++p) {
    const Vector3& at = rows.points[p];
    const Vector3& centroid = context.frames.r[static_cast<std::size_t>(place.bodies[p])];
    add_generalized_force(context.model, context.frames, place.bodies[p], own.directions[p],
                          (at - centroid).cross(own.directions[p]), column);
  }
  // forces that cancel move the system nowhere, to the last bit
  if (!place.element->is_on_ground()) column.head<6>().setZero();
}

void MotionForces::see(const EvaluationContext& there, const EvaluationContext& here,
                       const VectorX& acceleration, VectorRef seen) const {
  const Eigen::Index rows = rates_.size(), size = acceleration.size();
  seen.setZero();
  VectorX column(size);
  for (const Place& place : places_) {
    if (!place.holds) continue;
    MotionRows moved;
    place.element->rows(there, moved);
    for (int i = 0; i < place.element->row_count(); ++i) {
      const MotionRow& row = moved.rows[static_cast<std::size_t>(i)];
      const Eigen::Index k = place.first + i;
      fill_row(there, place, moved, i, column);
      seen(k) = column.dot(acceleration) + row.bias;
      seen(rows + k) = row.rate;
      // the centroids move with the bodies, which is a part of the dynamics
      for (std::size_t p = 0; p < place.bodies.size(); ++p) {
        const int body = place.bodies[p];
        const Vector3 arm = moved.points[p] - there.frames.r[static_cast<std::size_t>(body)];
        const Vector3 force = forces_(k) * row.directions[p];
        add_generalized_force(here.model, here.frames, body, force, arm.cross(force),
                              seen.tail(size));
      }
    }
  }
}

MotionDerivatives MotionForces::differentiate(const EvaluationContext& context,
                                              const VectorX& acceleration) const {
  // central differences of order 6: truncation and rounding are both about 1e-13
  constexpr double kStep = 0.01;
  constexpr std::array<double, 3> kWeights{0.75, -0.15, 1.0 / 60.0};
  const Model& model = context.model;
  const Eigen::Index rows = rates_.size(), size = acceleration.size();
  LinkFrames frames(model);
  LinkVelocities velocities(model);
  VectorX seen(2 * rows + size);
  const auto at = [&](const State& state) -> const VectorX& {
    compute_link_frames(model, state, frames);
    compute_link_velocities(model, state, frames, velocities);
    see({context.time, model, state, frames, velocities, context.auxiliary, context.q_step_start,
         context.acceleration, context.mobility, context.events},
        context, acceleration, seen);
    return seen;
  };
  MatrixX by_configuration = MatrixX::Zero(2 * rows + size, size);
  MotionDerivatives result;
  result.residual_velocity.resize(rows, size);
  for (int j = 0; j < size; ++j) {
    for (std::size_t i = 0; i < kWeights.size(); ++i) {
      const double step = kStep * static_cast<double>(i + 1), weight = kWeights[i] / kStep;
      State ahead = context.state, behind = context.state;
      perturb_configuration(model, ahead, j, step);
      perturb_configuration(model, behind, j, -step);
      by_configuration.col(j) += weight * at(ahead);
      by_configuration.col(j) -= weight * at(behind);
    }
    // the bias is quadratic in velocities, of which a difference is exact
    State faster = context.state, slower = context.state;
    perturb_velocity(faster, j, 1.0);
    perturb_velocity(slower, j, -1.0);
    result.residual_velocity.col(j) = 0.5 * at(faster).head(rows);
    result.residual_velocity.col(j) -= 0.5 * at(slower).head(rows);
  }
  result.residual_configuration = by_configuration.topRows(rows);
  result.rate_configuration = by_configuration.middleRows(rows, rows);
  result.force_configuration = by_configuration.bottomRows(size);
  return result;
}

void MotionForces::close(const MatrixX& residuals, Eigen::Ref<MatrixX> accelerations) const {
  accelerations -= responses_ * (inverse_ * (K_T_.transpose() * accelerations + residuals));
}

void MotionForces::restrain(VectorRef change) const {
  change -= responses_ * (inverse_ * (K_T_.transpose() * change));
}

void MotionForces::respond(const VectorX& lambda, VectorRef change) const {
  change.noalias() = responses_ * lambda;
}

int MotionForces::holding_rows() const {
  int rows = 0;
  for (const Place& place : places_) rows += place.holds ? place.element->row_count() : 0;
  return rows;
}

std::vector<int> MotionForces::rows_of_positions() const {
  std::vector<int> rows;
  for (const Place& place : places_) {
    for (int i = 0; place.holds && i < place.element->row_count(); ++i) {
      const bool has_gap = place.rows.rows[static_cast<std::size_t>(i)].gap.has_value();
      if (has_gap) rows.push_back(static_cast<int>(place.first) + i);
    }
  }
  return rows;
}

double MotionForces::reach() const {
  double reach = size_;
  for (const Place& place : places_) {
    for (std::size_t p = 0; place.holds && p < place.bodies.size(); ++p) {
      reach = std::max(reach, place.rows.points[p].norm());
    }
  }
  return reach;
}

VectorX MotionForces::part_of(const MotionConstraint& constraint, const VectorX& values) const {
  const auto place = std::find_if(places_.begin(), places_.end(),
                                  [&](const Place& each) { return each.element == &constraint; });
  return values.segment(place->first, constraint.row_count());
}

const MotionConstraint& MotionForces::owner(Eigen::Index row) const {
  const auto after =
      std::upper_bound(places_.begin(), places_.end(), row,
                       [](Eigen::Index value, const Place& place) { return value < place.first; });
  return *std::prev(after)->element;
}

void MotionForces::hold(const EvaluationContext& context, const BaumgarteGains& gains,
                        ConstVectorRef acceleration, Loads& loads) {
  right_.noalias() = -(K_T_.transpose() * acceleration);
  right_ -= 2.0 * gains.alpha * rates_ + gains.beta * gains.beta * gaps_;
  for (const Place& place : places_) {
    for (int i = 0; place.holds && i < place.element->row_count(); ++i) {
      right_(place.first + i) -= place.rows.rows[static_cast<std::size_t>(i)].bias;
    }
  }
  const VectorX added = inverse_ * right_;
  forces_ += added;
  for (const Place& place : places_) {
    if (!place.holds) continue;
    for (std::size_t p = 0; p < place.bodies.size(); ++p) {
      const int body = place.bodies[p];
      Vector3 force = Vector3::Zero();
      for (int i = 0; i < place.element->row_count(); ++i) {
        const MotionRow& row = place.rows.rows[static_cast<std::size_t>(i)];
        force += added(place.first + i) * row.directions[p];
      }
      const Vector3& centroid = context.frames.r[static_cast<std::size_t>(body)];
      loads.add_wrench(body, centroid, place.rows.points[p], force, Vector3::Zero());
    }
  }
}

void MotionForces::add_powers(std::vector<ElementPower>& powers) const {
  for (const Place& place : places_) {
    for (int i = 0; place.holds && i < place.element->row_count(); ++i) {
      powers[place.position].loads +=
          forces_(place.first + i) * place.rows.rows[static_cast<std::size_t>(i)].imposed;
    }
  }
}

}  // namespace spacedyn
