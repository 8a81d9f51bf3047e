#include "forces/element_checks.hpp"

#include "spacedyn/error.hpp"

namespace spacedyn {

std::string owner_prefix(const Element& element) { return "'" + element.name() + "': "; }

void check_joint(const Element& element, int joint, const Model& model) {
  if (joint >= 1 && joint <= model.joint_count()) return;
  throw DomainError("'" + element.name() + "' acts on joint " + std::to_string(joint) +
                    ", but model '" + model.name() + "' has joints 1 to " +
                    std::to_string(model.joint_count()));
}

void check_body(const Element& element, int body, const Model& model) {
  if (body >= 0 && body < model.body_count()) return;
  throw DomainError("'" + element.name() + "' acts on body " + std::to_string(body) +
                    ", but model '" + model.name() + "' has bodies 0 to " +
                    std::to_string(model.body_count() - 1));
}

}  // namespace spacedyn
