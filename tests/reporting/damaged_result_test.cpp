// Results in any state of damage, read through the process that the library does not trust. Files
// made to harm, and the program as a whole, are in tests/formats.
#include <chrono>
#include <cmath>
#include <random>
#include <thread>

#include <sys/resource.h>

#include "reporting/example_record.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/reporting/convert.hpp"
#include "spacedyn/reporting/result_writer.hpp"
#include "support/message_of.hpp"
#include "support/temporary_directory.hpp"

namespace spacedyn::damaged_result_test {
namespace {

using ::testing::HasSubstr;
using testing::read_text;
using testing::TemporaryDirectory;
using testing::write_text;

constexpr unsigned kSeed = 20240611;
constexpr int kRows = 700;

VectorX row_at(int i) {
  VectorX row(4);
  row << 0.25 * i, std::sqrt(1.0 + i), -1.0 / (1.0 + i), 3.0 * i;
  return row;
}

/// A finished result with a vector, a list and the time.
std::string write_example(const std::string& path) {
  RunRecord record = testing::finished_record();
  record.columns = {{"time_s", "s", "/time"},
                    {"joints_a_rad", "rad", "/joints/q", 0},
                    {"joints_b_rad", "rad", "/joints/q", 1},
                    {"energy_total_J", "J", "/energy/total"}};
  record.duration = 0.25 * (kRows - 1);
  record.output_interval = 0.25;
  const auto writer = create_hdf5(path, record);
  for (int i = 0; i < kRows; ++i) writer->write(row_at(i));
  writer->finish(record);
  return path;
}

class DamagedResult : public ::testing::Test {
 protected:
  DamagedResult() : intact_(read_text(write_example(folder_ / "run.h5"))) {
    RecordProperty("seed", static_cast<int>(kSeed));
  }

  std::size_t below(std::size_t limit) { return random_() % limit; }

  /// Reads a file of these bytes. @return rows, −1 if it is refused with a reason
  long read(const std::string& bytes) {
    const std::string path = folder_ / "damaged.h5";
    write_text(path, bytes);
    const auto start = std::chrono::steady_clock::now();
    long rows = -1;
    try {
      const ResultTable table = read_result(path);
      rows = table.values.rows();
      EXPECT_GT(rows, 0);
      EXPECT_LE(rows, kRows);
      EXPECT_EQ(rows < kRows, !table.warnings.empty() &&
                                  table.warnings[0].find(" rows can be read") != std::string::npos);
    } catch (const IoError& error) {
      EXPECT_THAT(error.what(), HasSubstr(path));
    }
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
    return rows;
  }

  static void expect_little_memory() {
    rusage usage = {};
    getrusage(RUSAGE_CHILDREN, &usage);
    EXPECT_LT(usage.ru_maxrss, 1024L * 1024);  // KiB
  }

  TemporaryDirectory folder_;
  std::string intact_;
  std::mt19937 random_{kSeed};
};

TEST_F(DamagedResult, FlippedBitsAreRefusedOrCostRows) {
  constexpr int kCases = 120;
  int refused = 0;
  for (int i = 0; i < kCases; ++i) {
    std::string bytes = intact_;
    // one to a thousand of them, in all of the file or where others are found from
    const std::size_t width = i % 2 == 0 ? bytes.size() : 2048;
    const auto flips = static_cast<int>(std::pow(10.0, 3.0 * (i + 1) / kCases));
    for (int k = 0; k < flips; ++k) {
      const std::size_t at = below(width);
      bytes[at] = static_cast<char>(bytes[at] ^ (1 << below(8)));
    }
    SCOPED_TRACE(i);
    refused += read(bytes) < 0 ? 1 : 0;
  }
  EXPECT_GT(refused, kCases / 4) << "the damage must be worth its name";
  expect_little_memory();
}

TEST_F(DamagedResult, CutsCostTheRowsBeyondThem) {
  constexpr int kCases = 40;
  int good = 0;
  for (int i = 0; i < kCases; ++i) {
    SCOPED_TRACE(i);
    good += read(intact_.substr(0, below(intact_.size()))) > 0 ? 1 : 0;
  }
  EXPECT_GT(good, 0);
  EXPECT_EQ(read(intact_), kRows);
  expect_little_memory();
}

TEST_F(DamagedResult, HolesAreNoRows) {
  // the end of the file is where its length says, but nothing was ever written there
  std::string bytes = intact_.substr(0, intact_.size() * 2 / 3);
  bytes.resize(intact_.size(), '\0');
  EXPECT_LT(read(bytes), kRows);
}

TEST_F(DamagedResult, WhatIsLeftOfTheRowsIsConverted) {
  const std::string cut = folder_ / "cut.h5";
  write_text(cut, intact_.substr(0, intact_.size() * 9 / 10));
  const ResultTable table = read_result(cut);
  ASSERT_LT(table.values.rows(), kRows);
  for (const char* name : {"a.h5", "a.csv"}) {
    const auto stream = open_result(cut);
    EXPECT_EQ(write_result(folder_ / name, *stream), table.values.rows());
    EXPECT_THAT(stream->damage(), HasSubstr("is damaged or cut off"));
    EXPECT_EQ(read_result(folder_ / name).values, table.values);
  }
}

TEST_F(DamagedResult, LimitsAreThoseOfTheCaller) {
  const std::string path = folder_ / "run.h5";
  ReadLimits limits;
  limits.bytes = kRows * 4 * 8 - 1;
  EXPECT_THAT(testing::message_of<IoError>([&] { read_result(path, limits); }),
              HasSubstr("says that it unpacks into"));
  limits.bytes += 1;
  EXPECT_EQ(read_result(path, limits).values.rows(), kRows);
  limits.seconds = 1.0e-9;
  EXPECT_THAT(testing::message_of<IoError>([&] { read_result(path, limits); }),
              HasSubstr("takes too long"));
}

TEST_F(DamagedResult, CanBeReadFromManyThreadsAtOnce) {
  std::vector<std::thread> threads;
  std::vector<long> rows(8, 0);
  for (long& count : rows) {
    threads.emplace_back([&count, this] { count = read_result(folder_ / "run.h5").values.rows(); });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(rows, std::vector<long>(8, kRows));
}

TEST_F(DamagedResult, DirectoriesAndDevicesAreNoResults) {
  std::filesystem::create_symlink("/dev/zero", folder_ / "endless.csv");
  EXPECT_THAT(testing::message_of<IoError>([&] { read_result(folder_ / "endless.csv"); }),
              HasSubstr("is no regular file"));
}

}  // namespace
}  // namespace spacedyn::damaged_result_test
