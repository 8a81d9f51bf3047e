#include "spacedyn/forces/element.hpp"

#include "spacedyn/forces/acceleration_field.hpp"

namespace spacedyn {

Element::~Element() = default;

AccelerationField::~AccelerationField() = default;

void Element::check(const Model&) const {}

void Element::auxiliary_rate(const EvaluationContext&, VectorRef zd) const { zd.setZero(); }

void Element::append_discontinuities(std::vector<double>&) const {}

void Element::append_events(std::vector<ElementEvent>&) const {}

bool ForceElement::wrench_between(const EvaluationContext&, Vector6&) const { return false; }

void ForceElement::integrands(const EvaluationContext&, VectorRef) const {}

bool ForceElement::differentiate(const EvaluationContext&, LoadDerivatives&) const { return false; }

}  // namespace spacedyn
