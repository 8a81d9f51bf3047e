#include "forces/bristle.hpp"

#include <cmath>

namespace spacedyn {
namespace {

/// Twice the fraction of the greatest friction that the bristle's damper reaches at v_s.
constexpr double kBristleDamping = 0.2;

/// φ and dφ/du: which fraction of a motion slips.
struct Slip {
  double fraction, slope;
};

Slip slip_at(double u) {
  if (u <= Bristle::kElastic) return {0.0, 0.0};
  if (u >= 1.0) return {u, 1.0};
  // u times the quintic step
  constexpr double kWidth = 1.0 - Bristle::kElastic;
  const double s = (u - Bristle::kElastic) / kWidth;
  const double step = s * s * s * (10.0 + s * (6.0 * s - 15.0));
  const double rest = 1.0 - s;
  return {u * step, step + u * 30.0 * s * s * rest * rest / kWidth};
}

}  // namespace

Bristle bristle_at(const BristleSettings& settings, double v, double z) {
  const double v_s = settings.stribeck_velocity;
  const double ratio = v / v_s;
  const double bump = (settings.breakaway - settings.coulomb) * std::exp(-ratio * ratio);
  const double g = settings.coulomb + bump;
  Bristle bristle{v, z, settings.coulomb / settings.presliding, v, 0.0, 1.0, 0.0, 0.0, 0.0};
  if (v * z > 0.0 || v == 0.0) {
    const double u = bristle.stiffness * std::abs(z) / g;
    const Slip slip = slip_at(u);
    const double u_by_v = u / g * 2.0 * ratio / v_s * bump;
    // v − |v| sign(z) φ(u) = v (1 − φ) here
    bristle.zd = v * (1.0 - slip.fraction);
    bristle.zd_by_v =
        v == 0.0 ? 1.0 - 0.5 * slip.fraction : 1.0 - slip.fraction - v * slip.slope * u_by_v;
    bristle.zd_by_z = -std::abs(v) * slip.slope * bristle.stiffness / g;
  }
  const double spread = 1.0 + ratio * ratio;
  const double sigma_1 = kBristleDamping * settings.breakaway / (v_s * spread);
  const double sigma_1_by_v = -2.0 * sigma_1 * ratio / (v_s * spread);
  bristle.force = bristle.stiffness * z + sigma_1 * bristle.zd;
  bristle.force_by_v = sigma_1_by_v * bristle.zd + sigma_1 * bristle.zd_by_v;
  bristle.force_by_z = bristle.stiffness + sigma_1 * bristle.zd_by_z;
  return bristle;
}

}  // namespace spacedyn
