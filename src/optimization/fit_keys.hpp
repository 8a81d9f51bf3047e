/// @file
/// The keys of a fit as they stand in its file, before scenario and data are known. Private.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "spacedyn/optimization/fit.hpp"
#include "study/sweep_keys.hpp"

namespace spacedyn::optimization {

using study::PlacedText;

/// A number that may change: numbers in the unit of its key.
struct VariableKeys {
  PlacedText key;
  std::optional<loading::Value> from, to, start;
};
/// Keys of fits and optimizations alike.
loading::Mapping<VariableKeys> variable_keys();

/// Where derivatives come from.
loading::Kind<SearchDerivatives> derivatives_kind();

struct PriorKeys {
  loading::Value mean, standard_deviation;
};

struct FitParameterKeys : VariableKeys {
  std::optional<PriorKeys> prior;
};

/// An item of `columns`, its name being a key.
struct ColumnKeys {
  PlacedText name;
  std::string channel;
  int component = 0;
  double sigma = 1.0;
  loading::Value place;
};

/// An item of `data`.
struct DataKeys {
  PlacedText file;
  std::string time = "time_s";
  double offset = 0.0, every = 0.0;  ///< s
  std::vector<ColumnKeys> columns;
  loading::Value place;
};

struct FitKeys {
  Notes notes;
  FitSettings settings;
  PlacedText scenario;
  std::vector<DataKeys> data;
  std::vector<FitParameterKeys> parameters;
};

loading::Mapping<FitKeys> fit_keys();

}  // namespace spacedyn::optimization
