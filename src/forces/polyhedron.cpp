#include "spacedyn/forces/polyhedron.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <map>

#include <fmt/format.h>

#include "dynamics/tree/kernel_choice.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/forces/declarations.hpp"
#include "spacedyn/forces/spherical_harmonics.hpp"

namespace spacedyn {
namespace {

using EdgeKey = std::pair<int, int>;

/// The triangle on the left of each directed edge. @throws DomainError if there are two
std::map<EdgeKey, int> directed_edges(const TriangleMesh& mesh) {
  std::map<EdgeKey, int> left;
  const int count = static_cast<int>(mesh.points.size());
  for (std::size_t f = 0; f < mesh.triangles.size(); ++f) {
    const auto& corners = mesh.triangles[f];
    for (int k = 0; k < 3; ++k) {
      const int a = corners[static_cast<std::size_t>(k)];
      const int b = corners[static_cast<std::size_t>((k + 1) % 3)];
      if (a < 0 || a >= count) {
        throw DomainError(
            fmt::format("triangle {} has vertex {}, but there are {}", f + 1, a + 1, count));
      }
      if (left.emplace(EdgeKey{a, b}, static_cast<int>(f)).second) continue;
      throw DomainError(
          fmt::format("the surface turns over or branches at its edge from vertex "
                      "{} to {}",
                      a + 1, b + 1));
    }
  }
  return left;
}

Vector3 normal_of(const TriangleMesh& mesh, int face) {
  const auto& corners = mesh.triangles[static_cast<std::size_t>(face)];
  const auto at = [&](std::size_t k) -> const Vector3& {
    return mesh.points[static_cast<std::size_t>(corners[k])];
  };
  return (at(1) - at(0)).cross(at(2) - at(0));
}

Eigen::Index padded(std::size_t count) {
  constexpr std::size_t kStep = KernelPolyhedron::kPadding;
  return static_cast<Eigen::Index>((count + kStep - 1) / kStep * kStep);
}

}  // namespace

void check_closed(const TriangleMesh& mesh) {
  if (mesh.triangles.size() < 4) throw DomainError("the surface has fewer than 4 triangles");
  for (const Vector3& vertex : mesh.points) {
    if (!vertex.allFinite()) throw DomainError("a vertex of the surface is not finite");
  }
  const std::map<EdgeKey, int> left = directed_edges(mesh);
  for (const auto& [edge, face] : left) {
    if (left.count({edge.second, edge.first}) > 0) continue;
    throw DomainError(fmt::format("the surface has a hole at the edge from vertex {} to {}",
                                  edge.first + 1, edge.second + 1));
  }
  double area = 0.0;
  for (std::size_t f = 0; f < mesh.triangles.size(); ++f) {
    const double twice = normal_of(mesh, static_cast<int>(f)).norm();
    if (!(twice > 0.0)) throw DomainError(fmt::format("triangle {} has no area", f + 1));
    area += 0.5 * twice;
  }
  if (std::abs(enclosed_volume(mesh)) > 1e-9 * std::pow(area, 1.5)) return;
  throw DomainError("the surface encloses no volume");
}

Polyhedron::Polyhedron(const TriangleMesh& given) {
  check_closed(given);
  TriangleMesh mesh = given;
  if (enclosed_volume(mesh) < 0.0) {
    for (auto& corners : mesh.triangles) std::swap(corners[1], corners[2]);
  }
  volume_ = enclosed_volume(mesh);
  const auto point = [&](int i) -> const Vector3& {
    return mesh.points[static_cast<std::size_t>(i)];
  };

  // rows that pad are a face without area and normal, and an edge without dyad
  faces_ = MatrixX::Zero(padded(mesh.triangles.size()), KernelPolyhedron::kOfFace);
  for (int k = 0; k < 3; ++k) faces_.middleCols<3>(3 * k).rowwise() = point(0).transpose();
  for (int f = 0; f < static_cast<int>(mesh.triangles.size()); ++f) {
    const auto& [a, b, c] = mesh.triangles[static_cast<std::size_t>(f)];
    faces_.row(f) << point(a).transpose(), point(b).transpose(), point(c).transpose(),
        normal_of(mesh, f).normalized().transpose();
  }

  const auto normal = [&](int face) -> Vector3 { return faces_.row(face).tail<3>().transpose(); };
  const std::map<EdgeKey, int> left = directed_edges(mesh);
  edges_ = MatrixX::Zero(padded(left.size() / 2), KernelPolyhedron::kOfEdge);
  int row = 0;
  for (const auto& [key, face] : left) {
    if (key.first > key.second) continue;
    const Vector3 &from = point(key.first), &to = point(key.second);
    const double length = (to - from).norm();
    const Vector3 along = (to - from) / length;
    const Vector3 A = normal(face), B = normal(left.at({key.second, key.first}));
    // in each face, outward from it across the edge; symmetric but for rounding
    const Matrix3 E = A * along.cross(A).transpose() - B * along.cross(B).transpose();
    edges_.row(row++) << from.transpose(), to.transpose(), length, E(0, 0),
        0.5 * (E(0, 1) + E(1, 0)), 0.5 * (E(0, 2) + E(2, 0)), E(1, 1), 0.5 * (E(1, 2) + E(2, 1)),
        E(2, 2);
  }
  edges_.bottomRows(edges_.rows() - row).leftCols<6>().rowwise() = edges_.row(0).leftCols<6>();
}

Polyhedron::Field Polyhedron::field(const Vector3& r) const {
  double sums[KernelPolyhedron::kSums];
  kernels_of(instruction_set())
      .polyhedron_field({edges_.data(), faces_.data(), static_cast<int>(edges_.rows()),
                         static_cast<int>(faces_.rows())},
                        r.data(), sums);
  Field field;
  field.potential = sums[0];
  field.gradient << sums[1], sums[2], sums[3];
  field.second << sums[4], sums[5], sums[6], sums[5], sums[7], sums[8], sums[6], sums[8], sums[9];
  field.solid_angle = sums[10];
  return field;
}

PolyhedronGravity::PolyhedronGravity(const TriangleMesh& mesh, double mu)
    : polyhedron_(mesh),
      mu_(mu),
      density_(mu / polyhedron_.volume()),
      triangles_(corner_coordinates(mesh)) {
  if (!std::isfinite(mu) || mu <= 0.0) throw DomainError("mu of a polyhedron must be positive");
}

GravityPotential PolyhedronGravity::at(const Vector3& r, double /*time*/) const {
  GravityPotential field = polyhedron_.field(r);
  field.potential *= density_;
  field.gradient *= density_;
  field.second *= density_;
  return field;
}

void PolyhedronGravity::describe(CelestialBody& body) const {
  body.mu = mu_;
  body.triangles = triangles_;
}

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
