#include "loading/foreign/urdf_reader.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

#include "loading/yaml/yaml_text.hpp"
#include "spacedyn/math/so3.hpp"
#include "spacedyn/model/names.hpp"

namespace spacedyn::loading::foreign {
namespace {

const std::vector<std::string> kRobotElements = {"link", "joint", "material"};
const std::set<std::string> kRepeated = {"link", "joint", "material", "visual", "collision"};
// of other programs; none of them changes the motion
const std::vector<std::string> kForeignElements = {"transmission",
                                                   "gazebo",
                                                   "sensor",
                                                   "ros2_control",
                                                   "calibration",
                                                   "safety_controller",
                                                   "self_collision_checking",
                                                   "contact",
                                                   "contact_coefficients",
                                                   "group",
                                                   "group_state",
                                                   "disable_collisions",
                                                   "end_effector",
                                                   "virtual_joint",
                                                   "passive_joint",
                                                   "self_collide",
                                                   "verbose",
                                                   "origin",
                                                   "version",
                                                   "drake:joint",
                                                   "collision",
                                                   "hardwareInterface",
                                                   "pid",
                                                   "static",
                                                   "mujoco",
                                                   "loop_joint",
                                                   "camera",
                                                   "ray",
                                                   "plugin",
                                                   "frame",
                                                   "audio_source"};

bool has_colon(const std::string& name) { return name.find(':') != std::string::npos; }

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

std::string place_text(const Mark& mark) {
  const std::string file = std::filesystem::path(mark.source->name()).filename().string();
  return file + ", line " + std::to_string(mark.line);
}

Placement read_origin(const xml::Element& parent, const std::string& path, ProblemList& problems) {
  const xml::Element* origin = parent.child("origin");
  if (origin == nullptr) return {};
  const xml::Values values(*origin, path, problems);
  values.check_spelling({"xyz", "rpy"});
  return Placement::from_rpy(values.vector3("xyz", Vector3::Zero()),
                             values.vector3("rpy", Vector3::Zero()));
}

UrdfReader::UrdfReader(const xml::Element& robot, MeshFiles& meshes, ProblemList& problems)
    : robot_(robot), meshes_(meshes), problems_(problems) {}

ForeignModel UrdfReader::read() {
  ForeignModel model;
  const xml::Values values(robot_, "robot", problems_);
  model.name = fit_name(values.required_text("name"));
  model.mark = robot_.mark;
  model.source = "URDF, " + place_text(robot_.mark);
  judge_children(robot_, kRobotElements, "robot");
  read_materials();
  read_links();
  read_joints();
  const ForeignBody* root = problems_.has_errors() ? nullptr : find_root();
  if (root == nullptr) return model;
  check_reach(*root);
  const UrdfJoint* floating = floating_root_joint(*root);
  if (problems_.has_errors()) return model;
  model.base = floating == nullptr ? *root : links_[link_positions_.at(floating->child)];
  if (floating == nullptr && root->name == "world" && root->is_massless()) {
    model.fixed = true;
    problems_.warning(root->mark, "link 'world'",
                      "it stands for the inertial frame, as in Gazebo: the base is fixed",
                      "remove it, or say 'base: {mode: floating}' in a scenario, to let it float");
  }
  add_links(model, floating);
  note_ignored();
  meshes_.report();
  return model;
}

/// Those of the robot, and those that a link gives a name and a color for others to use.
void UrdfReader::read_materials() {
  const auto read = [&](const xml::Element& element) {
    const std::string name = element.text("name");
    const std::string color = read_color(element, "material " + quote(name));
    if (!name.empty() && !color.empty()) materials_.emplace(name, color);
  };
  for (const xml::Element& element : robot_.children) {
    if (element.name == "material") read(element);
  }
  for (const xml::Element& link : robot_.children) {
    if (link.name != "link") continue;
    for (const xml::Element& visual : link.children) {
      const xml::Element* material = visual.name == "visual" ? visual.child("material") : nullptr;
      if (material != nullptr) read(*material);
    }
  }
}

void UrdfReader::read_links() {
  for (const xml::Element& element : robot_.children) {
    if (element.name != "link") continue;
    if (problems_.is_full()) return;
    ForeignBody link = read_link(element);
    const auto [known, is_new] = link_positions_.emplace(link.name, links_.size());
    if (!is_new) {
      problems_.error(link.mark, "link " + quote(link.name),
                      "expected a name of its own, got that of line " +
                          std::to_string(links_[known->second].mark.line));
    }
    links_.push_back(std::move(link));
  }
  if (links_.empty()) problems_.error(robot_.mark, "robot", "expected a <link>, got none");
}

void UrdfReader::read_joints() {
  std::map<std::string, int> lines;
  std::vector<std::string> names;
  for (const auto& [name, position] : link_positions_) names.push_back(name);
  for (const xml::Element& element : robot_.children) {
    if (element.name != "joint") continue;
    if (problems_.is_full()) return;
    UrdfJoint joint = read_joint(element);
    const std::string path = "joint " + quote(joint.joint.name);
    const auto [known, is_new] = lines.emplace(joint.joint.name, element.mark.line);
    if (!is_new) {
      problems_.error(
          element.mark, path,
          "expected a name of its own, got that of line " + std::to_string(known->second));
    }
    for (const std::string* end : {&joint.parent, &joint.child}) {
      if (end->empty() || link_positions_.count(*end) > 0) continue;
      const xml::Element* place = element.child(end == &joint.parent ? "parent" : "child");
      problems_.error(
          place->mark_of("link"), path,
          "expected the name of a link, got " + quote(*end) + did_you_mean(*end, names));
    }
    joints_.push_back(std::move(joint));
  }
  for (const UrdfJoint& joint : joints_) {
    const auto [known, is_new] = carried_by_.emplace(joint.child, &joint);
    if (is_new || joint.child.empty()) continue;
    problems_.error(joint.joint.mark, "joint " + quote(joint.joint.name),
                    "expected a tree, got a loop: the link " + quote(joint.child) +
                        " is carried by the joint " + quote(known->second->joint.name) +
                        " already");
  }
}

const ForeignBody* UrdfReader::find_root() {
  const ForeignBody* root = nullptr;
  for (const ForeignBody& link : links_) {
    if (carried_by_.count(link.name) > 0) continue;
    if (root != nullptr) {
      problems_.error(link.mark, "link " + quote(link.name),
                      "expected one link without a parent, got " + quote(root->name) + " of line " +
                          std::to_string(root->mark.line) + " and " + quote(link.name));
      return nullptr;
    }
    root = &link;
  }
  if (root == nullptr) {
    problems_.error(joints_.front().joint.mark, "joint " + quote(joints_.front().joint.name),
                    "expected a tree, got a loop: every link is carried by another one");
  }
  return root;
}

void UrdfReader::check_reach(const ForeignBody& root) {
  std::set<std::string> reached{root.name};
  for (const ForeignBody& link : links_) {
    std::vector<std::string> chain;
    std::set<std::string> seen;
    for (std::string at = link.name; reached.count(at) == 0; at = carried_by_.at(at)->parent) {
      if (!seen.insert(at).second) {
        const ForeignJoint& joint = carried_by_.at(at)->joint;
        problems_.error(joint.mark, "joint " + quote(joint.name),
                        "expected a tree, got a loop of links that nothing connects to the root " +
                            quote(root.name));
        return;
      }
      chain.push_back(at);
    }
    reached.insert(chain.begin(), chain.end());
  }
}

/// A root without mass that carries one link by a floating joint: that link is the base.
const UrdfReader::UrdfJoint* UrdfReader::floating_root_joint(const ForeignBody& root) const {
  const UrdfJoint* only = nullptr;
  for (const UrdfJoint& joint : joints_) {
    if (joint.parent != root.name) continue;
    if (only != nullptr) return nullptr;
    only = &joint;
  }
  return only != nullptr && only->is_floating && root.is_massless() ? only : nullptr;
}

void UrdfReader::add_links(ForeignModel& model, const UrdfJoint* skipped) {
  for (const UrdfJoint& joint : joints_) {
    if (&joint == skipped) continue;
    ForeignLink link;
    static_cast<ForeignBody&>(link) = links_[link_positions_.at(joint.child)];
    link.parent = joint.parent;
    link.joint = joint.joint;
    model.links.push_back(std::move(link));
  }
  Names link_names(problems_);
  std::map<std::string, std::string> renamed;
  renamed[model.base.name] = link_names.add(model.base.name, model.base.mark, "link");
  for (const ForeignLink& link : model.links) {
    renamed[link.name] = link_names.add(link.name, link.mark, "link");
  }
  Names joint_names(problems_);
  std::map<std::string, std::string> renamed_joints;
  model.base.name = renamed.at(model.base.name);
  for (ForeignLink& link : model.links) {
    link.name = renamed.at(link.name);
    link.parent = renamed.at(link.parent);
    const std::string name = joint_names.add(link.joint.name, link.joint.mark, "joint");
    if (!link.joint.is_fixed()) renamed_joints[link.joint.name] = name;
    link.joint.name = name;
  }
  add_gears(renamed_joints, model);
}

void UrdfReader::judge_children(const xml::Element& parent, const std::vector<std::string>& known,
                                const std::string& path) {
  for (const xml::Element& child : parent.children) {
    ignore(child, known, path);
    const bool is_read = std::find(known.begin(), known.end(), child.name) != known.end();
    if (!is_read || kRepeated.count(child.name) > 0 || parent.child(child.name) == &child) continue;
    problems_.warning(child.mark, path,
                      "a further <" + child.name + "> is ignored: the first one counts");
  }
}

void UrdfReader::ignore(const xml::Element& element, const std::vector<std::string>& known,
                        const std::string& path) {
  const auto is_among = [&](const std::vector<std::string>& names) {
    return std::find(names.begin(), names.end(), element.name) != names.end();
  };
  if (is_among(known)) return;
  if (element.name.compare(0, 6, "xacro:") == 0) {
    problems_.error(element.mark, path, "expected URDF, got the macro <" + element.name + '>',
                    "expand it first: xacro FILE > robot.urdf");
  } else if (is_among(kForeignElements) || has_colon(element.name)) {
    ++ignored_[element.name];
  } else {
    problems_.warning(element.mark, path,
                      "the unknown element <" + element.name + "> is ignored" +
                          did_you_mean(element.name, known));
  }
}

void UrdfReader::note_ignored() {
  std::string list;
  for (const auto& [name, count] : ignored_) {
    list += (list.empty() ? "" : ", ") + std::to_string(count) + " <" + name + '>';
  }
  if (list.empty()) return;
  problems_.add(Severity::note, robot_.mark, "", "of no effect here: " + list, "");
}

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
