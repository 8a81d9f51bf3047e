#include "spacedyn/terrain/random_relief.hpp"

#include <cmath>
#include <random>

#include "spacedyn/error.hpp"
#include "spacedyn/math/constants.hpp"
#include "spacedyn/terrain/terrain.hpp"

namespace spacedyn {
namespace {

constexpr int kWaves = 256;

}  // namespace

RandomRelief::RandomRelief(const Spectrum& spectrum) {
  const auto require = [](bool condition, const char* what) {
    if (!condition) throw DomainError(what);
  };
  const double H = spectrum.hurst;
  require(std::isfinite(spectrum.rms) && spectrum.rms >= 0.0,
          "the rms of a relief must not be negative");
  require(std::isfinite(spectrum.longest) && spectrum.shortest > 0.0 &&
              spectrum.longest > spectrum.shortest,
          "the shortest wavelength must be positive and less than the longest");
  require(H > 0.0 && H <= 1.0, "Hurst's exponent must be above 0 and at most 1");
  std::mt19937_64 engine(spectrum.seed);
  // a distribution of the standard library is another one with each compiler
  const auto uniform = [&] { return std::ldexp(static_cast<double>(engine() >> 11), -53); };
  const double ratio = std::log(spectrum.longest / spectrum.shortest) / kWaves;
  const double whole = 1.0 - std::pow(spectrum.shortest / spectrum.longest, 2.0 * H);
  waves_.reserve(kWaves);
  for (int i = 0; i < kWaves; ++i) {
    // of wavelengths from longest e^(−(i + 1) ratio) to longest e^(−i ratio)
    const double part = std::exp(-2.0 * H * ratio * i) * -std::expm1(-2.0 * H * ratio) / whole;
    const double wavelength = spectrum.longest * std::exp(-ratio * (i + uniform()));
    const double direction = 2.0 * kPi * uniform(), k = 2.0 * kPi / wavelength;
    waves_.push_back({spectrum.rms * std::sqrt(2.0 * part), k * std::cos(direction),
                      k * std::sin(direction), 2.0 * kPi * uniform()});
  }
}

double RandomRelief::height(double x, double y) const {
  double z = 0.0;
  for (const Wave& wave : waves_)
    z += wave.amplitude * std::cos(wave.x * x + wave.y * y + wave.phase);
  return z;
}

MatrixX RandomRelief::heights(Eigen::Index rows, Eigen::Index columns, double spacing,
                              double origin_x, double origin_y) const {
  MatrixX heights = MatrixX::Zero(rows, columns);
  Eigen::ArrayXd cosine(rows), sine(rows);
  for (const Wave& wave : waves_) {
    for (Eigen::Index i = 0; i < rows; ++i) {
      const double angle = wave.y * (origin_y + spacing * static_cast<double>(i)) + wave.phase;
      cosine(i) = wave.amplitude * std::cos(angle);
      sine(i) = wave.amplitude * std::sin(angle);
    }
    for (Eigen::Index j = 0; j < columns; ++j) {
      const double angle = wave.x * (origin_x + spacing * static_cast<double>(j));
      heights.col(j).array() += std::cos(angle) * cosine - std::sin(angle) * sine;
    }
  }
  return heights;
}

Terrain::~Terrain() = default;

Matrix3 Terrain::normal_gradient_change(const SurfacePoint& at, const Vector3& direction) const {
  constexpr double kReach = 1e-4;  // m
  const double length = direction.norm();
  if (length == 0.0) return Matrix3::Zero();
  const Vector3 other = at.point + at.distance * at.normal, reach = kReach / length * direction;
  return 0.5 * length / kReach *
         (nearest(other + reach).normal_gradient - nearest(other - reach).normal_gradient);
}

PlaneTerrain::PlaneTerrain(const Vector3& normal, double height)
    : normal_(normal.normalized()), height_(height) {
  if (!(normal.allFinite() && std::isfinite(height) && normal.z() > 0.0)) {
    throw DomainError("the normal of a plane must be finite and point upwards (z > 0)");
  }
}

PlaneTerrain PlaneTerrain::slope(double angle, double azimuth) {
  if (!(std::abs(angle) < 0.5 * kPi && std::isfinite(azimuth))) {
    throw DomainError("the angle of a slope must be between -90° and 90°");
  }
  const double s = std::sin(angle);
  return {Vector3(-s * std::cos(azimuth), -s * std::sin(azimuth), std::cos(angle)), 0.0};
}

double PlaneTerrain::height(double x, double y) const {
  return (height_ - normal_.x() * x - normal_.y() * y) / normal_.z();
}

Vector3 PlaneTerrain::normal(double, double) const { return normal_; }

SurfacePoint PlaneTerrain::nearest(const Vector3& point) const {
  SurfacePoint surface;
  surface.distance = normal_.dot(point) - height_;
  surface.normal = normal_;
  surface.point = point - surface.distance * normal_;
  return surface;
}

Matrix3 PlaneTerrain::normal_gradient_change(const SurfacePoint&, const Vector3&) const {
  return Matrix3::Zero();
}

}  // namespace spacedyn
