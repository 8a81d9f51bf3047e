#include <cmath>
#include <unordered_map>

#include "model/description_tree.hpp"
#include "model/model_validation.hpp"
#include "model/short_number.hpp"
#include "spacedyn/model/joint_traits.hpp"
#include "spacedyn/model/names.hpp"

namespace spacedyn {
namespace {

/// Relations between joints that differ by less than this part are the same.
constexpr double kSameRelation = 1e-12;

/// The bodies that points are on, fixed joints followed to the body that moves.
class PointBodies {
 public:
  explicit PointBodies(const ModelDescription& description) : description_(description) {
    for (const LinkDescription& link : description.links) links_.emplace(link.name, &link);
    for (const FrameDescription& frame : description.frames) frames_.emplace(frame.name, &frame);
    // the base of a robot goes by this name as well
    for (const RobotDescription& robot : description.robots) {
      const auto base = links_.find(robot.base);
      if (base != links_.end()) links_.emplace(robot.name + ".base", base->second);
    }
  }

  /// The moving body with a point, empty where there is no such point.
  std::string body_of(const std::string& point) const {
    if (const auto frame = frames_.find(point); frame != frames_.end()) {
      return carrier(frame->second->link);
    }
    if (is_body(point)) return carrier(point);
    static const std::string kCentroid = ".com";
    if (point.size() <= kCentroid.size()) return {};
    const std::string owner = point.substr(0, point.size() - kCentroid.size());
    return owner + kCentroid == point && is_body(owner) ? carrier(owner) : std::string();
  }

  std::vector<std::string> names() const {
    std::vector<std::string> names{description_.base.name};
    for (const LinkDescription& link : description_.links) names.push_back(link.name);
    for (const FrameDescription& frame : description_.frames) names.push_back(frame.name);
    return names;
  }

 private:
  bool is_body(const std::string& name) const {
    return name == description_.base.name || links_.count(name) > 0;
  }

  std::string carrier(std::string body) const {
    // a ring of parents is told elsewhere
    for (std::size_t i = 0; i <= description_.links.size(); ++i) {
      const auto link = links_.find(body);
      if (link == links_.end()) break;
      if (link->second->joint.type != JointType::fixed) return link->second->name;
      body = link->second->parent;
    }
    return body;
  }

  const ModelDescription& description_;
  std::unordered_map<std::string, const LinkDescription*> links_;
  std::unordered_map<std::string, const FrameDescription*> frames_;
};

/// What gears say about the positions of joints: q = ratio q_root + offset.
class GearTrains {
 public:
  struct Relation {
    std::string root;
    double ratio = 1.0;
    double offset = 0.0;
  };

  Relation of(const std::string& joint) const {
    const auto known = relations_.find(joint);
    return known == relations_.end() ? Relation{joint, 1.0, 0.0} : known->second;
  }

  /// q_b = ratio q_a + offset joins two trains.
  void join(const std::string& a, const std::string& b, double ratio, double offset) {
    const Relation of_a = of(a), of_b = of(b);
    relations_[a] = of_a;
    relations_[b] = of_b;
    // r_b q_rb + o_b = ratio (r_a q_ra + o_a) + offset
    const double scale = ratio * of_a.ratio / of_b.ratio;
    const double shift = (ratio * of_a.offset + offset - of_b.offset) / of_b.ratio;
    for (auto& [joint, relation] : relations_) {
      if (relation.root != of_b.root) continue;
      relation = {of_a.root, relation.ratio * scale, relation.ratio * shift + relation.offset};
    }
  }

 private:
  std::unordered_map<std::string, Relation> relations_;
};

class LoopValidator {
 public:
  LoopValidator(const ModelDescription& description, std::vector<Problem>& problems)
      : description_(description), points_(description), problems_(problems) {}

  void run() {
    for (const LinkDescription& link : description_.links) {
      const auto& mimic = link.joint.mimic;
      if (!mimic || mimic->joint == joint_name(link) || mimic->ratio == 0.0) continue;
      trains_.join(mimic->joint, joint_name(link), mimic->ratio, mimic->offset);
    }
    for (std::size_t i = 0; i < description_.loops.size(); ++i) {
      const LoopDescription& loop = description_.loops[i];
      path_ = "loops." + std::to_string(i);
      if (loop_traits(loop.type).joins_points) {
        check_points(loop);
        check_axes(loop);
        check_against_earlier(i);
      } else {
        check_joints(loop);
      }
    }
  }

 private:
  void error(const std::string& key, const std::string& message, const std::string& hint = "") {
    problems_.push_back({Severity::error, key.empty() ? path_ : path_ + '.' + key, message, hint});
  }

  void check_points(const LoopDescription& loop) {
    const std::string from = check_point(loop.from, "from"), to = check_point(loop.to, "to");
    if (from.empty() || from != to) return;
    error("to",
          "expected a point of another body than '" + loop.from + "', got '" + loop.to +
              "', which is on '" + from + "' as well",
          "a loop holds points of two bodies together that joints let move");
  }

  std::string check_point(const std::string& name, const char* key) {
    std::string body = points_.body_of(name);
    if (body.empty()) {
      error(key, "expected the name of a frame, a link or '<link>.com', got '" + name + "'" +
                     did_you_mean(name, points_.names()));
    }
    return body;
  }

  void check_axes(const LoopDescription& loop) {
    if (loop_traits(loop.type).has_axis) check_axis(loop.axis, "axis");
    if (loop.type == LoopType::universal) {
      check_axis(loop.axis, "axes.0");
      check_axis(loop.second_axis, "axes.1");
    }
    if (loop.type != LoopType::distance || (loop.length > 0.0 && std::isfinite(loop.length))) {
      return;
    }
    error("length", "expected a positive, finite distance, got " + short_number(loop.length),
          "points at distance 0 are held by type spherical");
  }

  void check_axis(const Vector3& axis, const char* key) {
    if (axis.allFinite() && axis.norm() > 0.0) return;
    error(key, "expected an axis of finite, positive length, got [" + short_number(axis.x()) +
                   ", " + short_number(axis.y()) + ", " + short_number(axis.z()) + "]");
  }

  /// Two loops on the same points that no position satisfies, or that say the same.
  void check_against_earlier(std::size_t index) {
    const LoopDescription& loop = description_.loops[index];
    for (std::size_t i = 0; i < index; ++i) {
      const LoopDescription& other = description_.loops[i];
      const bool same_points = (other.from == loop.from && other.to == loop.to) ||
                               (other.from == loop.to && other.to == loop.from);
      if (!same_points || !loop_traits(other.type).joins_points) continue;
      const double distance = fixed_distance(loop), before = fixed_distance(other);
      if (distance >= 0.0 && before >= 0.0 && distance != before) {
        error("", "expected a loop that can be closed together with '" + other.name + "', got '" +
                      loop.name + "': the same points would be " + short_number(before) +
                      " m and " + short_number(distance) + " m apart");
      } else if (loop.type == other.type && distance >= 0.0 && says_the_same(loop, other)) {
        warn("'" + loop.name + "' does nothing: it says what '" + other.name + "' says");
      }
    }
  }

  void warn(const std::string& message) {
    problems_.push_back({Severity::warning, path_, message, "leave it out"});
  }

  static bool says_the_same(const LoopDescription& a, const LoopDescription& b) {
    return !loop_traits(a.type).has_axis && a.type != LoopType::universal && a.length == b.length &&
           a.from == b.from;
  }

  /// Distance that a loop keeps its points at, −1 if it keeps none.
  static double fixed_distance(const LoopDescription& loop) {
    if (loop.type == LoopType::distance) return loop.length;
    return loop_traits(loop.type).translations == 3 ? 0.0 : -1.0;
  }

  void check_joints(const LoopDescription& loop) {
    const bool is_gear = loop.type == LoopType::gear;
    if (is_gear && loop.joints.size() != 2) {
      return error("joints", "expected two joints, got " + std::to_string(loop.joints.size()));
    }
    if (loop.joints.empty()) return error("joints", "expected at least one joint, got none");
    bool known = true;
    for (std::size_t i = 0; i < loop.joints.size(); ++i) {
      const std::string key = "joints." + std::to_string(i);
      known = check_joint(loop.joints[i], key) && known;
      for (std::size_t j = 0; j < i; ++j) {
        if (loop.joints[i] != loop.joints[j]) continue;
        error(key, "expected each joint once, got '" + loop.joints[i] + "' again");
        known = false;
      }
    }
    if (!std::isfinite(loop.offset)) return error("offset", "expected a finite number");
    if (loop.type == LoopType::function) return check_function(loop);
    if (!is_gear) return check_coefficients(loop);
    if (!std::isfinite(loop.ratio) || loop.ratio == 0.0) {
      return error("ratio", "expected a finite number other than 0");
    }
    if (known) check_train(loop);
  }

  bool check_joint(const std::string& name, const std::string& key) {
    std::vector<std::string> moving;
    for (const LinkDescription& link : description_.links) {
      const JointTraits& traits = joint_traits(link.joint.type);
      for (int k = 0; k < traits.size; ++k) {
        // components of a rotation vector are no positions of their own
        if (traits.coordinates[static_cast<std::size_t>(k)].spherical != 0) continue;
        moving.push_back(coordinate_name(joint_name(link), link.joint.type, k));
        if (moving.back() == name) return true;
      }
    }
    error(key,
          "expected the name of a moving joint, got '" + name + "'" + did_you_mean(name, moving));
    return false;
  }

  void check_function(const LoopDescription& loop) {
    if (!loop.function) error("function", "expected a function, got none");
    if (loop.joints.size() <= static_cast<std::size_t>(kMostFunctionJoints)) return;
    error("joints", "expected at most " + std::to_string(kMostFunctionJoints) +
                        " joints of one function, got " + std::to_string(loop.joints.size()));
  }

  void check_coefficients(const LoopDescription& loop) {
    if (loop.coefficients.size() != loop.joints.size()) {
      return error("coefficients", "expected " + std::to_string(loop.joints.size()) +
                                       " numbers, one for each joint, got " +
                                       std::to_string(loop.coefficients.size()));
    }
    bool moves = false;
    for (std::size_t i = 0; i < loop.coefficients.size(); ++i) {
      const double value = loop.coefficients[i];
      if (!std::isfinite(value)) {
        return error("coefficients." + std::to_string(i), "expected a finite number");
      }
      moves = moves || value != 0.0;
    }
    if (!moves) error("coefficients", "expected a coefficient other than 0, got none");
  }

  /// A gear between joints that other gears couple already.
  void check_train(const LoopDescription& loop) {
    const std::string &a = loop.joints[0], &b = loop.joints[1];
    const GearTrains::Relation of_a = trains_.of(a), of_b = trains_.of(b);
    if (of_a.root != of_b.root) return trains_.join(a, b, loop.ratio, loop.offset);
    // q_b = R q_a + O by the others
    const double R = of_b.ratio / of_a.ratio;
    const double O = of_b.offset - R * of_a.offset;
    if (std::abs(R - loop.ratio) > kSameRelation * std::abs(R)) {
      error("ratio", "expected the ratio " + short_number(R) + " that the other gears between '" +
                         a + "' and '" + b + "' give, got " + short_number(loop.ratio) +
                         ": together they hold all their joints");
    } else if (std::abs(O - loop.offset) > kSameRelation * (1.0 + std::abs(O))) {
      error("offset", "expected the offset " + short_number(O) + " that the other gears between '" +
                          a + "' and '" + b + "' give, got " + short_number(loop.offset));
    } else {
      warn("'" + loop.name + "' does nothing: other gears couple '" + a + "' and '" + b +
           "' in the same ratio");
    }
  }

  const ModelDescription& description_;
  const PointBodies points_;
  GearTrains trains_;
  std::vector<Problem>& problems_;
  std::string path_;
};

}  // namespace

void validate_loops(const ModelDescription& description, std::vector<Problem>& problems) {
  LoopValidator(description, problems).run();
}

}  // namespace spacedyn
