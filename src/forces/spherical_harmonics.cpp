#include "spacedyn/forces/spherical_harmonics.hpp"

#include <cmath>
#include <complex>

#include "spacedyn/error.hpp"
#include "spacedyn/forces/declarations.hpp"

namespace spacedyn {
namespace {

using Complex = std::complex<double>;

/// Coefficients c of Re Σ c_nm Z_nm, Z_nm = (R/r)^(n+1) P̄_nm (cos mλ + i sin mλ); of order 0 real.
using Series = Eigen::MatrixXcd;

struct Gradient {
  Series x, y, z;
};

/// Derivatives of a series, times R. With D± = ∂x ± i ∂y and functions without normalization
///   ∂z Z_nm = −(n − m + 1) Z_(n+1)m,  D+ Z_nm = −Z_(n+1)(m+1),
///   D− Z_nm = (n − m + 2)(n − m + 1) Z_(n+1)(m−1),  of order 0 −conj(Z_(n+1)1).
Gradient differentiate(const Series& series) {
  const Eigen::Index size = series.rows() + 1;
  Gradient result{Series::Zero(size, size), Series::Zero(size, size), Series::Zero(size, size)};
  constexpr Complex i(0.0, 1.0);
  for (int n = 0; n < series.rows(); ++n) {
    for (int m = 0; m <= n; ++m) {
      const Complex c = series(n, m);
      if (c == 0.0) continue;
      // ratios of the factors of normalization √((2 − δ_0m)(2n + 1)(n − m)!/(n + m)!)
      const double degrees = (2.0 * n + 1.0) / (2.0 * n + 3.0);
      const double same = std::sqrt(degrees * (n - m + 1.0) * (n + m + 1.0));
      const double rising =
          std::sqrt((m == 0 ? 0.5 : 1.0) * degrees * (n + m + 1.0) * (n + m + 2.0));
      result.z(n + 1, m) -= same * c;
      if (m == 0) {
        result.x(n + 1, 1) -= rising * c;
        result.y(n + 1, 1) += i * rising * c;
        continue;
      }
      const double falling =
          std::sqrt((m == 1 ? 2.0 : 1.0) * degrees * (n - m + 1.0) * (n - m + 2.0));
      result.x(n + 1, m + 1) -= 0.5 * rising * c;
      result.y(n + 1, m + 1) += 0.5 * i * rising * c;
      result.x(n + 1, m - 1) += 0.5 * falling * c;
      result.y(n + 1, m - 1) += 0.5 * i * falling * c;
    }
  }
  // Re(c Z) of order 0 has no imaginary part of Z
  for (Series* part : {&result.x, &result.y, &result.z}) {
    for (int n = 0; n < size; ++n) (*part)(n, 0) = (*part)(n, 0).real();
  }
  return result;
}

}  // namespace

GravityModel::~GravityModel() = default;

HarmonicCoefficients HarmonicCoefficients::up_to(int degree) const {
  const int size = degree + 1;
  return {mu, radius, cosine.topLeftCorner(size, size), sine.topLeftCorner(size, size)};
}

HarmonicCoefficients HarmonicCoefficients::oblate(double mu, double radius, double j2) {
  HarmonicCoefficients planet{mu, radius, MatrixX::Zero(3, 3), MatrixX::Zero(3, 3)};
  planet.cosine(0, 0) = 1.0;
  planet.cosine(2, 0) = -j2 / std::sqrt(5.0);
  return planet;
}

SphericalHarmonics::SphericalHarmonics(const HarmonicCoefficients& coefficients)
    : SphericalHarmonics(coefficients, coefficients.mu / coefficients.radius) {
  if (std::isfinite(mu_) && mu_ > 0.0) return;
  throw DomainError("mu of spherical harmonics must be finite and positive");
}

SphericalHarmonics::SphericalHarmonics(const HarmonicCoefficients& coefficients, double factor)
    : degree_(coefficients.degree()), mu_(coefficients.mu), radius_(coefficients.radius) {
  const MatrixX &C = coefficients.cosine, &S = coefficients.sine;
  const auto require = [](bool rule, const char* what) {
    if (!rule) throw DomainError(std::string("spherical harmonics: ") + what);
  };
  require(std::isfinite(radius_) && radius_ > 0.0, "the radius must be finite and positive");
  require(degree_ >= 0 && C.cols() == C.rows() && S.rows() == C.rows() && S.cols() == C.rows(),
          "coefficients must be two square matrices of one size");
  require(C.allFinite() && S.allFinite() && std::isfinite(factor), "all numbers must be finite");
  const int most = degree_ + 2;
  Series series(C.rows(), C.cols());
  series.setZero();
  for (int n = 0; n <= degree_; ++n) {
    for (int m = 0; m <= n; ++m) series(n, m) = factor * Complex(C(n, m), m > 0 ? -S(n, m) : 0.0);
  }
  const Gradient first = differentiate(series);
  const Gradient of_x = differentiate(first.x), of_y = differentiate(first.y);
  const std::array<const Series*, kSums> all{&series, &first.x, &first.y, &first.z, &of_x.x,
                                             &of_x.y, &of_x.z,  &of_y.y,  &of_y.z};
  const std::array<int, kSums> orders{0, 1, 1, 1, 2, 2, 2, 2, 2};
  for (int m = 0; m <= most; ++m) {
    const double k = m;
    diagonals_.push_back(m == 0 ? 1.0 : std::sqrt((m == 1 ? 2.0 : 1.0) * (k + 0.5) / k));
    for (int n = m; n <= most; ++n) {
      const double d = n, least = (d - k) * (d + k);
      Term term{};
      if (n > m) term.along = std::sqrt((2.0 * d + 1.0) * (2.0 * d - 1.0) / least);
      if (n > m + 1) {
        term.before =
            std::sqrt((2.0 * d + 1.0) * (d - k - 1.0) * (d + k - 1.0) / ((2.0 * d - 3.0) * least));
      }
      for (std::size_t j = 0; j < kSums; ++j) {
        if (n >= all[j]->rows()) continue;
        const Complex c = (*all[j])(n, m) / std::pow(radius_, orders[j]);
        term.cosine[j] = c.real();
        term.sine[j] = -c.imag();
      }
      terms_.push_back(term);
    }
  }
}

GravityPotential SphericalHarmonics::at(const Vector3& r, double /*time*/) const {
  const double inverse = 1.0 / r.squaredNorm(), ratio = radius_ * inverse;
  const Complex across = ratio * Complex(r.x(), r.y());
  const double up = ratio * r.z(), square = radius_ * ratio;
  std::array<double, kSums> sums{};
  const int most = degree_ + 2;
  const Term* term = terms_.data();
  Complex start = radius_ * std::sqrt(inverse);
  for (int m = 0; m <= most; ++m) {
    if (m > 0) start *= diagonals_[static_cast<std::size_t>(m)] * across;
    Complex here = start, before = 0.0;
    for (int n = m; n <= most; ++n, ++term) {
      if (n > m) {
        const Complex next = term->along * up * here - term->before * square * before;
        before = here;
        here = next;
      }
      for (std::size_t j = 0; j < kSums; ++j) {
        sums[j] += term->cosine[j] * here.real() + term->sine[j] * here.imag();
      }
    }
  }
  GravityPotential field;
  field.potential = sums[0];
  field.gradient << sums[1], sums[2], sums[3];
  // ∇²U = 0
  field.second << sums[4], sums[5], sums[6], sums[5], sums[7], sums[8], sums[6], sums[8],
      -sums[4] - sums[7];
  return field;
}

void SphericalHarmonics::describe(CelestialBody& body) const {
  body.mu = mu_;
  body.radius = radius_;
}

}  // namespace spacedyn
