/// @file
/// What depends on a number where it changes loads and inertias alone.
#pragma once

#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "integration/run/run.hpp"
#include "spacedyn/integration/sensitivities.hpp"
#include "spacedyn/kinematics/link_motion.hpp"

namespace spacedyn {

/// What of a system depends on a number, as far as both sides show for certain.
struct NumberScope {
  /// Whether both sides move alike under the same forces, but for masses and inertias of bodies.
  bool is_of_loads = false;
  bool uses_links = false;  ///< whether some element looks at links
  std::vector<bool> own;    ///< per slot: elements that are not the very ones of the flight
  std::vector<int> bodies;  ///< whose mass, inertia or rotor differs
};
NumberScope scope_of(const EquationsOfMotion& flight, const EquationsOfMotion& above,
                     const EquationsOfMotion& below);

/// What tangents know of a variation in the segment in work.
struct TangentColumn {
  std::string name;
  double step = 0.0;
  std::unique_ptr<Run> above, below;
  bool has_setups = false;
  NumberScope scope;
  /// Whether rates depend on the number, or on what both sides hold.
  bool acts = true;
  /// Whether both sides know the same instants of events, and whether all that they remember.
  bool shares_events = false, shares_memory = false;
  /// @name Derivatives of instants by the number: of the segment's beginning and its breakpoint
  /// @{
  double begin = 0.0, end = 0.0;
  double slope = 0.0;  ///< of those between, by time
  /// @}
  /// Between what begins for both sides where the segment begins, and for the flight, with the
  /// state fixed, s per unit.
  double offset = 0.0;
  /// The same of what happens next, and when it does, s.
  double next_offset = 0.0, next_instant = std::numeric_limits<double>::infinity();

  /// How far from the segment's end instants of the sides are that do not move alike, since others
  /// coincide with them there, s per unit; 0: they do.
  double apart = 0.0;

  /// How far inside, s, both sides are in the same segment for sure.
  double reach(double of) const { return 2.0 * step * std::abs(of); }
};

/// Differences of what both sides of numbers do at the motion of the flight,
///
///     ∂u̇/∂p = H⁻¹ (∂Q/∂p − ∂ID(x, u, u̇)/∂p),
///
/// with the loads Q of those elements that differ, and inverse dynamics ID of those bodies: neither
/// side's motion is computed.
class LoadDifferences {
 public:
  /// @param flight  at the instant that is asked about, completely evaluated
  LoadDifferences(EquationsOfMotion& flight, Eigen::Index columns);

  /// A new instant. @param acceleration  of the flight; must outlive what is asked about it
  void begin(const VectorX& acceleration) {
    acceleration_ = &acceleration;
    count_ = 0;
  }
  /// @param moved  of the instant above, s; that below is moved as far back
  /// @returns whether the number changes nothing but what this class sees
  bool add(TangentColumn& column, Eigen::Index index, double moved);
  /// Whether loads of a number that was added depend on it.
  bool differs(Eigen::Index index) const;
  /// Adds ∂ẋ/∂p of all numbers that were added to their columns.
  /// @param response  H⁻¹ of the free coordinates
  void add_to(Eigen::Ref<MatrixX> rates, const MatrixX& response);
  /// Adds products of covectors of ẋ, a column each, with ∂ẋ/∂p: a row each, a column a number.
  void add_products(const MatrixX& covectors, const MatrixX& response, MatrixX& products);

 private:
  struct Entry {
    TangentColumn* column;
    Eigen::Index index;
    double moved;
  };
  template <typename Visit>
  void visit(const Entry& entry, double sign, const VectorX* acceleration, const Visit& visit);
  void add_loads(const Entry& entry, Eigen::Ref<VectorX> force);
  void add_inertias(const TangentColumn& column, Eigen::Ref<VectorX> force);
  void add_auxiliary_rates(const Entry& entry, ConstVectorRef change, VectorRef rate);

  EquationsOfMotion& flight_;
  std::vector<Entry> entries_;
  std::size_t count_ = 0;
  bool has_links_ = false;  // whose accelerations are those of this instant
  MatrixX forces_, changes_, momenta_;
  Loads above_, below_;
  const VectorX* acceleration_ = nullptr;
  VectorX changed_, rate_, rates_;
  LinkAccelerations links_;
};

}  // namespace spacedyn
