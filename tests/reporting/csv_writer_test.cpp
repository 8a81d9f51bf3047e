#include "spacedyn/reporting/result_writer.hpp"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <sstream>
#include <thread>

#include "spacedyn/error.hpp"
#include "support/child_process.hpp"
#include "support/temporary_directory.hpp"

namespace spacedyn::csv_writer_test {
namespace {

using ::testing::HasSubstr;
using testing::read_text;
using testing::run_with_small_disk;
using testing::TemporaryDirectory;
using ::testing::ThrowsMessage;

const std::vector<Column> kColumns{{"time_s", "s"}, {"joints_a_rad", "rad"}};

VectorX row_of(double first, double second) { return Eigen::Vector2d(first, second); }

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

TEST(CsvWriter, WritesTheHeaderAndTheShortestNumbersThatReadBack) {
  const TemporaryDirectory directory;
  const auto writer = create_csv(directory / "a.csv", kColumns);
  writer->write(row_of(0.0, 0.1));
  writer->write(row_of(1.0 / 3.0, -1e-300));
  writer->write(
      row_of(std::numeric_limits<double>::quiet_NaN(), -std::numeric_limits<double>::infinity()));
  writer->close();
  EXPECT_EQ(read_text(directory / "a.csv"),
            "time_s,joints_a_rad\n0,0.1\n0.3333333333333333,-1e-300\nnan,-inf\n");
}

TEST(CsvWriter, NumbersReadBackBitForBit) {
  const std::uint64_t seed = 20240611;
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random(seed);
  const TemporaryDirectory directory;
  const auto writer = create_csv(directory / "a.csv", kColumns);
  std::vector<double> written;
  while (written.size() < 2000) {
    const std::uint64_t bits = random();
    double number = 0.0;
    std::memcpy(&number, &bits, sizeof(number));
    if (!std::isfinite(number)) continue;
    written.push_back(number);
    writer->write(row_of(number, number));
  }
  writer->close();
  const std::vector<std::string> lines = lines_of(read_text(directory / "a.csv"));
  ASSERT_EQ(lines.size(), written.size() + 1);
  for (std::size_t i = 0; i < written.size(); ++i) {
    EXPECT_EQ(std::strtod(lines[i + 1].c_str(), nullptr), written[i]);
  }
}

TEST(CsvWriter, RefusesToOverwrite) {
  const TemporaryDirectory directory;
  const std::string path = directory / "a.csv";
  testing::write_text(path, "precious");
  EXPECT_THAT([&] { create_csv(path, kColumns); },
              ThrowsMessage<IoError>("cannot create '" + path +
                                     "': it exists already and is not overwritten"));
  EXPECT_EQ(read_text(path), "precious");
}

TEST(CsvWriter, RefusesAMissingDirectory) {
  const TemporaryDirectory directory;
  const std::string path = directory / "missing/a.csv";
  EXPECT_THAT([&] { create_csv(path, kColumns); },
              ThrowsMessage<IoError>("cannot create '" + path + "': No such file or directory"));
}

TEST(CsvWriter, RefusesARowOfAnotherWidth) {
  const TemporaryDirectory directory;
  const std::string path = directory / "a.csv";
  const auto writer = create_csv(path, kColumns);
  EXPECT_THAT([&] { writer->write(Vector3::Zero()); },
              ThrowsMessage<DimensionError>("a row of 3 values was given to '" + path +
                                            "', which has 2 columns"));
}

TEST(CsvWriter, RefusesRowsAfterItIsClosed) {
  const TemporaryDirectory directory;
  const std::string path = directory / "a.csv";
  const auto writer = create_csv(path, kColumns);
  writer->close();
  writer->close();
  EXPECT_THAT([&] { writer->write(row_of(0.0, 0.0)); },
              ThrowsMessage<IoError>("cannot write to '" + path + "': it is closed"));
}

TEST(CsvWriter, ShowsTheHeaderAtOnce) {
  const TemporaryDirectory directory;
  const auto writer = create_csv(directory / "a.csv", kColumns);
  EXPECT_EQ(read_text(directory / "a.csv"), "time_s,joints_a_rad\n");
}

TEST(CsvWriter, HoldsBackLittleAndShowsWholeLinesOnly) {
  const TemporaryDirectory directory;
  const auto writer = create_csv(directory / "a.csv", kColumns, std::chrono::hours(1));
  std::size_t written = std::string("time_s,joints_a_rad\n").size();
  for (int i = 0; i < 80000; ++i) {
    writer->write(row_of(10000.25 + i, 0.5));
    written += std::string("10000.25,0.5\n").size();
    if (i % 10000 != 9999) continue;
    const std::string visible = read_text(directory / "a.csv");
    EXPECT_EQ(visible.back(), '\n');
    EXPECT_LE(written - visible.size(), std::size_t{64} * 1024);
  }
  writer->close();
  EXPECT_EQ(read_text(directory / "a.csv").size(), written);
}

TEST(CsvWriter, ShowsRowsWhenTheIntervalHasPassed) {
  const TemporaryDirectory directory;
  const std::string path = directory / "a.csv";
  const auto writer = create_csv(path, kColumns, std::chrono::milliseconds(5));
  writer->write(row_of(1.0, 2.0));
  std::this_thread::sleep_for(std::chrono::milliseconds(6));
  writer->poll();
  EXPECT_EQ(lines_of(read_text(path)).size(), 2U);
  std::this_thread::sleep_for(std::chrono::milliseconds(6));
  writer->write(row_of(3.0, 4.0));
  EXPECT_EQ(lines_of(read_text(path)).size(), 3U);
}

TEST(CsvWriter, FlushShowsEveryRow) {
  const TemporaryDirectory directory;
  const auto writer = create_csv(directory / "a.csv", kColumns, std::chrono::hours(1));
  writer->write(row_of(1.0, 2.0));
  EXPECT_EQ(lines_of(read_text(directory / "a.csv")).size(), 1U);
  writer->flush();
  EXPECT_EQ(lines_of(read_text(directory / "a.csv")).back(), "1,2");
}

TEST(CsvWriter, KeepsWholeRowsOnAFullDisk) {
  const TemporaryDirectory directory;
  const std::string path = directory / "a.csv";
  const std::string expected = "cannot write to '" + path + "': File too large";
  run_with_small_disk(100000, [&] {
    const auto writer = create_csv(path, kColumns);
    try {
      for (int i = 0; i < 100000; ++i) writer->write(row_of(10000.0 + i, 1.0 / 3.0));
    } catch (const IoError& error) {
      return error.what() == expected;
    }
    return false;
  });
  const std::string text = read_text(path);
  EXPECT_LE(text.size(), 100000U);
  EXPECT_GT(text.size(), 99000U);  // what fits is kept
  EXPECT_EQ(text.back(), '\n');
  const std::vector<std::string> lines = lines_of(text);
  for (std::size_t i = 1; i < lines.size(); ++i) {
    EXPECT_EQ(lines[i], std::to_string(9999 + i) + ",0.3333333333333333");
  }
}

TEST(CsvWriter, LeavesNoFileWithoutItsHeader) {
  const TemporaryDirectory directory;
  const std::string path = directory / "a.csv";
  run_with_small_disk(5, [&] {
    try {
      const auto writer = create_csv(path, kColumns);
    } catch (const IoError&) {
      return true;
    }
    return false;
  });
  EXPECT_FALSE(std::filesystem::exists(path));
}

}  // namespace
}  // namespace spacedyn::csv_writer_test
