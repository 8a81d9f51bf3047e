#include "recording/column_names.hpp"

namespace spacedyn {
namespace {

struct RobotVector {
  const char* dataset;
  const char* name;
  const char* suffix;
  const char* unit;
};

constexpr RobotVector kBaseVectors[] = {
    {"/base/position", "_base_position", "_m", "m"},
    {"/base/quaternion_wxyz", "_base_quaternion", "", ""},
    {"/base/velocity", "_base_velocity", "_m_s", "m/s"},
    {"/base/angular_velocity", "_base_angular_velocity", "_rad_s", "rad/s"}};

constexpr RobotVector kAccelerations[] = {
    {"/base/acceleration", "_base_acceleration", "_m_s2", "m/s^2"},
    {"/base/angular_acceleration", "_base_angular_acceleration", "_rad_s2", "rad/s^2"}};

constexpr RobotVector kMomenta[] = {
    {"/momentum/linear", "_linear_momentum", "_kg_m_s", "kg m/s"},
    {"/momentum/angular_base", "_angular_momentum_base", "_kg_m2_s", "kg m^2/s"},
    {"/momentum/angular_origin", "_angular_momentum_origin", "_kg_m2_s", "kg m^2/s"},
    {"/momentum/angular_centroid", "_angular_momentum_centroid", "_kg_m2_s", "kg m^2/s"}};

constexpr const char* kEnergies[] = {"kinetic", "gravity", "elastic", "total"};

bool is_quaternion(const RobotVector& vector) { return *vector.unit == '\0'; }

std::vector<Suffix> all_robot_suffixes() {
  std::vector<Suffix> suffixes;
  const auto add = [&](const RobotVector& vector) {
    if (is_quaternion(vector)) suffixes.emplace_back(std::string(vector.name) + "_w", "");
    for (const char* axis : {"_x", "_y", "_z"}) {
      suffixes.emplace_back(std::string(vector.name) + axis + vector.suffix, vector.unit);
    }
  };
  for (const RobotVector& vector : kBaseVectors) add(vector);
  for (const RobotVector& vector : kMomenta) add(vector);
  for (const RobotVector& vector : kAccelerations) add(vector);
  for (const char* energy : kEnergies) {
    suffixes.emplace_back(std::string("_energy_") + energy + "_J", "J");
  }
  return suffixes;
}

void append_vector(const std::string& stem, const std::string& group, const RobotVector& vector,
                   std::vector<Column>& columns) {
  int index = 0;
  const auto add = [&](const char* axis) {
    columns.push_back({stem + vector.name + axis + vector.suffix, vector.unit,
                       group + vector.dataset, index++, "inertial"});
  };
  if (is_quaternion(vector)) add("_w");
  for (const char* axis : {"_x", "_y", "_z"}) add(axis);
}

}  // namespace

std::vector<int> recorded_joints(const Model& model) {
  std::vector<int> joints;
  const auto add = [&](int first, int end) {
    for (int i = first; i < end; ++i) joints.push_back(i);
  };
  if (model.robots().empty()) add(1, model.body_count());
  for (const Robot& robot : model.robots()) add(robot.first_joint(), robot.end);
  return joints;
}

RobotColumns::RobotColumns(const Model& model, ColumnNames& names) {
  static const std::string kPrefix = "robots";
  for (const Robot& robot : model.robots()) {
    const std::string stem = names.reserve(kPrefix, robot.name, all_robot_suffixes());
    places_.push_back({stem, group_of(kPrefix, stem)});
  }
}

template <typename Vectors>
void RobotColumns::append(const Vectors& vectors, std::vector<Column>& columns) const {
  for (const Place& place : places_) {
    for (const RobotVector& vector : vectors) {
      append_vector(place.stem, place.group, vector, columns);
    }
  }
}

void RobotColumns::append_bases(std::vector<Column>& columns) const {
  append(kBaseVectors, columns);
}

void RobotColumns::append_momenta(std::vector<Column>& columns) const { append(kMomenta, columns); }

void RobotColumns::append_accelerations(std::vector<Column>& columns) const {
  append(kAccelerations, columns);
}

void RobotColumns::append_energies(std::vector<Column>& columns) const {
  for (const Place& place : places_) {
    for (const char* energy : kEnergies) {
      columns.push_back(
          {place.stem + "_energy_" + energy + "_J", "J", place.group + "/energy/" + energy});
    }
  }
}

}  // namespace spacedyn
