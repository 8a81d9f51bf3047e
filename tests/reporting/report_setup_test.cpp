// What a page learns from the set-up of a run, and what it takes for rounding.
#include <cmath>

#include "reporting/example_record.hpp"
#include "reporting/report_samples.hpp"
#include "spacedyn/forces/applied_loads.hpp"
#include "spacedyn/forces/body_field.hpp"
#include "spacedyn/forces/central_bodies.hpp"
#include "spacedyn/forces/hill_field.hpp"
#include "spacedyn/forces/polyhedron.hpp"
#include "spacedyn/forces/surface_forces.hpp"
#include "spacedyn/math/rotations.hpp"
#include "spacedyn/reporting/result_writer.hpp"
#include "support/temporary_directory.hpp"

namespace spacedyn::report_setup_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string> driven(const ReportData& report) {
  std::vector<std::string> joints;
  for (const ReportBody& body : report.bodies) {
    if (body.is_driven) joints.push_back(body.joint);
  }
  return joints;
}

TEST(SetupFacts, TellWhichJointsAreDriven) {
  const testing::SampleResult sample = testing::flown_arm(1.0);
  ReportData report = report_data(sample.table, *sample.setup.model);
  EXPECT_THAT(driven(report), IsEmpty());
  SimulationSetup setup = sample.setup;
  add_setup_facts(report, setup);
  EXPECT_THAT(driven(report),
              ::testing::ElementsAreArray({"shoulder_yaw", "shoulder_pitch", "elbow_pitch",
                                           "wrist_pitch", "wrist_yaw", "wrist_roll"}));
  setup.controllers.clear();
  const int wrist = *setup.model->find_joint("wrist_yaw");
  const int elbow = *setup.model->find_joint("elbow_pitch");
  setup.forces = {std::make_shared<AppliedJointTorque>(
      "motor", wrist, TimeTable::constant(VectorX::Ones(1), 3.0, 4.0))};
  setup.prescribed_joints = {{elbow, nullptr}};
  ReportData other = report_data(sample.table, *sample.setup.model);
  add_setup_facts(other, setup);
  EXPECT_THAT(driven(other), ElementsAre("elbow_pitch", "wrist_yaw"));
}

TEST(SetupFacts, TellWhatEventsDid) {
  const testing::SampleResult sample = testing::flown_arm(0.1);
  SimulationSetup setup = sample.setup;
  const int elbow = *setup.model->find_joint("elbow_pitch");
  setup.gravity = {0.0, 1.5, -9.0};
  setup.events.resize(3);
  setup.events[0].name = "grip";
  setup.events[0].actions = {LockAction{elbow}, SwitchAction{"slew", false}, StopAction{}};
  setup.events[1].name = "kick";
  setup.events[1].actions = {
      ImpulseAction{setup.model->frame("hand"), {1.0, 0.0, -0.25}, Vector3::Zero()}};
  setup.events[2].name = "stop";
  setup.events[2].actions = {BounceAction{elbow, 0.3}, ReleaseAction{elbow}};
  ReportData report = report_data(sample.table, *setup.model);
  report.events = {{0.5, "kick", {}}, {0.75, "grip", {}}, {0.8, "stop", {}}, {0.9, "contact", {}}};
  add_setup_facts(report, setup);
  std::vector<std::string> texts;
  for (const ReportEvent& event : report.events) texts.push_back(event.action);
  EXPECT_THAT(texts, ::testing::ElementsAreArray(
                         {"impulse at hand [1, 0, -0.25] N s",
                          "locks elbow_pitch, turns off slew, ends the run",
                          "elbow_pitch bounces off a stop, e = 0.3, releases elbow_pitch", ""}));
  EXPECT_EQ(report.gravity, Vector3(0.0, 1.5, -9.0));
}

/// Surroundings that a page learns from a set-up with some forces.
CelestialScene around(const std::vector<std::shared_ptr<const ForceElement>>& forces) {
  const testing::SampleResult sample = testing::flown_arm(0.1);
  SimulationSetup setup = sample.setup;
  setup.forces.assign(forces.begin(), forces.end());
  ReportData report = report_data(sample.table, *setup.model);
  add_setup_facts(report, setup);
  return report.surroundings;
}

TEST(SetupFacts, TellPlanetsAndTheirSizes) {
  CentralBody mars{"mars", 4.2828e13, {1.0e7, 0.0, 0.0}, 1.96e-3, 3.396e6, Vector3::UnitX()};
  CentralBody earth{"home", kEarthMu, {0.0, -8.0e6, 0.0}};
  CentralBody rock{"rock", 5.0, {1.0, 2.0, 3.0}};
  const CelestialScene all = around(
      {std::make_shared<CentralBodies>("gravity", std::vector<CentralBody>{mars, earth, rock})});
  ASSERT_EQ(all.bodies.size(), 3U);
  EXPECT_EQ(all.bodies[0].radius, 3.396e6);
  // the axis of oblateness is z of what is drawn
  EXPECT_NEAR((all.bodies[0].attitude.col(2) - Vector3::UnitX()).norm(), 0.0, 1e-15);
  EXPECT_EQ(all.bodies[1].name, "home");
  EXPECT_EQ(all.bodies[1].radius, kEarthRadius);
  EXPECT_EQ(all.bodies[2].radius, 0.0) << "no one states it";
  EXPECT_EQ(all.bodies[2].position, Vector3(1.0, 2.0, 3.0));
  EXPECT_FALSE(all.orbit.exists());
  EXPECT_FALSE(all.sun.has_value());
}

TEST(SetupFacts, TellTheOrbitAndTheSun) {
  const testing::SampleResult sample = testing::flown_arm(0.1);
  const Model& model = *sample.setup.model;
  OrbitSettings orbit;
  orbit.radius = 4.0e6;
  orbit.mu = 4.2828e13;
  orbit.eccentricity = 0.2;
  const auto field = std::make_shared<HillField>("orbit", model, orbit);
  SolarPressure::Settings light;
  light.plates = {{"panel", model.frame("hand")}};
  light.plates.front().area = 1.0;
  light.planet = {{-4.0e6, 0.0, 0.0}, 3.396e6, orbit};
  light.direction = Vector3(0.6, 0.0, 0.8);
  const CelestialScene all =
      around({std::make_shared<SolarPressure>("light", model, light), field});
  ASSERT_EQ(all.bodies.size(), 1U);
  EXPECT_EQ(all.bodies[0].name, "planet");
  EXPECT_EQ(all.bodies[0].position, Vector3(-4.0e6, 0.0, 0.0));
  EXPECT_EQ(all.bodies[0].radius, 3.396e6) << "of the shadow";
  EXPECT_EQ(all.orbit.radius, 4.0e6);
  EXPECT_EQ(all.orbit.eccentricity, 0.2);
  EXPECT_EQ(all.sun, light.direction);
}

TEST(SetupFacts, TellTheShapeOfAnAsteroid) {
  const TriangleMesh mesh{{Vector3::Zero(), Vector3::UnitX(), Vector3::UnitY(), Vector3::UnitZ()},
                          {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}};
  BodyAxes axes;
  axes.position = {0.0, 0.0, 9.0};
  axes.angular_velocity = {0.0, 1.0e-4, 0.0};
  const CelestialScene all = around(
      {std::make_shared<BodyField>("rock", std::make_shared<PolyhedronGravity>(mesh, 3.0), axes)});
  ASSERT_EQ(all.bodies.size(), 1U);
  EXPECT_EQ(all.bodies[0].name, "rock");
  ASSERT_EQ(all.bodies[0].triangles.size(), 36U);
  EXPECT_THAT(std::vector<float>(all.bodies[0].triangles.end() - 9, all.bodies[0].triangles.end()),
              ElementsAre(1.0F, 0.0F, 0.0F, 0.0F, 1.0F, 0.0F, 0.0F, 0.0F, 1.0F));
  EXPECT_EQ(all.bodies[0].position, axes.position);
  EXPECT_EQ(all.bodies[0].angular_velocity, axes.angular_velocity);
}

TEST(RunFacts, KeepEventsThroughAFile) {
  const testing::TemporaryDirectory folder;
  RunRecord record = testing::finished_record();
  record.result->events = {{1.25, "contact"}, {2.5, "\"<b>\""}};
  record.result->stopped_by = "\"<b>\"";
  record.result->integrals.throughput = 12.5;
  write_metadata(folder / "a.meta.json", record);
  testing::write_text(folder / "a.csv", "time_s,base_quaternion_w\n0,1\n1,1\n");
  const ResultTable table = read_result(folder / "a.csv");
  ASSERT_EQ(table.facts.events.size(), 2U);
  EXPECT_EQ(table.facts.events[1].name, "\"<b>\"");
  EXPECT_EQ(table.facts.events[1].time, 2.5);
  EXPECT_EQ(table.facts.stopped_by, "\"<b>\"");
  EXPECT_EQ(table.facts.throughput, 12.5);
  const ReportData report = report_data(table);
  ASSERT_EQ(report.events.size(), 2U);
  EXPECT_EQ(report.events[0].name, "contact");
}

TEST(RunFacts, LeaveOutEventsThatAreNone) {
  const testing::TemporaryDirectory folder;
  testing::write_text(folder / "a.csv", "time_s,x_m\n0,1\n");
  testing::write_text(folder / "a.meta.json",
                      R"({"format": "spacedyn-result/1", "outcome": {"status": "complete",
                          "events": [3, {"name": "no time"}, {"time": "1"}, {"time": 2}, null]}})");
  const ResultTable table = read_result(folder / "a.csv");
  ASSERT_EQ(table.facts.events.size(), 1U);
  EXPECT_EQ(table.facts.events[0].time, 2.0);
}

/// The energy budget of a report of made-up sources.
std::string budget(double work, double dissipated, double throughput) {
  ResultTable table;
  table.columns = {{"time_s", "s"}};
  table.values = MatrixX::Zero(2, 1);
  table.facts.sources_of_energy = {{"motor", {}, {work, dissipated, 0.0}}};
  table.facts.throughput = throughput;
  for (const ReportFact& fact : report_data(table).facts) {
    if (fact.group == "Energy budget") return fact.value;
  }
  return {};
}

TEST(EnergyBudget, ShowsRoundingAsZeroAsTheSummaryDoes) {
  EXPECT_EQ(budget(2.5, 1e-17, 3.0), "2.5 J in, 0 J stored, 0 J dissipated");
  EXPECT_EQ(budget(2.5, 1e-12, 3.0), "2.5 J in, 0 J stored, 1e-12 J dissipated");
  // a small run is no rounding
  EXPECT_EQ(budget(2e-17, 1e-17, 3e-17), "2e-17 J in, 0 J stored, 1e-17 J dissipated");
}

TEST(ReportScales, AreThoseOfTheRun) {
  const testing::SampleResult sample = testing::winding_chain(3, 10.0, 11);
  const ReportData report = report_data(sample.table, *sample.setup.model);
  const auto most = [&](const char* name) {
    return sample.table.values.col(sample.table.find(name)).cwiseAbs().maxCoeff();
  };
  EXPECT_GE(report.scales.energy, most("energy_kinetic_J"));
  // Σ m |v| is at least |Σ m v|
  EXPECT_GE(report.scales.linear_momentum * (1.0 + 1e-12), most("linear_momentum_x_kg_m_s"));
  EXPECT_GE(report.scales.angular_momentum * (1.0 + 1e-12),
            most("angular_momentum_centroid_z_kg_m2_s"));
}

TEST(ReportSeries, GivesAngularVelocitiesInBodyAxes) {
  // ω = A ω_body with made-up attitudes: the components that went in must come out
  MatrixX values(7, 15);
  const Vector3 own(0.3, -1.25, 2.0);
  for (int row = 0; row < 7; ++row) {
    const Quaternion q = quaternion_from_matrix(rotation_z(0.9 * row) * rotation_x(0.4 - row));
    const Vector3 inertial = q * own;
    values.row(row) << row, q.w(), q.x(), q.y(), q.z(), inertial.transpose(), q.w(), q.x(), q.y(),
        q.z(), 2.0 * inertial.transpose();
  }
  ResultTable table;
  table.columns.push_back({"time_s", "s"});
  for (const std::string start : {"base_", "frames_hand_"}) {
    for (const char* part : {"w", "x", "y", "z"}) {
      table.columns.push_back({start + "quaternion_" + part, ""});
    }
    for (const char* axis : {"x", "y", "z"}) {
      table.columns.push_back({start + "angular_velocity_" + axis + "_rad_s", "rad/s"});
    }
  }
  table.values = values;
  int found = 0;
  for (const ReportSeries& series : report_data(table).series) {
    const bool of_base = series.group == "Base angular velocity in body axes";
    if (!of_base && series.group != "Own-axis angular velocity of hand") continue;
    const int axis = series.label[0] - 'x';
    EXPECT_EQ(series.unit, "rad/s");
    for (const double value : series.values) {
      EXPECT_NEAR(value, (of_base ? 1.0 : 2.0) * own(axis), 1e-14);
    }
    ++found;
  }
  EXPECT_EQ(found, 6);
}

}  // namespace
}  // namespace spacedyn::report_setup_test
