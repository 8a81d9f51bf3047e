#include "spacedyn/model/joint_traits.hpp"

#include "spacedyn/model/loop.hpp"

namespace spacedyn {
namespace {

constexpr JointType kTurn = JointType::revolute;
constexpr JointType kSlide = JointType::prismatic;

/// In the order of JointType.
constexpr JointTraits kTraits[] = {
    {"revolute", 1, {{{"", kTurn, 0}}}},
    {"prismatic", 1, {{{"", kSlide, 0}}}},
    {"screw", 1, {{{"", kTurn, 0}}}},
    {"fixed", 0, {}},
    {"spherical", 3, {{{"_x", kTurn, 1}, {"_y", kTurn, 2}, {"_z", kTurn, 3}}}},
    {"universal", 2, {{{"_first", kTurn, 0}, {"_second", kTurn, 0}}}},
    {"cylindrical", 2, {{{"_angle", kTurn, 0}, {"_slide", kSlide, 0}}}},
    {"planar", 3, {{{"_x", kSlide, 0}, {"_y", kSlide, 0}, {"_angle", kTurn, 0}}}},
    {"free",
     6,
     {{{"_x", kSlide, 0},
       {"_y", kSlide, 0},
       {"_z", kSlide, 0},
       {"_rx", kTurn, 1},
       {"_ry", kTurn, 2},
       {"_rz", kTurn, 3}}}},
};

constexpr CoordinateUnits kTurnUnits{"rad", "rad/s", "N m"};
constexpr CoordinateUnits kSlideUnits{"m", "m/s", "N"};

}  // namespace

const JointTraits& joint_traits(JointType type) { return kTraits[static_cast<int>(type)]; }

const CoordinateUnits& coordinate_units(JointType motion) {
  return motion == JointType::prismatic ? kSlideUnits : kTurnUnits;
}

std::string coordinate_name(const std::string& joint, JointType type, int k) {
  return joint + joint_traits(type).coordinates[static_cast<std::size_t>(k)].suffix;
}

namespace {

/// In the order of LoopType: name, translations, rotations, common axis, joins points, in files.
constexpr LoopTraits kLoopTypes[] = {
    {"weld", 3, 3, false, true, true},       {"revolute", 3, 2, true, true, true},
    {"prismatic", 2, 3, true, true, true},   {"cylindrical", 2, 2, true, true, true},
    {"spherical", 3, 0, false, true, true},  {"universal", 3, 1, false, true, true},
    {"planar", 1, 2, true, true, true},      {"distance", 1, 0, false, true, true},
    {"gear", 0, 0, false, false, true},      {"linear", 0, 0, false, false, true},
    {"function", 0, 0, false, false, false},
};

}  // namespace

ConstraintFunction::~ConstraintFunction() = default;

const LoopTraits& loop_traits(LoopType type) { return kLoopTypes[static_cast<std::size_t>(type)]; }

const std::vector<LoopType>& all_loop_types() {
  static const std::vector<LoopType> all = [] {
    std::vector<LoopType> types;
    for (std::size_t i = 0; i < std::size(kLoopTypes); ++i) {
      if (kLoopTypes[i].is_in_files) types.push_back(static_cast<LoopType>(i));
    }
    return types;
  }();
  return all;
}

}  // namespace spacedyn
