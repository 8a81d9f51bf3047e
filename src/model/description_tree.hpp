/// @file
/// Where the parts of a description are, for those who rearrange it.
#pragma once

#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "spacedyn/model/description.hpp"

namespace spacedyn {

/// The joint's own name, or that of its link where it has none.
const std::string& joint_name(const LinkDescription& link);

/// Look-up by name in a description that keeps the rules; positions are those in its link list.
/// Refers to the description, which must outlive it.
class DescriptionTree {
 public:
  /// @throws ModelError with every problem if the description breaks a rule.
  explicit DescriptionTree(const ModelDescription& description);

  bool is_base(const std::string& body) const { return body == description_.base.name; }

  /// @throws DomainError naming the nearest known name.
  std::size_t link(const std::string& name) const;
  std::size_t link_of_joint(const std::string& name) const;
  /// Throws as link() does unless the name is that of the base or a link.
  void require_body(const std::string& name) const;

  /// Keeps the couplings, transmissions and loops whose joints and points all are on the bodies and
  /// among the joints of a part. @throws DomainError for one that is on both sides: it would be cut
  static void keep_elements(const std::unordered_set<std::string>& joints,
                            ModelDescription& description);

  /// Links from the base (not included) to a body (included); empty for the base.
  std::vector<std::size_t> path(const std::string& body) const;
  /// Names of a body and of all that it carries.
  std::unordered_set<std::string> subtree(const std::string& body) const;

 private:
  const ModelDescription& description_;
  std::unordered_map<std::string, std::size_t> links_;
  std::unordered_map<std::string, std::size_t> joints_;
};

}  // namespace spacedyn
