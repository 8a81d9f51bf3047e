/// @file
/// A scenario from its document, in a session whose findings the caller may look at.
#pragma once

#include <vector>

#include "loading/keys/session.hpp"
#include "spacedyn/loading/yaml.hpp"

namespace spacedyn::loading {

/// Reads a document and the model it names. @throws ParseError, OverrideError
Scenario read_scenario(Session& session, Document document, const std::vector<Override>& overrides);

}  // namespace spacedyn::loading
