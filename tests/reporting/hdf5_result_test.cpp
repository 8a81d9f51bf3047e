// HDF5 results written and read back; other readers of the same files are in tests/formats.
#include <cmath>
#include <limits>
#include <thread>

#include <fcntl.h>
#include <unistd.h>

#include "reporting/example_record.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/reporting/result_table.hpp"
#include "spacedyn/reporting/result_writer.hpp"
#include "support/child_process.hpp"
#include "support/temporary_directory.hpp"

namespace spacedyn::hdf5_result_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::read_text;
using ::testing::StartsWith;
using testing::TemporaryDirectory;
using ::testing::ThrowsMessage;
using testing::write_text;

/// Time, a vector, a list of joints and a number, as a layout would name them.
std::vector<Column> example_columns() {
  return {{"time_s", "s", "/time"},
          {"base_position_x_m", "m", "/base/position", 0, "inertial"},
          {"base_position_y_m", "m", "/base/position", 1, "inertial"},
          {"base_position_z_m", "m", "/base/position", 2, "inertial"},
          {"joints_a_rad", "rad", "/joints/q", 0},
          {"energy_total_J", "J", "/energy/total"}};
}

RunRecord record_of(double duration) {
  RunRecord record = testing::finished_record();
  record.columns = example_columns();
  record.duration = duration;
  return record;
}

/// A row whose every number tells where it belongs.
VectorX row_at(int i) {
  VectorX row(6);
  row << 0.5 * i, i + 0.1, i + 0.2, i + 0.3, std::sqrt(2.0) * i, -1.0 / (1.0 + i);
  return row;
}

void write_rows(ResultWriter& writer, int first, int last) {
  for (int i = first; i < last; ++i) writer.write(row_at(i));
}

void expect_rows(const ResultTable& table, Eigen::Index least) {
  ASSERT_GE(table.values.rows(), least);
  for (Eigen::Index i = 0; i < table.values.rows(); ++i) {
    ASSERT_EQ(table.values.row(i).transpose(), row_at(static_cast<int>(i))) << "row " << i;
  }
}

std::string message_of(const std::string& path) {
  try {
    read_result(path);
  } catch (const IoError& error) {
    return error.what();
  }
  return "no exception";
}

/// A finished result of 3001 rows.
std::string write_example(const std::string& path) {
  const RunRecord record = record_of(1500.0);
  const auto writer = create_hdf5(path, record);
  write_rows(*writer, 0, 3001);
  writer->finish(record);
  return path;
}

TEST(Hdf5Result, ReadsBackWhatTheWriterWrote) {
  const TemporaryDirectory folder;
  const ResultTable table = read_result(write_example(folder / "run.h5"));
  EXPECT_EQ(table.values.rows(), 3001);
  expect_rows(table, 3001);
  const std::vector<Column> columns = example_columns();
  ASSERT_EQ(table.columns.size(), columns.size());
  for (std::size_t i = 0; i < columns.size(); ++i) {
    EXPECT_EQ(table.columns[i].name, columns[i].name);
    EXPECT_EQ(table.columns[i].unit, columns[i].unit);
    EXPECT_EQ(table.columns[i].dataset, columns[i].dataset);
    EXPECT_EQ(table.columns[i].index, columns[i].index);
    EXPECT_EQ(table.columns[i].frame, columns[i].frame);
  }
  EXPECT_EQ(table.facts.scenario, "slew");
  EXPECT_EQ(table.facts.status, "complete");
  EXPECT_EQ(table.facts.time, 20.0);
  ASSERT_EQ(table.facts.sources.size(), 2U);
  EXPECT_EQ(table.facts.sources[0].first, "robot.yaml");
  EXPECT_EQ(table.facts.sources[1].second, "spacedyn: 1\n");
  EXPECT_EQ(table.facts.overrides.at(0).first, "duration");
  EXPECT_TRUE(table.warnings.empty());
}

#if defined(__linux__) && !defined(SPACEDYN_SANITIZED)
TEST(Hdf5Reader, MayMakeFewCallsOfTheSystem) {
  const TemporaryDirectory folder;
  const std::string result = write_example(folder / "run.h5");
  int ends[2] = {-1, -1};
  ASSERT_EQ(pipe(ends), 0);
  const pid_t reader = fork();
  ASSERT_GE(reader, 0);
  if (reader == 0) {
    dup2(open(result.c_str(), O_RDONLY), STDIN_FILENO);
    dup2(ends[1], STDOUT_FILENO);
    execl(SPACEDYN_READER, SPACEDYN_READER, "1", "1", "640", "60", nullptr);
    _exit(1);
  }
  // it is at work until someone reads: a pipe holds less than the rows
  std::string status;
  for (int i = 0; i < 1000 && status.find("Seccomp:\t2") == std::string::npos; ++i) {
    usleep(10000);
    status = read_text("/proc/" + std::to_string(reader) + "/status");
  }
  kill(reader, SIGKILL);
  waitpid(reader, nullptr, 0);
  close(ends[0]);
  close(ends[1]);
  EXPECT_THAT(status, HasSubstr("Seccomp:\t2"));
  EXPECT_THAT(status, HasSubstr("NoNewPrivs:\t1"));
}
#endif

TEST(Hdf5Result, KeepsNumbersThatAreNone) {
  const TemporaryDirectory folder;
  const RunRecord record = record_of(1.0);
  const auto writer = create_hdf5(folder / "run.h5", record);
  VectorX row = row_at(0);
  row(1) = std::numeric_limits<double>::quiet_NaN();
  row(2) = -std::numeric_limits<double>::infinity();
  writer->write(row);
  writer->finish(record);
  const ResultTable table = read_result(folder / "run.h5");
  EXPECT_TRUE(std::isnan(table.values(0, 1)));
  EXPECT_EQ(table.values(0, 2), row(2));
}

TEST(Hdf5Result, TakesMoreRowsThanItExpected) {
  const TemporaryDirectory folder;
  const RunRecord record = record_of(1.0);
  const auto writer = create_hdf5(folder / "run.h5", record);
  write_rows(*writer, 0, 100);
  writer->finish(record);
  expect_rows(read_result(folder / "run.h5"), 100);
}

TEST(Hdf5Result, IsTheSameForEqualRunsWhateverTheClockAndTheHostSay) {
  const TemporaryDirectory folder;
  write_example(folder / "a.h5");
  RunRecord record = record_of(1500.0);
  record.started = "2031-01-01T00:00:00Z";
  std::this_thread::sleep_for(std::chrono::milliseconds(1100));  // HDF5 would note seconds
  record.wall_seconds = 77.0;
  const auto writer = create_hdf5(folder / "b.h5", record);
  write_rows(*writer, 0, 3001);
  writer->finish(record);
  EXPECT_EQ(read_text(folder / "a.h5"), read_text(folder / "b.h5"));
}

TEST(Hdf5Result, TakesDateAndWallTimeFromTheMetadataBesideIt) {
  const TemporaryDirectory folder;
  write_example(folder / "run.h5");
  EXPECT_FALSE(read_result(folder / "run.h5").facts.wall_seconds.has_value());
  write_metadata(folder / "run.meta.json", record_of(1500.0));
  const ResultTable table = read_result(folder / "run.h5");
  EXPECT_EQ(table.facts.wall_seconds, 0.5);
  EXPECT_EQ(table.facts.started, "2024-06-11T08:00:00Z");
  write_text(folder / "run.meta.json", "{}");
  EXPECT_FALSE(read_result(folder / "run.h5").facts.wall_seconds.has_value());
}

TEST(Hdf5Result, IsReadWhileItGrows) {
  const TemporaryDirectory folder;
  const std::string path = folder / "run.h5";
  RunRecord record = record_of(1500.0);
  record.status = RunStatus::running;
  const auto writer = create_hdf5(path, record, std::chrono::milliseconds(5));
  EXPECT_EQ(message_of(path), "'" + path + "' holds no complete row");
  writer->write(row_at(0));
  std::this_thread::sleep_for(std::chrono::milliseconds(6));
  writer->poll();
  EXPECT_EQ(read_result(path).values.rows(), 1);
  write_rows(*writer, 1, 2500);
  const ResultTable table = read_result(path);
  expect_rows(table, 2256);  // six of the eight pieces of 3001 expected rows
  EXPECT_THAT(table.warnings, ElementsAre(StartsWith("the run did not end properly")));
}

TEST(Hdf5Result, SurvivesAKilledWriter) {
  const TemporaryDirectory folder;
  const std::string path = folder / "run.h5";
  RunRecord record = record_of(1500.0);
  record.status = RunStatus::running;
  for (const int count : {1, 700, 2500}) {
    std::filesystem::remove(path);
    testing::run_and_kill([&] {
      auto* writer = create_hdf5(path, record, std::chrono::hours(1)).release();  // never destroyed
      write_rows(*writer, 0, count);
      writer->flush();
      write_rows(*writer, count, count + 300);
    });
    const ResultTable table = read_result(path);
    expect_rows(table, count);
    EXPECT_LT(table.values.rows(), count + 300);
    EXPECT_EQ(table.facts.status, "running");
    EXPECT_EQ(table.facts.sources.size(), 2U);
    EXPECT_THAT(table.warnings, ElementsAre(StartsWith("the run did not end properly")));
  }
}

TEST(Hdf5Result, KeepsWholeRowsOnAFullDisk) {
  const TemporaryDirectory folder;
  const std::string path = folder / "run.h5";
  const std::string expected = "cannot write to '" + path + "': File too large";
  for (const rlim_t size : {80000U, 100000U, 150000U, 200001U}) {
    std::filesystem::remove(path);
    testing::run_with_small_disk(size, [&] {
      const auto writer = create_hdf5(path, record_of(1.0e5), std::chrono::hours(1));
      try {
        write_rows(*writer, 0, 200000);
      } catch (const IoError& error) {
        return error.what() == expected;
      }
      return false;
    });
    const ResultTable table = read_result(path);
    expect_rows(table, 1021);  // a piece at least
    EXPECT_LE(table.values.rows(), static_cast<Eigen::Index>(size / 48));
  }
}

TEST(Hdf5Result, LeavesNoFileWithoutItsArrays) {
  const TemporaryDirectory folder;
  const std::string path = folder / "run.h5";
  testing::run_with_small_disk(500, [&] {
    try {
      const auto writer = create_hdf5(path, record_of(10.0));
    } catch (const IoError&) {
      return true;
    }
    return false;
  });
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(Hdf5Result, GivesTheRowsThatACutOffFileStillHas) {
  const TemporaryDirectory folder;
  const std::string whole = read_text(write_example(folder / "run.h5"));
  const std::string cut = folder / "cut.h5";
  Eigen::Index most = 0;
  int damaged = 0;
  for (std::size_t size = whole.size() - 1; size > 0; size -= std::min<std::size_t>(size, 997)) {
    write_text(cut, whole.substr(0, size));
    try {
      const ResultTable table = read_result(cut);
      expect_rows(table, 1);
      most = std::max(most, table.values.rows());
    } catch (const IoError& error) {
      ++damaged;
      EXPECT_THAT(error.what(), StartsWith("'" + cut + "' "));
    }
  }
  EXPECT_GE(most, 2000);
  EXPECT_GT(damaged, 0);
}

TEST(Hdf5Result, RefusesForeignFiles) {
  const TemporaryDirectory folder;
  const std::string path = folder / "run.h5";
  write_text(path, "time_s,x_m\n0,1\n");
  EXPECT_EQ(message_of(path), "'" + path + "' is not an HDF5 file");
  write_text(path, "");
  EXPECT_EQ(message_of(path), "'" + path + "' is not an HDF5 file");
}

TEST(Hdf5Result, RefusesANewerFormat) {
  const TemporaryDirectory folder;
  const std::string path = write_example(folder / "run.h5");
  std::string bytes = read_text(path);
  const std::size_t place = bytes.find("spacedyn-result/1");
  ASSERT_NE(place, std::string::npos);
  bytes[place + 16] = '2';
  write_text(path, bytes);
  EXPECT_THAT(message_of(path), HasSubstr("has the format 'spacedyn-result/2'; this program reads "
                                          "'spacedyn-result/1': take a newer version of spacedyn"));
}

TEST(Hdf5Writer, RefusesToOverwriteAndMissingDirectories) {
  const TemporaryDirectory folder;
  const std::string path = folder / "run.h5";
  write_text(path, "precious");
  EXPECT_THAT([&] { create_hdf5(path, record_of(1.0)); },
              ThrowsMessage<IoError>("cannot create '" + path +
                                     "': it exists already and is not overwritten"));
  EXPECT_EQ(read_text(path), "precious");
  const std::string missing = folder / "missing/run.h5";
  EXPECT_THAT([&] { create_hdf5(missing, record_of(1.0)); },
              ThrowsMessage<IoError>("cannot create '" + missing + "': No such file or directory"));
}

TEST(Hdf5Writer, RefusesRowsOfAnotherWidthAndRowsAfterTheEnd) {
  const TemporaryDirectory folder;
  const std::string path = folder / "run.h5";
  const auto writer = create_hdf5(path, record_of(1.0));
  EXPECT_THAT([&] { writer->write(Vector3::Zero()); },
              ThrowsMessage<DimensionError>("a row of 3 values was given to '" + path +
                                            "', which has 6 columns"));
  writer->close();
  writer->close();
  EXPECT_THAT([&] { writer->write(row_at(0)); },
              ThrowsMessage<IoError>("cannot write to '" + path + "': it is closed"));
}

}  // namespace
}  // namespace spacedyn::hdf5_result_test
