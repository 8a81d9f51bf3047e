#include "control/reference_checks.hpp"

#include <cmath>
#include <string>

#include "spacedyn/error.hpp"

namespace spacedyn {
namespace {

std::string element(const std::string& name, Eigen::Index i) {
  return name + " " + std::to_string(i + 1);
}

}  // namespace

void check_same_size(const std::string& name, Eigen::Index size, Eigen::Index expected) {
  if (size == expected) return;
  throw DimensionError(name + " has " + std::to_string(size) + " components, expected " +
                       std::to_string(expected));
}

void check_finite(const std::string& name, ConstVectorRef values) {
  for (Eigen::Index i = 0; i < values.size(); ++i) {
    if (!std::isfinite(values(i))) throw DomainError(element(name, i) + " is not finite");
  }
}

void check_finite(const std::string& name, double value) {
  if (!std::isfinite(value)) throw DomainError(name + " is not finite");
}

void check_positive(const std::string& name, ConstVectorRef values) {
  for (Eigen::Index i = 0; i < values.size(); ++i) {
    if (!(values(i) > 0.0) || std::isinf(values(i))) {
      throw DomainError(element(name, i) + " must be positive and finite");
    }
  }
}

void check_positive(const std::string& name, double value) {
  if (!(value > 0.0) || std::isinf(value)) {
    throw DomainError(name + " must be positive and finite");
  }
}

}  // namespace spacedyn
