/// @file
/// Numbers in texts, read alike whatever the locale of the program is. Private.
#pragma once

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>
#include <system_error>

namespace spacedyn {

/// The words of a text one after another, apart by white space.
class Words {
 public:
  explicit Words(std::string_view text) : rest_(text) {}

  /// The next word, empty at the end of the text.
  std::string_view next() {
    constexpr std::string_view kSpace = " \t\r\n\f\v";
    rest_.remove_prefix(std::min(rest_.find_first_not_of(kSpace), rest_.size()));
    const std::string_view word = rest_.substr(0, rest_.find_first_of(kSpace));
    rest_.remove_prefix(word.size());
    return word;
  }

 private:
  std::string_view rest_;
};

/// The number that a whole word says, with a decimal point; nothing where it says none or one that
/// is too large. What is too small for a double is zero.
template <typename Number = double>
std::optional<Number> number_of(std::string_view word) {
  if (word.size() > 1 && word[0] == '+' && word[1] != '-') word.remove_prefix(1);
  const char* end = word.data() + word.size();
  Number number{};
  const auto result = std::from_chars(word.data(), end, number);
  if (result.ptr != end || word.empty()) return std::nullopt;
  if (result.ec == std::errc()) return number;
  const bool is_tiny = result.ec == std::errc::result_out_of_range &&
                       word.find_first_of("eE") != std::string_view::npos &&
                       word[word.find_first_of("eE") + 1] == '-';
  return is_tiny ? std::optional<Number>(Number{}) : std::nullopt;
}

}  // namespace spacedyn
