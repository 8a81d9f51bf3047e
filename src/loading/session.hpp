/// @file
/// Everything that one load opens and finds.
#pragma once

#include <map>
#include <string>

#include "loading/map_reader.hpp"
#include "loading/node.hpp"
#include "loading/problem_list.hpp"
#include "loading/source.hpp"

namespace spacedyn::loading {

/// A text and its tree; no tree where the text is too broken.
struct Document {
  const Source* source = nullptr;
  NodePtr root;
};

class Session {
 public:
  Session() = default;
  /// A session that opens these texts, by path, and no files.
  explicit Session(const std::map<std::string, std::string>& texts);

  /// Reads and composes a file, once however often it is asked for.
  /// @throws IoError if it cannot be read
  const Document& open(const std::string& path);
  /// Composes a text under a name.
  Document parse(const std::string& name, std::string text, bool is_override = false);

  ProblemList& problems() { return problems_; }
  const SourceSet& sources() const { return sources_; }

 private:
  ProblemList problems_;
  SourceSet sources_;
  std::map<std::string, Document> documents_;
  bool opens_files_ = true;
};

/// The `model:` or `scenario:` mapping of a document, whose frame is checked: a mapping, its first
/// key the format version.
std::optional<Value> read_file_frame(const Document& document, const std::string& key,
                                     ReadContext& context);

/// Folder that relative paths of a file start from.
std::string folder_of(const std::string& file);
/// A path of a file as seen from a folder.
std::string resolve_path(const std::string& folder, const std::string& path);
/// One spelling for all paths of a file.
std::string canonical_path(const std::string& path);

}  // namespace spacedyn::loading
