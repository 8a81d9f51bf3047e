#include "batch/pd_references.hpp"

#include <algorithm>
#include <cmath>

#include "spacedyn/error.hpp"

namespace spacedyn::batch {

PdReferences::PdReferences(const Model& model, int most_steps) : model_(model) {
  const auto n = static_cast<std::size_t>(model.joint_count());
  for (std::vector<double>* gains : {&stiffness_, &damping_, &limit_}) gains->resize(n);
  references_.resize((2 * static_cast<std::size_t>(most_steps) + 1) * 2 * n);
}

void PdReferences::use(const JointPd* control) {
  control_ = control;
  if (control == nullptr) return;
  control->check(model_);
  const JointPd::Settings& settings = control->settings();
  if (settings.sample_period != 0.0) {
    throw DomainError("'" + control->name() +
                      "' is sampled; batches integrate continuous control only: sample_period 0");
  }
  if (settings.velocity_limit.size() > 0 && std::isfinite(settings.velocity_limit.minCoeff())) {
    throw DomainError("'" + control->name() +
                      "' has a velocity_limit; batches know effort limits only");
  }
  if (settings.integral.size() > 0) {
    throw DomainError("'" + control->name() + "' has an integral; batches know PD control only");
  }
  std::fill(stiffness_.begin(), stiffness_.end(), 0.0);
  std::fill(damping_.begin(), damping_.end(), 0.0);
  std::fill(limit_.begin(), limit_.end(), std::numeric_limits<double>::infinity());
  for (std::size_t i = 0; i < settings.joints.size(); ++i) {
    const auto joint = static_cast<std::size_t>(settings.joints[i] - 1);
    const auto component = static_cast<Eigen::Index>(i);
    stiffness_[joint] = settings.stiffness(component);
    damping_[joint] = settings.damping(component);
    limit_[joint] = control->effort_limit(model_, component);
  }
}

void PdReferences::fill(double start, double step, int steps, double latest) {
  if (control_ == nullptr) return;
  const JointPd::Settings& settings = control_->settings();
  const std::size_t n = stiffness_.size();
  for (int instant = 0; instant <= 2 * steps; ++instant) {
    double* const row = references_.data() + static_cast<std::size_t>(instant) * 2 * n;
    const double time = std::min(start + 0.5 * step * instant, latest);
    for (std::size_t i = 0; i < settings.joints.size(); ++i) {
      const ReferenceValue wanted = settings.reference->evaluate(static_cast<int>(i), time);
      const auto joint = static_cast<std::size_t>(settings.joints[i] - 1);
      row[joint] = wanted.position;
      row[n + joint] = wanted.velocity;
    }
  }
}

PdTask PdReferences::task() const {
  if (control_ == nullptr) return {nullptr, nullptr, nullptr, nullptr};
  return {stiffness_.data(), damping_.data(), limit_.data(), references_.data()};
}

}  // namespace spacedyn::batch
