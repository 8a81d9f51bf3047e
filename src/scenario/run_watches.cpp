#include "spacedyn/scenario/run_watches.hpp"

#include <algorithm>
#include <iterator>

#include "scenario/outcome_warnings.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/recording/joint_watches.hpp"
#include "spacedyn/recording/run_watches.hpp"

namespace spacedyn {

RunWatches::RunWatches(const Scenario& scenario) : scenario_(scenario) {
  const SimulationSetup& setup = scenario.setup;
  all_.push_back(std::make_unique<ModalRateWatch>(scenario.modal_appendages));
  all_.push_back(std::make_unique<JointRateWatch>(setup.model));
  all_.push_back(std::make_unique<ThrusterWatch>(setup));
  all_.push_back(std::make_unique<ReactionWheelWatch>(setup.model));
  auto events = std::make_unique<EventWatch>(setup);
  auto rotations = std::make_unique<BaseRotationWatch>(setup, scenario.initial);
  events_ = events.get();
  rotations_ = rotations.get();
  all_.push_back(std::move(events));
  all_.push_back(std::move(rotations));
}

void RunWatches::see(const SimulationPoint& point) {
  for (const auto& watch : all_) watch->see(point);
}

std::vector<std::string> RunWatches::warnings(const SimulationResult& result) const {
  std::vector<std::string> texts;
  const auto add = [&](std::vector<std::string> more) {
    std::move(more.begin(), more.end(), std::back_inserter(texts));
  };
  for (const auto& watch : all_) add(watch->warnings());
  add(element_warnings(scenario_.setup, scenario_.initial, result));
  add(outcome_warnings(scenario_, result));
  return texts;
}

std::vector<std::vector<Peak>> RunWatches::peaks() const {
  std::vector<std::vector<Peak>> peaks;
  for (const auto& watch : all_) peaks.push_back(watch->peaks());
  return peaks;
}

void RunWatches::go_on_from(const std::vector<std::vector<Peak>>& earlier) {
  if (earlier.size() != all_.size()) {
    throw DimensionError("the checkpoint holds greatest values of other watches");
  }
  for (std::size_t i = 0; i < all_.size(); ++i) all_[i]->go_on_from(earlier[i]);
}

}  // namespace spacedyn
