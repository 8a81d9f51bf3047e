/// @file
/// The files that `spacedyn new` writes.
#pragma once

#include <string>

namespace spacedyn::cli {

/// A satellite with a two-joint arm, commented for those who write a first model.
std::string starter_model(const std::string& name);
/// The arm moves, the base reacts; reads `robot.yaml` beside it.
std::string starter_scenario(const std::string& name);

}  // namespace spacedyn::cli
