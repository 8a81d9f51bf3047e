#include "spacedyn/control/allocation.hpp"

#include <Eigen/SVD>

#include <algorithm>
#include <cmath>

#include "control/mounting.hpp"
#include "model/description_tree.hpp"
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

}  // namespace spacedyn
