#include <cmath>
#include <map>
#include <string>

#include "model/model_validation.hpp"

namespace spacedyn {
namespace {

/// Number of the elements of CollisionShape::size that count.
int size_count(CollisionType type) {
  switch (type) {
    case CollisionType::sphere:
      return 1;
    case CollisionType::box:
    case CollisionType::ellipsoid:
      return 3;
    case CollisionType::cylinder:
    case CollisionType::capsule:
      return 2;
    case CollisionType::mesh:
      break;  // its scale has any sign
  }
  return 0;
}

class CollisionValidator {
 public:
  CollisionValidator(const ModelDescription& description, std::vector<Problem>& problems)
      : problems_(problems), may_have_dots_(!description.robots.empty()) {
    bodies_.emplace(description.base.name, &description.base);
    for (const LinkDescription& link : description.links) bodies_.emplace(link.name, &link);
  }

  void check(const BodyDescription& body, const std::string& path) {
    for (std::size_t i = 0; i < body.collisions.size(); ++i) {
      const std::string own = path + ".collision." + std::to_string(i);
      check_name(body, body.collisions[i].name, own + ".name");
      check_shape(body.collisions[i], own);
    }
  }

 private:
  void error(const std::string& path, const std::string& message) {
    problems_.push_back({Severity::error, path, message, ""});
  }

  void check_name(const BodyDescription& body, const std::string& name, const std::string& path) {
    if (name.empty() || (!may_have_dots_ && name.find('.') != std::string::npos)) {
      return error(path, "expected a name without dots, got '" + name + "'");
    }
    if (name == "terrain" || name == "all") {
      return error(path,
                   "expected another name, got '" + name + "', which has a meaning of its own");
    }
    const auto named = bodies_.find(name);
    if (named != bodies_.end() && named->second != &body) {
      return error(path, "expected a name of its own, got '" + name + "' like a link");
    }
    const auto [owner, added] = taken_.emplace(name, path);
    if (!added) error(path, "expected a name of its own, got '" + name + "' like " + owner->second);
  }

  void check_shape(const CollisionShape& shape, const std::string& path) {
    validate_pose(shape.origin, path + ".origin", problems_);
    if (shape.type == CollisionType::mesh && shape.hull == nullptr) {
      return error(path, "expected the convex hull of a mesh");
    }
    for (int k = 0; k < size_count(shape.type); ++k) {
      if (std::isfinite(shape.size(k)) && shape.size(k) > 0.0) continue;
      return error(path, "expected a shape with positive, finite lengths");
    }
  }

  std::vector<Problem>& problems_;
  const bool may_have_dots_;  // those after the names of robots
  std::map<std::string, const BodyDescription*> bodies_;
  std::map<std::string, std::string> taken_;
};

}  // namespace

void validate_collisions(const ModelDescription& description, std::vector<Problem>& problems) {
  CollisionValidator validator(description, problems);
  validator.check(description.base, "base");
  for (std::size_t i = 0; i < description.links.size(); ++i) {
    validator.check(description.links[i], "links." + std::to_string(i));
  }
}

}  // namespace spacedyn
