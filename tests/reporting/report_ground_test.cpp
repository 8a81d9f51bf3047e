// The ground of a page: its relief, tracks of wheels, forces at tyres.
#include <cmath>

#include <gmock/gmock.h>

#include "spacedyn/forces/tyre_force.hpp"
#include "spacedyn/forces/wheel_force.hpp"
#include "spacedyn/math/constants.hpp"
#include "spacedyn/recording/channels.hpp"
#include "spacedyn/reporting/report.hpp"
#include "spacedyn/terrain/profile_terrain.hpp"
#include "support/contact_models.hpp"
#include "support/small_models.hpp"
#include "terramechanics/reference_soils.hpp"

namespace spacedyn::testing::report_ground_test {
namespace {

constexpr double kRadius = 0.2, kWidth = 0.1;

std::shared_ptr<const Model> one_wheel() {
  LinkDescription wheel =
      link_body("wheel", "base", 1.2, {0.004, 0.005, 0.004}, Vector3::Zero(), Vector3::Zero());
  wheel.joint.axis = Vector3::UnitY();
  return std::make_shared<const Model>(
      ModelBuilder("one_wheel").set_base(base_body(5.4, {0.1, 0.1, 0.1})).add_link(wheel).build());
}

SimulationSetup on_slope(double angle) {
  TyreForce::Settings settings;
  settings.link = 1;
  settings.radius = kRadius;
  settings.width = kWidth;
  settings.terrain = std::make_shared<PlaneTerrain>(PlaneTerrain::slope(angle, 0.0));
  settings.stiffness = 2e4;
  settings.friction = 0.8;
  settings.slip_stiffness = 8.0;
  settings.cornering_stiffness = 6.0;
  SimulationSetup setup;
  setup.model = one_wheel();
  setup.forces.push_back(std::make_shared<TyreForce>("left", settings));
  return setup;
}

SimulationSetup on_soil() {
  WheelForce::Settings settings;
  settings.link = 1;
  settings.wheel = {kRadius, kWidth, 0.0};
  settings.soil = regolith_simulant();
  settings.terrain = std::make_shared<PlaneTerrain>(Vector3::UnitZ(), 0.0);
  SimulationSetup setup;
  setup.model = one_wheel();
  setup.forces.push_back(std::make_shared<WheelForce>("left", settings));
  return setup;
}

/// Rows of a base that moves from one place to another, along x, and what a tyre is told to feel.
ResultTable moved(const Model& model, const Vector3& from, const Vector3& to) {
  ResultTable table;
  table.columns = RowLayout(model, {Channel::state}).columns();
  for (const char* quantity : {"drawbar_pull", "side_force", "vertical_force"}) {
    table.columns.push_back({"wheels_left_" + std::string(quantity) + "_N", "N", "wheels"});
  }
  table.values = MatrixX::Zero(2, static_cast<Eigen::Index>(table.columns.size()));
  const auto set = [&](int row, const std::string& column, double value) {
    table.values(row, table.find(column)) = value;
  };
  for (const int row : {0, 1}) {
    const Vector3& place = row == 0 ? from : to;
    set(row, "time_s", row);
    set(row, "base_quaternion_w", 1.0);
    set(row, "base_position_x_m", place.x());
    set(row, "base_position_y_m", place.y());
    set(row, "base_position_z_m", place.z());
    set(row, "base_velocity_x_m_s", 1.0);
    set(row, "wheels_left_drawbar_pull_N", 3.0);
    set(row, "wheels_left_side_force_N", 2.0);
    set(row, "wheels_left_vertical_force_N", 50.0);
  }
  return table;
}

TEST(ReportGround, HasTheTrackOfAWheelAndTheReliefBelow) {
  const SimulationSetup setup = on_soil();
  const Vector3 from(0.0, 0.5, 0.19), to(2.0, 0.5, 0.25);
  const ResultTable table = moved(*setup.model, from, to);
  ReportData report = report_data(table, *setup.model);
  add_ground(report, table, setup);
  ASSERT_EQ(report.tracks.size(), 1u);
  const ReportTrack& track = report.tracks.front();
  EXPECT_EQ(track.name, "left");
  ASSERT_EQ(track.left.cols(), 2);
  EXPECT_NEAR((track.left.col(0) - Vector3(0.0, 0.5 + kWidth / 2, 0.0)).norm(), 0.0, 1e-15);
  EXPECT_NEAR((track.right.col(1) - Vector3(2.0, 0.5 - kWidth / 2, 0.0)).norm(), 0.0, 1e-15);
  EXPECT_NEAR(track.sinkage(0), 0.01, 1e-15);
  EXPECT_NEAR(track.sinkage(1), -0.05, 1e-15);  // in the air
}

TEST(ReportGround, HasTheForceAtATyreAndNoTrack) {
  const SimulationSetup setup = on_slope(0.0);
  const ResultTable table = moved(*setup.model, {0.0, 0.5, 0.19}, {2.0, 0.5, 0.19});
  ReportData report = report_data(table, *setup.model);
  add_ground(report, table, setup);
  EXPECT_TRUE(report.tracks.empty());
  // that of the columns, at the ground, against the slip to the side
  const auto& arrow = report.motion.arrows.back();
  EXPECT_EQ(arrow.name, "Force on left");
  EXPECT_NEAR((arrow.vector.col(0) - Vector3(3.0, -2.0, 50.0)).norm(), 0.0, 1e-13);
  EXPECT_NEAR((arrow.origin.col(0) - Vector3(0.0, 0.5, 0.0)).norm(), 0.0, 1e-15);
}

TEST(ReportGround, ReliefIsTheTerrainWithAMargin) {
  const SimulationSetup setup = on_slope(0.3);
  const ResultTable table = moved(*setup.model, {0.0, 0.5, 0.3}, {2.0, 0.5, 0.9});
  ReportData report = report_data(table, *setup.model);
  add_ground(report, table, setup);
  const ReportRelief& relief = report.relief;
  ASSERT_GT(relief.heights.size(), 0);
  const Eigen::Vector2d far =
      relief.origin + Eigen::Vector2d(static_cast<double>(relief.heights.cols() - 1),
                                      static_cast<double>(relief.heights.rows() - 1))
                          .cwiseProduct(relief.spacing);
  EXPECT_LT(relief.origin.x(), -0.2);
  EXPECT_GT(far.x(), 2.2);
  EXPECT_LT(relief.origin.y(), 0.3);
  EXPECT_GT(far.y(), 0.7);
  for (Eigen::Index j = 0; j < relief.heights.cols(); ++j) {
    const double x = relief.origin.x() + static_cast<double>(j) * relief.spacing.x();
    EXPECT_NEAR(relief.heights(1, j), std::tan(0.3) * x, 1e-14);
  }
}

TEST(ReportGround, HasTheReliefBelowAContact) {
  SimulationSetup setup;
  setup.model = std::make_shared<const Model>(ball(1.0, 0.1));
  setup.forces.push_back(std::make_shared<ContactForce>(
      "ground", on_ground(*setup.model, linear_law(1e4, 0.0), {}, level_ground())));
  const ResultTable table = moved(*setup.model, {0.0, 0.0, 0.3}, {2.0, 0.0, 0.9});
  ReportData report = report_data(table, *setup.model);
  add_ground(report, table, setup);
  ASSERT_GT(report.relief.heights.size(), 0);
  EXPECT_EQ(report.relief.heights.cwiseAbs().maxCoeff(), 0.0);
  EXPECT_TRUE(report.tracks.empty());
}

TEST(ReportGround, FacesOfAProfileLookVertical) {
  for (const double azimuth : {0.0, 90.0 * kDegree}) {
    const Eigen::Index along = azimuth == 0.0 ? 0 : 1;
    const std::vector<Eigen::Vector2d> points{{1.0, 0.0}, {1.0, 0.5}};
    SimulationSetup setup;
    setup.model = std::make_shared<const Model>(ball(1.0, 0.1));
    setup.forces.push_back(std::make_shared<ContactForce>(
        "ground", on_ground(*setup.model, linear_law(1e4, 0.0), {},
                            std::make_shared<ProfileTerrain>(points, azimuth, 0.8))));
    const Vector3 to = 2.0 * Vector3::Unit(along) + 0.9 * Vector3::UnitZ();
    const ResultTable table = moved(*setup.model, {0.0, 0.0, 0.3}, to);
    ReportData report = report_data(table, *setup.model);
    add_ground(report, table, setup);
    const ReportRelief& relief = report.relief;
    ASSERT_GT(relief.heights.size(), 0);
    // beside the width there is nothing
    EXPECT_NEAR(relief.origin(1 - along), -0.4, 1e-8);
    EXPECT_NEAR(relief.spacing(1 - along), 0.8, 1e-8);
    EXPECT_LT(relief.spacing(along), 1e-3);
    for (Eigen::Index k = 0; k < relief.heights.size(); ++k) {
      const Eigen::Index row = k % relief.heights.rows(), column = k / relief.heights.rows();
      const double s = relief.origin(along) +
                       static_cast<double>(along == 0 ? column : row) * relief.spacing(along);
      EXPECT_EQ(relief.heights(row, column), s < 1.0 ? 0.0 : 0.5) << s;
    }
  }
}

TEST(ReportGround, ReliefIsWiderThanWhatStandsOnIt) {
  SimulationSetup setup;
  setup.model = std::make_shared<const Model>(ball(1.0, 0.1));
  setup.forces.push_back(std::make_shared<ContactForce>(
      "ground", on_ground(*setup.model, linear_law(1e4, 0.0), {}, level_ground())));
  // one body that falls straight down: its path has no width
  const ResultTable table = moved(*setup.model, {1.0, 0.0, 0.9}, {1.0, 0.0, 0.3});
  ReportData report = report_data(table, *setup.model);
  ReportShape bar;
  bar.size = {0.6, 0.8, 0.0};
  report.shapes = {bar};
  add_ground(report, table, setup);
  ASSERT_GT(report.relief.heights.size(), 0);
  const double reach = 0.5;  // half of the diagonal
  EXPECT_LT(report.relief.origin.x(), 1.0 - 2.0 * reach);
  EXPECT_LT(report.relief.origin.y(), -2.0 * reach);
}

TEST(ReportGround, DrawsWheelsThatHaveNoPicture) {
  const SimulationSetup setup = on_slope(0.0);
  const ResultTable table = moved(*setup.model, {0.0, 0.0, 0.2}, {2.0, 0.0, 0.2});
  ReportData report = report_data(table, *setup.model);
  add_ground(report, table, setup);
  int cylinders = 0;
  for (const ReportShape& shape : report.shapes) {
    if (shape.body != 1) continue;
    EXPECT_EQ(shape.role, ShapeRole::visual);
    cylinders +=
        shape.kind == ShapeKind::cylinder && shape.size.x() == kRadius && shape.size.y() == kWidth;
  }
  EXPECT_EQ(cylinders, 1);
}

TEST(ReportGround, IsAbsentWithoutWheels) {
  SimulationSetup setup = on_slope(0.0);
  const ResultTable table = moved(*setup.model, {0.0, 0.0, 0.2}, {2.0, 0.0, 0.2});
  setup.forces.clear();
  ReportData report = report_data(table, *setup.model);
  const std::size_t arrows = report.motion.arrows.size();
  add_ground(report, table, setup);
  EXPECT_EQ(report.relief.heights.size(), 0);
  EXPECT_TRUE(report.tracks.empty());
  EXPECT_EQ(report.motion.arrows.size(), arrows);
}

TEST(ReportGround, HasNoForceWhereTheResultHasNotTheChannel) {
  const SimulationSetup setup = on_slope(0.0);
  ResultTable table = moved(*setup.model, {0.0, 0.0, 0.19}, {2.0, 0.0, 0.19});
  table.columns.back().name = "something_else";
  ReportData report = report_data(table, *setup.model);
  const std::size_t arrows = report.motion.arrows.size();
  add_ground(report, table, setup);
  EXPECT_EQ(report.motion.arrows.size(), arrows);
  EXPECT_GT(report.relief.heights.size(), 0);
}

}  // namespace
}  // namespace spacedyn::testing::report_ground_test
