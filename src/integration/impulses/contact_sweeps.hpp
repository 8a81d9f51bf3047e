/// @file
/// Impulses at many points at once, by sweeps over the points. Private.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <vector>

#include "integration/impulses/robot_inertias.hpp"
#include "integration/impulses/sweep_acceleration.hpp"
#include "spacedyn/math/types.hpp"

namespace spacedyn {

/// Points at which impulses act between the robots of a system: rows K of their velocities, and
/// what H⁻¹ Kᵀ answers. Memory is kept from step to step.
class ContactPoints {
 public:
  /// Forgets all points. The arguments must outlive what follows.
  /// @param added  to H: RobotInertias::update()
  void begin(const Model& model, const LinkFrames& frames, const Mobility& mobility,
             const MatrixX* added);
  RobotInertias& inertias() { return inertias_; }
  /// Adds a point between a body and another, or the world (body −1).
  /// @param axes  columns n, t_1, t_2; n towards the first body
  /// @returns whether the inertia of its robots is positive definite
  bool add(int body, int other, const Vector3& place, const Matrix3& axes);

  struct Point {
    double friction = 0.0;              ///< μ
    double least = 0.0;                 ///< of K_n u⁺, m/s
    Vector3 impulse = Vector3::Zero();  ///< Λ along n, t_1, t_2, N s; also the first guess
  };
  /// Points of robots that touch each other, directly or by others between them: impulses in one
  /// group do nothing in another.
  struct Group {
    const std::size_t *first, *last;
    const std::size_t* begin() const { return first; }
    const std::size_t* end() const { return last; }
    std::size_t size() const { return static_cast<std::size_t>(last - first); }
  };
  /// Divides all points, in the order of the first of each group. Call it after the last add().
  void divide();
  std::size_t group_count() const { return ends_.size(); }
  std::size_t group_of(std::size_t i) const { return group_of_[i]; }
  Group group(std::size_t g) const {
    return {order_.data() + (g > 0 ? ends_[g - 1] : 0), order_.data() + ends_[g]};
  }

  Point& point(std::size_t i) { return points_[i]; }
  const Point& point(std::size_t i) const { return points_[i]; }

  /// Calls with the first and the number of the coordinates of each robot of a point.
  template <typename Call>
  void for_each_robot(std::size_t i, const Call& call) const {
    for (int k = 0; k < rows_[i].count; ++k) {
      const Side& side = rows_[i].sides[static_cast<std::size_t>(k)];
      call(side.first, side.size);
    }
  }
  /// K u of a point, m/s.
  Vector3 velocity(std::size_t i, ConstVectorRef u) const { return velocity(rows_[i], u.data()); }
  /// Adds H⁻¹ Kᵀ Λ of the impulses of a group to u.
  void apply_impulses(Group group, VectorRef u) const;

 protected:
  using Columns = Eigen::Matrix<double, Eigen::Dynamic, 3>;
  struct Side {
    int first = 0, size = 0;
    std::size_t at = 0;  ///< coordinates in the memory before it
  };
  struct Rows {
    std::array<Side, 2> sides;
    int count = 0;
    Matrix3 G = Matrix3::Zero(), G_inverse = Matrix3::Zero();
    double tangential = 0.0;  ///< the larger response along the tangents
    double normal_inverse = 0.0, tangential_inverse = 0.0;
    double unit = 0.0;  ///< of impulses, by which those of all points compare
  };

  /// Where the three numbers of a point of a group stand.
  static Eigen::Index at(std::size_t k) { return static_cast<Eigen::Index>(3 * k); }

  explicit ContactPoints(const Model& model)
      : inertias_(model), links_(static_cast<std::size_t>(model.velocity_size())) {}
  /// Makes room, so that fewer points of free bodies allocate nothing.
  void reserve(std::size_t points);
  Vector3 velocity(const Rows& rows, const double* u) const;
  void apply(const Rows& rows, const Vector3& impulse, double* u) const;
  /// How far points are from their conditions, m/s.
  double violation(std::size_t i, ConstVectorRef u) const;
  double residual(Group group, ConstVectorRef u) const;
  void gather(Group group, VectorRef impulses) const;
  /// Takes impulses, moved to where conditions on them hold.
  void scatter(Group group, ConstVectorRef impulses, VectorRef u);
  Matrix3 response_between(const Rows& rows, const Rows& others) const;

  std::vector<Rows> rows_;
  std::vector<Point> points_;

 private:
  bool add_side(int block, Rows& rows);
  void make_room(std::size_t coordinates);
  Eigen::Map<Columns> responses_of(const Side& side) {
    return {&responses_[3 * side.at], side.size, 3};
  }

  RobotInertias inertias_;
  std::vector<double> K_, responses_;  // of all sides, one after another: 4 and 3 a coordinate
  std::size_t used_ = 0;
  std::vector<std::size_t> group_of_;      // of each point
  std::vector<std::size_t> order_, ends_;  // points by group, and where groups end
  /// Of the first coordinate of a robot: another one of its group, itself of the first.
  struct Link {
    int head, group;
  };
  std::vector<Link> links_;
};

/// What the impulses of points must satisfy:
///
///     u⁺ = u + H⁻¹ Kᵀ Λ,   0 ≤ Λ_n ⊥ K_n u⁺ − least ≥ 0,   |Λ_t| ≤ μ Λ_n against K_t u⁺
///
/// Projected Gauss–Seidel sweeps, point by point: a point takes what makes it stick if the cone of
/// friction bears that, else what slides. Each visit costs as much as two robots have coordinates,
/// so a sweep is linear in the number of points. Sweeps that converge slowly are extrapolated. Of
/// few points in a group that can all stick the impulses are those of least norm: sweeps would
/// leave most of a load to the points that come first, and what is held by one of its corners
/// swings. The same input gives the same bits, and robots that nothing touches change nothing of
/// it.
class ContactSweeps : public ContactPoints {
 public:
  explicit ContactSweeps(const Model& model)
      : ContactPoints(model), moved_(VectorX::Zero(model.velocity_size())) {}

  /// Makes room, so that fewer points of free bodies allocate nothing.
  void reserve(std::size_t points);

  struct Outcome {
    double residual = 0.0;  ///< largest violation of a condition, m/s
    int sweeps = 0;
  };
  /// When sweeps end.
  struct Limits {
    double tolerance = 0.0;  ///< m/s
    int most_sweeps = 0;
    std::function<void()> before_each;  ///< may throw; the impulses are of no use then
  };
  /// Finds the impulses of a group, from those of its points. @param u  with what the impulses do
  Outcome solve(Group group, const Limits& limits, VectorRef u);

  /// Moves a group so that no gap is less than zero, without friction: adds H⁻¹ K_nᵀ ν, ν ≥ 0, to
  /// d.
  /// @param gaps    of all points, m
  /// @param closes  points that end with no gap, ν of either sign
  void part(Group group, const std::vector<double>& gaps, const std::vector<char>& closes,
            double tolerance, int most_sweeps, VectorRef d);

 private:
  /// @returns how far the point was from its conditions, m/s
  double visit(std::size_t i, double* u);
  /// All points of a group, forth and back. @returns how far the worst was from its conditions
  double sweep(Group group, VectorRef u);
  /// Takes the impulses of least norm with which all points stick that press or approach, those
  /// moved to where conditions on them hold, if they violate the conditions less than the last.
  void try_sticking(Group group, double tolerance, VectorRef u);
  void make_memory(std::size_t points);
  /// By dense matrices, for sweeps that do not settle.
  void solve_few(Group group, VectorRef u);

  std::vector<double> parting_;
  SweepAcceleration acceleration_;
  VectorX before_, after_, best_;
  VectorX weights_;               // of each row, by which impulses compare; zero: takes no part
  VectorX residual_, direction_;  // of conjugate gradients
  VectorX moved_;                 // u
};

}  // namespace spacedyn
