#include "forces/robots_of.hpp"

namespace spacedyn {

std::vector<int> robots_of(const Model& model, int& count) {
  std::vector<int> robots(static_cast<std::size_t>(model.body_count()), 0);
  for (int i = 1; i < model.body_count(); ++i) {
    bool begins = false;
    for (const CompoundJoint& joint : model.compound_joints()) {
      begins = begins || (joint.type == JointType::free && joint.first == i);
    }
    const int parent = model.topology().connection(i);
    robots[static_cast<std::size_t>(i)] =
        begins ? count++ : robots[static_cast<std::size_t>(parent)];
  }
  return robots;
}

}  // namespace spacedyn
