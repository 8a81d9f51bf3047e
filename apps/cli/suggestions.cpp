#include "suggestions.hpp"

#include <algorithm>
#include <numeric>

namespace spacedyn::cli {
namespace {

/// Levenshtein distance: insertions, deletions and replacements that turn one word into the other.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
    }
  }
  return row.back();
}

bool needs_no_quotes(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("_-./=:,+@%").find(c) != std::string_view::npos;
}

}  // namespace

std::string did_you_mean(std::string_view word, const std::vector<std::string>& known) {
  if (word.size() > 100) return {};  // no misspelling of anything
  const std::string* nearest = nullptr;
  std::size_t least = std::max<std::size_t>(2, word.size() / 3) + 1;
  for (const std::string& candidate : known) {
    const std::size_t edits = distance(word, candidate);
    if (edits >= least) continue;
    least = edits;
    nearest = &candidate;
  }
  return nearest == nullptr ? std::string() : "did you mean '" + *nearest + "'?";
}

std::string shell_word(const std::string& word) {
  if (!word.empty() && std::all_of(word.begin(), word.end(), needs_no_quotes)) return word;
  std::string quoted = "'";
  for (const char c : word) {
    if (c == '\'') quoted += "'\\'";
    quoted += c;
  }
  return quoted + "'";
}

}  // namespace spacedyn::cli
