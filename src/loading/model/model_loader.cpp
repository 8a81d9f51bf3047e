#include <utility>

#include "loading/model/model_assembly.hpp"
#include "loading/model/model_reader.hpp"
#include "spacedyn/loading/yaml.hpp"

namespace spacedyn {
namespace {

LoadedModel load_document(loading::Session& session, const loading::Document& document) {
  loading::ModelReader reader(session);
  const loading::ReadModel read = reader.read_document(document);
  loading::refuse_motion_loops(read, session.problems());
  LoadedModel loaded;
  loaded.model = loading::assemble_model(read, session.problems());
  if (loaded.model) loading::check_regularity(*loaded.model, read, session.problems());
  session.problems().throw_if_errors();
  loaded.warnings = session.problems().sorted();
  loaded.sources = session.sources().files();
  return loaded;
}

}  // namespace

LoadedModel load_model(const std::string& path) {
  loading::Session session;
  return load_document(session, session.open(path));
}

LoadedModel parse_model(const std::string& text, const std::string& file) {
  loading::Session session;
  return load_document(session, session.parse(file, text));
}

OverrideError::~OverrideError() = default;

}  // namespace spacedyn
