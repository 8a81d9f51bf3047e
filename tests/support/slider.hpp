/// @file
/// A body that slides along z, whose motions have closed forms.
#pragma once

#include "spacedyn/integration/simulator.hpp"
#include "support/small_models.hpp"

namespace spacedyn::testing {

/// A robot of that name: a slider on a fixed base, with a spring and a damper if wished; nothing
/// else acts.
inline SimulationSetup slider_setup(const std::string& name, double mass, double stiffness = 0.0,
                                    double damping = 0.0) {
  BaseDescription base;
  base.name = "base";
  base.fixed = true;
  LinkDescription slider =
      link_body("slider", "base", mass, Vector3::Ones(), Vector3::Zero(), Vector3::Zero());
  slider.joint.type = JointType::prismatic;
  slider.joint.stiffness = stiffness;
  slider.joint.damping = damping;
  SimulationSetup setup;
  setup.model =
      std::make_shared<const Model>(ModelBuilder(name).set_base(base).add_link(slider).build());
  setup.base_mode = BaseMode::fixed;
  return setup;
}

}  // namespace spacedyn::testing
