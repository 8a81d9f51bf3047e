#include "spacedyn/dynamics/mobility.hpp"

namespace spacedyn {

Mobility::Mobility(const Model& model)
    : Mobility(!model.has_fixed_base(),
               std::vector<bool>(static_cast<std::size_t>(model.joint_count()), true)) {}

Mobility::Mobility(bool base_free, const std::vector<bool>& joint_free)
    : base_free_(base_free), joint_free_(joint_free) {
  for (int row = 0; row < 6; ++row) (base_free ? free_ : prescribed_).push_back(row);
  for (std::size_t i = 0; i < joint_free.size(); ++i) {
    (joint_free[i] ? free_ : prescribed_).push_back(6 + static_cast<int>(i));
  }
}

}  // namespace spacedyn
