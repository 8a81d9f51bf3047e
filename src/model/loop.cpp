#include "spacedyn/model/loop.hpp"

namespace spacedyn {
namespace {

/// In the order of LoopType: name, translations, rotations, common axis, joins points.
constexpr LoopTraits kLoopTypes[] = {
    {"weld", 3, 3, false, true},      {"revolute", 3, 2, true, true},
    {"prismatic", 2, 3, true, true},  {"cylindrical", 2, 2, true, true},
    {"spherical", 3, 0, false, true}, {"universal", 3, 1, false, true},
    {"planar", 1, 2, true, true},     {"distance", 1, 0, false, true},
    {"gear", 0, 0, false, false},     {"linear", 0, 0, false, false},
};

}  // namespace

const LoopTraits& loop_traits(LoopType type) { return kLoopTypes[static_cast<std::size_t>(type)]; }

const std::vector<LoopType>& all_loop_types() {
  static const std::vector<LoopType> all = [] {
    std::vector<LoopType> types;
    for (std::size_t i = 0; i < std::size(kLoopTypes); ++i) {
      types.push_back(static_cast<LoopType>(i));
    }
    return types;
  }();
  return all;
}

}  // namespace spacedyn
