/// @file
/// Model and scenario files in YAML, format version 1; the numbers that an override can change, and
/// the scenario in which a model flies that comes without one.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "spacedyn/export.hpp"
#include "spacedyn/loading/scenario.hpp"
#include "spacedyn/model/model.hpp"

namespace spacedyn {

/// A value to be changed before a file is interpreted: key path and YAML text.
/// Items of lists are meant by their number or their name.
using Override = std::pair<std::string, std::string>;

/// A model and the warnings of its file.
struct LoadedModel {
  std::shared_ptr<const Model> model;
  std::vector<Diagnostic> warnings;
  std::map<std::string, std::string> sources;  ///< text of every file read, by path
};

/// Largest file that is read, bytes.
inline constexpr std::size_t kMaxFileSize = std::size_t{16} * 1024 * 1024;

/// Reads a model file and those it includes.
/// @throws ParseError with every problem found; IoError if a file cannot be read
SPACEDYN_EXPORT LoadedModel load_model(const std::string& path);
/// The same from text; @p file names it in messages, relative includes start in its folder.
SPACEDYN_EXPORT LoadedModel parse_model(const std::string& text, const std::string& file);

/// Reads a scenario file and its model.
///
/// Where an override changes the method of integration, keys of the file that belong to another
/// kind of method are left out; Scenario::remarks says which.
/// @param overrides  key paths below `scenario:`; `model.…` reaches into the model file
/// @throws ParseError with every problem found; IoError if a file cannot be read; OverrideError
SPACEDYN_EXPORT Scenario load_scenario(const std::string& path,
                                       const std::vector<Override>& overrides = {});
SPACEDYN_EXPORT Scenario parse_scenario(const std::string& text, const std::string& file,
                                        const std::vector<Override>& overrides = {});

/// Reads a scenario again from the texts of Scenario::sources, whatever has become of its files.
/// @param overrides  those of the first time
/// @throws as load_scenario(); IoError if the texts are not those of a scenario
SPACEDYN_EXPORT Scenario reload_scenario(const std::map<std::string, std::string>& sources,
                                         const std::vector<Override>& overrides = {});

/// Overrides that name nothing, do not parse or break a rule of the file.
class SPACEDYN_EXPORT OverrideError : public ParseError {
 public:
  using ParseError::ParseError;
  ~OverrideError() override;
};

/// Which kind of file a text is, judged by its keys.
enum class FileKind { model, scenario, sweep };
/// @throws ParseError if it is none of them; IoError if it cannot be read
SPACEDYN_EXPORT FileKind file_kind(const std::string& path);

/// The model as YAML; reading it back gives a Model that computes the same bits.
/// @throws DomainError if a loop is a function of a program
SPACEDYN_EXPORT std::string write_model(const Model& model);

/// JSON Schemas (draft 2020-12) of both files, as text.
SPACEDYN_EXPORT std::string model_schema();
SPACEDYN_EXPORT std::string scenario_schema();

/// Text of a scenario: ten seconds without forces, in which each joint moves and, where loops tie
/// joints to one another or there are none, the base tumbles.
/// @param model_path  the file of the model; the scenario has its name and stands beside it
SPACEDYN_EXPORT std::string first_flight(const Model& model, const std::string& model_path);

/// Reads a scenario, or a model of another program in its first flight.
/// @throws ParseError with every problem found; IoError if a file cannot be read
SPACEDYN_EXPORT Scenario open_scenario(const std::string& path,
                                       const std::vector<Override>& overrides);

/// A number as the file of a scenario has it.
struct NumericSetting {
  std::string key;     ///< key path as load_scenario() takes it
  double value = 0.0;  ///< in the unit
  std::string unit;    ///< for instance `deg`; empty where the file names none

  /// @name For people
  /// @{
  std::string element;     ///< name of the list item it belongs to, or its type and position
  std::string part;        ///< the joint, axis or component; empty where there is only one
  std::string name;        ///< its keys below the element, for instance `reference velocity`
  std::string plain_unit;  ///< SI unit of the quantity where the file names none; may be empty
  /// @}
};

/// All finite numbers of a scenario file, in its order; those of a model in a file of its own are
/// not among them. Items of lists appear by position: `control.0.stiffness.2`. The scenario need
/// not be valid; of one that is not, units are not known.
/// @throws IoError if the file cannot be read
SPACEDYN_EXPORT std::vector<NumericSetting> numeric_settings(const std::string& scenario_path);

}  // namespace spacedyn
