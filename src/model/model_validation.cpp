#include "model/model_validation.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include "model/description_tree.hpp"
#include "spacedyn/model/joint_traits.hpp"
#include "spacedyn/model/names.hpp"

namespace spacedyn {
namespace {

using Index = std::map<std::string, std::size_t>;

std::string link_path(std::size_t i) { return "links." + std::to_string(i); }
std::string frame_path(std::size_t i) { return "frames." + std::to_string(i); }

/// A name must be usable in key paths and as `<link>.com`.
/// @param may_have_dots  those after the names of robots
bool is_usable(const std::string& name, bool may_have_dots) {
  return !name.empty() && std::none_of(name.begin(), name.end(), [&](unsigned char c) {
    return (c == '.' && !may_have_dots) || c < 0x20 || c == 0x7f;
  });
}

class Validator {
 public:
  explicit Validator(const ModelDescription& description) : description_(description) {}

  std::vector<Problem> run() {
    check_names();
    check_parents();
    check_bodies();
    check_frames();
    check_mimics();
    validate_drive_train(description_, problems_);
    validate_loops(description_, problems_);
    validate_collisions(description_, problems_);
    validate_tanks(description_, problems_);
    return std::move(problems_);
  }

 private:
  void error(const std::string& path, const std::string& message, const std::string& hint = "") {
    problems_.push_back({Severity::error, path, message, hint});
  }

  void claim(std::map<std::string, std::string>& taken, const std::string& name,
             const std::string& path) {
    if (!is_usable(name, !description_.robots.empty())) {
      error(path, "expected a name without dots and control characters, got '" + name + "'");
      return;
    }
    const auto [owner, added] = taken.emplace(name, path);
    if (!added) error(path, "expected a name of its own, got '" + name + "' like " + owner->second);
  }

  void check_names() {
    std::map<std::string, std::string> points, joints;
    claim(points, description_.base.name, "base.name");
    bodies_.push_back(description_.base.name);
    for (std::size_t i = 0; i < description_.links.size(); ++i) {
      const LinkDescription& link = description_.links[i];
      claim(points, link.name, link_path(i) + ".name");
      const std::string path = link_path(i) + ".joint.name";
      claim(joints, joint_name(link), path);
      const int size = joint_traits(link.joint.type).size;
      for (int k = 0; size > 1 && k < size; ++k) {
        const std::string name = coordinate_name(joint_name(link), link.joint.type, k);
        claim(joints, name, path);
        if (k + 1 < size) claim(points, name, path);  // the link without mass that it carries
      }
      bodies_.push_back(link.name);
    }
    for (std::size_t i = 0; i < description_.frames.size(); ++i) {
      claim(points, description_.frames[i].name, frame_path(i) + ".name");
    }
    check_element_names();
  }

  /// Couplings, transmissions and loops have names of their own, for messages.
  void check_element_names() {
    std::map<std::string, std::string> elements;
    for (std::size_t i = 0; i < description_.couplings.size(); ++i) {
      claim(elements, description_.couplings[i].name, "couplings." + std::to_string(i) + ".name");
    }
    for (std::size_t i = 0; i < description_.transmissions.size(); ++i) {
      claim(elements, description_.transmissions[i].name,
            "transmissions." + std::to_string(i) + ".name");
    }
    for (std::size_t i = 0; i < description_.loops.size(); ++i) {
      claim(elements, description_.loops[i].name, "loops." + std::to_string(i) + ".name");
    }
  }

  void check_parents() {
    Index links;
    for (std::size_t i = 0; i < description_.links.size(); ++i) {
      links.emplace(description_.links[i].name, i);
    }
    for (std::size_t i = 0; i < description_.links.size(); ++i) {
      const std::string& parent = description_.links[i].parent;
      if (parent == description_.base.name || links.count(parent) > 0) continue;
      error(link_path(i) + ".parent",
            "expected the name of a link, got '" + parent + "'" + did_you_mean(parent, bodies_));
    }
    for (const std::size_t i : links_on_cycles(links)) {
      error(link_path(i) + ".parent",
            "expected parents that lead to the base, got link '" + description_.links[i].name +
                "' again",
            "a tree starts at the base; closed loops need a cut");
    }
  }

  /// Follows each link towards the base once; a link met again on the same path lies on a cycle.
  std::set<std::size_t> links_on_cycles(const Index& links) const {
    std::set<std::size_t> cyclic;
    std::vector<std::size_t> visited_by(description_.links.size(), 0);
    for (std::size_t start = 0; start < description_.links.size(); ++start) {
      std::size_t link = start;
      while (visited_by[link] == 0) {
        visited_by[link] = start + 1;
        const auto parent = links.find(description_.links[link].parent);
        if (parent == links.end()) break;
        link = parent->second;
      }
      if (visited_by[link] != start + 1 || links.count(description_.links[link].parent) == 0) {
        continue;
      }
      while (cyclic.insert(link).second) link = links.at(description_.links[link].parent);
    }
    return cyclic;
  }

  void check_bodies() {
    validate_body(description_.base, "base", problems_);
    for (std::size_t i = 0; i < description_.links.size(); ++i) {
      const LinkDescription& link = description_.links[i];
      // what a wheel has besides its spin inertia may belong to the body that carries it
      validate_body(link, link_path(i), problems_, link.joint.wheel.has_value());
      validate_joint(link.joint, link_path(i) + ".joint", problems_);
    }
  }

  /// What joints follow: joints with one coordinate that follow nothing.
  void check_mimics() {
    std::map<std::string, const LinkDescription*> carried;
    for (const LinkDescription& link : description_.links) {
      if (joint_traits(link.joint.type).size == 1) carried.emplace(joint_name(link), &link);
    }
    for (std::size_t i = 0; i < description_.links.size(); ++i) {
      const LinkDescription& link = description_.links[i];
      if (!link.joint.mimic) continue;
      const std::string path = link_path(i) + ".joint.mimic.joint";
      const std::string& name = link.joint.mimic->joint;
      const auto followed = carried.find(name);
      if (followed == carried.end()) {
        std::vector<std::string> known;
        for (const auto& [joint, other] : carried) {
          if (other != &link && !other->joint.mimic) known.push_back(joint);
        }
        error(path, "expected a revolute, prismatic or screw joint, got '" + name + "'" +
                        did_you_mean(name, known));
      } else if (followed->second == &link) {
        error(path, "expected another joint, got '" + name + "' itself");
      } else if (followed->second->joint.mimic) {
        error(path,
              "expected a joint that follows no other, got '" + name + "', which follows '" +
                  followed->second->joint.mimic->joint + "'",
              "follow that one, with the product of both ratios");
      }
    }
  }

  void check_frames() {
    for (std::size_t i = 0; i < description_.frames.size(); ++i) {
      const FrameDescription& frame = description_.frames[i];
      if (std::find(bodies_.begin(), bodies_.end(), frame.link) == bodies_.end()) {
        error(frame_path(i) + ".link", "expected the name of a link, got '" + frame.link + "'" +
                                           did_you_mean(frame.link, bodies_));
      }
      validate_pose(frame.origin, frame_path(i), problems_);
      if (!frame.thruster) continue;
      for (Problem& problem : validate_thruster(*frame.thruster, frame_path(i) + ".thruster")) {
        problems_.push_back(std::move(problem));
      }
    }
  }

  const ModelDescription& description_;
  std::vector<std::string> bodies_;
  std::vector<Problem> problems_;
};

}  // namespace

std::vector<Problem> validate_description(const ModelDescription& description) {
  return Validator(description).run();
}

}  // namespace spacedyn
