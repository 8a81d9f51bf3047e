// The interior-point method of Ipopt, whose C interface is loaded where the library is found. The
// declarations are those of its IpStdCInterface.h, versions 3.11 to 3.14.
#include <dlfcn.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <memory>
#include <string>
#include <vector>

#include "optimization/searches.hpp"
#include "spacedyn/error.hpp"

namespace spacedyn {
namespace {

struct IpoptProblem;
using Objective = int (*)(int, double*, int, double*, void*);
using Constraints = int (*)(int, double*, int, int, double*, void*);
using Gradient = int (*)(int, double*, int, double*, void*);
using Jacobian = int (*)(int, double*, int, int, int, int*, int*, double*, void*);
using Hessian = int (*)(int, double*, int, double, int, double*, int, int, int*, int*, double*,
                        void*);
using Progress = int (*)(int, int, double, double, double, double, double, double, double, double,
                         int, void*);

/// Functions of the library; null where it is not.
struct IpoptFunctions {
  IpoptProblem* (*create)(int, double*, double*, int, double*, double*, int, int, int, Objective,
                          Constraints, Gradient, Jacobian, Hessian);
  void (*free)(IpoptProblem*);
  int (*set_text)(IpoptProblem*, char*, char*);
  int (*set_number)(IpoptProblem*, char*, double);
  int (*set_count)(IpoptProblem*, char*, int);
  int (*set_progress)(IpoptProblem*, Progress);
  int (*solve)(IpoptProblem*, double*, double*, double*, double*, double*, double*, void*);
  bool are_there = false;
};

const IpoptFunctions& ipopt() {
  static const IpoptFunctions once = [] {
    IpoptFunctions all{};
    constexpr int kMode = RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE;
    void* library = ::dlopen("libipopt.so.1", kMode);
    if (library == nullptr) library = ::dlopen("libipopt.so.3", kMode);
    if (library == nullptr) return all;
    const auto find = [library](const char* name, auto& function) {
      function = reinterpret_cast<std::decay_t<decltype(function)>>(::dlsym(library, name));
      return function != nullptr;
    };
    all.are_there =
        find("CreateIpoptProblem", all.create) && find("FreeIpoptProblem", all.free) &&
        find("AddIpoptStrOption", all.set_text) && find("AddIpoptNumOption", all.set_number) &&
        find("AddIpoptIntOption", all.set_count) &&
        find("SetIntermediateCallback", all.set_progress) && find("IpoptSolve", all.solve);
    return all;
  }();
  return once;
}

/// What Ipopt takes for infinite.
constexpr double kInfinite = 1e20;
/// Where the objective changes no more, the optimality that is enough: what differences can show.
constexpr double kAcceptable = 1e-5;
constexpr int kAcceptableIterations = 3;

double finite(double bound) { return std::clamp(bound, -kInfinite, kInfinite); }
VectorX finite(VectorX bounds) {
  for (double& bound : bounds) bound = finite(bound);
  return bounds;
}

/// Hands points between Ipopt, which must not see exceptions, and the problem. A flight that fails
/// makes Ipopt shorten its step.
class IpoptSearch {
 public:
  IpoptSearch(SmoothProblem& problem, const OptimizationSettings& settings)
      : problem_(problem),
        settings_(settings),
        columns_(static_cast<int>(problem.count())),
        rows_(static_cast<int>(settings.constraints.size())),
        handle_(nullptr, ipopt().free) {
    VectorX lower = finite(problem.lower()), upper = finite(problem.upper());
    VectorX least(rows_), most(rows_);
    for (int i = 0; i < rows_; ++i) {
      const OptimizationConstraint& own = settings.constraints[static_cast<std::size_t>(i)];
      least(i) = finite(own.lower);
      most(i) = finite(own.upper);
    }
    handle_.reset(ipopt().create(columns_, lower.data(), upper.data(), rows_, least.data(),
                                 most.data(), rows_ * columns_, 0, 0, &objective, &constraints,
                                 &gradient, &jacobian, &hessian));
    if (!handle_) throw DomainError("Ipopt takes no problem of this size");
    ipopt().set_progress(handle_.get(), &progress);
    // nothing but what is said here: no files of options, no Hessians, no text
    set(ipopt().set_text, "option_file_name", std::string());
    set(ipopt().set_text, "hessian_approximation", std::string("limited-memory"));
    set(ipopt().set_text, "sb", std::string("yes"));
    set(ipopt().set_count, "print_level", 0);
    set(ipopt().set_count, "max_iter", settings.max_evaluations);
    set(ipopt().set_number, "tol", settings.tolerance);
    set(ipopt().set_number, "constr_viol_tol", settings.tolerance);
    set(ipopt().set_number, "bound_relax_factor", 0.0);
    set(ipopt().set_number, "acceptable_tol", std::max(kAcceptable, settings.tolerance));
    set(ipopt().set_number, "acceptable_constr_viol_tol", settings.tolerance);
    set(ipopt().set_number, "acceptable_obj_change_tol", settings.tolerance);
    set(ipopt().set_count, "acceptable_iter", kAcceptableIterations);
  }

  SearchEnd run() {
    VectorX z = problem_.start();
    const int status =
        ipopt().solve(handle_.get(), z.data(), nullptr, nullptr, nullptr, nullptr, nullptr, this);
    if (failure_) std::rethrow_exception(failure_);
    switch (status) {
      case 0:
        return {true, "the conditions of optimality hold to the tolerance"};
      case 1:
        return {true, "the objective changes by less than the tolerance"};
      case 2:
        return {false, "Ipopt finds no point where the constraints hold"};
      case 3:
        return {true, "no step decreases the objective further, to within the differences"};
      case 5:
      case -1:
        return {false, "max_evaluations are used up"};
      case -10:
        return {false, "there are more equations than variables"};
      default:
        return {false, "Ipopt failed with its status " + std::to_string(status)};
    }
  }

 private:
  template <typename Function, typename Value>
  void set(Function function, std::string name, Value value) {
    if constexpr (std::is_same_v<Value, std::string>) {
      function(handle_.get(), name.data(), value.data());
    } else {
      function(handle_.get(), name.data(), value);
    }
  }

  /// Calls what evaluates a point, if it may: 0 where that fails.
  template <typename Call>
  static int guard(void* data, const double* z, const Call& call) {
    IpoptSearch& own = *static_cast<IpoptSearch*>(data);
    if (own.failure_) return 0;
    try {
      const VectorX at = Eigen::Map<const VectorX>(z, own.columns_);
      return call(own, at) ? 1 : 0;
    } catch (...) {
      own.failure_ = std::current_exception();
      return 0;
    }
  }

  static int objective(int, double* z, int, double* value, void* data) {
    return guard(data, z, [value](IpoptSearch& own, const VectorX& at) {
      ++own.evaluations_;
      *value = own.problem_.at(at).objective;
      return std::isfinite(*value);
    });
  }
  static int constraints(int, double* z, int, int rows, double* values, void* data) {
    return guard(data, z, [rows, values](IpoptSearch& own, const VectorX& at) {
      const OptimizationPoint& point = own.problem_.at(at);
      Eigen::Map<VectorX>(values, rows) = point.constraints.head(rows);
      return std::isfinite(point.objective) && point.constraints.allFinite();
    });
  }
  static int gradient(int columns, double* z, int, double* values, void* data) {
    return guard(data, z, [columns, values](IpoptSearch& own, const VectorX& at) {
      Eigen::Map<VectorX>(values, columns) = own.problem_.gradients(at).row(0).transpose();
      return Eigen::Map<VectorX>(values, columns).allFinite();
    });
  }
  /// All elements, row by row: their places where there are no values to fill.
  static int jacobian(int columns, double* z, int, int rows, int, int* row, int* column,
                      double* values, void* data) {
    if (values == nullptr) {
      for (int k = 0; k < rows * columns; ++k) {
        row[k] = k / columns;
        column[k] = k % columns;
      }
      return 1;
    }
    return guard(data, z, [=](IpoptSearch& own, const VectorX& at) {
      Eigen::Map<MatrixX> transposed(values, columns, rows);
      transposed = own.problem_.gradients(at).bottomRows(rows).transpose();
      return transposed.allFinite();
    });
  }
  static int hessian(int, double*, int, double, int, double*, int, int, int*, int*, double*,
                     void*) {
    return 0;
  }
  static int progress(int, int, double, double, double, double, double, double, double, double, int,
                      void* data) {
    const IpoptSearch& own = *static_cast<IpoptSearch*>(data);
    return !own.failure_ && own.evaluations_ < own.settings_.max_evaluations ? 1 : 0;
  }

  SmoothProblem& problem_;
  const OptimizationSettings& settings_;
  int columns_, rows_;
  int evaluations_ = 0;
  std::unique_ptr<IpoptProblem, void (*)(IpoptProblem*)> handle_;
  std::exception_ptr failure_;
};

}  // namespace

bool has_ipopt() { return ipopt().are_there; }

SearchEnd minimize_with_ipopt(SmoothProblem& problem, const OptimizationSettings& settings) {
  if (!has_ipopt()) throw DomainError(kNoIpopt);
  return IpoptSearch(problem, settings).run();
}

}  // namespace spacedyn
