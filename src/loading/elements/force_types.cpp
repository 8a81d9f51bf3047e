#include "loading/elements/force_types.hpp"

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
  std::string schemas;
  for (const ForceType* type : force_types()) {
    MappingSchema schema = type->schema();
    schema.require("type", constant_schema(type->name)).allow("name", text_schema());
    schemas += (schemas.empty() ? "" : ",\n") + schema.text();
  }
  return schemas;
}

}  // namespace spacedyn::loading
