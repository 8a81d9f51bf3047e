#include "spacedyn/model/loop.hpp"

namespace spacedyn {
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
