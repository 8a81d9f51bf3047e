#include "spacedyn/control/external_controller.hpp"

#include "control/reference_checks.hpp"
#include "forces/element_checks.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/forces/declarations.hpp"

namespace spacedyn {

ExternalController::ExternalController(std::string name, Settings settings)
    : JointController(std::move(name)), settings_(std::move(settings)) {
  if (settings_.joints.empty()) throw DomainError(owner_prefix(*this) + "it drives no joint");
  check_drives();
  check_positive(owner_prefix(*this) + "sample_period", settings_.sample_period);
}

void ExternalController::declare(Declarations& declared) const {
  JointController::declare(declared);
  declared.awaits_commands = true;
}

void ExternalController::command(const EvaluationContext& context, VectorRef command) const {
  command = context.auxiliary.head(command.size());
  limit(context.model, command);
}

}  // namespace spacedyn
