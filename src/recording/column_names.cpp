#include "recording/column_names.hpp"

#include <algorithm>

namespace spacedyn {
namespace {

/// Letters of other alphabets are several bytes from 0x80 on.
bool is_identifier_character(char c) {
  return static_cast<unsigned char>(c) >= 0x80 || (c >= 'a' && c <= 'z') ||
         (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

}  // namespace

std::string sanitize(std::string_view name) {
  std::string identifier(name);
  std::replace_if(
      identifier.begin(), identifier.end(), [](char c) { return !is_identifier_character(c); },
      '_');
  return identifier;
}

std::vector<Column> columns_of(const std::string& stem, const std::vector<Suffix>& suffixes,
                               std::size_t first, std::size_t count) {
  std::vector<Column> columns;
  const std::size_t end = first + std::min(count, suffixes.size() - first);
  for (std::size_t i = first; i < end; ++i) {
    columns.push_back({stem + suffixes[i].first, suffixes[i].second});
  }
  return columns;
}

std::string group_of(std::string_view prefix, const std::string& stem) {
  return '/' + std::string(prefix) + '/' + stem.substr(prefix.size() + 1);
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
