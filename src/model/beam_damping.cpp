#include "model/beam_parts.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <Eigen/Eigenvalues>
#include <Eigen/QR>

#include "spacedyn/math/rotations.hpp"

namespace spacedyn {
namespace {

constexpr int kBeamMotions = 3;
/// More segments change the first modes by less than 1e-4.
constexpr int kMostSegments = 100;

const std::array<Vector3, kBeamMotions>& hinge_directions() {
  static const std::array<Vector3, kBeamMotions> directions{Vector3::UnitY(), Vector3::UnitZ(),
                                                            Vector3::UnitX()};
  return directions;
}

BeamMotion motion_of(int m) { return static_cast<BeamMotion>(m); }

bool bends(const FlexibleBeamDescription& beam, int m) {
  return !std::isinf(beam_stiffness(beam, motion_of(m)));
}

bool is_coupled(const FlexibleBeamDescription& beam) {
  const BodyDescription& tip = beam.tip;
  const bool offset =
      tip.mass > 0.0 && (tip.center_of_mass.y() != 0.0 || tip.center_of_mass.z() != 0.0);
  const Matrix3 products = tip.inertia - Matrix3(tip.inertia.diagonal().asDiagonal());
  return beam.damping_ratio > 0.0 && (offset || !products.isZero(0.0));
}

/// Mass matrix of a rigid body about the root, (linear, angular).
Matrix6 mass_about_root(double mass, const Vector3& center, const Matrix3& inertia) {
  const Matrix3 c = tilde(center);
  Matrix6 M;
  M << mass * Matrix3::Identity(), mass * c.transpose(), mass * c,
      inertia + mass * c * c.transpose();
  return M;
}

/// One clamped mode: frequency and the part of each motion in its elastic energy.
struct ClampedMode {
  double omega;
  Vector3 share;
};

/// Ascending.
std::vector<ClampedMode> clamped_modes(const FlexibleBeamDescription& beam) {
  const std::vector<BeamPart> parts = beam_parts(beam);
  struct Hinge {
    int motion;
    std::size_t part;
    Vector6 twist;  // of what follows, velocity of the point that is at the root
    double stiffness;
  };
  std::vector<Hinge> hinges;
  for (int i = 1; i <= beam.segments; ++i) {
    for (int m = 0; m < kBeamMotions; ++m) {
      if (!bends(beam, m)) continue;
      const auto part = static_cast<std::size_t>(i);
      const Vector3& axis = hinge_directions()[static_cast<std::size_t>(m)];
      Vector6 twist;
      twist << (parts[part].begin * Vector3::UnitX()).cross(axis), axis;
      hinges.push_back({m, part, twist, hinge_stiffness(beam, motion_of(m), i)});
    }
  }
  // what each hinge carries, from the tip inwards
  const Matrix3 tip = 0.5 * (beam.tip.inertia + beam.tip.inertia.transpose());
  std::vector<Matrix6> carried(parts.size() + 1);
  carried.back() =
      mass_about_root(beam.tip.mass, beam.length * Vector3::UnitX() + beam.tip.center_of_mass, tip);
  for (std::size_t p = parts.size(); p-- > 0;) {
    const Vector3 center = 0.5 * (parts[p].begin + parts[p].end) * Vector3::UnitX();
    carried[p] =
        carried[p + 1] + mass_about_root(parts[p].mass, center, parts[p].inertia.asDiagonal());
  }
  const auto size = static_cast<Eigen::Index>(hinges.size());
  MatrixX A(size, size);  // K^(-1/2) M K^(-1/2), whose eigenvalues are 1/ω²
  for (Eigen::Index i = 0; i < size; ++i) {
    for (Eigen::Index j = 0; j <= i; ++j) {
      const Hinge& outer = hinges[static_cast<std::size_t>(i)];
      const Hinge& inner = hinges[static_cast<std::size_t>(j)];
      A(i, j) = outer.twist.dot(carried[outer.part] * inner.twist) /
                std::sqrt(outer.stiffness * inner.stiffness);
    }
  }
  const Eigen::SelfAdjointEigenSolver<MatrixX> solver(A);
  std::vector<ClampedMode> modes;
  for (Eigen::Index k = size; k-- > 0;) {
    if (!(solver.eigenvalues()(k) > 0.0)) break;
    ClampedMode mode{1.0 / std::sqrt(solver.eigenvalues()(k)), Vector3::Zero()};
    for (Eigen::Index i = 0; i < size; ++i) {
      const double y = solver.eigenvectors()(i, k);
      mode.share(hinges[static_cast<std::size_t>(i)].motion) += y * y;
    }
    modes.push_back(mode);
  }
  return modes;
}

/// The first mode in which each of some motions dominates; where it never does, in which it has the
/// largest part of those that are left.
std::vector<ClampedMode> first_modes(const std::vector<ClampedMode>& modes,
                                     const std::vector<int>& motions) {
  std::vector<const ClampedMode*> first(motions.size(), nullptr);
  for (const ClampedMode& mode : modes) {
    Eigen::Index most = 0;
    mode.share.maxCoeff(&most);
    const auto place = std::find(motions.begin(), motions.end(), static_cast<int>(most));
    const ClampedMode*& taken = first[static_cast<std::size_t>(place - motions.begin())];
    if (taken == nullptr) taken = &mode;
  }
  std::vector<ClampedMode> result;
  for (std::size_t i = 0; i < motions.size(); ++i) {
    const auto by_share = [&](const ClampedMode& a, const ClampedMode& b) {
      return a.share(motions[i]) < b.share(motions[i]);
    };
    result.push_back(first[i] != nullptr ? *first[i]
                                         : *std::max_element(modes.begin(), modes.end(), by_share));
  }
  return result;
}

/// Minimizes |A x − b| over x ≥ 0 for a few unknowns, by trying which are zero.
VectorX solve_not_negative(const MatrixX& A, const VectorX& b) {
  const Eigen::Index size = A.cols();
  VectorX best = VectorX::Zero(size);
  double least = b.squaredNorm();
  for (int set = 1; set < 1 << size; ++set) {
    std::vector<Eigen::Index> active;
    for (Eigen::Index i = 0; i < size; ++i) {
      if ((set >> i) % 2 == 1) active.push_back(i);
    }
    const MatrixX part = A(Eigen::all, active);
    const VectorX found = part.colPivHouseholderQr().solve(b);
    if (found.minCoeff() < 0.0) continue;
    const double rest = (part * found - b).squaredNorm();
    if (rest >= least) continue;
    least = rest;
    best.setZero();
    best(active) = found;
  }
  return best;
}

}  // namespace

BeamDamping beam_damping(const FlexibleBeamDescription& beam) {
  BeamDamping damping;
  std::vector<int> motions;
  for (int m = 0; m < kBeamMotions; ++m) {
    if (bends(beam, m)) motions.push_back(m);
  }
  if (!is_coupled(beam) || motions.size() < 2) {
    for (const int m : motions) {
      const auto i = static_cast<std::size_t>(m);
      damping.times[i] = 2.0 * beam.damping_ratio / clamped_frequency(beam, motion_of(m));
      damping.ratios[i] = beam.damping_ratio;
    }
    return damping;
  }
  FlexibleBeamDescription chain = beam;
  chain.segments = std::min(beam.segments, kMostSegments);
  const std::vector<ClampedMode> modes = first_modes(clamped_modes(chain), motions);
  const auto size = static_cast<Eigen::Index>(motions.size());
  MatrixX A(size, size);
  for (Eigen::Index k = 0; k < size; ++k) {
    const ClampedMode& mode = modes[static_cast<std::size_t>(k)];
    for (Eigen::Index i = 0; i < size; ++i) {
      A(k, i) = 0.5 * mode.omega * mode.share(motions[static_cast<std::size_t>(i)]);
    }
  }
  const VectorX times = solve_not_negative(A, VectorX::Constant(size, beam.damping_ratio));
  const VectorX ratios = A * times;
  for (Eigen::Index i = 0; i < size; ++i) {
    const auto m = static_cast<std::size_t>(motions[static_cast<std::size_t>(i)]);
    damping.times[m] = times(i);
    damping.ratios[m] = ratios(i);
  }
  return damping;
}

}  // namespace spacedyn
