#include "model/prefixed_names.hpp"

#include "model/description_tree.hpp"

namespace spacedyn {
namespace {

void prefix_shapes(const std::string& prefix, BodyDescription& body) {
  for (CollisionShape& shape : body.collisions) shape.name = prefix + shape.name;
}

}  // namespace

ModelDescription prefixed(ModelDescription description, const std::string& prefix) {
  description.base.name = prefix + description.base.name;
  prefix_shapes(prefix, description.base);
  for (LinkDescription& link : description.links) {
    link.joint.name = prefix + joint_name(link);
    link.name = prefix + link.name;
    link.parent = prefix + link.parent;
    prefix_shapes(prefix, link);
  }
  for (FrameDescription& frame : description.frames) {
    frame.name = prefix + frame.name;
    frame.link = prefix + frame.link;
    if (frame.thruster && !frame.thruster->tank.empty()) {
      frame.thruster->tank = prefix + frame.thruster->tank;
    }
  }
  for (JointCouplingDescription& coupling : description.couplings) {
    coupling.name = prefix + coupling.name;
    for (std::string& joint : coupling.joints) joint = prefix + joint;
  }
  for (TransmissionDescription& transmission : description.transmissions) {
    transmission.name = prefix + transmission.name;
    transmission.motor = prefix + transmission.motor;
    transmission.joint = prefix + transmission.joint;
  }
  for (LoopDescription& loop : description.loops) {
    loop.name = prefix + loop.name;
    for (std::string* point : {&loop.from, &loop.to}) {
      if (!point->empty()) *point = prefix + *point;
    }
    for (std::string& joint : loop.joints) joint = prefix + joint;
  }
  return description;
}

}  // namespace spacedyn
