// Checkpoints as files: what is written is read, and damage of any kind is an IoError.
#include "spacedyn/reporting/checkpoint_file.hpp"

#include <cstdint>
#include <cstring>

#include "spacedyn/error.hpp"
#include "support/message_of.hpp"
#include "support/temporary_directory.hpp"

namespace spacedyn::checkpoint_file_test {
namespace {

using testing::read_text;
using testing::write_text;

const std::string kMark = "spacedyn checkpoint\n";

/// FNV-1a over 64 bits, as files carry it at their end.
std::uint64_t checksum(const std::string& bytes) {
  std::uint64_t sum = 0xcbf29ce484222325U;
  for (const char byte : bytes) sum = (sum ^ static_cast<unsigned char>(byte)) * 0x100000001b3U;
  return sum;
}

CheckpointFile example() {
  CheckpointFile file;
  file.instruction_set = "avx2";
  file.model = "model: {}";
  file.sections = {{"duration", "10"}, {"events", "[]"}};
  file.overrides = {{"duration", "10 s"}};
  file.started = "2026-01-02T03:04:05Z";
  file.wall_seconds = 1.5;
  file.checkpoint.time = 2.5;
  file.checkpoint.state.q = VectorX::LinSpaced(3, 0.1, 0.3);
  file.checkpoint.state.qd = VectorX::Ones(3);
  file.checkpoint.outputs = 26;
  file.checkpoint.statistics = {100, 3, 700};
  file.checkpoint.memory = std::string("some\0bytes", 10);
  file.peaks = {{{0.25, 1.25}, {0.0, 0.0}}, {}, {{0.5, 0.75}}};
  return file;
}

class CheckpointOnDisk : public ::testing::Test {
 protected:
  CheckpointOnDisk() : path_(directory_ / "a.checkpoint") { write_checkpoint(path_, example()); }

  std::string refusal() const {
    return testing::message_of<IoError>([&] { read_checkpoint(path_); });
  }
  /// Writes contents with the sum that belongs to them.
  void write_contents(const std::string& contents) const {
    const std::uint64_t sum = checksum(contents);
    std::string end(sizeof(sum), ' ');
    std::memcpy(end.data(), &sum, sizeof(sum));
    write_text(path_, kMark + contents + end);
  }

  testing::TemporaryDirectory directory_;
  std::string path_;
};

TEST_F(CheckpointOnDisk, IsReadAsItWasWritten) {
  const CheckpointFile file = read_checkpoint(path_), expected = example();
  EXPECT_EQ(file.version, checkpoint_version());
  EXPECT_EQ(file.instruction_set, expected.instruction_set);
  EXPECT_EQ(file.model, expected.model);
  EXPECT_EQ(file.sections, expected.sections);
  EXPECT_EQ(file.overrides, expected.overrides);
  EXPECT_EQ(file.started, expected.started);
  EXPECT_EQ(file.wall_seconds, 1.5);
  EXPECT_EQ(file.checkpoint.time, 2.5);
  EXPECT_EQ(file.checkpoint.state.q, expected.checkpoint.state.q);
  EXPECT_EQ(file.checkpoint.outputs, 26);
  EXPECT_EQ(file.checkpoint.statistics.evaluations, 700);
  EXPECT_EQ(file.checkpoint.memory, expected.checkpoint.memory);
  ASSERT_EQ(file.peaks.size(), 3U);
  ASSERT_EQ(file.peaks[0].size(), 2U);
  EXPECT_EQ(file.peaks[0][0].value, 0.25);
  EXPECT_EQ(file.peaks[0][0].time, 1.25);
  EXPECT_TRUE(file.peaks[1].empty());
  ASSERT_EQ(file.peaks[2].size(), 1U);
  EXPECT_EQ(file.peaks[2][0].value, 0.5);
}

TEST_F(CheckpointOnDisk, ShowsDamageToAnyByteAndLossOfItsEnd) {
  const std::string bytes = read_text(path_);
  ASSERT_LT(bytes.size(), 800U);
  const auto is_refused = [&](const std::string& damaged) {
    write_text(path_, damaged);
    return refusal() != "no exception";
  };
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    std::string damaged = bytes;
    damaged[i] = static_cast<char>(damaged[i] ^ (1 << (i % 8)));
    EXPECT_TRUE(is_refused(damaged)) << i;
    if (i % 16 == 0) {
      EXPECT_TRUE(is_refused(bytes.substr(0, i))) << i;
    }
  }
}

TEST_F(CheckpointOnDisk, IsRefusedByAnotherVersion) {
  CheckpointFile file = example();
  file.version = "0.0.7";
  write_checkpoint(path_, file);
  EXPECT_EQ(refusal(), "cannot use the checkpoint '" + path_ +
                           "': spacedyn 0.0.7 has written it, this is " + checkpoint_version() +
                           "; only the same version continues a run bit for bit");
  write_text(path_, "time,q\n");
  EXPECT_EQ(refusal(),
            "cannot use the checkpoint '" + path_ + "': it is no checkpoint of spacedyn");
}

TEST_F(CheckpointOnDisk, AsksForNoMemoryThatALengthDoesNotHave) {
  // one place of the contents after the other taken for a length, the sum made to fit
  const std::string bytes = read_text(path_);
  const std::string contents =
      bytes.substr(kMark.size(), bytes.size() - kMark.size() - sizeof(std::uint64_t));
  const std::uint64_t length = std::uint64_t{1} << 40;
  for (std::size_t i = 0; i + sizeof(length) <= contents.size(); i += 3) {
    std::string hostile = contents;
    std::memcpy(hostile.data() + i, &length, sizeof(length));
    write_contents(hostile);
    try {
      read_checkpoint(path_);  // where it is no length, but a number or a text
    } catch (const IoError&) {
    }
  }
}

}  // namespace
}  // namespace spacedyn::checkpoint_file_test
