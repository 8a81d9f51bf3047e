#include "model/description_tree.hpp"

#include <algorithm>

#include "model/model_validation.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/model/names.hpp"

namespace spacedyn {
namespace {

void require_valid(const ModelDescription& description) {
  std::vector<Problem> problems = validate_description(description);
  const bool refused = std::any_of(problems.begin(), problems.end(), [](const Problem& problem) {
    return problem.severity == Severity::error;
  });
  if (refused) throw ModelError(std::move(problems));
}

}  // namespace

const std::string& joint_name(const LinkDescription& link) {
  return link.joint.name.empty() ? link.name : link.joint.name;
}

DescriptionTree::DescriptionTree(const ModelDescription& description) : description_(description) {
  require_valid(description);
  for (std::size_t i = 0; i < description.links.size(); ++i) {
    links_.emplace(description.links[i].name, i);
    joints_.emplace(joint_name(description.links[i]), i);
  }
}

std::size_t DescriptionTree::link(const std::string& name) const {
  const auto found = links_.find(name);
  if (found != links_.end()) return found->second;
  std::vector<std::string> known{description_.base.name};
  for (const LinkDescription& link : description_.links) known.push_back(link.name);
  throw DomainError("no link is named '" + name + "'" + did_you_mean(name, known));
}

std::size_t DescriptionTree::link_of_joint(const std::string& name) const {
  const auto found = joints_.find(name);
  if (found != joints_.end()) return found->second;
  std::vector<std::string> known;
  for (const LinkDescription& link : description_.links) known.push_back(joint_name(link));
  throw DomainError("no joint is named '" + name + "'" + did_you_mean(name, known));
}

void DescriptionTree::require_body(const std::string& name) const {
  if (!is_base(name)) link(name);
}

void DescriptionTree::keep_elements(const std::unordered_set<std::string>& joints,
                                    ModelDescription& description) {
  const auto is_dropped = [&](const std::string& name, const std::vector<std::string>& own) {
    const auto kept = std::count_if(
        own.begin(), own.end(), [&](const std::string& joint) { return joints.count(joint) > 0; });
    if (kept != 0 && kept != static_cast<std::ptrdiff_t>(own.size())) {
      throw DomainError("cannot cut '" + name + "', which acts between joints of both parts");
    }
    return kept == 0;
  };
  auto& couplings = description.couplings;
  couplings.erase(std::remove_if(couplings.begin(), couplings.end(),
                                 [&](const JointCouplingDescription& each) {
                                   return is_dropped(each.name, each.joints);
                                 }),
                  couplings.end());
  auto& transmissions = description.transmissions;
  transmissions.erase(std::remove_if(transmissions.begin(), transmissions.end(),
                                     [&](const TransmissionDescription& each) {
                                       return is_dropped(each.name, {each.motor, each.joint});
                                     }),
                      transmissions.end());
  for (const LinkDescription& link : description.links) {
    if (!link.joint.mimic || joints.count(link.joint.mimic->joint) > 0) continue;
    throw DomainError("cannot cut off joint '" + joint_name(link) + "', which follows '" +
                      link.joint.mimic->joint + "' of the other part");
  }
  // the points are still looked up in the whole, of which the part has some
  const auto has_point = [&](const std::string& point) {
    const std::string owner = point.substr(0, point.rfind(".com"));
    const auto is_named = [&](const auto& each) { return each.name == owner; };
    return description.base.name == owner ||
           std::any_of(description.links.begin(), description.links.end(), is_named) ||
           std::any_of(description.frames.begin(), description.frames.end(), is_named);
  };
  auto& loops = description.loops;
  loops.erase(std::remove_if(loops.begin(), loops.end(),
                             [&](const LoopDescription& each) {
                               if (!loop_traits(each.type).joins_points) {
                                 return is_dropped(each.name, each.joints);
                               }
                               const int kept = has_point(each.from) + has_point(each.to);
                               if (kept == 1) {
                                 throw DomainError("cannot cut '" + each.name +
                                                   "', which closes a loop over both parts");
                               }
                               return kept == 0;
                             }),
              loops.end());
}

std::vector<std::size_t> DescriptionTree::path(const std::string& body) const {
  std::vector<std::size_t> links;
  for (std::string name = body; !is_base(name); name = description_.links[links.back()].parent) {
    links.push_back(link(name));
  }
  std::reverse(links.begin(), links.end());
  return links;
}

std::unordered_set<std::string> DescriptionTree::subtree(const std::string& body) const {
  std::unordered_map<std::string, std::vector<std::string>> carried;
  for (const LinkDescription& link : description_.links) carried[link.parent].push_back(link.name);
  std::unordered_set<std::string> names;
  std::vector<std::string> open{body};
  while (!open.empty()) {
    const std::string name = open.back();
    open.pop_back();
    names.insert(name);
    open.insert(open.end(), carried[name].begin(), carried[name].end());
  }
  return names;
}

}  // namespace spacedyn
