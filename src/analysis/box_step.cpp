#include "analysis/box_step.hpp"

#include <vector>

#include <Eigen/SVD>

namespace spacedyn {
namespace {

enum class Bound { none, lower, upper };

/// State of the active-set iteration: a feasible d and which of its elements are held at a bound.
class ActiveSet {
 public:
  ActiveSet(const MatrixX& J, const VectorX& e, double mu, const VectorX& lower,
            const VectorX& upper)
      : J_(J), e_(e), mu_(mu), lower_(lower), upper_(upper) {
    d_ = VectorX::Zero(J.cols());
    held_.assign(static_cast<std::size_t>(J.cols()), Bound::none);
  }

  const VectorX& step() const { return d_; }

  /// Moves to the minimizer of the free elements or to the first bound on the way, which is held
  /// from then on. Returns whether the minimizer was reached.
  bool advance() {
    const VectorX target = free_minimizer();
    double fraction = 1.0;
    Eigen::Index blocking = -1;
    for (Eigen::Index i = 0; i < d_.size(); ++i) {
      const double change = target(i) - d_(i);
      if (bound(i) != Bound::none || change == 0.0) continue;
      const double room = (change < 0.0 ? lower_(i) : upper_(i)) - d_(i);
      if (room / change < fraction) {
        fraction = room / change;
        blocking = i;
      }
    }
    if (blocking < 0) {
      d_ = target;
      return true;
    }
    const bool down = target(blocking) < d_(blocking);
    d_ += fraction * (target - d_);
    d_(blocking) = down ? lower_(blocking) : upper_(blocking);
    bound(blocking) = down ? Bound::lower : Bound::upper;
    return false;
  }

  /// Lets go the bound that most hinders descent. Returns false if none does: d is the minimizer.
  bool release() {
    const VectorX gradient = J_.transpose() * (J_ * d_ - e_) + mu_ * d_;
    double worst = 1e-12 * (J_.transpose() * e_).lpNorm<Eigen::Infinity>();
    Eigen::Index released = -1;
    for (Eigen::Index i = 0; i < d_.size(); ++i) {
      if (bound(i) == Bound::none || lower_(i) == upper_(i)) continue;
      const double inward = bound(i) == Bound::lower ? -gradient(i) : gradient(i);
      if (inward > worst) {
        worst = inward;
        released = i;
      }
    }
    if (released < 0) return false;
    bound(released) = Bound::none;
    return true;
  }

 private:
  Bound& bound(Eigen::Index i) { return held_[static_cast<std::size_t>(i)]; }

  /// Minimizer over the free elements, those held staying where they are.
  VectorX free_minimizer() {
    std::vector<Eigen::Index> free;
    VectorX right = e_;
    for (Eigen::Index i = 0; i < d_.size(); ++i) {
      if (bound(i) == Bound::none) {
        free.push_back(i);
      } else {
        right -= J_.col(i) * d_(i);
      }
    }
    VectorX target = d_;
    if (free.empty()) return target;
    MatrixX J_free(J_.rows(), static_cast<Eigen::Index>(free.size()));
    for (std::size_t k = 0; k < free.size(); ++k) {
      J_free.col(static_cast<Eigen::Index>(k)) = J_.col(free[k]);
    }
    const Eigen::JacobiSVD<MatrixX> svd(J_free, Eigen::ComputeThinU | Eigen::ComputeThinV);
    const VectorX& sigma = svd.singularValues();
    const VectorX gain = sigma.cwiseQuotient((sigma.array().square() + mu_).matrix());
    const VectorX solution = svd.matrixV() * gain.cwiseProduct(svd.matrixU().transpose() * right);
    for (std::size_t k = 0; k < free.size(); ++k) {
      target(free[k]) = solution(static_cast<Eigen::Index>(k));
    }
    return target;
  }

  const MatrixX& J_;
  const VectorX& e_;
  const double mu_;
  const VectorX& lower_;
  const VectorX& upper_;
  VectorX d_;
  std::vector<Bound> held_;
};

}  // namespace

VectorX box_step(const MatrixX& J, const VectorX& e, double mu, const VectorX& lower,
                 const VectorX& upper) {
  ActiveSet set(J, e, mu, lower, upper);
  // the method is finite; a cap guards against cycling by rounding, any iterate is feasible
  for (Eigen::Index round = 0; round < 10 * (J.cols() + 1); ++round) {
    if (set.advance() && !set.release()) break;
  }
  return set.step();
}

}  // namespace spacedyn
