#include "spacedyn/model/joint_traits.hpp"

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

}  // namespace spacedyn
