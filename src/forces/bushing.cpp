#include "spacedyn/forces/bushing.hpp"

#include "forces/frame_pair.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/math/so3.hpp"

namespace spacedyn {

/// What the springs and dampers see, in the axes of `from`.
struct Bushing::Stretch {
  Matrix3 A;                  // of `from`
  Vector3 distance, flow;     // inertial: r_to − r_from, and its rate as `from` sees it
  Vector3 spin;               // inertial: ω_to − ω_from
  Vector3 p, pd, phi, omega;  // in the axes of `from`
  Vector3 twist;              // K_φ φ
  Vector3 force, moment;      // on `to`, in the axes of `from`
  PairWrench wrench() const { return {A * force, A * moment}; }
};

Bushing::Bushing(std::string name, const Settings& settings)
    : ForceElement(std::move(name)),
      settings_(settings),
      pair_(std::make_unique<FramePair>(settings.from, settings.to)) {
  const auto require = [this](bool condition, const char* what) {
    if (!condition) throw DomainError("bushing '" + this->name() + "': " + what);
  };
  const auto good = [](const Vector6& numbers) {
    return numbers.allFinite() && numbers.minCoeff() >= 0.0;
  };
  require(good(settings.stiffness), "the stiffnesses must be finite and not negative");
  require(good(settings.damping), "the dampings must be finite and not negative");
  require(!settings.stiffness.isZero(0.0) || !settings.damping.isZero(0.0),
          "it needs a stiffness or a damping that is not zero");
}

Bushing::~Bushing() = default;

void Bushing::check(const Model& model) const { pair_->check(*this, model); }

Bushing::Stretch Bushing::stretch(const EvaluationContext& context) const {
  const PairMotion motion = pair_->motion(context);
  Stretch now;
  now.A = frame_orientation(context.frames, settings_.from);
  now.distance = motion.distance();
  now.flow = motion.velocity() - motion.from.omega.cross(now.distance);
  now.spin = motion.spin();
  now.p = now.A.transpose() * now.distance;
  now.pd = now.A.transpose() * now.flow;
  now.phi = log_so3(now.A.transpose() * frame_orientation(context.frames, settings_.to));
  now.omega = now.A.transpose() * now.spin;
  now.twist = settings_.stiffness.tail<3>().cwiseProduct(now.phi);
  // dexp⁻¹(φ)ᵀ = dexp⁻¹(−φ)
  now.force = -settings_.stiffness.head<3>().cwiseProduct(now.p) -
              settings_.damping.head<3>().cwiseProduct(now.pd);
  now.moment = -apply_dexp_inverse_so3(-now.phi, now.twist) -
               settings_.damping.tail<3>().cwiseProduct(now.omega);
  return now;
}

void Bushing::apply(const EvaluationContext& context, Loads& loads) const {
  const Stretch now = stretch(context);
  pair_->apply(context, now.distance, now.wrench(), loads);
}

bool Bushing::differentiate(const EvaluationContext& context, LoadDerivatives& derivatives) const {
  const Stretch now = stretch(context);
  const Matrix3 B = now.A.transpose();
  const PairWrench wrench = now.wrench();
  const Matrix3 moment_by_phi = dexp_inverse_derivative(-now.phi, now.twist);
  const PairMotion motion = pair_->motion(context);
  const auto change_of = [&](const PairMotion& change) {
    // δ(Aᵀ x) = Aᵀ (δx − δθ_from × x)
    const Vector3& turn = change.from.turn;
    const Vector3 flow = change.velocity() - change.from.omega.cross(now.distance) -
                         motion.from.omega.cross(change.distance());
    const Vector3 p = B * (change.distance() - turn.cross(now.distance));
    const Vector3 pd = B * (flow - turn.cross(now.flow));
    const Vector3 omega = B * (change.spin() - turn.cross(now.spin));
    const Vector3 phi = apply_dexp_inverse_so3(now.phi, B * (change.to.turn - turn));
    const Vector3 force = -settings_.stiffness.head<3>().cwiseProduct(p) -
                          settings_.damping.head<3>().cwiseProduct(pd);
    const Vector3 twist = settings_.stiffness.tail<3>().cwiseProduct(phi);
    const Vector3 moment = moment_by_phi * phi - apply_dexp_inverse_so3(-now.phi, twist) -
                           settings_.damping.tail<3>().cwiseProduct(omega);
    return PairWrench{turn.cross(wrench.force) + now.A * force,
                      turn.cross(wrench.moment) + now.A * moment};
  };
  pair_->differentiate(context, wrench, change_of, derivatives);
  return true;
}

bool Bushing::wrench_between(const EvaluationContext& context, Vector6& wrench) const {
  const PairWrench now = stretch(context).wrench();
  wrench << now.force, now.moment;
  return true;
}

double Bushing::stored_energy(const EvaluationContext& context) const {
  const Stretch now = stretch(context);
  return 0.5 * (settings_.stiffness.head<3>().dot(now.p.cwiseAbs2()) + now.twist.dot(now.phi));
}

EnergyRates Bushing::energy_rates(const EvaluationContext& context) const {
  const Stretch now = stretch(context);
  return {settings_.stiffness.head<3>().cwiseProduct(now.p).dot(now.pd) +
              now.twist.dot(apply_dexp_inverse_so3(now.phi, now.omega)),
          settings_.damping.head<3>().dot(now.pd.cwiseAbs2()) +
              settings_.damping.tail<3>().dot(now.omega.cwiseAbs2())};
}

}  // namespace spacedyn
