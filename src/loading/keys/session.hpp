/// @file
/// Everything that one load opens and finds.
#pragma once

#include <map>
#include <string>
#include <utility>

#include "loading/keys/map_reader.hpp"
#include "spacedyn/loading/foreign.hpp"
#include "spacedyn/terrain/triangle_mesh.hpp"

namespace spacedyn::loading {

/// A text and its tree; no tree where the text is too broken.
struct Document {
  const Source* source = nullptr;
  NodePtr root;
  bool is_foreign = false;  ///< whether the text is no YAML but was read as such
};

class Session {
 public:
  Session() = default;
  explicit Session(ImportOptions options) : import_options_(std::move(options)) {}
  /// A session that opens these texts, by path, and no files.
  explicit Session(const std::map<std::string, std::string>& texts);
  /// A session that finds what another one has opened, composed once for both. The other one must
  /// outlive this and must not change meanwhile; several threads may share it so.
  explicit Session(const Session* shared) : opens_files_(shared->opens_files_), shared_(shared) {}

  /// Reads and composes a file, a foreign one too, once however often it is asked for.
  /// @throws IoError if it cannot be read
  const Document& open(const std::string& path);
  /// The text of a file that is no YAML, without the mark of its byte order; it counts as a source.
  /// @throws IoError if it cannot be read
  const Source& open_source(const std::string& path);
  /// Triangles of an STL, OBJ or Collada file, read once however often it is asked for; it counts
  /// as a source. @throws IoError as read_triangle_mesh()
  const TriangleMesh& open_mesh(const std::string& path);
  /// Composes a text under a name.
  Document parse(const std::string& name, std::string text, bool is_override = false);

  ProblemList& problems() { return problems_; }
  const SourceSet& sources() const { return sources_; }

 private:
  Document compose_source(const Source& source);
  TriangleMesh read_mesh(const std::string& path);
  /// The text of a path that this session or the one it shares was given; null if neither was.
  const std::string* kept_text(const std::string& path) const;

  ProblemList problems_;
  SourceSet sources_;
  std::map<std::string, Document> documents_;
  std::map<std::string, TriangleMesh> meshes_;
  std::map<std::string, std::string> texts_;  // by canonical path, in the place of files
  bool opens_files_ = true;
  const Session* shared_ = nullptr;
  ImportOptions import_options_;
};

/// The `model:` or `scenario:` mapping of a document, whose frame is checked: a mapping, its first
/// key the format version.
std::optional<Value> read_file_frame(const Document& document, const std::string& key,
                                     ReadContext& context);

/// Folder that relative paths of a file start from.
std::string folder_of(const std::string& file);
/// A path of a file as seen from a folder.
std::string resolve_path(const std::string& folder, const std::string& path);
/// A path that a value of a file names, as seen from the folder of that file.
std::string path_beside(const Value& value, const std::string& path);
/// One spelling for all paths of a file.
std::string canonical_path(const std::string& path);

}  // namespace spacedyn::loading
