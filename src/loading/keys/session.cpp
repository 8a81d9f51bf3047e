#include "loading/keys/session.hpp"

#include <filesystem>

#include "loading/foreign/foreign_file.hpp"
#include "loading/yaml/compose.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/loading/yaml.hpp"
#include "terrain/mesh_text.hpp"

namespace spacedyn::loading {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

std::string without_mark(std::string text) {
  if (text.compare(0, kByteOrderMark.size(), kByteOrderMark) == 0) {
    text.erase(0, kByteOrderMark.size());
  }
  return text;
}

void check_version(MapReader& map) {
  const auto version = map.require("spacedyn", "'spacedyn: 1'");
  if (!version) return;
  const Node& node = *version->node;
  if (!node.is_scalar() || node.quoted || node.text != "1") {
    map.problems().error(node.mark, "spacedyn",
                         "expected the format version 1, got " + describe(node));
  }
}

}  // namespace

Session::Session(const std::map<std::string, std::string>& texts) : opens_files_(false) {
  for (const auto& [path, text] : texts) texts_.emplace(canonical_path(path), text);
}

const Document& Session::open(const std::string& path) {
  const std::string key = canonical_path(path);
  if (shared_ != nullptr) {
    const auto shared = shared_->documents_.find(key);
    if (shared != shared_->documents_.end()) return shared->second;
  }
  const auto known = documents_.find(key);
  if (known != documents_.end()) return known->second;
  return documents_.emplace(key, compose_source(open_source(path))).first->second;
}

const Source& Session::open_source(const std::string& path) {
  if (opens_files_) return sources_.add(path, without_mark(read_bytes(path)));
  const std::string* kept = kept_text(canonical_path(path));
  if (kept == nullptr) throw IoError("'" + path + "' is not among the texts that were kept");
  return sources_.add(path, without_mark(*kept));
}

const std::string* Session::kept_text(const std::string& path) const {
  const auto kept = texts_.find(path);
  if (kept != texts_.end()) return &kept->second;
  return shared_ == nullptr ? nullptr : shared_->kept_text(path);
}

const TriangleMesh& Session::open_mesh(const std::string& path) {
  require_mesh_name(path);
  const std::string key = canonical_path(path);
  for (const Session* session : {shared_, static_cast<const Session*>(this)}) {
    if (session == nullptr) continue;
    const auto known = session->meshes_.find(key);
    if (known != session->meshes_.end()) return known->second;
  }
  return meshes_.emplace(key, read_mesh(path)).first->second;
}

TriangleMesh Session::read_mesh(const std::string& path) {
  if (!opens_files_) return parse_triangle_mesh(path, open_source(path).text());
  std::string bytes = read_bytes(path);
  if (bytes.size() > kMaxFileSize) {
    throw IoError(path + ": expected a mesh of at most " + std::to_string(kMaxFileSize >> 20U) +
                  " MiB");
  }
  return parse_triangle_mesh(path, sources_.add(path, mesh_text(std::move(bytes))).text());
}

Document Session::parse(const std::string& name, std::string text, bool is_override) {
  return compose_source(sources_.add(name, without_mark(std::move(text)), is_override));
}

Document Session::compose_source(const Source& source) {
  Document document;
  document.source = &source;
  const auto format =
      source.is_override() ? std::nullopt : foreign::format_of(source.name(), source.text());
  document.is_foreign = format.has_value();
  if (!format) {
    document.root = compose(source, problems_);
    return document;
  }
  const foreign::Surroundings around{
      import_options_, opens_files_,
      [this](const std::string& path) -> const Source& { return open_source(path); },
      [this](const std::string& path) { return open_mesh(path); }, problems_};
  document.root = foreign::compose_foreign(source, *format, around);
  return document;
}

std::optional<Value> read_file_frame(const Document& document, const std::string& key,
                                     ReadContext& context) {
  if (!document.root) return std::nullopt;
  const Node& root = *document.root;
  if (!root.is_mapping() || root.entries.empty()) {
    context.problems.error(root.mark, "",
                           "expected a mapping with the keys 'spacedyn' and '" + key + "', got " +
                               (root.is_mapping() ? "an empty one" : describe(root)));
    return std::nullopt;
  }
  MapReader map({&root, ""}, context);
  check_version(map);
  for (const char* other : {"model", "scenario", "sweep", "fit", "optimize"}) {
    if (other == key || !map.has(other) || map.has(key)) continue;
    context.problems.error(
        root.find(other)->key_mark, other,
        "expected the key '" + key + "', got '" + other + "': this is a " + other + " file");
    return std::nullopt;
  }
  auto value = map.require(key, "a mapping");
  map.finish();
  return value;
}

std::string folder_of(const std::string& file) {
  return std::filesystem::path(file).parent_path().string();
}

std::string resolve_path(const std::string& folder, const std::string& path) {
  return (std::filesystem::path(folder) / path).lexically_normal().string();
}

std::string path_beside(const Value& value, const std::string& path) {
  const Source* includer = value.node->mark.source;
  const bool is_file = includer != nullptr && !includer->is_override();
  return resolve_path(is_file ? folder_of(includer->name()) : "", path);
}

std::string canonical_path(const std::string& path) {
  std::error_code error;
  const auto canonical = std::filesystem::weakly_canonical(path, error);
  return error ? path : canonical.string();
}

}  // namespace spacedyn::loading
