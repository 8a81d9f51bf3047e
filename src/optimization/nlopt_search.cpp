#include <algorithm>
#include <cmath>
#include <exception>
#include <memory>
#include <vector>

#include "optimization/searches.hpp"
#include "spacedyn/error.hpp"

#ifdef SPACEDYN_WITH_NLOPT
#include <nlopt.h>
#endif

namespace spacedyn {

#ifdef SPACEDYN_WITH_NLOPT
namespace {

/// One side of a constraint: sign (value − limit) ≤ 0, or = 0.
struct Side {
  Eigen::Index row = 0;  ///< of the constraints
  double sign = 1.0, limit = 0.0;
};

/// Hands points between NLopt, which is C, and the problem; exceptions wait until it has ended.
class NloptSearch {
 public:
  NloptSearch(SmoothProblem& problem, const OptimizationSettings& settings)
      : problem_(problem),
        settings_(settings),
        handle_(nlopt_create(algorithm_of(settings.method), static_cast<unsigned>(problem.count())),
                &nlopt_destroy) {
    const VectorX lower = problem.lower(), upper = problem.upper();
    nlopt_set_lower_bounds(handle_.get(), lower.data());
    nlopt_set_upper_bounds(handle_.get(), upper.data());
    nlopt_set_min_objective(handle_.get(), &NloptSearch::objective, this);
    nlopt_set_ftol_rel(handle_.get(), settings.tolerance);
    nlopt_set_xtol_rel(handle_.get(), kSmallStep);
    nlopt_set_maxeval(handle_.get(), settings.max_evaluations);
    for (std::size_t i = 0; i < settings.constraints.size(); ++i) add_sides(i);
    add(equations_, &nlopt_add_equality_mconstraint, &NloptSearch::equations);
    add(limits_, &nlopt_add_inequality_mconstraint, &NloptSearch::limits);
  }

  SearchEnd run() {
    VectorX z = problem_.start();
    double value = 0.0;
    const nlopt_result result = nlopt_optimize(handle_.get(), z.data(), &value);
    if (failure_) std::rethrow_exception(failure_);
    switch (result) {
      case NLOPT_SUCCESS:
      case NLOPT_FTOL_REACHED:
      case NLOPT_STOPVAL_REACHED:
        return {true, "the objective changes by less than the tolerance"};
      case NLOPT_XTOL_REACHED:
        return {true, "the variables change no more"};
      case NLOPT_ROUNDOFF_LIMITED:
        return {true, "no step decreases the objective further, to within the differences"};
      case NLOPT_MAXEVAL_REACHED:
        return {false, "max_evaluations are used up"};
      default:
        return {false, std::string("NLopt failed: ") + nlopt_result_to_string(result)};
    }
  }

 private:
  static constexpr double kSmallStep = 1e-10;
  using AddConstraints = nlopt_result (*)(nlopt_opt, unsigned, nlopt_mfunc, void*, const double*);

  static nlopt_algorithm algorithm_of(OptimizationMethod method) {
    if (method == OptimizationMethod::mma) return NLOPT_LD_MMA;
    return method == OptimizationMethod::bobyqa ? NLOPT_LN_BOBYQA : NLOPT_LD_SLSQP;
  }

  void add_sides(std::size_t i) {
    const OptimizationConstraint& constraint = settings_.constraints[i];
    const auto row = static_cast<Eigen::Index>(i);
    if (constraint.is_equation()) {
      equations_.push_back({row, 1.0, constraint.upper});
      return;
    }
    if (std::isfinite(constraint.upper)) limits_.push_back({row, 1.0, constraint.upper});
    if (std::isfinite(constraint.lower)) limits_.push_back({row, -1.0, constraint.lower});
  }

  void add(const std::vector<Side>& sides, AddConstraints add_all, nlopt_mfunc function) {
    if (sides.empty()) return;
    const std::vector<double> tolerances(sides.size(), settings_.tolerance);
    add_all(handle_.get(), static_cast<unsigned>(sides.size()), function, this, tolerances.data());
  }

  static NloptSearch& self(void* data) { return *static_cast<NloptSearch*>(data); }

  /// Calls what evaluates; after an exception NLopt ends at its next test.
  template <typename Call>
  void guard(const Call& call) {
    if (failure_) return;
    try {
      call();
    } catch (...) {
      failure_ = std::current_exception();
      nlopt_force_stop(handle_.get());
    }
  }

  VectorX point(const double* z) const { return Eigen::Map<const VectorX>(z, problem_.count()); }

  /// Value of a point; of a flight that failed one that is not accepted.
  double value_of(const OptimizationPoint& point) {
    if (std::isfinite(point.objective)) return point.objective;
    const double best = problem_.best().objective;
    return std::isfinite(best) ? best + 1e3 * (1.0 + std::abs(best)) : 1e30;
  }

  static double objective(unsigned n, const double* z, double* gradient, void* data) {
    NloptSearch& own = self(data);
    double value = 0.0;
    own.guard([&] {
      if (gradient != nullptr) {
        Eigen::Map<VectorX>(gradient, static_cast<Eigen::Index>(n)) =
            own.problem_.gradients(own.point(z)).row(0).transpose();
      }
      value = own.value_of(own.problem_.at(own.point(z)));
    });
    return value;
  }

  static void equations(unsigned, double* result, unsigned, const double* z, double* gradient,
                        void* data) {
    self(data).fill(self(data).equations_, result, z, gradient);
  }
  static void limits(unsigned, double* result, unsigned, const double* z, double* gradient,
                     void* data) {
    self(data).fill(self(data).limits_, result, z, gradient);
  }

  void fill(const std::vector<Side>& sides, double* result, const double* z, double* gradient) {
    std::fill_n(result, sides.size(), 0.0);
    guard([&] {
      if (gradient != nullptr) problem_.gradients(this->point(z));
      const OptimizationPoint& point = problem_.at(this->point(z));
      const bool has_flown = std::isfinite(point.objective);
      for (std::size_t i = 0; i < sides.size(); ++i) {
        const Side& side = sides[i];
        result[i] =
            has_flown ? side.sign * (point.constraints(side.row) - side.limit) : kFailedViolation;
        if (gradient == nullptr) continue;
        Eigen::Map<VectorX>(gradient + i * static_cast<std::size_t>(problem_.count()),
                            problem_.count()) =
            side.sign * problem_.gradients(this->point(z)).row(1 + side.row).transpose();
      }
    });
  }

  static constexpr double kFailedViolation = 1e3;  ///< of a flight that failed

  SmoothProblem& problem_;
  const OptimizationSettings& settings_;
  std::unique_ptr<nlopt_opt_s, decltype(&nlopt_destroy)> handle_;
  std::vector<Side> equations_, limits_;
  std::exception_ptr failure_;
};

}  // namespace

SearchEnd minimize_with_nlopt(SmoothProblem& problem, const OptimizationSettings& settings) {
  return NloptSearch(problem, settings).run();
}

#else

SearchEnd minimize_with_nlopt(SmoothProblem&, const OptimizationSettings&) {
  throw DomainError(
      "this program is built without NLopt, which has slsqp, mma and bobyqa (Debian: "
      "libnlopt-dev); 'method: cmaes' needs no library");
}

#endif

}  // namespace spacedyn
