// Writes the pages that the browser tests open, and where they must show the bodies.
// Usage: report_pages FOLDER [--large]
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string_view>

#include <nlohmann/json.hpp>

#include "reporting/report_samples.hpp"
#include "spacedyn/math/rotations.hpp"

namespace spacedyn::testing {
namespace {

ReportData report_of(const SampleResult& sample) {
  ReportData report = report_data(sample.table, *sample.setup.model);
  add_force_arrows(report, sample.table, sample.setup);
  add_setup_facts(report, sample.setup);
  return report;
}

/// Origins of all bodies at some rows, from the table alone, by the library's own kinematics.
nlohmann::json expected_positions(const SampleResult& sample) {
  const Model& model = *sample.setup.model;
  const ResultTable& table = sample.table;
  const auto column = [&](const std::string& name) { return table.find(name); };
  State state(model);
  LinkFrames frames(model);
  nlohmann::json list = nlohmann::json::array();
  for (Eigen::Index row = 0; row < table.values.rows(); row += table.values.rows() / 7) {
    const auto value = [&](const std::string& name) { return table.values(row, column(name)); };
    state.r_0 = {value("base_position_x_m"), value("base_position_y_m"),
                 value("base_position_z_m")};
    state.A_0 = matrix_from_quaternion({value("base_quaternion_w"), value("base_quaternion_x"),
                                        value("base_quaternion_y"), value("base_quaternion_z")});
    for (int i = 1; i <= model.joint_count(); ++i) {
      state.q(i - 1) = value("joints_" + model.joint(i).name + "_rad");
    }
    compute_link_frames(model, state, frames);
    nlohmann::json positions = nlohmann::json::array();
    for (const Vector3& o : frames.o) positions.push_back({o.x(), o.y(), o.z()});
    list.push_back({{"time", table.values(row, 0)}, {"positions", positions}});
  }
  return list;
}

/// Times and values of one column, as they are in the result.
nlohmann::json expected_series(const SampleResult& sample, const std::string& name) {
  const VectorX times = sample.table.values.col(0);
  const VectorX values = sample.table.values.col(sample.table.find(name));
  return {{"times", std::vector<double>(times.data(), times.data() + times.size())},
          {"values", std::vector<double>(values.data(), values.data() + values.size())}};
}

void write_pages(const std::filesystem::path& folder, bool large) {
  std::filesystem::create_directories(folder);
  const auto page = [&](const char* name) { return (folder / name).string(); };
  const SampleResult arm = flown_arm(40.0);
  write_html_report(page("arm.html"), {report_of(arm)});
  const nlohmann::json expected{{"positions", expected_positions(arm)},
                                {"series", expected_series(arm, "joints_shoulder_yaw_rad")}};
  std::ofstream(folder / "arm.json") << expected;
  write_html_report(page("hostile.html"), {report_of(hostile_result())});
  ResultTable still = arm.table;
  still.columns.resize(1);
  still.columns.push_back({"energy_total_J", "J"});
  still.values = still.values.leftCols(2).eval();
  write_html_report(page("without_motion.html"), {report_data(still, *arm.setup.model)});
  if (!large) return;
  SampleResult soft = flown_arm(40.0, 0.2);
  soft.table.path = "results/ets7_slew-002/ets7_slew.csv";
  write_html_report(page("compare.html"), {report_of(arm), report_of(soft)});
  write_html_report(page("large.html"), {report_of(winding_chain(40, 600.0, 12001))});
}

}  // namespace
}  // namespace spacedyn::testing

int main(int argc, char** argv) {
  try {
    if (argc < 2) throw std::runtime_error("usage: report_pages FOLDER [--large]");
    spacedyn::testing::write_pages(argv[1], argc > 2 && std::string_view(argv[2]) == "--large");
  } catch (const std::exception& error) {
    std::cerr << "report_pages: " << error.what() << '\n';
    return 1;
  }
  return 0;
}
