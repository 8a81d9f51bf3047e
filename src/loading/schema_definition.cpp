#include "loading/schema_definition.hpp"

#include <vector>

#include "loading/schema_text.hpp"

namespace spacedyn::loading {

// each beside its reader
extern const SchemaDefinition kNoteDefinition;
extern const SchemaDefinition kNameDefinition;
extern const SchemaDefinition kMatrixDefinition;
extern const SchemaDefinition kInertiaDefinition;
extern const SchemaDefinition kPoseDefinition;
extern const SchemaDefinition kCollisionDefinition;
extern const SchemaDefinition kVisualDefinition;
extern const SchemaDefinition kBaseDefinition;
extern const SchemaDefinition kLinkDefinition;
extern const SchemaDefinition kTurningDefinition;
extern const SchemaDefinition kSlidingDefinition;
extern const SchemaDefinition kRotationDefinition;
extern const SchemaDefinition kJointDefinition;
extern const SchemaDefinition kRotorTransmissionDefinition;
extern const SchemaDefinition kWheelFrictionDefinition;
extern const SchemaDefinition kWheelDriveDefinition;
extern const SchemaDefinition kTankShapeDefinition;
extern const SchemaDefinition kFrameDefinition;
extern const SchemaDefinition kThrusterDriveDefinition;
extern const SchemaDefinition kFlexibleLinkDefinition;
extern const SchemaDefinition kModalAppendageDefinition;
extern const SchemaDefinition kCouplingDefinition;
extern const SchemaDefinition kTransmissionDefinition;
extern const SchemaDefinition kAxisOfLoopDefinition;
extern const SchemaDefinition kLoopDefinition;
extern const SchemaDefinition kReactionWheelDefinition;
extern const SchemaDefinition kGyroDefinition;
extern const SchemaDefinition kSloshDefinition;
extern const SchemaDefinition kTankDefinition;
extern const SchemaDefinition kThrusterDefinition;
extern const SchemaDefinition kIncludeDefinition;
extern const SchemaDefinition kModelDefinition;
extern const SchemaDefinition kSoilDefinition;

namespace {

std::string members_of(const std::vector<const SchemaDefinition*>& definitions) {
  std::string members;
  for (const SchemaDefinition* definition : definitions) {
    members +=
        (members.empty() ? "" : ",\n") + member_schema(definition->name, definition->schema());
  }
  return members;
}

}  // namespace

std::string model_definitions() {
  return members_of({&kNoteDefinition,           &kNameDefinition,
                     &kMatrixDefinition,         &kInertiaDefinition,
                     &kPoseDefinition,           &kCollisionDefinition,
                     &kVisualDefinition,         &kBaseDefinition,
                     &kLinkDefinition,           &kTurningDefinition,
                     &kSlidingDefinition,        &kRotationDefinition,
                     &kJointDefinition,          &kRotorTransmissionDefinition,
                     &kWheelFrictionDefinition,  &kWheelDriveDefinition,
                     &kTankShapeDefinition,      &kFrameDefinition,
                     &kThrusterDriveDefinition,  &kFlexibleLinkDefinition,
                     &kModalAppendageDefinition, &kCouplingDefinition,
                     &kTransmissionDefinition,   &kAxisOfLoopDefinition,
                     &kLoopDefinition,           &kReactionWheelDefinition,
                     &kGyroDefinition,           &kSloshDefinition,
                     &kTankDefinition,           &kThrusterDefinition,
                     &kIncludeDefinition,        &kModelDefinition});
}

std::string scenario_definitions() { return members_of({&kSoilDefinition}); }

}  // namespace spacedyn::loading
