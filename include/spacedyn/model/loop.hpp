/// @file
/// Joints that close the tree of a model into loops, and couplings between joints.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "spacedyn/export.hpp"
#include "spacedyn/math/types.hpp"
#include "spacedyn/model/drive_train.hpp"

namespace spacedyn {

/// Most joints of one ConstraintFunction.
inline constexpr int kMostFunctionJoints = 16;

/// A smooth function φ of the positions of some joints that a loop of type LoopType::function keeps
/// at its offset, [RBDA] (3.11).
///
/// Vectors have an element for each joint in the order of LoopDescription::joints, rad or m. The
/// unit of φ is free; multipliers are joint forces per unit of its gradient. A Model and its copies
/// share the object: it must not change, and threads may call it at the same time.
class SPACEDYN_EXPORT ConstraintFunction {
 public:
  virtual ~ConstraintFunction();

  /// φ(q).
  virtual double value(ConstVectorRef q) const noexcept = 0;
  /// ∂φ/∂q.
  virtual void gradient(ConstVectorRef q, VectorRef gradient) const noexcept = 0;
  /// q̇ᵀ (∂²φ/∂q²) q̇, the acceleration of φ while joints keep their rates.
  virtual double curvature(ConstVectorRef q, ConstVectorRef qd) const noexcept = 0;

 protected:
  ConstraintFunction() = default;
  ConstraintFunction(const ConstraintFunction&) = default;
  ConstraintFunction& operator=(const ConstraintFunction&) = default;
};

/// How a loop holds two points together, or what couples joints.
enum class LoopType {
  weld,         ///< all axes coincide
  revolute,     ///< points and axis coincide
  prismatic,    ///< all axes are parallel, the points part along the axis
  cylindrical,  ///< the lines of the axis coincide
  spherical,    ///< the points coincide
  universal,    ///< the points coincide, two axes stay perpendicular
  planar,       ///< the second point stays in the plane normal to the axis, normals are parallel
  distance,     ///< the points keep their distance
  gear,         ///< q_b = ratio · q_a + offset
  linear,       ///< Σ c_k q_k = offset
  function      ///< φ(q) = offset, φ given by a program
};

/// What a type of loop is: one row of the table of types.
struct LoopTraits {
  std::string_view name;  ///< in files
  int translations;       ///< rows on the position of the second point
  int rotations;          ///< rows on the attitude of the second frame
  bool has_axis;          ///< a common axis
  bool joins_points;      ///< holds two points together; others couple joints in one row
  bool is_in_files;       ///< can be written down

  int rows() const { return joins_points ? translations + rotations : 1; }
};
SPACEDYN_EXPORT const LoopTraits& loop_traits(LoopType type);
/// All types that files know, in the order above.
SPACEDYN_EXPORT const std::vector<LoopType>& all_loop_types();

/// What a user says about a loop. Names of points are those of Model::find_frame().
struct LoopDescription {
  std::string name;
  LoopType type = LoopType::weld;
  std::string from, to;             ///< the two points
  Vector3 axis = Vector3::UnitZ();  ///< in the axes of both; of a universal joint the first one,
                                    ///< fixed in `from`
  Vector3 second_axis = Vector3::UnitY();  ///< of a universal joint, fixed in `to`
  double length = 0.0;                     ///< distance of the points, m
  std::vector<std::string> joints;         ///< that are coupled; of a gear two, of a function at
                                           ///< most kMostFunctionJoints
  std::vector<double> coefficients;        ///< linear: c_k
  double ratio = 1.0;                      ///< gear
  double offset = 0.0;                     ///< gear, linear, function; rad or m, or the unit of φ
  std::shared_ptr<const ConstraintFunction> function;  ///< φ of type function
  Notes notes;
};

}  // namespace spacedyn
