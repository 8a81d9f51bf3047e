#include "loading/foreign/foreign_model.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "loading/yaml/yaml_text.hpp"
#include "math/decompositions.hpp"

namespace spacedyn::loading::foreign {
namespace {

/// `'a', 'b' and 3 more`
std::string list_names(const std::vector<std::string>& names) {
  constexpr std::size_t kMost = 8;
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), kMost); ++i) {
    text += (i > 0 ? ", " : "") + quote(names[i]);
  }
  if (names.size() > kMost) text += " and " + std::to_string(names.size() - kMost) + " more";
  return text;
}

/// Links whose joint moves nothing that has mass.
std::set<std::string> massless_subtrees(const ForeignModel& model) {
  std::map<std::string, std::string> parents;
  for (const ForeignLink& link : model.links) parents[link.name] = link.parent;
  std::set<std::string> carriers;
  for (const ForeignLink& link : model.links) {
    if (link.is_massless()) continue;
    for (std::string at = link.name; carriers.insert(at).second;) {
      const auto parent = parents.find(at);
      if (parent == parents.end()) break;
      at = parent->second;
    }
  }
  std::set<std::string> massless;
  for (const ForeignLink& link : model.links) {
    if (carriers.count(link.name) == 0) massless.insert(link.name);
  }
  return massless;
}

/// Leaves out the gears of a joint that is held, which nothing would be left to turn.
void drop_gears_of(const std::string& held, ForeignModel& model, ProblemList& problems) {
  const auto is_dropped = [&](const ForeignGear& gear) {
    if (gear.followed != held && gear.follower != held) return false;
    const std::string& other = gear.followed == held ? gear.follower : gear.followed;
    problems.warning(gear.mark, "joint " + quote(gear.follower),
                     "it does not follow " + quote(gear.followed) + ", because " + quote(held) +
                         " is held: " + quote(other) + " moves by itself");
    return true;
  };
  model.gears.erase(std::remove_if(model.gears.begin(), model.gears.end(), is_dropped),
                    model.gears.end());
}

/// Whether no joint moves anything that has mass, as in files for kinematics alone.
bool is_kinematic(const ForeignModel& model) {
  const std::set<std::string> massless = massless_subtrees(model);
  return std::all_of(model.links.begin(), model.links.end(), [&](const ForeignLink& link) {
    return link.joint.is_fixed() || massless.count(link.name) > 0;
  });
}

void hold_joints_without_load(ForeignModel& model, ProblemList& problems) {
  const std::set<std::string> massless = massless_subtrees(model);
  for (ForeignLink& link : model.links) {
    if (link.joint.is_fixed() || massless.count(link.name) == 0) continue;
    problems.warning(link.joint.mark, "joint " + quote(link.joint.name),
                     "it moves nothing that has mass, so its motion is undetermined: held at zero",
                     "give the link " + quote(link.name) + " mass and inertia to let it move");
    ForeignJoint held;
    held.name = link.joint.name;
    held.mark = link.joint.mark;
    held.origin = link.joint.origin;
    link.joint = held;
    drop_gears_of(held.name, model, problems);
  }
}

void warn_of_massless_links(const ForeignModel& model, bool kinematic, ProblemList& problems) {
  std::vector<std::string> frames;
  const ForeignLink* first = nullptr;
  for (const ForeignLink& link : model.links) {
    if (!link.is_massless() || link.is_auxiliary) continue;
    if (link.joint.is_fixed()) {
      frames.push_back(link.name);
      if (first == nullptr) first = &link;
    } else if (!kinematic) {
      problems.warning(link.mark, "link " + quote(link.name),
                       "it has no mass; it moves with what it carries");
    }
  }
  if (first == nullptr) return;
  problems.warning(first->mark, "",
                   "links without mass on fixed joints are frames: " + list_names(frames));
}

void warn_of_inertia_without_mass(const ForeignBody& body, ProblemList& problems) {
  if (body.mass != 0.0 || body.inertia.isZero(0.0)) return;
  problems.warning(body.inertia_mark, "link " + quote(body.name),
                   "it has no mass but an inertia, which no body has; taken as it is");
}

/// Mass of the base and of what is fixed on it.
double base_mass(const ForeignModel& model) {
  std::multimap<std::string, const ForeignLink*> fixed;
  for (const ForeignLink& link : model.links) {
    if (link.joint.is_fixed()) fixed.emplace(link.parent, &link);
  }
  double mass = model.base.mass;
  std::vector<std::string> rigid{model.base.name};
  for (std::size_t i = 0; i < rigid.size(); ++i) {
    const auto [begin, end] = fixed.equal_range(std::string(rigid[i]));
    for (auto each = begin; each != end; ++each) {
      mass += each->second->mass;
      rigid.push_back(each->second->name);
    }
  }
  return mass;
}

void judge_base(ForeignModel& model, ProblemList& problems) {
  if (model.fixed || model.base.mass > 0.0) return;
  const std::string path = "link " + quote(model.base.name);
  if (base_mass(model) > 0.0) {
    problems.warning(model.base.mark, path,
                     "the root has no mass; with what is fixed on it, it is the base");
    return;
  }
  model.fixed = true;
  problems.warning(model.base.mark, path,
                   "the root and what is fixed on it have no mass, so the base cannot float: fixed",
                   "give the root mass and inertia to let it float");
}

}  // namespace

std::string fit_name(std::string name) {
  std::replace_if(
      name.begin(), name.end(),
      [](char c) { return c == '.' || static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }, '_');
  return name;
}

std::string Names::add(const std::string& name, const Mark& mark, const std::string& what) {
  const std::string plain = fit_name(name);
  std::string fit = plain;
  if (const auto known = used_.find(plain); known != used_.end()) {
    do fit = plain + '_' + std::to_string(++known->second);
    while (used_.count(fit) > 0);
  }
  used_.emplace(fit, 1);
  if (fit != name && !name.empty()) {
    problems_.warning(
        mark, what + ' ' + quote(name),
        "names are without dots and each stands once: called " + quote(fit) + " here");
  }
  return fit;
}

void condition(ForeignModel& model, ProblemList& problems) {
  // of such a model the loader says so; else joints that carry nothing would bar all others
  const bool kinematic = is_kinematic(model);
  if (!kinematic) hold_joints_without_load(model, problems);
  judge_base(model, problems);
  if (!model.fixed) warn_of_inertia_without_mass(model.base, problems);
  for (const ForeignLink& link : model.links) warn_of_inertia_without_mass(link, problems);
  warn_of_massless_links(model, kinematic, problems);
}

namespace {

/// Beyond this part of them limits of joints that follow one another differ.
constexpr double kSameLimit = 1e-9;

/// Adds the limits of a joint to those of the joint that it follows.
void limit_followed(const ForeignJoint& joint, const ForeignMimic& mimic, ForeignJoint& followed,
                    ProblemList& problems) {
  double lower = (joint.lower - mimic.offset) / mimic.ratio;
  double upper = (joint.upper - mimic.offset) / mimic.ratio;
  if (lower > upper) std::swap(lower, upper);
  const double slack = kSameLimit * (1.0 + std::min(std::abs(lower), std::abs(upper)));
  const bool is_tighter = lower > followed.lower + slack || upper < followed.upper - slack;
  lower = std::max(lower, followed.lower) + 0.0;  // no negative zero
  upper = std::min(upper, followed.upper) + 0.0;
  if (is_tighter && !(lower < upper)) {
    problems.warning(mimic.mark, "joint " + quote(joint.name),
                     "its limits leave no room where " + quote(followed.name) +
                         ", which it follows, keeps to its own: they are ignored");
  } else if (is_tighter) {
    followed.lower = lower;
    followed.upper = upper;
    problems.add(Severity::note, mimic.mark, "joint " + quote(joint.name),
                 "its limits are those of " + quote(followed.name) + ", which it follows, too: [" +
                     format_number(lower) + ", " + format_number(upper) + "]",
                 "");
  }
  followed.velocity_limit =
      std::min(followed.velocity_limit, joint.velocity_limit / std::abs(mimic.ratio));
}

/// Follows joints to those that move by themselves, each joint once.
class Chains {
 public:
  Chains(const std::map<std::string, const ForeignGear*>& first, ProblemList& problems)
      : first_(first), problems_(problems) {}

  /// The joint that another one follows in the end; nothing where they go round in a circle, which
  /// is reported once.
  std::optional<ForeignMimic> end_of(const std::string& follower) {
    std::vector<const ForeignGear*> path;
    std::set<std::string> seen;
    std::string at = follower;
    for (auto next = first_.find(at);
         next != first_.end() && ends_.count(at) == 0 && seen.insert(at).second;
         next = first_.find(at)) {
      path.push_back(next->second);
      at = next->second->followed;
    }
    std::optional<ForeignMimic> end;
    if (const auto known = ends_.find(at); known != ends_.end()) {
      end = known->second;
    } else if (seen.count(at) > 0) {
      problems_.error(path.front()->mark, "joint " + quote(follower),
                      "expected joints that do not follow one another in a circle, got " +
                          quote(follower) + ", which leads back to " + quote(at));
    } else {
      end = ForeignMimic{path.front()->mark, at, 1.0, 0.0};
    }
    for (auto gear = path.rbegin(); gear != path.rend(); ++gear) {
      const ForeignGear& own = **gear;
      if (end)
        end = {own.mark, end->joint, own.ratio * end->ratio, own.ratio * end->offset + own.offset};
      ends_[own.follower] = end;
    }
    return end;
  }

 private:
  const std::map<std::string, const ForeignGear*>& first_;
  ProblemList& problems_;
  std::map<std::string, std::optional<ForeignMimic>> ends_;
};

}  // namespace

void let_follow(ForeignModel& model, ProblemList& problems) {
  std::map<std::string, ForeignJoint*> joints;
  for (ForeignLink& link : model.links) joints[link.joint.name] = &link.joint;
  std::map<std::string, const ForeignGear*> first;  // of each joint that follows
  for (const ForeignGear& gear : model.gears) first.emplace(gear.follower, &gear);
  Chains chains(first, problems);
  std::vector<ForeignGear> left;
  for (const ForeignGear& gear : model.gears) {
    const auto joint = joints.find(gear.follower);
    if (first.at(gear.follower) != &gear || joint == joints.end()) {
      left.push_back(gear);
      continue;
    }
    const std::optional<ForeignMimic> end = chains.end_of(gear.follower);
    if (!end) continue;
    const ForeignMimic& mimic = *end;
    const auto followed = joints.find(mimic.joint);
    const bool fits = joint->second->has_one_coordinate() && followed != joints.end() &&
                      followed->second->has_one_coordinate();
    if (!fits) {
      left.push_back(gear);
      continue;
    }
    ForeignJoint& own = *joint->second;
    limit_followed(own, mimic, *followed->second, problems);
    const ForeignJoint unlimited;
    own.lower = unlimited.lower;
    own.upper = unlimited.upper;
    own.velocity_limit = own.effort_limit = unlimited.velocity_limit;
    own.mimic = mimic;
  }
  model.gears = std::move(left);
}

bool is_unphysical(const Matrix3& inertia) {
  constexpr double kTolerance = 1e-12;
  return symmetric_eigenvalues(inertia)(0) < -kTolerance * std::abs(inertia.trace());
}

}  // namespace spacedyn::loading::foreign
