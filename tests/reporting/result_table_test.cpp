#include "spacedyn/reporting/result_table.hpp"

#include <algorithm>

#include "reporting/example_record.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/reporting/report.hpp"
#include "spacedyn/reporting/result_writer.hpp"
#include "spacedyn/reporting/run_record.hpp"
#include "support/temporary_directory.hpp"

namespace spacedyn::result_table_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::TemporaryDirectory;
using testing::write_text;

std::string message_of(const std::string& path) {
  try {
    read_result(path);
  } catch (const IoError& error) {
    return error.what();
  }
  return "no exception";
}

TEST(CsvResult, ReadsBackWhatTheWriterWrote) {
  const TemporaryDirectory folder;
  RunRecord record = testing::finished_record();
  record.result->sources = {{"motor", {0.0, 0.0, 0.5}, {1.75, 0.25, 2.0}}};
  const auto writer = create_csv(folder / "run.csv", record.columns);
  const std::vector<double> values{0.1, 1.0 / 3.0, 5.0e-324, -1.7976931348623157e308};
  for (int row = 0; row < 2; ++row) {
    writer->write(Eigen::Vector2d(values[static_cast<std::size_t>(2 * row)] * row,
                                  values[static_cast<std::size_t>(2 * row + 1)]));
  }
  writer->close();
  write_metadata(folder / "run.meta.json", record);
  const ResultTable table = read_result(folder / "run.csv");
  ASSERT_EQ(table.values.rows(), 2);
  EXPECT_EQ(table.values(0, 1), values[1]);
  EXPECT_EQ(table.values(1, 0), values[2]);
  EXPECT_EQ(table.values(1, 1), values[3]);
  EXPECT_EQ(table.facts.scenario, "slew");
  EXPECT_EQ(table.facts.status, "complete");
  EXPECT_EQ(table.facts.time, 20.0);
  EXPECT_EQ(table.facts.overrides.at(0).first, "duration");
  EXPECT_EQ(table.facts.sources.at(1).first, "slew.yaml");
  EXPECT_TRUE(table.warnings.empty());
  EXPECT_EQ(table.facts.attitude_error, 0.0);
  ASSERT_EQ(table.facts.sources_of_energy.size(), 1U);
  const SourceBudget& motor = table.facts.sources_of_energy[0];
  EXPECT_EQ(motor.name, "motor");
  EXPECT_EQ(motor.start.stored, 0.5);
  EXPECT_EQ(motor.end.work, 1.75);
  EXPECT_EQ(motor.end.dissipated, 0.25);
  EXPECT_EQ(motor.end.stored, 2.0);
  const auto facts = report_data(table).facts;
  const auto is_budget = [](const ReportFact& fact) { return fact.group == "Energy budget"; };
  const auto fact = std::find_if(facts.begin(), facts.end(), is_budget);
  ASSERT_NE(fact, facts.end());
  EXPECT_EQ(fact->label, "motor");
  EXPECT_EQ(fact->value, "1.75 J in, 1.5 J stored, 0.25 J dissipated");
}

TEST(CsvResult, FindsTheOnlyResultOfAFolder) {
  const TemporaryDirectory folder;
  EXPECT_THAT(message_of(folder.path().string()),
              HasSubstr("there is no result file in the folder"));
  write_text(folder / "a.csv", "time_s,x_m\n0,1\n");
  EXPECT_EQ(read_result(folder.path().string()).path, folder / "a.csv");
  write_text(folder / "b.csv", "time_s,x_m\n0,1\n");
  EXPECT_THAT(message_of(folder.path().string()), HasSubstr("there are several result files in"));
}

TEST(CsvResult, TakesUnitsFromNamesWithoutMetadata) {
  const TemporaryDirectory folder;
  write_text(folder / "a.csv",
             "time_s,v_m_s,w_rad_s,L_x_kg_m2_s,q_torque_N_m,base_quaternion_w\r\n0,1,2,3,4,5\r\n");
  const ResultTable table = read_result(folder / "a.csv");
  std::vector<std::string> units;
  for (const Column& column : table.columns) units.push_back(column.unit);
  EXPECT_THAT(units, ::testing::ElementsAreArray({"s", "m/s", "rad/s", "kg m^2/s", "N m", ""}));
  EXPECT_THAT(table.warnings, ElementsAre(HasSubstr("model, inputs and audit are not known")));
}

TEST(CsvResult, KeepsTheWholeRowsOfACutFile) {
  const TemporaryDirectory folder;
  write_text(folder / "a.csv", "time_s,x_m\n0,1\n0.5,2\n1,3");
  const ResultTable table = read_result(folder / "a.csv");
  EXPECT_EQ(table.values.rows(), 2);
  EXPECT_EQ(table.warnings.at(0), "'" + folder / "a.csv" +
                                      "' ends in the middle of line 4; the 2 complete rows before "
                                      "it are shown");
}

TEST(CsvResult, RefusesWhatIsNotAResult) {
  const TemporaryDirectory folder;
  const auto message = [&](const std::string& text) {
    const std::string path = folder / "bad.csv";
    write_text(path, text);
    std::string found = message_of(path);
    for (std::size_t at = found.find(path); at != std::string::npos; at = found.find(path)) {
      found.replace(at, path.size(), "F");
    }
    return found;
  };
  EXPECT_EQ(message(""), "'F' is empty");
  EXPECT_EQ(message("a,b\n1,2\n"),
            "'F' is not a result of spacedyn: its first column is 'a', not 'time_s'");
  EXPECT_EQ(message("time_s,x_m\n"), "'F' holds no complete row");
  EXPECT_EQ(message("time_s,x_m\n0,1\n1\n2,2\n"), "F:3: expected 2 numbers separated by commas");
  EXPECT_EQ(message("time_s,x_m\n0,one\n"), "F:2: expected 2 numbers separated by commas");
  EXPECT_EQ(message("time_s,x_m\n1,1\n0.5,1\n"), "F:3: the time goes back to 0.5 s after 1 s");
  EXPECT_EQ(message_of(folder / "none.csv"),
            "cannot read '" + folder / "none.csv" + "': there is no such file");
  write_text(folder / "a.txt", "");
  EXPECT_EQ(message_of(folder / "a.txt"), "'" + folder / "a.txt" +
                                              "' is not a kind of result file that can be read; "
                                              "expected .h5 or .csv");
}

TEST(CsvResult, RefusesNewerAndForeignMetadataAndMendsDamagedOnes) {
  const TemporaryDirectory folder;
  write_text(folder / "a.csv", "time_s,x_m\n0,1\n");
  const std::string metadata = folder / "a.meta.json";
  write_text(metadata, R"({"format": "spacedyn-result/2"})");
  EXPECT_EQ(message_of(folder / "a.csv"), "'" + metadata +
                                              "' has the format 'spacedyn-result/2'; this program "
                                              "reads 'spacedyn-result/1': take a newer version of "
                                              "spacedyn");
  write_text(metadata, R"({"format": "other"})");
  EXPECT_EQ(message_of(folder / "a.csv"),
            "'" + metadata + "' is no metadata of spacedyn: its format is 'other'");
  write_text(metadata, R"({"format": "spacedyn-res)");
  EXPECT_THAT(read_result(folder / "a.csv").warnings, ElementsAre(HasSubstr("is damaged")));
  write_text(metadata, R"({"format": "spacedyn-result/1", "outcome": {"status": "running"}})");
  EXPECT_THAT(read_result(folder / "a.csv").warnings,
              ElementsAre(HasSubstr("the run did not end properly")));
}

TEST(CsvResult, RefusesMetadataOfWrongKinds) {
  const TemporaryDirectory folder;
  write_text(folder / "a.csv", "time_s,x_m\n0,1\n");
  const std::string metadata = folder / "a.meta.json";
  const std::string damaged = "the metadata in '" + metadata + "' are damaged: ";
  const std::vector<std::pair<std::string, std::string>> wrong{
      {R"([])", "they must be an object, got array"},
      {R"({"format": 7})", "'format' must be a text, got number"},
      {R"({"inputs": {"files": 3}})", "'inputs.files' must be a list, got number"},
      {R"({"inputs": {"files": ["a"]}})", "'inputs.files.[]' must be an object, got string"},
      {R"({"columns": [{"index": 1.5}]})", "'columns.[].index' must be a whole number, got number"},
      {R"({"outcome": "good"})", "'outcome' must be an object, got string"},
      {R"({"integrator": []})", "'integrator' must be an object, got array"}};
  for (const auto& [text, reason] : wrong) {
    write_text(metadata, text);
    EXPECT_EQ(message_of(folder / "a.csv"), damaged + reason);
  }
}

TEST(CsvResult, TakesNoPlacesThatNoFileCanHave) {
  const TemporaryDirectory folder;
  write_text(folder / "a.csv", "time_s,x_m,y_m\n0,1,2\n");
  for (const char* place : {"/time", "/meta/record", "/a//b", "a", "/a/../b", "/time/x"}) {
    write_text(folder / "a.meta.json",
               R"({"format": "spacedyn-result/1", "columns": [{"name": "y_m", "dataset": ")" +
                   std::string(place) + R"("}]})");
    const ResultTable table = read_result(folder / "a.csv");
    EXPECT_EQ(table.columns[2].dataset, "") << place;
    EXPECT_THAT(table.warnings, ElementsAre(HasSubstr("the places of its columns"))) << place;
  }
}

}  // namespace
}  // namespace spacedyn::result_table_test
