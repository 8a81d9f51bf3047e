/// @file
/// From a description in any order to a validated Model.
#pragma once

#include <string>
#include <vector>

#include "spacedyn/diagnostics.hpp"
#include "spacedyn/export.hpp"
#include "spacedyn/model/model.hpp"

namespace spacedyn {

/// Collects bodies in any order, checks them all, and numbers them so that B_i < i.
///
/// File order is kept wherever parents allow it. Links on fixed joints are merged into the body
/// that carries them; their names stay as frames.
class SPACEDYN_EXPORT ModelBuilder {
 public:
  explicit ModelBuilder(std::string name) { description_.name = std::move(name); }
  explicit ModelBuilder(ModelDescription description) : description_(std::move(description)) {}

  ModelBuilder& set_base(BaseDescription base);
  ModelBuilder& add_link(LinkDescription link);
  ModelBuilder& add_frame(FrameDescription frame);

  const ModelDescription& description() const { return description_; }

  /// Every problem of the description, errors and warnings, in the order of its keys.
  std::vector<Problem> validate() const;

  /// The finished Model. @throws ModelError listing every problem if any is an error.
  Model build() const;

 private:
  ModelDescription description_;
};

}  // namespace spacedyn
