/// @file
/// The keys of a sweep as they stand in its file, before its scenario is known. Private.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "loading/keys/mapping.hpp"
#include "loading/scenario/scenario_family.hpp"
#include "spacedyn/study/sweep.hpp"

namespace spacedyn::study {

/// A text and where it stands.
struct PlacedText {
  std::string text;
  loading::Value place;
};

loading::Kind<PlacedText> placed_text(const char* title);
/// Stores where the value stands, too.
template <typename T>
loading::Kind<T> placed(loading::Kind<T> kind) {
  kind.read = [read = kind.read](const loading::Value& value, loading::Reading& reading,
                                 void* target) {
    static_cast<T*>(target)->place = value;
    return read(value, reading, target);
  };
  return kind;
}
/// A number whose unit is known later.
loading::Kind<loading::Value> scalar(const char* title);
/// What the number at a key of a scenario is; nothing if there is none, which is reported.
/// @param number  that the scenario may have there
std::optional<loading::Quantity> quantity_of_key(const PlacedText& key, const std::string& number,
                                                 const loading::ScenarioFamily& family,
                                                 loading::ProblemList& problems);

/// Texts of the files of a scenario that another file names; nothing where it is wrong, which is
/// reported unless the scenario says so itself.
std::map<std::string, std::string> read_scenario_texts(const PlacedText& name,
                                                       loading::ProblemList& problems,
                                                       std::vector<Diagnostic>& warnings);

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

/// @param name  whether `name` must be there
loading::Mapping<CollectKeys> collect_keys(loading::Presence name);

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
