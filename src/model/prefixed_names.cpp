#include "model/prefixed_names.hpp"

#include "model/description_tree.hpp"

namespace spacedyn {

ModelDescription prefixed(ModelDescription description, const std::string& prefix) {
  description.base.name = prefix + description.base.name;
  for (LinkDescription& link : description.links) {
    link.joint.name = prefix + joint_name(link);
    link.name = prefix + link.name;
    link.parent = prefix + link.parent;
  }
  for (FrameDescription& frame : description.frames) {
    frame.name = prefix + frame.name;
    frame.link = prefix + frame.link;
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
