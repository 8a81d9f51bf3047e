/// @file
/// Models in the formats of other programs: URDF, MJCF and the `.def` files of SpaceDyn in, URDF
/// out. load_model() reads them, too; here they become YAML.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "spacedyn/diagnostics.hpp"
#include "spacedyn/export.hpp"
#include "spacedyn/loading/yaml.hpp"
#include "spacedyn/model/model.hpp"

namespace spacedyn {

/// Whether a file is a model in the format of another program by the ending of its name: `.urdf`,
/// `.xml`, `.mjcf` or `.def`.
SPACEDYN_EXPORT bool is_foreign_model(const std::string& path);

/// What a foreign file leaves open.
struct ImportOptions {
  /// Folders of packages for `package://`, before those of SPACEDYN_PACKAGE_PATH, ROS_PACKAGE_PATH
  /// and AMENT_PREFIX_PATH.
  std::vector<std::string> package_path;
  bool fixed_base = false;  ///< nail the base to the inertial frame
  bool meshes = true;       ///< keep pictures from meshes
};

/// A foreign model as the text of a YAML model file.
struct ImportedModel {
  std::string yaml;
  std::vector<Diagnostic> warnings;            ///< notes among them, of what is left out
  std::map<std::string, std::string> sources;  ///< text of every file read, by path
};

/// Reads a URDF, MJCF or `.def` file and writes it as YAML, which computes the same bits.
/// @param target_folder  where the YAML file will be, for the paths of meshes
/// @throws ParseError with every problem found; IoError if a file cannot be read
SPACEDYN_EXPORT ImportedModel import_model(const std::string& path,
                                           const std::string& target_folder = "",
                                           const ImportOptions& options = {});

/// A model as URDF, and what of it URDF cannot say.
struct UrdfExport {
  std::string urdf;
  std::vector<std::string> losses;  ///< a sentence each; empty if nothing is lost
};

/// Writes a model as URDF. A fixed base becomes a link fixed on the link `world`, frames become
/// links without mass. What is read back has the same H to rounding.
/// @param source_folder  where paths of meshes start from
/// @param target_folder  where the URDF file will be
/// @throws DomainError for a joint with several coordinates
SPACEDYN_EXPORT UrdfExport export_urdf(const Model& model, const std::string& source_folder = "",
                                       const std::string& target_folder = "");

/// As file_kind(); @p file names the text in messages. @throws ParseError if it is neither
SPACEDYN_EXPORT FileKind text_kind(const std::string& text, const std::string& file);

/// As import_model(); @p file names the text in messages, relative paths start in its folder.
/// @throws ParseError with every problem found; IoError if a file it names cannot be read
SPACEDYN_EXPORT ImportedModel import_model_text(const std::string& text, const std::string& file,
                                                const std::string& target_folder = "",
                                                const ImportOptions& options = {});

}  // namespace spacedyn
