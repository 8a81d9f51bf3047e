#include "spacedyn/forces/element.hpp"

#include "spacedyn/forces/acceleration_field.hpp"
#include "spacedyn/forces/declarations.hpp"

namespace spacedyn {

AccelerationField::~AccelerationField() = default;

Vector3 frame_rate(const std::vector<const AccelerationField*>& fields, double time) {
  Vector3 rate = Vector3::Zero();
  for (const AccelerationField* field : fields) rate += field->frame_rate(time);
  return rate;
}

Matrix3 frame_attitude(const std::vector<const AccelerationField*>& fields, double time) {
  Matrix3 attitude = Matrix3::Identity();
  for (const AccelerationField* field : fields) attitude *= field->frame_attitude(time);
  return attitude;
}

Declarations declarations_of(const Element& element) {
  Declarations declared;
  element.declare(declared);
  return declared;
}

void Element::check(const Model&) const {}

void Element::declare(Declarations&) const {}

void Element::auxiliary_rate(const EvaluationContext&, VectorRef zd) const { zd.setZero(); }

void Element::append_events(std::vector<ElementEvent>&) const {}

bool ForceElement::wrench_between(const EvaluationContext&, Vector6&) const { return false; }

EnergyRates ForceElement::act(const EvaluationContext& context, Loads& loads,
                              VectorRef rate) const {
  apply(context, loads);
  if (rate.size() > 0) auxiliary_rate(context, rate);
  return energy_rates(context);
}

void ForceElement::integrands(const EvaluationContext&, VectorRef) const {}

bool ForceElement::differentiate(const EvaluationContext&, LoadDerivatives&) const { return false; }

}  // namespace spacedyn
