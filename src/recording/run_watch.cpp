#include "spacedyn/recording/run_watch.hpp"

#include <fmt/format.h>

#include "spacedyn/error.hpp"

namespace spacedyn {

RunWatch::~RunWatch() = default;

void RunWatch::go_on_from(const std::vector<Peak>& earlier) {
  if (earlier.size() != peaks_.size()) {
    throw DimensionError(fmt::format("{} greatest values are given for {} quantities of a run",
                                     earlier.size(), peaks_.size()));
  }
  peaks_ = earlier;
}

}  // namespace spacedyn
