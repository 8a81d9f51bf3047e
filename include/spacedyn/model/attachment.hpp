/// @file
/// Robots built of robots.
#pragma once

#include <string>

#include "spacedyn/export.hpp"
#include "spacedyn/model/description.hpp"

namespace spacedyn {

/// Where and how a model is attached.
struct SPACEDYN_EXPORT Attachment {
  std::string parent;      ///< body that carries it: the base or a link
  std::string prefix;      ///< put before every name of what is attached
  JointDescription joint;  ///< to the attached model's base; fixed unless said otherwise

  Attachment();
};

/// One robot of two: the base of the attached one becomes a link of the other.
///
/// Only a base can be attached; rerooted() makes any link the base first. All names of the
/// attached model get the prefix; a joint without a name takes that of the link it carries. Notes
/// of the attached model as a whole go to its base where that has none. O(n).
/// @throws DomainError for an unknown parent, a base that is fixed to the inertial frame, or a name
/// that both models have; ModelError if a description breaks a rule.
SPACEDYN_EXPORT ModelDescription attach(const ModelDescription& robot,
                                        const ModelDescription& attached,
                                        const Attachment& attachment);

}  // namespace spacedyn
