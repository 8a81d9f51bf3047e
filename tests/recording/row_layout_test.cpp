#include <algorithm>
#include <cctype>
#include <cmath>
#include <set>

#include "recording/example_point.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/recording/channels.hpp"

namespace spacedyn::row_layout_test {
namespace {

using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using testing::ExamplePoint;
using ::testing::Property;
using ::testing::ThrowsMessage;

std::vector<std::string> names(const RowLayout& layout) {
  std::vector<std::string> names;
  for (const Column& column : layout.columns()) names.push_back(column.name);
  return names;
}

std::vector<double> values(RowLayout& layout, const SimulationPoint& point) {
  VectorX row(static_cast<Eigen::Index>(layout.columns().size()));
  layout.fill(point, row);
  return {row.begin(), row.end()};
}

TEST(Channels, HaveTheNamesOfTheScenarioFormat) {
  std::vector<std::string> names;
  for (const Channel channel : all_channels()) names.emplace_back(to_string(channel));
  EXPECT_THAT(names, ::testing::ElementsAreArray(
                         {"state", "momentum", "energy", "frames", "joint_torque", "element_energy",
                          "frame_twists", "singular_values", "modal_energy", "element_forces",
                          "constraints", "wheels", "contacts", "actuators", "sensors",
                          "accelerations", "links", "joint_reactions"}));
}

TEST(RowLayout, NamesTheStateWithUnits) {
  const Model model = testing::recorded_model();
  RowLayout layout(model, {Channel::state});
  EXPECT_THAT(
      names(layout),
      ::testing::ElementsAreArray(
          {"time_s", "base_position_x_m", "base_position_y_m", "base_position_z_m",
           "base_quaternion_w", "base_quaternion_x", "base_quaternion_y", "base_quaternion_z",
           "joints_elbow_rad", "joints_slide_m", "base_velocity_x_m_s", "base_velocity_y_m_s",
           "base_velocity_z_m_s", "base_angular_velocity_x_rad_s", "base_angular_velocity_y_rad_s",
           "base_angular_velocity_z_rad_s", "joints_elbow_rad_s", "joints_slide_m_s"}));
  EXPECT_EQ(layout.columns()[8].unit, "rad");
  EXPECT_EQ(layout.columns()[17].unit, "m/s");
}

TEST(RowLayout, FillsTheStateInTheOrderOfItsNames) {
  const Model model = testing::recorded_model();
  const ExamplePoint point(model);
  RowLayout layout(model, {Channel::state});
  EXPECT_THAT(values(layout, point.at(0.125)),
              ElementsAre(0.125, 1.0, 2.0, 3.0, ::testing::DoubleEq(std::cos(0.25)), 0.0, 0.0,
                          ::testing::DoubleEq(std::sin(0.25)), 0.25, 0.75, 4.0, 5.0, 6.0, 7.0, 8.0,
                          9.0, 10.0, 11.0));
}

TEST(RowLayout, FillsMomentumEnergyAndTorques) {
  const Model model = testing::recorded_model();
  const ExamplePoint point(model);
  RowLayout layout(model, {Channel::joint_torque, Channel::momentum, Channel::energy});
  EXPECT_THAT(values(layout, point.at(2.0)),
              ::testing::ElementsAreArray({2.0,  27.0, 28.0, 31.0, 32.0,  33.0, 34.0,
                                           35.0, 36.0, 37.0, 38.0, 39.0,  40.0, 41.0,
                                           42.0, 43.0, 44.0, 45.0, 132.0, 46.0, 47.0}));
  EXPECT_EQ(layout.columns()[1].name, "joints_elbow_torque_N_m");
  EXPECT_EQ(layout.columns()[2].name, "joints_slide_force_N");
  EXPECT_EQ(layout.columns()[3].name, "linear_momentum_x_kg_m_s");
  EXPECT_EQ(layout.columns()[12].name, "angular_momentum_centroid_x_kg_m2_s");
  EXPECT_EQ(layout.columns()[18].name, "energy_total_J");
}

TEST(RowLayout, FillsFramesWithPositionAndOrientation) {
  const Model model = testing::recorded_model();
  const ExamplePoint point(model);
  RowLayout layout(model, {Channel::frames});
  const Frame& hand = model.frames().front();
  const Vector3 position = frame_position(point.frames, hand);
  const Quaternion rotation = quaternion_from_matrix(frame_orientation(point.frames, hand));
  EXPECT_THAT(
      values(layout, point.at(1.0)),
      ::testing::ElementsAreArray({1.0, position.x(), position.y(), position.z(), rotation.w(),
                                   rotation.x(), rotation.y(), rotation.z()}));
  EXPECT_EQ(layout.columns()[1].name, "frames_hand_position_x_m");
  EXPECT_EQ(layout.columns()[7].name, "frames_hand_quaternion_z");
}

TEST(RowLayout, RefusesAChannelGivenTwice) {
  const Model model = testing::recorded_model();
  EXPECT_THAT(
      [&] {
        RowLayout(model, {Channel::state, Channel::energy, Channel::state});
      },
      ThrowsMessage<DomainError>(
          "channel 'state' is given more than once; name each channel once"));
}

/// A chain of revolute joints with the given names, and a frame for each.
Model model_with_names(const std::vector<std::string>& joints) {
  ModelDescription description;
  description.name = "names";
  description.base = testing::base_body(1.0, {1.0, 1.0, 1.0});
  std::string parent = "base";
  for (std::size_t i = 0; i < joints.size(); ++i) {
    LinkDescription link = testing::link_body("link" + std::to_string(i), parent, 1.0,
                                              {1.0, 1.0, 1.0}, Vector3::UnitX(), Vector3::Zero());
    link.joint.name = joints[i];
    parent = link.name;
    description.links.push_back(link);
    FrameDescription frame;
    frame.name = joints[i];
    frame.link = link.name;
    description.frames.push_back(frame);
  }
  return ModelBuilder(description).build();
}

/// Of letters of every alphabet.
bool is_identifier(const std::string& name) {
  const auto allowed = [](unsigned char c) {
    return c >= 0x80 || std::isalnum(c) != 0 || c == '_';
  };
  return std::all_of(name.begin(), name.end(), allowed) &&
         std::isalpha(static_cast<unsigned char>(name.front())) != 0;
}

TEST(RowLayout, MakesUniqueIdentifiersOfHostileNames) {
  // what other columns are called, unit endings included, must not collide either
  const Model model =
      model_with_names({"a b", "a_b", "a-b", "a,b", "a:b", "a\"b", "größe", "größ€", "1", "_", "a",
                        "a_rad", "a_2", "a_b_2", "a_torque_N", "a_rad_s"});
  RowLayout layout(model, all_channels());
  const std::vector<std::string> found = names(layout);
  const std::set<std::string> unique(found.begin(), found.end());
  EXPECT_EQ(unique.size(), found.size());
  for (const std::string& name : found) EXPECT_TRUE(is_identifier(name)) << name;
  EXPECT_EQ(unique.count("joints_größe_rad"), 1u);
}

TEST(RowLayout, NumbersNamesThatWouldBecomeOne) {
  const Model model = model_with_names({"a b", "a_b", "a-b"});
  RowLayout layout(model, {Channel::joint_torque});
  EXPECT_THAT(names(layout),
              ::testing::ElementsAreArray({"time_s", "joints_a_b_torque_N_m",
                                           "joints_a_b_2_torque_N_m", "joints_a_b_3_torque_N_m"}));
}

TEST(RowLayout, CallsAJointTheSameWhateverTheChannels) {
  const Model model = model_with_names({"a b", "a_b", "a_b_2"});
  const std::vector<std::string> all = names(RowLayout(model, all_channels()));
  for (const Channel channel : all_channels()) {
    for (const std::string& name : names(RowLayout(model, {channel}))) {
      EXPECT_THAT(all, ::testing::Contains(name));
    }
  }
}

}  // namespace
}  // namespace spacedyn::row_layout_test
