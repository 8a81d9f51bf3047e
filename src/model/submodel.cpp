#include "spacedyn/model/submodel.hpp"

#include <algorithm>
#include <unordered_set>

#include "model/description_tree.hpp"
#include "spacedyn/error.hpp"

namespace spacedyn {
namespace {

/// Keeps the elements for which `keep` holds.
template <typename List, typename Predicate>
void keep_if(List& list, Predicate keep) {
  list.erase(
      std::remove_if(list.begin(), list.end(), [&](const auto& element) { return !keep(element); }),
      list.end());
}

/// Keeps the couplings and transmissions between joints that are left.
void keep_elements_of_links(ModelDescription& part) {
  std::unordered_set<std::string> joints;
  for (const LinkDescription& link : part.links) joints.insert(joint_name(link));
  DescriptionTree::keep_elements(joints, part);
}

}  // namespace

ModelDescription submodel(const ModelDescription& description, const std::string& link) {
  const DescriptionTree tree(description);
  if (tree.is_base(link)) return description;
  ModelDescription part = description;
  part.name = link;
  part.base = BaseDescription{};
  static_cast<BodyDescription&>(part.base) = description.links[tree.link(link)];
  const auto names = tree.subtree(link);
  keep_if(part.links, [&](const LinkDescription& each) { return names.count(each.parent) > 0; });
  keep_if(part.frames, [&](const FrameDescription& each) { return names.count(each.link) > 0; });
  keep_elements_of_links(part);
  return part;
}

DetachedDescriptions detach(const ModelDescription& description, const std::string& link) {
  const DescriptionTree tree(description);
  if (tree.is_base(link)) {
    throw DomainError("cannot detach '" + link + "': it is the base; choose a link");
  }
  DetachedDescriptions parts{description, submodel(description, link)};
  const auto names = tree.subtree(link);
  keep_if(parts.remaining.links,
          [&](const LinkDescription& each) { return names.count(each.name) == 0; });
  keep_if(parts.remaining.frames,
          [&](const FrameDescription& each) { return names.count(each.link) == 0; });
  keep_elements_of_links(parts.remaining);
  return parts;
}

}  // namespace spacedyn
