/// @file
/// A scenario and its variants.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "loading/scenario/scenario_model.hpp"

namespace spacedyn::loading {

/// Reads variants of one scenario: files are composed once, and a model that no override touches
/// is shared by all. Variants may be read from several threads.
class ScenarioFamily {
 public:
  /// @param sources  texts of its files by path, as Scenario::sources
  /// @throws ParseError; IoError if the texts are not those of a scenario
  explicit ScenarioFamily(const std::map<std::string, std::string>& sources);
  ScenarioFamily(const ScenarioFamily&) = delete;
  ScenarioFamily& operator=(const ScenarioFamily&) = delete;

  const Scenario& original() const { return original_; }
  /// The scenario with some values changed, without warnings and the texts of its files.
  /// @throws OverrideError, ParseError
  Scenario variant(const std::vector<Override>& overrides) const;
  /// Lets a variant that differs from another by one number have those forces of the other that
  /// cannot depend on it: those listed before the one that the key leads into, or of a key of
  /// `control` all.
  void share_forces(const Scenario& other, const std::string& key, Scenario& variant) const;
  /// What the number at a key path of an override is; nothing if there is none.
  /// @param problems  what a scenario with this override has
  std::optional<Quantity> quantity_at(const Override& change,
                                      std::vector<Diagnostic>& problems) const;
  /// The number that the files have at a key path, SI; nothing where they have none.
  std::optional<double> value_at(const std::string& key, const Quantity& quantity) const;
  /// A variant as files of a folder, by their names: `STEM.yaml` with the scenario and
  /// `STEM_model.yaml` with a model that changes. Other files that they read stay where they are.
  std::map<std::string, std::string> write_variant(const std::vector<Override>& overrides,
                                                   const std::string& folder,
                                                   const std::string& stem) const;

 private:
  Session session_;
  Document document_;
  Scenario original_;
};

}  // namespace spacedyn::loading
