#include "loading/schema/schema_definition.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <vector>

#include "loading/schema/schema_text.hpp"

namespace spacedyn::loading {
namespace {

/// All definitions by name.
std::map<std::string, std::string (*)()>& definitions() {
  static std::map<std::string, std::string (*)()> all;
  return all;
}

}  // namespace

SchemaDefinition::SchemaDefinition(const char* name, std::string (*schema)()) {
  definitions().emplace(name, schema);
}

std::string definitions_of(const std::string& name) {
  constexpr std::string_view kReference = "\"#/$defs/";
  std::map<std::string, std::string> members;
  std::vector<std::string> names{name};
  while (!names.empty()) {
    const std::string next = names.back();
    names.pop_back();
    if (members.count(next) > 0) continue;
    const std::string schema = definitions().at(next)();
    members.emplace(next, member_schema(next, schema));
    for (std::size_t at = schema.find(kReference); at != std::string::npos;
         at = schema.find(kReference, at)) {
      at += kReference.size();
      names.push_back(schema.substr(at, schema.find('"', at) - at));
    }
  }
  std::vector<std::string> texts;
  for (auto& [known, member] : members) texts.push_back(std::move(member));
  return fmt::format("{}", fmt::join(texts, ",\n"));
}

}  // namespace spacedyn::loading
