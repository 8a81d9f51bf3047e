/// @file
/// Rows of recorded channels, and robots to record.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "spacedyn/forces/applied_loads.hpp"
#include "spacedyn/recording/channels.hpp"
#include "support/small_models.hpp"

namespace spacedyn::testing {

inline std::vector<std::string> names(const RowLayout& layout) {
  std::vector<std::string> names;
  for (const Column& column : layout.columns()) names.push_back(column.name);
  return names;
}

/// The row of a point without its time.
inline VectorX values(RowLayout& layout, const SimulationPoint& point) {
  VectorX row(static_cast<Eigen::Index>(layout.columns().size()));
  layout.fill(point, row);
  return row.tail(row.size() - 1);
}

inline SimulationSetup setup_of(const Model& model) {
  SimulationSetup setup;
  setup.model = std::make_shared<const Model>(model);
  return setup;
}

/// A wrench on the hand and a torque on the elbow.
inline SimulationSetup loaded_setup(const Model& model) {
  SimulationSetup setup = setup_of(model);
  VectorX wrench(6);
  wrench << 1.0, 2.0, 3.0, 0.1, 0.2, 0.3;
  setup.forces.push_back(std::make_shared<AppliedWrench>(
      "push", model.frames().front(), WrenchAxes::inertial, TimeTable::constant(wrench)));
  setup.forces.push_back(std::make_shared<AppliedJointTorque>(
      "hum", 1, TimeTable::constant(VectorX::Constant(1, 0.5))));
  return setup;
}

/// Base, two elastic joints and a free one between them.
inline Model elastic_model() {
  ModelDescription description;
  description.name = "elastic";
  description.base = testing::base_body(20.0, {4.0, 5.0, 6.0});
  std::string parent = "base";
  for (int i = 0; i < 3; ++i) {
    LinkDescription link =
        testing::link_body("link" + std::to_string(i), parent, 2.0 + i, {0.1, 0.6, 0.6},
                           Vector3(1.0, 0.0, 0.0), Vector3(0.5, 0.0, 0.0));
    link.joint.name = "joint" + std::to_string(i);
    if (i != 1) link.joint.stiffness = 40.0 + 100.0 * i;
    link.joint.rest_position = 0.2 * i;
    parent = link.name;
    description.links.push_back(link);
  }
  return ModelBuilder(description).build();
}

}  // namespace spacedyn::testing
