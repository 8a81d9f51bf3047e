/// @file
/// The keys of a sweep as they stand in its file, before its scenario is known. Private.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "loading/keys/mapping.hpp"
#include "spacedyn/study/sweep.hpp"

namespace spacedyn::study {

/// A text and where it stands.
struct PlacedText {
  std::string text;
  loading::Value place;
};

/// Numbers in the unit of a key that is not known yet, and weights.
struct DistributionKeys {
  std::vector<loading::Value> numbers;
  loading::Value place;
  std::vector<double> weights;            ///< of a choice
  std::vector<loading::Value> truncated;  ///< two, or none
  double sigma = 0.0;                     ///< of a log_normal, a pure number
};

/// An item of `parameters`.
struct ParameterKeys {
  PlacedText key;
  SweepParameter::Kind kind = SweepParameter::Kind::values;
  DistributionKeys distribution;
};

/// An item of `collect`.
struct CollectKeys : SweepCollect {
  loading::Value place;
};

struct CorrelationKeys {
  std::vector<PlacedText> keys;
  std::vector<std::vector<double>> matrix;
  loading::Value place;
};

/// The whole mapping.
struct SweepKeys {
  Notes notes;
  SweepSettings settings;
  PlacedText scenario;
  std::vector<ParameterKeys> parameters;
  std::optional<CorrelationKeys> correlation;
  std::vector<CollectKeys> collect;
};

loading::Mapping<SweepKeys> sweep_keys();

}  // namespace spacedyn::study
