// Whether sample periods are short enough for what is controlled.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "loading/scenario/start_check.hpp"
#include "spacedyn/analysis/sampled_loops.hpp"
#include "spacedyn/error.hpp"

namespace spacedyn::loading {
namespace {

std::string eigenvalue_text(const std::complex<double>& value) {
  if (value.imag() == 0.0) return fmt::format("{:.3g}", value.real());
  return fmt::format("{:.3g} ± {:.3g}i", value.real(), value.imag());
}

std::vector<SampledLoop> loops_at_start(const Scenario& scenario) {
  try {
    return sampled_loops(scenario.setup, scenario.initial);
  } catch (const Error&) {
    return {};  // a start about which nothing is linear
  }
}

}  // namespace

void check_sampled_loops(const Scenario& scenario, const ScenarioContext& sections) {
  const auto list = sections.map.find("control");
  if (!list || !list->node->is_sequence()) return;
  for (const SampledLoop& loop : loops_at_start(scenario)) {
    if (!loop.is_unstable) continue;
    for (std::size_t i = 0; i < list->node->items.size(); ++i) {
      const NodePtr& item = list->node->items[i];
      const std::string type = item->text_at("type"), given = item->text_at("name");
      const std::string name = given.empty() ? type + '_' + std::to_string(i) : given;
      if (std::count(loop.controllers.begin(), loop.controllers.end(), name) == 0) continue;
      const std::string path = join_path(list->path, std::to_string(i));
      const Entry* period = item->find("sample_period");
      const Value place = period != nullptr
                              ? Value{period->value.get(), join_path(path, "sample_period")}
                              : Value{item.get(), path};
      sections.problems().warning(
          place,
          fmt::format("expected a sample period at which the loop of {} is stable, got {:g} s: "
                      "linearized about the start, it has the eigenvalue {} from sample to sample",
                      quote(name), loop.sample_period, eigenvalue_text(loop.eigenvalue)),
          "a shorter sample_period or delay, or smaller gains");
      break;
    }
  }
}

}  // namespace spacedyn::loading
