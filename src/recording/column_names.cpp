#include "recording/column_names.hpp"

#include <algorithm>

namespace spacedyn {
namespace {

bool is_identifier_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

}  // namespace

std::string sanitize(std::string_view name) {
  std::string identifier(name);
  std::replace_if(
      identifier.begin(), identifier.end(), [](char c) { return !is_identifier_character(c); },
      '_');
  return identifier;
}

std::string ColumnNames::reserve(std::string_view prefix, std::string_view name,
                                 const std::vector<Suffix>& suffixes) {
  const std::string first = std::string(prefix) + '_' + sanitize(name);
  std::string stem = first;
  const auto is_taken = [&](const Suffix& suffix) { return taken_.count(stem + suffix.first) > 0; };
  for (int number = 2; std::any_of(suffixes.begin(), suffixes.end(), is_taken); ++number) {
    stem = first + '_' + std::to_string(number);
  }
  for (const Suffix& suffix : suffixes) taken_.insert(stem + suffix.first);
  return stem;
}

}  // namespace spacedyn
