#include <array>
#include <cmath>

#include "reporting/report_samples.hpp"
#include "spacedyn/control/base_pd.hpp"
#include "spacedyn/loading/yaml.hpp"
#include "spacedyn/math/rotations.hpp"
#include "spacedyn/model/model_builder.hpp"

namespace spacedyn::report_data_test {
namespace {

using ::testing::ElementsAre;

const ReportSeries* find(const ReportData& report, const std::string& group,
                         const std::string& label) {
  for (const ReportSeries& series : report.series) {
    if (series.group == group && series.label == label) return &series;
  }
  return nullptr;
}

ResultTable table_of(std::vector<Column> columns, const MatrixX& values) {
  ResultTable table;
  table.path = "run.csv";
  table.columns = std::move(columns);
  table.values = values;
  return table;
}

TEST(ReportSeries, NamesColumnsForPeople) {
  const testing::SampleResult sample = testing::winding_chain(3, 10.0, 11);
  const ReportData report = report_data(sample.table, *sample.setup.model);
  for (const auto& [group, label, unit] : std::vector<std::array<const char*, 3>>{
           {"Base position", "x", "m"},
           {"Base quaternion", "w", ""},
           {"Base velocity", "z", "m/s"},
           {"Base angular velocity in inertial axes", "y", "rad/s"},
           {"Base angular velocity in body axes", "y", "rad/s"},
           {"Base attitude", "yaw", "rad"},
           {"Joint positions", "joint_2", "rad"},
           {"Joint velocities", "joint_1", "rad/s"},
           {"Joint torques", "joint_1", "N m"},
           {"Linear momentum", "x", "kg m/s"},
           {"Angular momentum about the system centroid", "z", "kg m^2/s"},
           {"Energy", "kinetic", "J"},
           {"Energy", "work", "J"},
           {"Energy balance", "energy − work + dissipated", "J"},
           {"Position of tip", "y", "m"},
           {"Quaternion of tip", "w", ""}}) {
    const ReportSeries* series = find(report, group, label);
    ASSERT_NE(series, nullptr) << group << ", " << label;
    EXPECT_EQ(series->unit, unit) << group << ", " << label;
    EXPECT_EQ(series->values.size(), 11);
  }
}

TEST(ReportSeries, NamesWhatElementsRecord) {
  const std::vector<std::array<const char*, 4>> names{
      {"actuators_wx_speed_rad_s", "rad/s", "Wheel speed", "wx"},
      {"actuators_wx_momentum_N_m_s", "N m s", "Wheel momentum", "wx"},
      {"actuators_wx_torque_N_m", "N m", "Wheel torque", "wx"},
      {"actuators_jet_1_force_N", "N", "Thruster force", "jet_1"},
      {"actuators_mx_dipole_A_m2", "A m²", "Torquer dipole", "mx"},
      {"actuators_slew_singularity", "", "Singularity measure of gyros", "slew"},
      {"contacts_tip_normal_force_N", "N", "Normal force of contacts", "tip"},
      {"contacts_tip_point_x_m", "m", "Point of contact of tip", "x"},
      {"contacts_tip_slip_velocity_m_s", "m/s", "Slip velocity of contacts", "tip"},
      {"wheels_front_left_slip", "", "Wheel slip", "front_left"},
      {"wheels_front_left_slip_angle_rad", "rad", "Wheel slip angle", "front_left"},
      {"constraints_grasp_position_residual_m", "m", "Position residual of constraints", "grasp"},
      {"constraints_gear_rate_residual", "", "Rate residual of constraints", "gear"},
      {"constraints_gear_residual", "", "Residual of constraints", "gear"},
      {"constraints_grasp_moment_z_N_m", "N m", "Constraint moment of grasp", "z"},
      {"sensors_gyro_angular_velocity_y_rad_s", "rad/s", "Measured angular velocity of gyro", "y"},
      {"sensors_imu_specific_force_x_m_s2", "m/s^2", "Measured specific force of imu", "x"},
      {"sensors_st_quaternion_w", "", "Measured quaternion of st", "w"},
      {"sensors_elbow_velocity_rad_s", "rad/s", "Measured velocity", "elbow"}};
  std::vector<Column> columns{{"time_s", "s"}};
  for (const auto& [column, unit, group, label] : names) columns.push_back({column, unit});
  const auto width = static_cast<Eigen::Index>(columns.size());
  const ReportData report = report_data(table_of(columns, MatrixX::Zero(2, width)));
  for (std::size_t i = 0; i < names.size(); ++i) {
    EXPECT_EQ(report.series.at(i).group, names[i][2]) << names[i][0];
    EXPECT_EQ(report.series.at(i).label, names[i][3]) << names[i][0];
  }
}

TEST(ReportSeries, NamesJointsAndFramesAsTheModelDoes) {
  const testing::SampleResult sample = testing::hostile_result();
  const Model& model = *sample.setup.model;
  const ReportData report = report_data(sample.table, model);
  const std::string joint = model.joint(1).name;
  ASSERT_EQ(joint, "\"' onmouseover='hacked = 3' ünï → 関節");
  for (const char* group : {"Joint positions", "Joint velocities", "Joint torques"}) {
    EXPECT_NE(find(report, group, joint), nullptr) << group;
    EXPECT_NE(find(report, group, "joint_2"), nullptr) << group;
  }
  EXPECT_NE(find(report, "Position of '\"><b>tip</b>", "z"), nullptr);
  EXPECT_NE(find(report, "Quaternion of '\"><b>tip</b>", "w"), nullptr);
  // without the model there are the names of the columns alone
  EXPECT_NE(find(report_data(sample.table), "Joint positions", "joint_2"), nullptr);
  EXPECT_EQ(find(report_data(sample.table), "Joint positions", joint), nullptr);
}

TEST(ReportBodies, TellWhichJointsHaveSpringsAndWhereTheyAre) {
  const testing::SampleResult sample = testing::flown_arm(1.0);
  const Model& model = *sample.setup.model;
  const ReportData report = report_data(sample.table, model);
  LinkFrames frames(model);
  State state(model);
  state.q.setLinSpaced(-0.4, 0.7);
  compute_link_frames(model, state, frames);
  for (int i = 1; i < model.body_count(); ++i) {
    const ReportBody& body = report.bodies[static_cast<std::size_t>(i)];
    EXPECT_EQ(body.rest_position.has_value(), body.name.rfind("paddle", 0) == 0) << body.name;
    // o_i = o_p + A_p r and A_i = A_p R Rz(q), of rotations a few roundings off
    const auto own = static_cast<std::size_t>(i);
    const auto parent = static_cast<std::size_t>(body.parent);
    const Pose& pose = body.joint_pose;
    const Vector3 origin = frames.o[parent] + frames.A[parent] * pose.position;
    EXPECT_LT((origin - frames.o[own]).norm(), 1e-13);
    const Matrix3 attitude = frames.A[parent] * pose.rotation * rotation_z(state.q(i - 1));
    EXPECT_LT((attitude - frames.A[own]).norm(), 1e-13);
  }
}

TEST(ReportSeries, UnwrapsAttitudeAndBalancesEnergy) {
  MatrixX values(41, 8);
  for (int row = 0; row < 41; ++row) {
    const double yaw = 0.25 * row;  // 10 rad in all, more than a turn
    const Quaternion attitude = quaternion_from_matrix(rotation_z(yaw));
    values.row(row) << row, attitude.w(), attitude.x(), attitude.y(), attitude.z(), 5.0 + row,
        2.0 * row, 0.75 * row;
  }
  const ReportData report = report_data(table_of({{"time_s", "s"},
                                                  {"base_quaternion_w", ""},
                                                  {"base_quaternion_x", ""},
                                                  {"base_quaternion_y", ""},
                                                  {"base_quaternion_z", ""},
                                                  {"energy_total_J", "J"},
                                                  {"work_J", "J"},
                                                  {"dissipated_J", "J"}},
                                                 values));
  const ReportSeries* yaw = find(report, "Base attitude", "yaw");
  ASSERT_NE(yaw, nullptr);
  EXPECT_NEAR(yaw->values(40), 10.0, 1e-12);
  const ReportSeries* balance = find(report, "Energy balance", "energy − work + dissipated");
  ASSERT_NE(balance, nullptr);
  EXPECT_NEAR(balance->values(40), 40.0 - 80.0 + 30.0, 1e-12);
}

TEST(ReportSeries, GivesTheAttitudeOfEachOfSeveralRobots) {
  MatrixX values(3, 9);
  for (int row = 0; row < 3; ++row) {
    const Quaternion a = quaternion_from_matrix(rotation_x(0.5 * row));
    const Quaternion b = quaternion_from_matrix(rotation_z(-0.25 * row));
    values.row(row) << row, a.w(), a.x(), a.y(), a.z(), b.w(), b.x(), b.y(), b.z();
  }
  std::vector<Column> columns{{"time_s", "s"}};
  for (const std::string robot : {"chaser", "old_target"}) {
    for (const char* part : {"w", "x", "y", "z"}) {
      columns.push_back({"robots_" + robot + "_base_quaternion_" + part, ""});
    }
  }
  ReportData report = report_data(table_of(columns, values));
  const ReportSeries* roll = find(report, "Base attitude of chaser", "roll");
  ASSERT_NE(roll, nullptr);
  EXPECT_EQ(roll->derived, "robots_chaser_base_attitude_roll");
  EXPECT_NEAR(roll->values(2), 1.0, 1e-15);
  const ReportSeries* yaw = find(report, "Base attitude of old_target", "yaw");
  ASSERT_NE(yaw, nullptr);
  EXPECT_EQ(yaw->derived, "robots_old_target_base_attitude_yaw");
  EXPECT_NEAR(yaw->values(2), -0.5, 1e-15);
}

TEST(ReportMotion, HoldsThePosesOfTheStates) {
  const testing::SampleResult sample = testing::winding_chain(4, 10.0, 21);
  const Model& model = *sample.setup.model;
  const ReportMotion motion = report_data(sample.table, model).motion;
  ASSERT_EQ(motion.times.size(), 21U);
  ASSERT_EQ(motion.poses.rows(), 7 * 4);
  ASSERT_EQ(motion.joint_efforts.rows(), 3);
  State state(model);
  LinkFrames frames(model);
  for (const int k : {0, 7, 20}) {
    const auto row = [&](const std::string& name) {
      return sample.table.values(k, sample.table.find(name));
    };
    state.r_0 = {row("base_position_x_m"), row("base_position_y_m"), row("base_position_z_m")};
    state.A_0 = matrix_from_quaternion({row("base_quaternion_w"), row("base_quaternion_x"),
                                        row("base_quaternion_y"), row("base_quaternion_z")});
    for (int i = 0; i < 3; ++i) state.q(i) = row("joints_joint_" + std::to_string(i + 1) + "_rad");
    compute_link_frames(model, state, frames);
    for (int i = 0; i < 4; ++i) {
      const auto body = static_cast<std::size_t>(i);
      const VectorX pose = motion.poses.col(k).segment<7>(7 * i);
      EXPECT_LT((pose.head<3>() - frames.o[body]).norm(), 1e-14);
      const Quaternion attitude(pose(6), pose(3), pose(4), pose(5));
      EXPECT_LT((attitude.toRotationMatrix() - frames.A[body]).norm(), 1e-13);
    }
    EXPECT_LT((motion.center_of_mass.col(k) - center_of_mass(model, frames)).norm(), 1e-14);
    EXPECT_EQ(motion.joint_efforts(1, k), row("joints_joint_2_torque_N_m"));
  }
}

TEST(ReportMotion, KeepsToItsNumberOfFramesAndToTheEnds) {
  const testing::SampleResult sample = testing::winding_chain(2, 50.0, 5001);
  const ReportMotion motion = report_data(sample.table, *sample.setup.model).motion;
  EXPECT_EQ(motion.times.size(), static_cast<std::size_t>(kMaxReportFrames));
  EXPECT_EQ(motion.times.front(), 0.0);
  EXPECT_EQ(motion.times.back(), 50.0);
}

TEST(ReportMotion, LeavesOutRowsThatAreNotFinite) {
  testing::SampleResult sample = testing::winding_chain(2, 10.0, 11);
  sample.table.values(4, sample.table.find("base_position_y_m")) = std::nan("");
  const ReportMotion motion = report_data(sample.table, *sample.setup.model).motion;
  EXPECT_EQ(motion.times.size(), 10U);
}

TEST(ReportMotion, SaysWhatIsMissing) {
  testing::SampleResult sample = testing::winding_chain(2, 10.0, 11);
  sample.table.columns[static_cast<std::size_t>(sample.table.find("joints_joint_1_rad"))].name =
      "q";
  const ReportData report = report_data(sample.table, *sample.setup.model);
  EXPECT_TRUE(report.motion.times.empty());
  EXPECT_THAT(report.warnings,
              ElementsAre("there is no animation: the result has no column 'joints_joint_1_rad'; "
                          "record the channel 'state'"));
}

TEST(ForceArrows, ShowWhatActsWhileItActs) {
  const testing::SampleResult sample = testing::flown_arm(26.0);
  ReportData report = report_data(sample.table, *sample.setup.model);
  add_force_arrows(report, sample.table, sample.setup);
  const auto& arrows = report.motion.arrows;
  ASSERT_EQ(arrows.size(), 4U);
  EXPECT_EQ(arrows[2].name, "Force on wrist_3");
  EXPECT_EQ(arrows[3].name, "Moment on wrist_3");
  for (Eigen::Index k = 0; k < arrows[2].vector.cols(); ++k) {
    const double time = report.motion.times[static_cast<std::size_t>(k)];
    const Vector3 expected =
        time >= 24.0 && time < 26.0 ? Vector3(20.0, 0.0, 10.0) : Vector3(Vector3::Zero());
    EXPECT_EQ(Vector3(arrows[2].vector.col(k)), expected) << time;
  }
}

TEST(ForceArrows, EndWhenAnEventSwitchesTheirControllerOff) {
  testing::SampleResult sample = testing::winding_chain(2, 10.0, 11);
  BasePd::Settings settings;
  settings.position.stiffness = 2.0;
  settings.motion.initial_position = Vector3(0.0, 0.0, 5.0);
  sample.setup.controllers.push_back(std::make_shared<BasePd>("keep", settings));
  sample.setup.events.push_back(
      {"off", time_event(4.0), CrossingDirection::rising, {SwitchAction{"keep", false}}});
  sample.table.facts.events.push_back({4.0, "off"});
  ReportData report = report_data(sample.table, *sample.setup.model);
  add_force_arrows(report, sample.table, sample.setup);
  ASSERT_EQ(report.motion.arrows.size(), 3U);  // two of momentum before it
  const ReportArrow& arrow = report.motion.arrows.back();
  EXPECT_EQ(arrow.name, "Force on base");
  for (Eigen::Index k = 0; k < arrow.vector.cols(); ++k) {
    const Vector3 force = 2.0 * (settings.motion.initial_position - Vector3(arrow.origin.col(k)));
    const bool is_on = report.motion.times[static_cast<std::size_t>(k)] < 4.0;
    EXPECT_EQ(Vector3(arrow.vector.col(k)), is_on ? force : Vector3(Vector3::Zero())) << k;
  }
}

BodyDescription brick(const Vector3& edges, double mass) {
  BodyDescription body;
  body.name = "brick";
  body.mass = mass;
  const Vector3 squares = edges.cwiseAbs2();
  body.inertia = (mass / 12.0 * (Vector3::Constant(squares.sum()) - squares)).asDiagonal();
  return body;
}

TEST(ReportShapes, StandInHasTheEdgesOfAUniformBox) {
  BaseDescription base;
  static_cast<BodyDescription&>(base) = brick({1.0, 2.0, 0.5}, 30.0);
  base.center_of_mass = {0.1, 0.2, 0.3};
  const std::vector<ReportShape> shapes = report_shapes(ModelBuilder("m").set_base(base).build());
  ASSERT_EQ(shapes.size(), 1U);
  EXPECT_EQ(shapes[0].role, ShapeRole::inertia);
  EXPECT_EQ(shapes[0].pose.position, base.center_of_mass);
  // edges along the principal axes, whichever order those come in
  const Vector3 edges = (shapes[0].pose.rotation * shapes[0].size).cwiseAbs();
  EXPECT_LT((edges - Vector3(1.0, 2.0, 0.5)).norm(), 1e-12);
}

TEST(ReportShapes, PlacesVisualsInTheirUserFrame) {
  BaseDescription base;
  static_cast<BodyDescription&>(base) = brick({1.0, 1.0, 1.0}, 10.0);
  LinkDescription link;
  static_cast<BodyDescription&>(link) = brick({1.0, 0.1, 0.1}, 1.0);
  link.name = "arm";
  link.parent = "brick";
  link.joint.axis = Vector3::UnitX();
  Visual visual;
  visual.shape = "cylinder";
  visual.size = {0.1, 1.0, 0.0};
  visual.origin.position = {0.5, 0.0, 0.25};
  visual.color = "#102030";
  link.visuals = {visual};
  const Model model = ModelBuilder("m").set_base(base).add_link(link).build();
  const std::vector<ReportShape> shapes = report_shapes(model);
  ASSERT_EQ(shapes.size(), 2U);
  EXPECT_EQ(shapes[0].body, 1);
  EXPECT_EQ(shapes[0].kind, ShapeKind::cylinder);
  EXPECT_EQ(shapes[0].color, "#102030");
  // the link frame has its z along the joint axis x of the user frame
  const Matrix3 to_link = rotation_from_z_to(Vector3::UnitX()).transpose();
  EXPECT_LT((shapes[0].pose.position - to_link * visual.origin.position).norm(), 1e-15);
  EXPECT_LT((shapes[0].pose.rotation - to_link).norm(), 1e-15);
}

TEST(ReportShapes, EveryShippedRobotHasAShapeForEachMassiveBody) {
  for (const char* name : {"ets7", "ets7_identified", "ets7_paddles", "dual_arm", "planar_2r",
                           "pendulum_a01", "prismatic_mix", "asymmetric_top"}) {
    const LoadedModel loaded =
        load_model(std::string(SPACEDYN_MODELS) + "/robots/" + name + ".yaml");
    const Model& model = *loaded.model;
    std::vector<bool> drawn(static_cast<std::size_t>(model.body_count()), false);
    for (const ReportShape& shape : report_shapes(model)) {
      drawn[static_cast<std::size_t>(shape.body)] = true;
      EXPECT_TRUE(shape.size.allFinite() && shape.pose.position.allFinite()) << name;
      EXPECT_GT(shape.size.x(), 0.0) << name;
    }
    for (int i = 0; i < model.body_count(); ++i) {
      const bool massive = model.body(i).mass > 0.0 && model.body(i).inertia_L.trace() > 0.0;
      EXPECT_TRUE(drawn[static_cast<std::size_t>(i)] || !massive) << name << ", body " << i;
    }
  }
}

}  // namespace
}  // namespace spacedyn::report_data_test
