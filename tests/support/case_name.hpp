/// @file
/// Names of parameterized cases: what the case is, the same in every run.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <string>
#include <string_view>
#include <type_traits>

namespace spacedyn::testing {

/// The letters and digits of a text, `_` for what stands between them; at most `longest` bytes.
inline std::string identifier(std::string_view text, std::size_t longest = 32) {
  std::string name;
  for (const char c : text) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) {
      name += c;
    } else if (!name.empty() && name.back() != '_') {
      name += '_';
    }
  }
  name.resize(std::min(name.size(), longest));
  while (!name.empty() && name.back() == '_') name.pop_back();
  return name;
}

/// Names a case by its value: `3_8` for {3, 8}, `1em20` for 1e-20.
struct NamedByValue {
  template <typename Parameter>
  std::string operator()(const ::testing::TestParamInfo<Parameter>& info) const {
    if constexpr (std::is_floating_point_v<Parameter>) {
      std::string shortest(32, '\0');
      char* const begin = shortest.data();
      shortest.resize(std::to_chars(begin, begin + shortest.size(), info.param).ptr - begin);
      for (char& c : shortest) c = c == '-' ? 'm' : c == '.' ? 'p' : c == '+' ? '_' : c;
      return shortest;
    } else {
      return identifier(::testing::PrintToString(info.param));
    }
  }
};

/// Names a case by the words of what it tries, after its number: `07_simulate_a_b`.
inline std::string numbered_name(std::size_t index, std::string_view words) {
  const std::string number = std::to_string(index);
  return std::string(number.size() < 2 ? 2 - number.size() : 0, '0') + number + '_' +
         identifier(words, 20);
}

}  // namespace spacedyn::testing
