#include "integration/equations/motion_forces.hpp"

#include <algorithm>
#include <cmath>

#include "constraints/complementarity.hpp"
#include "integration/equations/point_row.hpp"

namespace spacedyn {

MotionForces::MotionForces(const SystemElements& elements) {
  Eigen::Index rows = 0;
  for (std::size_t slot = 0; slot < elements.slots().size(); ++slot) {
    const MotionConstraint* element = elements.slots()[slot].declared.motion;
    if (element == nullptr) continue;
    places_.push_back({element, elements.slots()[slot], slot, rows});
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
    return place.element->against() < 0 && SystemElements::is_on(place.slot, discrete);
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
      point_row(context, {element.body(), element.against()}, place.rows.point, row.direction,
                K_T_.col(k));
      respond(K_T_.col(k), free_, responses_.col(k));
      own_(k) = K_T_.col(k).dot(free_);
    }
  }
  const MatrixX G = K_T_.transpose() * responses_;
  inverse_ = inverse_of_delassus(G, own_);
  // G⁺ G is a projector
  rank_ = static_cast<int>(std::lround((inverse_ * G).trace()));
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

double MotionForces::reach() const {
  double reach = 0.0;
  for (const Place& place : places_) {
    if (place.holds) reach = std::max(reach, place.rows.point.norm());
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
    Vector3 force = Vector3::Zero();
    for (int i = 0; i < place.element->row_count(); ++i) {
      force += added(place.first + i) * place.rows.rows[static_cast<std::size_t>(i)].direction;
    }
    const auto add = [&](int body, const Vector3& f) {
      const Vector3& centroid = context.frames.r[static_cast<std::size_t>(body)];
      loads.add_wrench(body, centroid, place.rows.point, f, Vector3::Zero());
    };
    add(place.element->body(), force);
    if (place.element->against() >= 0) add(place.element->against(), -force);
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
