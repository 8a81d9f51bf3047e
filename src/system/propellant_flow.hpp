/// @file
/// Tanks that empty: what is left, and what leaves. Private.
#pragma once

#include <vector>

#include "spacedyn/model/model.hpp"
#include "system/system_elements.hpp"

namespace spacedyn {

/// Whether a thruster of a system draws from a tank.
bool draws_from_tanks(const ForcedSystem& system);

/// A Model whose tanks empty: bodies have the mass, centroid and inertia of what is left.
class WetModel {
 public:
  /// @param full  is copied
  explicit WetModel(const Model& full);

  const Model& model() const { return model_; }
  /// @param left  in each tank, kg; what is below zero counts as nothing
  void fill(const VectorX& left);

 private:
  /// Mass and its moments about the frame origin of the body.
  struct Moments {
    double mass = 0.0;
    Vector3 first = Vector3::Zero();
    Matrix3 second = Matrix3::Zero();

    void add(double more, const Vector3& position, const Matrix3& about_centroid);
  };

  Model model_;
  std::vector<int> bodies_;   // with tanks
  std::vector<Moments> dry_;  // of bodies_
};

/// The propellant of a system and who draws from it.
class PropellantFlow {
 public:
  PropellantFlow(const ForcedSystem& system, const SystemElements& elements);

  /// With the masses of the last update.
  const Model& model() const { return wet_.model(); }
  /// Takes the masses of a state's z.
  void update(const VectorX& z);
  /// In a tank, kg.
  double left(std::size_t tank, ConstVectorRef z) const;
  /// Out of a tank, kg/s.
  double outflow(std::size_t tank, ConstVectorRef zd) const;

 private:
  WetModel wet_;
  std::vector<std::vector<int>> feeds_;  // per tank, components of z
  VectorX left_;
};

}  // namespace spacedyn
