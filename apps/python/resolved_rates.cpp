#include "spacedyn/inertia/generalized_jacobian.hpp"

#include "bindings.hpp"
#include "spacedyn/error.hpp"

namespace spacedyn::python {
namespace {

py::tuple resolve(const ArrayLike& jacobian, const ArrayLike& twist, double tolerance,
                  double damping) {
  const MatrixX J = read_matrix(jacobian, -1, -1, "jacobian");
  if (J.rows() == 0) throw DimensionError("jacobian: expected at least one row, got none");
  SingularValues values(static_cast<int>(J.rows()), static_cast<int>(J.cols()));
  values.matrix() = J;
  VectorX rates(J.cols());
  const ResolvedRates achieved =
      resolve_rates({tolerance, damping}, values, read_vector(twist, J.rows(), "twist"), rates);
  return py::make_tuple(to_array(rates), achieved);
}

}  // namespace

void bind_resolved_rates(py::module_& m) {
  py::class_<ResolvedRates>(m, "ResolvedRates", "What joint rates achieve.")
      .def_readonly("rank", &ResolvedRates::rank, "of J")
      .def_readonly("threshold", &ResolvedRates::threshold,
                    "singular values up to it counted as zero")
      .def_readonly("residual", &ResolvedRates::residual, "|J q̇ − ẋ|, what is not met");
  m.def("resolve_rates", &resolve, py::arg("jacobian"), py::arg("twist"), py::kw_only(),
        py::arg("tolerance") = ResolvedRateOptions{}.tolerance,
        py::arg("damping") = ResolvedRateOptions{}.damping,
        "q̇ = J⁺ ẋ: the shortest of the joint rates that come nearest to a twist, and "
        "ResolvedRates.\n\n"
        "jacobian: (m, n), of a free-floating arm J*. twist: (m,), ẋ, less its twist_offset.\n"
        "tolerance: singular values up to tolerance × σ_max count as zero. damping: λ of\n"
        "|J q̇ − ẋ|² + λ² |q̇|², in the unit of J. Returns ((n,), ResolvedRates).");
}

}  // namespace spacedyn::python
