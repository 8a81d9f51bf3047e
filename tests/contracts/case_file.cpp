#include "contracts/case_file.hpp"

#include <filesystem>
#include <fstream>
#include <stdexcept>

namespace spacedyn::testing {
namespace {

const std::string kSchemaMark = " [schema]";

void start_case(std::string title, std::vector<ContractCase>& cases) {
  ContractCase next;
  const std::size_t mark = title.find(kSchemaMark);
  next.schema_refuses = mark != std::string::npos;
  next.name = title.substr(0, mark);
  cases.push_back(next);
}

}  // namespace

std::vector<ContractCase> read_cases(const std::string& name) {
  std::ifstream file(std::string(SPACEDYN_CONTRACTS) + '/' + name + ".cases");
  if (!file) throw std::runtime_error("no cases named " + name);
  std::vector<ContractCase> cases;
  bool in_text = true;
  for (std::string line; std::getline(file, line);) {
    if (line.compare(0, 4, "=== ") == 0) {
      start_case(line.substr(4), cases);
      in_text = true;
    } else if (line == ">>>") {
      in_text = false;
    } else if (in_text) {
      cases.back().text += line + '\n';
    } else if (!line.empty()) {
      cases.back().expected += line + '\n';
    }
  }
  return cases;
}

void add_companions(const TemporaryFolder& folder) {
  for (const auto& entry : std::filesystem::directory_iterator(SPACEDYN_CONTRACTS "/files")) {
    std::filesystem::copy_file(entry.path(), folder.path(entry.path().filename().string()),
                               std::filesystem::copy_options::overwrite_existing);
  }
}

std::string report(const std::vector<Diagnostic>& diagnostics, const std::string& folder) {
  std::string text;
  for (const Diagnostic& diagnostic : diagnostics) {
    text += to_string(diagnostic) + '\n';
    if (!diagnostic.hint.empty()) text += "  hint: " + diagnostic.hint + '\n';
  }
  for (std::size_t at = text.find(folder); at != std::string::npos; at = text.find(folder, at)) {
    text.erase(at, folder.size());
  }
  return text;
}

}  // namespace spacedyn::testing
