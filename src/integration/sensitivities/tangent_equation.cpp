#include "integration/sensitivities/tangent_equation.hpp"

#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "spacedyn/math/so3.hpp"

namespace spacedyn {
namespace {

/// Of differences along a tangent: nine to ten digits.
const double kTangentPart = std::cbrt(std::numeric_limits<double>::epsilon());

/// Part of a step, of derivatives beside an event; of third order.
constexpr double kInwardPart = 1e-4, kRoundingPart = 1e-9;

}  // namespace

void refuse_course(const std::string& name, double time, const std::string& why) {
  throw NotDifferentiableError(
      fmt::format("the flight has no derivative by {} at t = {:.6g} s: {}", name, time, why));
}

TangentEquation::TangentEquation(EquationsOfMotion& equations, std::vector<TangentColumn>& columns)
    : equations_(equations),
      columns_(columns),
      jacobian_(equations),
      loads_(equations, static_cast<Eigen::Index>(columns.size())),
      turns_(equations.model(), static_cast<Eigen::Index>(columns.size())),
      states_(equations.layout().size()),
      motion_(equations.layout().integrals()),
      x_(VectorX::Zero(states_)),
      here_(x_),
      f_(x_),
      moved_(x_),
      above_(x_),
      below_(x_),
      sum_(x_) {}

void TangentEquation::operator()(const VectorX& y, VectorX& rate, double time) {
  const Uncounted pause(equations_.watch());
  x_ = y.head(states_);
  rate.resize(y.size());
  const Eigen::Map<const MatrixX> tangents(y.data() + states_, motion_, count());
  Eigen::Map<MatrixX> rates = this->tangents(rate);
  // where loads bend at an event, derivatives are those of the segment
  const double size = step_end_ - step_begin_;
  double inward = 0.0;
  if (begins_on_event_ && time < segment_begin_ + kRoundingPart * size) inward = kInwardPart * size;
  if (ends_on_event_ && time > step_end_ - kRoundingPart * size) inward = -kInwardPart * size;
  if (inward == 0.0) {
    fill_later(time, 0.0, tangents, rates);
  } else {
    equations_(x_, f_, time);
    later_.resize(rates.rows(), rates.cols());
    rates.setZero();
    constexpr double kWeights[] = {3.0, -3.0, 1.0};
    for (int i = 0; i < 3; ++i) {
      fill_later(time, (i + 1) * inward, tangents, later_);
      rates += kWeights[i] * later_;
    }
  }
  // the last evaluation is that of the motion itself
  equations_(x_, f_, time);
  ++evaluations_;
  rate.head(states_) = f_;
  add_numbers(time, inward == 0.0, rates);
}

void TangentEquation::fill_later(double time, double later,
                                 const Eigen::Ref<const MatrixX>& in_charts,
                                 Eigen::Ref<MatrixX> rates) {
  here_ = x_;
  if (later != 0.0) here_ += later * f_;
  whole_ = in_charts;
  turns_.add_to(here_, whole_);
  if (!equations_.has_jacobian()) return fill_by_differences(time + later, in_charts, rates);
  jacobian_.compute(equations_, here_, time + later);
  ++evaluations_;
  if (!equations_.has_failed()) jacobian_.apply(equations_.layout(), whole_, in_charts, rates);
}

void TangentEquation::fill_by_differences(double time, const Eigen::Ref<const MatrixX>& in_charts,
                                          Eigen::Ref<MatrixX> rates) {
  for (Eigen::Index j = 0; j < count(); ++j) {
    const double size =
        (whole_.col(j).array().abs() / here_.head(motion_).array().abs().max(1.0)).maxCoeff();
    if (!(size > 0.0)) {
      rates.col(j).setZero();
      continue;
    }
    const double h = kTangentPart / size;
    moved_ = here_;
    moved_.head(motion_) += h * whole_.col(j);
    equations_(moved_, above_, time);
    moved_.head(motion_) -= 2.0 * h * whole_.col(j);
    equations_(moved_, below_, time);
    evaluations_ += 2;
    rates.col(j) = (above_ - below_).head(motion_) / (2.0 * h);
  }
  const Mobility& mobility = equations_.mobility();
  turns_.for_each([&](int row, double sign, Eigen::Index own) {
    const bool is_free = own == 0 ? mobility.base_free() : mobility.joint_free(row - 5);
    if (!is_free) return;
    const int velocity = equations_.layout().v_0() + row;
    const Vector3 theta = sign * here_.segment<3>(row), omega = here_.segment<3>(velocity);
    rates.middleRows<3>(row) =
        sign * dexp_inverse_derivative(theta, omega) * in_charts.middleRows<3>(row) +
        dexp_inverse_so3(theta) * in_charts.middleRows<3>(velocity);
  });
}

void TangentEquation::add_numbers(double time, bool is_at_motion, Eigen::Ref<MatrixX> rates) {
  loads_.begin(equations_.acceleration());
  for (Eigen::Index j = 0; j < count(); ++j) {
    TangentColumn& column = columns_[static_cast<std::size_t>(j)];
    auto rate = rates.col(j);
    if (column.slope != 0.0) rate += column.slope * f_.head(motion_);
    if (!column.acts) continue;
    double inward = 0.0;
    if (time - segment_begin_ < column.reach(column.offset)) inward = column.reach(column.offset);
    if (column.next_instant - time < column.reach(column.next_offset)) {
      inward = -column.reach(column.next_offset);
    }
    if (inward == 0.0) {
      if (is_at_motion && loads_.add(column, j, column.step * shift(column, time))) continue;
      rate += difference(column, time, 0.0).head(motion_);
      continue;
    }
    sum_ = 3.0 * difference(column, time, inward);
    sum_ -= 3.0 * difference(column, time, 2.0 * inward);
    sum_ += difference(column, time, 3.0 * inward);
    rate += sum_.head(motion_);
  }
  loads_.add_to(rates, jacobian_.response());
}

const VectorX& TangentEquation::difference(TangentColumn& column, double time, double later) {
  const double moved = column.step * shift(column, time);
  moved_ = x_;
  if (later != 0.0) moved_ += later * f_;
  const auto evaluate = [&](Run& run, double at, VectorX& rate) {
    EquationsOfMotion& equations = run.parts().equations;
    equations.failure().clear();
    equations(moved_, rate, at);
    if (equations.has_failed()) refuse_course(column.name, time, "a side cannot be evaluated");
  };
  evaluate(*column.above, time + later + moved, above_);
  evaluate(*column.below, time + later - moved, below_);
  evaluations_ += 2;
  above_ = (above_ - below_) / (2.0 * column.step);
  return above_;
}

}  // namespace spacedyn
