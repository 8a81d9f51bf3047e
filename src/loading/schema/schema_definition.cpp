#include "loading/schema/schema_definition.hpp"

#include <vector>

#include "loading/schema/schema_text.hpp"

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
extern const SchemaDefinition kLoopDefinition;
extern const SchemaDefinition kReactionWheelDefinition;
extern const SchemaDefinition kGyroDefinition;
extern const SchemaDefinition kSloshDefinition;
extern const SchemaDefinition kTankDefinition;
extern const SchemaDefinition kThrusterDefinition;
extern const SchemaDefinition kIncludeDefinition;
extern const SchemaDefinition kModelDefinition;
extern const SchemaDefinition kSoilDefinition;
extern const SchemaDefinition kTerrainDefinition;
extern const SchemaDefinition kPolyhedronDefinition;
extern const SchemaDefinition kMagneticFieldDefinition;
extern const SchemaDefinition kEnvironmentDefinition;
extern const SchemaDefinition kTideDefinition;
extern const SchemaDefinition kOrbitDefinition;
extern const SchemaDefinition kCentralBodyDefinition;
extern const SchemaDefinition kContactDefinition;
extern const SchemaDefinition kRigidNormalDefinition;
extern const SchemaDefinition kRigidFrictionDefinition;
extern const SchemaDefinition kSensorDefinition;
extern const SchemaDefinition kTakenSensorsDefinition;
extern const SchemaDefinition kSamplePeriodDefinition;
extern const SchemaDefinition kJointPdDefinition;
extern const SchemaDefinition kControllersDefinition;
extern const SchemaDefinition kAttitudeReferenceDefinition;
extern const SchemaDefinition kAttitudeControlDefinition;
extern const SchemaDefinition kDetumbleDefinition;
extern const SchemaDefinition kMomentumDumpingDefinition;
extern const SchemaDefinition kStationKeepingDefinition;
extern const SchemaDefinition kModulationDefinition;
extern const SchemaDefinition kVehicleDriveDefinition;
extern const SchemaDefinition kReferenceDefinition;
extern const SchemaDefinition kTimesDefinition;
extern const SchemaDefinition kEventActionsDefinition;
extern const SchemaDefinition kEventDefinition;
extern const SchemaDefinition kLimitsDefinition;
extern const SchemaDefinition kJointLimitDefinition;
extern const SchemaDefinition kPositionLimitsDefinition;
extern const SchemaDefinition kTurnDefinition;
extern const SchemaDefinition kMotionDefinition;
extern const SchemaDefinition kBaseModeDefinition;
extern const SchemaDefinition kPrescribedJointsDefinition;
extern const SchemaDefinition kFlightPositionDefinition;
extern const SchemaDefinition kFlightAttitudeDefinition;
extern const SchemaDefinition kJointStartDefinition;
extern const SchemaDefinition kInitialDefinition;
extern const SchemaDefinition kLockedJointsDefinition;
extern const SchemaDefinition kRobotsDefinition;
extern const SchemaDefinition kModelOrFileDefinition;
extern const SchemaDefinition kConnectionDefinition;
extern const SchemaDefinition kBushingStiffnessDefinition;
extern const SchemaDefinition kBushingDampingDefinition;
extern const SchemaDefinition kIntegratorDefinition;
extern const SchemaDefinition kOutputDefinition;
extern const SchemaDefinition kChecksDefinition;
extern const SchemaDefinition kScenarioDefinition;

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
                     &kTransmissionDefinition,   &kLoopDefinition,
                     &kReactionWheelDefinition,  &kGyroDefinition,
                     &kSloshDefinition,          &kTankDefinition,
                     &kThrusterDefinition,       &kIncludeDefinition,
                     &kModelDefinition});
}

std::string scenario_definitions() {
  return members_of({&kSoilDefinition,
                     &kTerrainDefinition,
                     &kPolyhedronDefinition,
                     &kMagneticFieldDefinition,
                     &kEnvironmentDefinition,
                     &kTideDefinition,
                     &kOrbitDefinition,
                     &kCentralBodyDefinition,
                     &kContactDefinition,
                     &kRigidNormalDefinition,
                     &kRigidFrictionDefinition,
                     &kSensorDefinition,
                     &kTakenSensorsDefinition,
                     &kSamplePeriodDefinition,
                     &kJointPdDefinition,
                     &kControllersDefinition,
                     &kAttitudeReferenceDefinition,
                     &kAttitudeControlDefinition,
                     &kDetumbleDefinition,
                     &kMomentumDumpingDefinition,
                     &kStationKeepingDefinition,
                     &kModulationDefinition,
                     &kVehicleDriveDefinition,
                     &kReferenceDefinition,
                     &kTimesDefinition,
                     &kEventActionsDefinition,
                     &kEventDefinition,
                     &kLimitsDefinition,
                     &kJointLimitDefinition,
                     &kPositionLimitsDefinition,
                     &kTurnDefinition,
                     &kMotionDefinition,
                     &kBaseModeDefinition,
                     &kPrescribedJointsDefinition,
                     &kFlightPositionDefinition,
                     &kFlightAttitudeDefinition,
                     &kJointStartDefinition,
                     &kInitialDefinition,
                     &kLockedJointsDefinition,
                     &kRobotsDefinition,
                     &kModelOrFileDefinition,
                     &kConnectionDefinition,
                     &kBushingStiffnessDefinition,
                     &kBushingDampingDefinition,
                     &kIntegratorDefinition,
                     &kOutputDefinition,
                     &kChecksDefinition,
                     &kScenarioDefinition});
}

}  // namespace spacedyn::loading
