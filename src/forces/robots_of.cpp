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

RobotCentroid::RobotCentroid(const EvaluationContext& context, const std::vector<int>& robots,
                             int robot) {
  Vector3 origin = Vector3::Zero(), moment = origin;
  for (int i = 0; i < context.model.body_count(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    const double m = context.model.body(i).mass;
    if (robots[at] != robot || m == 0.0) continue;
    // summed from one of its bodies, which keeps digits far from the origin
    if (mass == 0.0) origin = context.frames.r[at];
    mass += m;
    moment += m * (context.frames.r[at] - origin);
  }
  if (mass > 0.0) position = origin + moment / mass;
}

}  // namespace spacedyn
