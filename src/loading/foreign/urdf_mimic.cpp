#include <cmath>

#include "loading/foreign/urdf_reader.hpp"
#include "loading/yaml/node.hpp"
#include "loading/yaml/numbers.hpp"
#include "spacedyn/math/so3.hpp"
#include "spacedyn/model/names.hpp"

namespace spacedyn::loading::foreign {
namespace {

/// A joint at a position from which nothing moves it.
ForeignJoint held_at(const ForeignJoint& joint, double position) {
  const Vector3 axis = joint.axis.normalized();
  const Matrix3& A = joint.origin.rotation;
  ForeignJoint held;
  held.name = joint.name;
  held.mark = joint.mark;
  held.origin = joint.origin;
  if (position == 0.0) return held;
  held.origin = joint.type == "revolute"
                    ? Placement::from_matrix(joint.origin.position, A * exp_so3(axis * position))
                    : Placement::from_matrix(joint.origin.position + A * axis * position, A);
  return held;
}

}  // namespace

void UrdfReader::read_mimic(const xml::Element& element, UrdfJoint& joint) {
  const xml::Values mimic(element, "joint " + quote(joint.joint.name), problems_);
  mimic.check_spelling({"joint", "multiplier", "offset"});
  ForeignGear gear;
  gear.mark = element.mark;
  gear.followed = mimic.required_text("joint");
  gear.follower = joint.joint.name;
  gear.ratio = mimic.number("multiplier", 1.0);
  gear.offset = mimic.number("offset", 0.0);
  if (gear.followed == gear.follower) {
    mimic.warning("joint", "a joint that follows itself moves by itself: <mimic> is ignored");
  } else if (!gear.followed.empty()) {
    joint.mimic = gear;
  }
}

/// Gears between joints that move. What follows a joint that does not, or nothing at all, is held
/// where its offset puts it, and so is what follows that.
void UrdfReader::add_gears(const std::map<std::string, std::string>& renamed, ForeignModel& model) {
  std::map<std::string, ForeignLink*> links;  // by the name of their joint in the model
  for (ForeignLink& link : model.links) links[link.joint.name] = &link;
  std::vector<std::string> known;
  std::map<std::string, const ForeignJoint*> joints;  // by their names in the file
  for (const UrdfJoint& joint : joints_) {
    known.push_back(joint.joint.name);
    joints[joint.joint.name] = &joint.joint;
  }
  std::map<std::string, double> still;  // positions of what does not move, by name in the file
  std::vector<const ForeignGear*> gears;
  for (const UrdfJoint& joint : joints_) {
    if (joint.joint.is_fixed()) still[joint.joint.name] = 0.0;
    if (!joint.mimic) continue;
    const ForeignGear& gear = *joint.mimic;
    const std::string path = "joint " + quote(gear.follower);
    const auto followed = joints.find(gear.followed);
    if (followed == joints.end()) {
      problems_.error(gear.mark, path,
                      "expected the name of another joint, got " + quote(gear.followed) +
                          did_you_mean(gear.followed, known));
    } else if (!followed->second->is_fixed() && !followed->second->has_one_coordinate()) {
      problems_.warning(gear.mark, path,
                        "it moves by itself: " + quote(gear.followed) +
                            " has several coordinates, none of which it could follow");
    } else {
      gears.push_back(&gear);
    }
  }
  for (bool found = true; found;) {
    found = false;
    for (const ForeignGear*& gear : gears) {
      if (gear == nullptr) continue;
      const auto followed = still.find(gear->followed);
      if (followed == still.end() && gear->ratio != 0.0) continue;
      const double position =
          gear->offset + (followed == still.end() ? 0.0 : gear->ratio * followed->second);
      const std::string why = gear->ratio == 0.0
                                  ? "a multiplier of 0 follows nothing"
                                  : quote(gear->followed) + ", which it follows, does not move";
      problems_.warning(gear->mark, "joint " + quote(gear->follower),
                        why + ": held at " + format_number(position));
      ForeignLink& link = *links.at(renamed.at(gear->follower));
      link.joint = held_at(link.joint, position);
      still[gear->follower] = position;
      gear = nullptr;
      found = true;
    }
  }
  for (const ForeignGear* given : gears) {
    if (given == nullptr) continue;
    ForeignGear gear = *given;
    gear.followed = renamed.at(gear.followed);
    gear.follower = renamed.at(gear.follower);
    gear.name = gear.follower + "_mimic";
    model.gears.push_back(std::move(gear));
  }
}

}  // namespace spacedyn::loading::foreign
