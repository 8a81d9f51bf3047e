#include "loading/elements/force_types.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "loading/scenario/shared_keys.hpp"

namespace spacedyn::loading {

// each beside its reader
extern const ForceType kWrenchType, kJointTorqueType, kJointStopType, kBrakeType, kBushingType,
    kSpringDamperType, kTetherType, kWheelType, kTyreType, kThrusterType, kMagneticTorquerType;

const std::vector<const ForceType*>& force_types() {
  static const std::vector<const ForceType*> kTypes = {
      &kWrenchType,  &kJointTorqueType,  &kJointStopType,      &kBrakeType,
      &kBushingType, &kSpringDamperType, &kTetherType,         &kWheelType,
      &kTyreType,    &kThrusterType,     &kMagneticTorquerType};
  return kTypes;
}

std::string force_schemas() {
  std::vector<std::string> schemas;
  for (const ForceType* type : force_types()) {
    for (const auto& table : type->tables) schemas.push_back(element_schema(type->name, table()));
  }
  return fmt::format("{}", fmt::join(schemas, ",\n"));
}

}  // namespace spacedyn::loading
