#include "spacedyn/integration/audit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "integration/equations/run_memory.hpp"
#include "spacedyn/math/rotations.hpp"

namespace spacedyn {
namespace {

/// error / scale; a system without motion has no drift.
double ratio(double error, double scale) {
  if (error == 0.0) return 0.0;
  return scale > 0.0 ? error / scale : std::numeric_limits<double>::infinity();
}

}  // namespace

void ConservationAudit::update(const Momentum& momentum, const MomentumScale& scale,
                               const Energy& energy, const AuditIntegrals& integrals,
                               double least_energy) {
  if (!started_) {
    started_ = true;
    first_momentum_ = momentum;
    first_energy_ = energy.total();
  }
  const Vector3 linear =
      momentum.linear - first_momentum_.linear - integrals.impulse + removed_linear_;
  const Vector3 angular = momentum.angular_centroid - first_momentum_.angular_centroid -
                          integrals.angular_impulse + removed_angular_;
  const double work = energy.total() - first_energy_ - integrals.work + integrals.dissipated;

  linear_error_ = std::max(linear_error_, linear.norm());
  angular_error_ = std::max(angular_error_, angular.norm());
  energy_error_ = std::max(energy_error_, std::abs(work));
  linear_scale_ = std::max(linear_scale_, scale.linear);
  angular_scale_ = std::max(angular_scale_, scale.angular);
  energy_scale_ = std::max({energy_scale_, energy.kinetic, integrals.throughput, least_energy});
}

void ConservationAudit::update_attitude(const Matrix3& A_0) {
  attitude_error_ = std::max(attitude_error_, orthogonality_error(A_0));
}

void ConservationAudit::count_removed(const Vector3& linear, const Vector3& angular) {
  removed_linear_ += linear;
  removed_angular_ += angular;
}

void ConservationAudit::transfer(Archive& archive) {
  transfer_momentum(archive, first_momentum_);
  archive(started_, first_energy_, removed_linear_, removed_angular_, linear_error_, angular_error_,
          energy_error_, linear_scale_, angular_scale_, energy_scale_, attitude_error_);
}

double ConservationAudit::linear_drift() const { return ratio(linear_error_, linear_scale_); }

double ConservationAudit::angular_drift() const { return ratio(angular_error_, angular_scale_); }

double ConservationAudit::momentum_drift() const {
  return std::max(linear_drift(), angular_drift());
}

double ConservationAudit::energy_residual() const { return ratio(energy_error_, energy_scale_); }

}  // namespace spacedyn
