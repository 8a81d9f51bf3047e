#include "spacedyn/control/allocation.hpp"

#include <algorithm>

#include "control/mounting.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/forces/declarations.hpp"

namespace spacedyn {

Allocation::Allocation(std::string kind, int body, const Matrix3& axes)
    : kind_(std::move(kind)), body_(body), axes_(axes) {}

Allocation::Allocation(std::string kind, const Model& model, const std::vector<int>& joints)
    : Allocation(std::move(kind), model.topology().connection(joints.front()),
                 axes_of_carrier(model, joints.front())) {}

Allocation::~Allocation() = default;

void Allocation::check(const std::string& owner, const Model& model) const {
  if (body_ >= 0 && body_ < model.body_count()) return;
  throw DomainError(owner + "the model has no body " + std::to_string(body_));
}

std::vector<int> Allocation::axes_without_torque(const EvaluationContext& context) const {
  return idle_axes(context.model);
}

std::vector<int> Allocation::axes_without_force(const EvaluationContext&) const {
  return {0, 1, 2};
}

void Allocation::append_outputs(const std::string&, std::vector<ActuatorOutput>&) const {}

void check_on_one_body(const std::string& owner, const Model& model,
                       const std::vector<int>& joints) {
  for (const int joint : joints) {
    if (std::count(joints.begin(), joints.end(), joint) > 1) {
      throw DomainError(owner + '\'' + model.joint(joint).name + "' is named twice");
    }
    if (model.topology().connection(joint) != model.topology().connection(joints.front())) {
      throw DomainError(owner + '\'' + model.joint(joint).name + "' and '" +
                        model.joint(joints.front()).name + "' are on different bodies");
    }
  }
}

}  // namespace spacedyn
