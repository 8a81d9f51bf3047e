#include "loading/scenario/scenario_family.hpp"

namespace spacedyn::loading {

ScenarioFamily::ScenarioFamily(const std::map<std::string, std::string>& sources)
    : session_(sources),
      document_(session_.open(find_file(sources, "scenario"))),
      original_(read_scenario(session_, document_, {})) {}

Scenario ScenarioFamily::variant(const std::vector<Override>& overrides) const {
  Session session(&session_);
  return read_scenario(session, document_, overrides, &original_);
}

std::optional<Quantity> ScenarioFamily::quantity_at(const Override& change,
                                                    std::vector<Diagnostic>& problems) const {
  Session session(&session_);
  std::optional<Quantity> found;
  session.problems().on_number([&](const Node& node, const Quantity& quantity) {
    const bool is_meant = node.mark.source != nullptr && node.mark.source->is_override();
    if (is_meant && !found) found = quantity;
  });
  try {
    read_scenario(session, document_, {change}, &original_);
  } catch (const Error&) {
    // the number may be out of range
  }
  problems = session.problems().sorted();
  return found;
}

}  // namespace spacedyn::loading
