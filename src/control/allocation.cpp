#include "spacedyn/control/allocation.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/SVD>

#include "control/mounting.hpp"
#include "control/reference_checks.hpp"
#include "model/description_tree.hpp"
#include "spacedyn/control/wheel_allocation.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/forces/declarations.hpp"

namespace spacedyn {

Allocation::Allocation(std::string kind, int body, const Matrix3& axes)
    : kind_(std::move(kind)), body_(body), axes_(axes) {}

Allocation::Allocation(std::string kind, const Model& model, const std::vector<int>& joints)
    : Allocation(std::move(kind), model.topology().connection(joints.front()),
                 axes_of_carrier(model, joints.front())) {}

Allocation::~Allocation() = default;

void Allocation::check(const std::string& owner, const Model& model) const {
  if (body_ >= 0 && body_ < model.body_count()) return;
  throw DomainError(owner + "the model has no body " + std::to_string(body_));
}

std::vector<int> Allocation::axes_without_torque(const EvaluationContext& context) const {
  return idle_axes(context.model);
}

std::vector<int> Allocation::axes_without_force(const EvaluationContext&) const {
  return {0, 1, 2};
}

void Allocation::append_outputs(const std::string&, std::vector<ActuatorOutput>&) const {}

void check_on_one_body(const std::string& owner, const Model& model,
                       const std::vector<int>& joints) {
  for (const int joint : joints) {
    if (std::count(joints.begin(), joints.end(), joint) > 1) {
      throw DomainError(owner + '\'' + model.joint(joint).name + "' is named twice");
    }
    if (model.topology().connection(joint) != model.topology().connection(joints.front())) {
      throw DomainError(owner + '\'' + model.joint(joint).name + "' and '" +
                        model.joint(joints.front()).name + "' are on different bodies");
    }
  }
}

namespace {

/// Singular values of the torquers' axes below this count as zero.
constexpr double kIndependent = 1e-9;

const Frame& first_place(const std::string& owner, const Model& model,
                         const std::vector<Torquer>& torquers) {
  if (torquers.empty()) throw DomainError(owner + "it has no torquers");
  const Frame& at = torquers.front().at;
  if (at.body >= 0 && at.body < model.body_count()) return at;
  throw DomainError(owner + '\'' + torquers.front().name + "' is on no body of the model");
}

}  // namespace

TorquerAllocation::TorquerAllocation(const std::string& owner, const Model& model,
                                     std::vector<Torquer> torquers)
    : Allocation("torquers", first_place(owner, model, torquers).body,
                 axes_of_owner(model, first_place(owner, model, torquers))),
      torquers_(std::move(torquers)) {
  directions_.resize(3, size());
  for (std::size_t i = 0; i < torquers_.size(); ++i) {
    const Torquer& torquer = torquers_[i];
    for (std::size_t j = 0; j < i; ++j) {
      if (torquers_[j].name != torquer.name) continue;
      throw DomainError(owner + '\'' + torquer.name + "' is named twice");
    }
    if (torquer.at.body != body()) {
      throw DomainError(owner + '\'' + torquer.name + "' and '" + torquers_.front().name +
                        "' are on different bodies");
    }
    directions_.col(static_cast<Eigen::Index>(i)) = torquer.at.rotation * torquer.axis;
  }
  Eigen::JacobiSVD<MatrixX> svd(directions_, Eigen::ComputeThinU | Eigen::ComputeThinV);
  svd.setThreshold(kIndependent);
  inverse_ = svd.solve(Matrix3::Identity()).transpose();
}

void TorquerAllocation::allocate(const EvaluationContext& context, const WrenchDemand& demand,
                                 VectorRef command) const {
  command.setZero();
  const Vector3 B = torquers_.front().field_at(context);
  const double square = B.squaredNorm();
  if (square == 0.0) return;
  const Matrix3& A = context.frames.A[static_cast<std::size_t>(body())];
  const Vector3 m = A.transpose() * B.cross(demand.torque) / square;
  double excess = 1.0;
  for (int i = 0; i < size(); ++i) {
    command(i) = inverse_.col(i).dot(m);
    const double limit = torquers_[static_cast<std::size_t>(i)].dipole_limit;
    excess = std::max(excess, std::abs(command(i)) / limit);
  }
  command /= excess;
}

void TorquerAllocation::apply(const EvaluationContext& context, ConstVectorRef command,
                              Loads& loads) const {
  for (int i = 0; i < size(); ++i) {
    torquers_[static_cast<std::size_t>(i)].apply(context, command(i), loads);
  }
}

void TorquerAllocation::append_outputs(const std::string&,
                                       std::vector<ActuatorOutput>& outputs) const {
  for (int i = 0; i < size(); ++i) {
    outputs.push_back(torquers_[static_cast<std::size_t>(i)].output(
        [i](const EvaluationContext&, ConstVectorRef command) { return command(i); }));
  }
}

std::vector<int> TorquerAllocation::idle_axes(const Model&) const {
  std::vector<int> missing;
  for (int axis = 0; axis < 3; ++axis) {
    bool turns = false;
    for (int i = 0; i < size(); ++i) {
      turns = turns || directions_.col(i).cross(axes().col(axis)).norm() > kIndependent;
    }
    if (!turns) missing.push_back(axis);
  }
  return missing;
}

namespace {

/// Axes of a link that is, or is merged into, a body; those of the body under another name.
Matrix3 axes_of(const Model& model, const std::string& link, int body) {
  const auto frame = model.find_frame(link);
  return frame && frame->body == body ? frame->rotation : model.body(body).user_axes;
}

}  // namespace

Matrix3 axes_of_carrier(const Model& model, int joint) {
  const std::vector<LinkDescription>& links = model.description().links;
  const auto carried = std::find_if(links.begin(), links.end(), [&](const LinkDescription& link) {
    return joint_name(link) == model.joint(joint).name;
  });
  const int body = model.topology().connection(joint);
  return axes_of(model, carried == links.end() ? "" : carried->parent, body);
}

Matrix3 axes_of_owner(const Model& model, const Frame& point) {
  const std::vector<FrameDescription>& frames = model.description().frames;
  const auto named = std::find_if(frames.begin(), frames.end(), [&](const FrameDescription& frame) {
    return frame.name == point.name;
  });
  if (named != frames.end()) return axes_of(model, named->link, point.body);
  // a point on a link itself has the axes of the link
  const auto itself = model.find_frame(point.name);
  return itself && itself->body == point.body ? itself->rotation : model.body(point.body).user_axes;
}

namespace {

/// Part of an axis that may lie outside of what the wheels span.
constexpr double kSpanned = 1e-9;

using Decomposition = Eigen::JacobiSVD<MatrixX>;

/// Singular vectors of the axes of wheels, those that count.
Decomposition decompose(const Matrix3X& axes,
                        unsigned options = Eigen::ComputeThinU | Eigen::ComputeThinV) {
  Decomposition svd(axes, options);
  svd.setThreshold(1e-9);
  return svd;
}

Decomposition decompose_fully(const Matrix3X& axes) {
  return decompose(axes, Eigen::ComputeFullU | Eigen::ComputeFullV);
}

const std::vector<int>& checked_wheels(const std::string& owner, const Model& model,
                                       const std::vector<int>& wheels) {
  check_wheels(owner, model, wheels);
  check_on_one_body(owner, model, wheels);
  return wheels;
}

}  // namespace

void check_wheels(const std::string& owner, const Model& model, const std::vector<int>& joints) {
  if (joints.empty()) throw DomainError(owner + "it has no wheels");
  for (const int joint : joints) {
    if (joint >= 1 && joint <= model.joint_count() && model.wheel(joint) != nullptr) continue;
    throw DomainError(owner + "joint " + std::to_string(joint) + " has no reaction wheel");
  }
}

Matrix3X wheel_axes(const Model& model, const std::vector<int>& joints) {
  Matrix3X axes(3, static_cast<Eigen::Index>(joints.size()));
  if (joints.empty()) return axes;
  const Matrix3 to_carrier = axes_of_carrier(model, joints.front()).transpose();
  for (std::size_t i = 0; i < joints.size(); ++i) {
    axes.col(static_cast<Eigen::Index>(i)) = to_carrier * model.joint(joints[i]).rotation.col(2);
  }
  return axes;
}

std::vector<int> axes_without_command(const Matrix3X& wheel_axes) {
  const Decomposition svd = decompose(wheel_axes);
  const auto U = svd.matrixU().leftCols(svd.rank());
  std::vector<int> missing;
  for (int axis = 0; axis < 3; ++axis) {
    const Vector3 e = Vector3::Unit(axis);
    if ((e - U * (U.transpose() * e)).norm() > kSpanned) missing.push_back(axis);
  }
  return missing;
}

int null_space_dimension(const Matrix3X& wheel_axes) {
  return static_cast<int>(wheel_axes.cols() - decompose_fully(wheel_axes).rank());
}

WheelAllocation::WheelAllocation(const std::string& owner, const Model& model,
                                 std::vector<int> wheels, const NullSpace& null_space)
    : Allocation("wheels", model, checked_wheels(owner, model, wheels)),
      wheels_(std::move(wheels)) {
  const Matrix3X axes = wheel_axes(model, wheels_);
  inverse_ = -decompose(axes).solve(Matrix3::Identity()).transpose();
  if (null_space.gain != 0.0) take_null_space(owner, model, axes, null_space);
}

void WheelAllocation::take_null_space(const std::string& owner, const Model& model,
                                      const Matrix3X& axes, const NullSpace& null_space) {
  if (!std::isfinite(null_space.gain) || null_space.gain <= 0.0) {
    throw DomainError(owner + "the gain of the null space must be finite and positive");
  }
  const auto size = static_cast<Eigen::Index>(wheels_.size());
  const Decomposition svd = decompose_fully(axes);
  if (svd.rank() == size) throw DomainError(owner + "its wheels have no null space");
  const MatrixX null = svd.matrixV().rightCols(size - svd.rank());
  projector_ = null_space.gain * null * null.transpose();
  inertia_.resize(size);
  for (Eigen::Index i = 0; i < size; ++i) {
    inertia_(i) = model.wheel(wheels_[static_cast<std::size_t>(i)])->spin_inertia;
  }
  wanted_ = VectorX::Zero(size);
  if (null_space.speeds.size() == 0) return;
  check_same_size(owner + "the speeds of the null space", null_space.speeds.size(), size);
  check_finite(owner + "the speeds of the null space", null_space.speeds);
  wanted_ = inertia_.cwiseProduct(null_space.speeds);
}

void WheelAllocation::check(const std::string& owner, const Model& model) const {
  checked_wheels(owner, model, wheels_);
}

std::vector<int> WheelAllocation::idle_axes(const Model& model) const {
  return axes_without_command(wheel_axes(model, wheels_));
}

void WheelAllocation::allocate(const EvaluationContext& context, const WrenchDemand& demand,
                               VectorRef command) const {
  const Matrix3 A = context.frames.A[static_cast<std::size_t>(body())] * axes();
  const Vector3 torque = A.transpose() * demand.torque;
  for (Eigen::Index i = 0; i < command.size(); ++i) command(i) = inverse_.col(i).dot(torque);
  for (Eigen::Index k = 0; k < projector_.cols(); ++k) {
    const int joint = wheels_[static_cast<std::size_t>(k)];
    const double error = inertia_(k) * context.state.qd(joint - 1) - wanted_(k);
    command -= error * projector_.col(k);
  }
}

void WheelAllocation::apply(const EvaluationContext&, ConstVectorRef command, Loads& loads) const {
  for (Eigen::Index i = 0; i < command.size(); ++i) {
    loads.tau(wheels_[static_cast<std::size_t>(i)] - 1) += command(i);
  }
}

}  // namespace spacedyn
