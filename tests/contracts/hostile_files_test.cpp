// Files that are broken, or made to break a reader: an error, never a crash or a hang.
#include <gtest/gtest.h>

#include "loading/temporary_folder.hpp"
#include "spacedyn/loading/yaml.hpp"

namespace spacedyn::hostile_files_test {
namespace {

using testing::TemporaryFolder;

std::string error_of(const std::string& text) {
  try {
    parse_model(text, "m.yaml");
  } catch (const ParseError& error) {
    return error.what();
  }
  return "accepted";
}

const std::string kHead = "spacedyn: 1\nmodel:\n  name: a\n";

TEST(HostileFile, EmptyFileIsRefused) {
  EXPECT_EQ(error_of(""), "m.yaml:1:1: error: expected a document, got an empty file");
  EXPECT_EQ(error_of("\xEF\xBB\xBF"), "m.yaml:1:1: error: expected a document, got an empty file");
}

TEST(HostileFile, BinaryFileIsRefused) {
  EXPECT_EQ(error_of(std::string("\x7F"
                                 "ELF\x02\x01\0\0",
                                 8)),
            "m.yaml:1:1: error: expected text, got the control character 0x7f");
  EXPECT_EQ(error_of(kHead + std::string("  \0", 3)),
            "m.yaml:4:3: error: expected text, got the control character 0x00");
}

TEST(HostileFile, OtherEncodingsAreRefused) {
  EXPECT_EQ(error_of("spacedyn: 1\n# \xFC"
                     "ber\n"),
            "m.yaml:2:3: error: expected UTF-8 text, got the byte 0xfc");
  EXPECT_EQ(error_of(std::string("\xFF\xFEs\0p\0", 6)),
            "m.yaml:1:1: error: expected UTF-8 text, got the byte 0xff");
  EXPECT_EQ(error_of("a: \xC0\xAF"), "m.yaml:1:4: error: expected UTF-8 text, got the byte 0xc0");
  EXPECT_EQ(error_of("a: \xED\xA0\x80"),
            "m.yaml:1:4: error: expected UTF-8 text, got the byte 0xed");
  EXPECT_EQ(error_of("a: \xE2\x82"), "m.yaml:1:4: error: expected UTF-8 text, got the byte 0xe2");
}

TEST(HostileFile, ColumnsCountCharacters) {
  EXPECT_EQ(error_of(kHead + "  base: {name: \"größe\", mass: x, inertia: [1, 1, 1]}\n"),
            "m.yaml:4:31: error: model.base.mass: expected a mass of at least 0 (kg, g, t), got "
            "'x'");
}

TEST(HostileFile, ByteOrderMarkAndWindowsLinesAreAccepted) {
  const LoadedModel loaded = parse_model(
      "\xEF\xBB\xBFspacedyn: 1\r\nmodel:\r\n  name: a\r\n  base: {name: b, mass: 1, inertia: [1, "
      "1, 1]}\r\n",
      "m.yaml");
  EXPECT_EQ(loaded.model->name(), "a");
}

TEST(HostileFile, TruncatedFileIsRefused) {
  const std::string whole = kHead + "  base: {name: b, mass: 1, inertia: [1, 1, 1]}\n";
  ASSERT_NO_THROW(parse_model(whole, "m.yaml"));
  // the last line break alone may be missing
  for (std::size_t size = 0; size + 1 < whole.size(); ++size) {
    EXPECT_NE(error_of(whole.substr(0, size)), "accepted") << size;
  }
}

TEST(HostileFile, FileOverTheStatedSizeIsRefused) {
  const TemporaryFolder folder;
  const std::string path = folder.write("m.yaml", "");
  std::filesystem::resize_file(path, kMaxFileSize + 1);
  try {
    load_model(path);
    FAIL();
  } catch (const ParseError& error) {
    EXPECT_EQ(std::string(error.what()),
              path + ":1:1: error: expected a file of at most 16 MiB, got a larger one");
  }
}

TEST(HostileFile, ValueOverTheStatedSizeIsRefused) {
  EXPECT_EQ(error_of(kHead + "  base: \"" + std::string(3 << 20, 'x') + "\"\n"),
            "m.yaml:4:3: error: model.base: expected texts and collections in brackets of at most "
            "2 MiB, got a longer one");
}

TEST(HostileFile, LineOfAMillionProblemsIsReportedUpToALimit) {
  std::string list;
  for (int i = 0; i < 1000000; ++i) list += "a, ";
  try {
    parse_model(kHead + "  links: [" + list + "a]\n", "m.yaml");
    FAIL();
  } catch (const ParseError& error) {
    EXPECT_EQ(error.diagnostics().size(), 1000U);
    EXPECT_TRUE(error.diagnostics().front().source_line.empty());
  }
}

TEST(HostileFile, EndlessFileIsRefused) { EXPECT_THROW(load_model("/dev/zero"), ParseError); }

TEST(HostileFile, MissingFileAndFolderAreIoErrors) {
  const TemporaryFolder folder;
  try {
    load_model(folder.path("absent.yaml"));
    FAIL();
  } catch (const IoError& error) {
    EXPECT_EQ(std::string(error.what()),
              folder.path("absent.yaml") + ": cannot be opened: No such file or directory");
  }
  try {
    load_scenario(folder.path(""));
    FAIL();
  } catch (const IoError& error) {
    EXPECT_EQ(std::string(error.what()), folder.path("") + ": expected a file, got a folder");
  }
}

TEST(HostileFile, DeepNestingIsRefused) {
  const std::string levels = "expected at most 64 levels of nesting, got more";
  for (const std::string& bracket : {std::string("["), std::string("{a: "), std::string("- ")}) {
    std::string deep;
    for (int i = 0; i < 100000; ++i) deep += bracket;
    EXPECT_NE(error_of(kHead + "  links:\n    " + deep).find(levels), std::string::npos) << bracket;
  }
}

TEST(HostileFile, DeepNestingThroughAliasesIsRefused) {
  std::string text = "a0: &a0 [1]\n";
  for (int i = 1; i < 100000; ++i) {
    const std::string name = "a" + std::to_string(i);
    text += name + ": &" + name + " [*a" + std::to_string(i - 1) + "]\n";
  }
  // the mapping of the document is the first level
  EXPECT_EQ(error_of(text),
            "m.yaml:64:12: error: a63.0: expected at most 64 levels of nesting, got more");
}

TEST(HostileFile, AliasBombIsRefused) {
  std::string text = "a0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1]\n";
  for (int i = 1; i < 20; ++i) {
    const std::string name = "a" + std::to_string(i);
    const std::string alias = "*a" + std::to_string(i - 1);
    text += name + ": &" + name + " [";
    for (int k = 0; k < 9; ++k) text += (k > 0 ? ", " : "") + alias;
    text += "]\n";
  }
  EXPECT_EQ(error_of(text),
            "m.yaml:7:10: error: a6.0: expected aliases that repeat at most 1000000 values, got "
            "more");
}

TEST(HostileFile, ReasonableAliasesAreAccepted) {
  const LoadedModel loaded = parse_model(kHead +
                                             "  base: {name: b, mass: 1, inertia: &i [1, 1, 1]}\n"
                                             "  links:\n    - {name: c, parent: b, joint: {type: "
                                             "revolute}, mass: 1, inertia: *i}\n",
                                         "m.yaml");
  EXPECT_EQ(loaded.model->body(1).inertia_L, Matrix3::Identity());
}

TEST(HostileFile, IncludeCyclesAreRefused) {
  const TemporaryFolder folder;
  const auto text = [](const std::string& name, const std::string& next) {
    return "spacedyn: 1\nmodel:\n  name: x\n  base: {name: " + name +
           ", mass: 1, inertia: [1, 1, 1]}\n  include: [{file: " + next + ", parent: " + name +
           "}]\n";
  };
  folder.write("sub/b.yaml", text("b", "../c.yaml"));
  folder.write("c.yaml", text("c", "./sub/../a.yaml"));
  try {
    load_model(folder.write("a.yaml", text("a", "sub/b.yaml")));
    FAIL();
  } catch (const ParseError& error) {
    EXPECT_EQ(std::string(error.what()),
              folder.path("c.yaml") +
                  ":5:20: error: model.include.0.file: expected a model file that does not include "
                  "itself, got './sub/../a.yaml'");
  }
}

TEST(HostileFile, IncludeBombIsRefused) {
  const TemporaryFolder folder;
  folder.write("p0.yaml", "spacedyn: 1\nmodel: {name: p, base: {name: b, fixed: true}}\n");
  for (int i = 1; i < 30; ++i) {
    std::string text = "spacedyn: 1\nmodel:\n  name: p\n  base: {name: b, fixed: true}\n  include:";
    for (const char* prefix : {"u", "v", "w", "x", "y", "z"}) {
      text +=
          "\n    - {file: p" + std::to_string(i - 1) + ".yaml, prefix: " + prefix + ", parent: b}";
    }
    folder.write("p" + std::to_string(i) + ".yaml", text + '\n');
  }
  try {
    load_model(folder.path("p29.yaml"));
    FAIL();
  } catch (const ParseError& error) {
    EXPECT_NE(std::string(error.what()).find("links through includes, got more"),
              std::string::npos);
  }
}

TEST(HostileFile, NoiseIsReportedUpToALimit) {
  std::string text = kHead;
  for (int i = 0; i < 20000; ++i) text += "  key_" + std::to_string(i) + ": 0\n";
  try {
    parse_model(text, "m.yaml");
    FAIL();
  } catch (const ParseError& error) {
    EXPECT_EQ(error.diagnostics().size(), 1000U);
  }
}

/// A chain of links, each with an inertia that no rigid body has, which is a warning.
std::string doubtful_chain(int links) {
  std::string text = kHead + "  base: {name: l0, mass: 1, inertia: [1, 1, 1]}\n  links:\n";
  for (int i = 1; i <= links; ++i) {
    text += "    - {name: l" + std::to_string(i) + ", parent: l" + std::to_string(i - 1) +
            ", joint: {type: revolute}, mass: 1, inertia: [1, 1, 3]}\n";
  }
  return text;
}

TEST(HostileFile, ManyWarningsCutNothingOffAndHideNoError) {
  constexpr int kLinks = 1500;
  const std::string text = doubtful_chain(kLinks);
  EXPECT_EQ(parse_model(text, "m.yaml").model->joint_count(), kLinks);
  EXPECT_NE(error_of(text + "  frames: [{name: tip, link: l15OO}]\n").find("'l15OO'"),
            std::string::npos);
}

}  // namespace
}  // namespace spacedyn::hostile_files_test
