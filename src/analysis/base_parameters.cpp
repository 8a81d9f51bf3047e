#include "spacedyn/analysis/base_parameters.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include "inertia/dense_size.hpp"
#include "model/short_number.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/inertia/regressor.hpp"

namespace spacedyn {
namespace {

/// A column this much shorter than the longest one is zero but for rounding.
constexpr double kZeroColumn = 1e-12;
/// Coefficients below, of unit columns, are rounding: the condition of base columns takes digits.
constexpr double kZeroCoefficient = 1e-9;

/// Columns made orthonormal one by one.
class Span {
 public:
  Span(Eigen::Index rows, Eigen::Index most) : Q_(rows, most), R_(MatrixX::Zero(most, most)) {}

  /// Splits a unit column into a combination of the columns taken and what remains, which is taken
  /// as well if it is longer than the tolerance.
  /// @returns whether it was taken; else coefficients() has the combination
  bool take(VectorX column, double tolerance) {
    const auto Q = Q_.leftCols(count_);
    VectorX along = VectorX::Zero(count_);
    for (int pass = 0; pass < 2; ++pass) {  // the second removes the rounding of the first
      const VectorX more = Q.transpose() * column;
      column.noalias() -= Q * more;
      along += more;
    }
    const double rest = count_ < Q_.cols() ? column.norm() : 0.0;
    if (rest > tolerance) {
      Q_.col(count_) = column / rest;
      R_.col(count_).head(count_) = along;
      R_(count_, count_) = rest;
      ++count_;
      return true;
    }
    coefficients_ = R_.topLeftCorner(count_, count_).triangularView<Eigen::Upper>().solve(along);
    return false;
  }

  const VectorX& coefficients() const { return coefficients_; }

 private:
  MatrixX Q_, R_;
  VectorX coefficients_;
  Eigen::Index count_ = 0;
};

std::string combination_text(const MatrixX& combination, Eigen::Index row,
                             const std::vector<std::string>& names) {
  std::string text;
  for (Eigen::Index column = 0; column < combination.cols(); ++column) {
    const double factor = combination(row, column);
    if (factor == 0.0) continue;
    if (!text.empty()) text += factor < 0.0 ? " - " : " + ";
    const std::string size = short_number(std::abs(factor));
    if (size != "1") text += size + " * ";
    text += names[static_cast<std::size_t>(column)];
  }
  return text;
}

/// Random motions of a robot: what its base parameters need, no more.
class RandomMotions {
 public:
  RandomMotions(const Model& model, unsigned seed) : model_(model), generator_(seed) {}

  State state() {
    State state(model_);
    // rotation vectors of spherical joints stay below half a turn
    state.q = vector(model_.joint_count(), 1.5);
    state.qd = vector(model_.joint_count(), 1.0);
    if (model_.has_fixed_base()) return state;
    const Eigen::Vector4d quaternion = vector(4, 1.0);
    state.A_0 = Quaternion(quaternion).normalized().toRotationMatrix();
    state.v_0 = vector(3, 1.0);
    state.omega_0 = vector(3, 1.0);
    return state;
  }

  VectorX acceleration() {
    VectorX acceleration = vector(model_.velocity_size(), 1.0);
    if (model_.has_fixed_base()) acceleration.head<6>().setZero();
    return acceleration;
  }

 private:
  double number(double bound) {
    return std::uniform_real_distribution<double>(-bound, bound)(generator_);
  }
  VectorX vector(Eigen::Index size, double bound) {
    return VectorX::NullaryExpr(size, [&] { return number(bound); });
  }

  const Model& model_;
  std::mt19937 generator_;
};

}  // namespace

BaseParameters base_parameters(const MatrixX& stack, const std::vector<std::string>& names,
                               double tolerance) {
  if (static_cast<Eigen::Index>(names.size()) != stack.cols()) {
    throw DimensionError("names: " + std::to_string(names.size()) + " are given, expected " +
                         std::to_string(stack.cols()) + ", one for each column of the stack");
  }
  if (!stack.allFinite()) throw DomainError("the stack of regressors is not finite");
  if (!(tolerance > 0.0 && tolerance < 1.0)) {
    throw DomainError("tolerance is " + short_number(tolerance) +
                      ", expected a number between 0 and 1");
  }
  const Eigen::Index columns = stack.cols();
  const VectorX lengths = stack.colwise().norm();
  const double shortest = columns == 0 ? 0.0 : kZeroColumn * lengths.maxCoeff();

  BaseParameters base;
  MatrixX combination = MatrixX::Zero(columns, columns);
  Span span(stack.rows(), std::min(stack.rows(), columns));
  for (Eigen::Index column = 0; column < columns; ++column) {
    if (lengths(column) <= shortest) {
      base.without_effect.push_back(static_cast<int>(column));
    } else if (span.take(stack.col(column) / lengths(column), tolerance)) {
      combination(base.count(), column) = 1.0;
      base.columns.push_back(static_cast<int>(column));
    } else {
      for (int row = 0; row < base.count(); ++row) {
        const double factor = span.coefficients()(row);
        const double length = lengths(base.columns[static_cast<std::size_t>(row)]);
        if (std::abs(factor) > kZeroCoefficient) {
          combination(row, column) = factor * lengths(column) / length;
        }
      }
    }
  }
  base.combination = combination.topRows(base.count());
  for (int row = 0; row < base.count(); ++row) {
    base.names.push_back(combination_text(base.combination, row, names));
  }
  return base;
}

BaseParameters base_parameters(const Model& model, const IdentifiabilityOptions& options) {
  if (!model.loops().empty()) {
    throw DomainError("model '" + model.name() + "' has " +
                      (model.has_loops() ? "loops" : "joints that follow others") +
                      ", so its joints do not move one by one; give regressors of its motions "
                      "instead");
  }
  dense_size(model, "regressor");
  const bool reactions = options.support_reactions || !model.has_fixed_base();
  const Eigen::Index first = reactions ? 0 : 6;
  const Eigen::Index rows = model.velocity_size() - first;
  const Eigen::Index columns = kInertialParameters * model.body_count();
  // twice as many equations as parameters, and some motions more for robots with few of them
  const Eigen::Index motions = rows == 0 ? 0 : 2 * columns / rows + 10;
  RandomMotions random(model, options.seed);
  MatrixX stack(motions * rows, columns);
  for (Eigen::Index motion = 0; motion < motions; ++motion) {
    const State state = random.state();
    stack.middleRows(motion * rows, rows) =
        inverse_dynamics_regressor(model, state, random.acceleration(), options.gravity)
            .bottomRows(rows);
  }
  return base_parameters(stack, inertial_parameter_names(model));
}

}  // namespace spacedyn
