// Shipped files with random damage: read, or refused with an error of ours, nothing else.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include <gtest/gtest.h>

#include "loading/temporary_folder.hpp"
#include "spacedyn/loading/yaml.hpp"

namespace spacedyn::mutation_test {
namespace {

constexpr unsigned kSeed = 20240229;
constexpr int kCases = 500;

std::vector<std::string> shipped_files(const std::string& folder) {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(SPACEDYN_MODELS "/" + folder)) {
    if (entry.path().extension() == ".yaml") files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::string text_of(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

/// Truncates, flips a bit, replaces, doubles or removes a stretch, or puts in what YAML is made of.
class Vandal {
 public:
  std::string damage(std::string text) {
    for (int i = 0, times = 1 + below(4); i < times && !text.empty(); ++i) {
      const auto at = static_cast<std::size_t>(below(static_cast<int>(text.size())));
      const auto length = static_cast<std::size_t>(1 + below(40));
      switch (below(6)) {
        case 0:
          text.resize(at);
          break;
        case 1:
          text[at] = static_cast<char>(text[at] ^ (1 << below(8)));
          break;
        case 2:
          text[at] = static_cast<char>(below(256));
          break;
        case 3:
          text.erase(at, length);
          break;
        case 4:
          text.insert(at, text.substr(at, length));
          break;
        default:
          text.insert(at, kPieces[static_cast<std::size_t>(below(kPieceCount))]);
      }
    }
    return text;
  }

 private:
  static constexpr int kPieceCount = 22;
  static constexpr const char* kPieces[kPieceCount] = {
      "\n", ": ", "- ",  "[",   "]",     "{",  "}",        "&a ",         "*a",    "!!str ", "#",
      "\"", "'",  "|\n", ">\n", "---\n", "? ", "<<: *a\n", "%YAML 1.2\n", "1e999", ".inf",   "\t"};

  int below(int limit) { return static_cast<int>(random_() % static_cast<unsigned>(limit)); }

  std::mt19937 random_{kSeed};
};

template <typename Parse>
void expect_success_or_error(const std::vector<std::string>& files, const Parse& parse) {
  ::testing::Test::RecordProperty("seed", static_cast<int>(kSeed));
  ASSERT_FALSE(files.empty());
  Vandal vandal;
  int refused = 0;
  for (int i = 0; i < kCases; ++i) {
    const std::string& file = files[static_cast<std::size_t>(i) % files.size()];
    const std::string text = vandal.damage(text_of(file));
    try {
      parse(text, file);
    } catch (const Error& error) {
      EXPECT_STRNE(error.what(), "");
      ++refused;
    } catch (const std::exception& error) {
      ADD_FAILURE() << "seed " << kSeed << ", case " << i << ", " << file << ": " << error.what();
    }
  }
  EXPECT_GT(refused, kCases / 4) << "the damage must be worth its name";
}

TEST(Mutation, DamagedModelsAreReadOrRefused) {
  expect_success_or_error(shipped_files("robots"),
                          [](const auto& text, const auto& file) { parse_model(text, file); });
}

TEST(Mutation, DamagedScenariosAreReadOrRefused) {
  expect_success_or_error(shipped_files("scenarios"),
                          [](const auto& text, const auto& file) { parse_scenario(text, file); });
}

}  // namespace
}  // namespace spacedyn::mutation_test
