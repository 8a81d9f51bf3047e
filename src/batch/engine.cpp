#include "batch/engine.hpp"

#include <Eigen/Geometry>

#include <cmath>
#include <limits>
#include <string>

#include "dynamics/tree/kernel_choice.hpp"
#include "dynamics/tree/tree_walk.hpp"
#include "inertia/dense_size.hpp"
#include "spacedyn/error.hpp"
#include "threads.hpp"

namespace spacedyn::batch {
namespace {

/// The lanes know joint springs and dampers, no other part of a drive train.
void check_drive_train(const Model& model) {
  const auto refuse = [&](const std::string& what) {
    throw DomainError("batches cannot take model '" + model.name() + "': " + what +
                      " is not supported in them");
  };
  for (int i = 1; i <= model.joint_count(); ++i) {
    const Joint& joint = model.joint(i);
    if (joint.armature != 0.0) refuse("the geared rotor of joint '" + joint.name + "'");
    if (joint.friction.is_present()) refuse("the friction of joint '" + joint.name + "'");
    const WheelDrive* wheel = model.wheel(i);
    if (wheel == nullptr) continue;
    const bool is_limited =
        std::isfinite(wheel->torque_limit) || std::isfinite(wheel->momentum_limit);
    if (is_limited || wheel->viscous + wheel->coulomb > 0.0) {
      refuse("the limits and the friction of reaction wheel '" + joint.name + "'");
    }
  }
  if (!model.couplings().empty()) refuse("coupling '" + model.couplings()[0].name + "'");
  if (!model.transmissions().empty())
    refuse("transmission '" + model.transmissions()[0].name + "'");
  if (model.has_loops()) refuse("loop '" + model.loops()[0].name + "'");
}

AlignedArray rows_of_tile(int count) {
  return aligned_array(static_cast<std::size_t>(count) * static_cast<std::size_t>(kTile));
}

}  // namespace

Engine::Engine(std::shared_ptr<const Model> model, const BatchOptions& options)
    : model_(std::move(model)),
      gravity_(options.gravity),
      set_(instruction_set()),
      kernels_(SPACEDYN_CHOOSE_KERNELS(batch_kernels, set_)),
      state_rows_(BatchStates(*model_, 0).rows().components()),
      pool_(thread_count(options.threads)) {
  if (!gravity_.allFinite()) throw DomainError("gravity must be finite");
  check_drive_train(*model_);
  const bool is_single = SingleStates::are_needed(*model_);
  if (!is_single) constants_.emplace(*model_);
  const int n = model_->joint_count();
  const auto work = is_single ? std::size_t{0}
                              : static_cast<std::size_t>(constants_->work_rows() * kernels_.lanes);
  for (int worker = 0; worker < pool_.thread_count(); ++worker) {
    memory_.push_back({aligned_array(work), rows_of_tile(is_single ? 0 : Rk4Rows::count(n)),
                       rows_of_tile(state_rows_), rows_of_tile(6 + n), rows_of_tile(6 + n), nullptr,
                       nullptr, nullptr, nullptr,
                       is_single ? std::make_unique<SingleStates>(*model_, gravity_) : nullptr});
  }
}

bool Engine::read_states(const ConstRows& rows, double* state) const {
  if (!kernels_.read_states(rows, model_->joint_count(), state)) return false;
  for (int k = 0; k < kTile; ++k) {
    begin_charts(model_->spherical_joints(), model_->joint_count(), state + k);
  }
  return true;
}

void Engine::forward_dynamics(int worker, const double* state, const double* forces,
                              double* acceleration) {
  const Memory& memory = memory_[static_cast<std::size_t>(worker)];
  if (!constants_) return memory.single->forward_dynamics(state, forces, acceleration);
  kernels_.forward_dynamics(constants_->robot(), gravity_.data(), state, forces,
                            memory.workspace.get(), acceleration);
}

void Engine::inverse_dynamics(int worker, const double* state, const double* acceleration,
                              double* forces) {
  const Memory& memory = memory_[static_cast<std::size_t>(worker)];
  if (!constants_) return memory.single->inverse_dynamics(state, acceleration, forces);
  kernels_.inverse_dynamics(constants_->robot(), gravity_.data(), state, acceleration,
                            memory.workspace.get(), forces);
}

void Engine::rk4(int worker, const Rk4Task& task, const double* forces, double* state) {
  const Memory& memory = memory_[static_cast<std::size_t>(worker)];
  if (!constants_) return memory.single->rk4(task, forces, state);
  kernels_.rk4(constants_->robot(), task, forces, memory.workspace.get(), memory.stages.get(),
               state);
}

void Engine::prepare_matrices() {
  if (memory_.front().matrix) return;
  const int size = 6 + dense_size(*model_, "inertia matrix");
  prepare_bodies();
  for (Memory& memory : memory_) {
    if (!constants_) memory.single->prepare_matrix();
    memory.matrix = rows_of_tile(size * size);
  }
}

void Engine::prepare_inverses() {
  if (memory_.front().inverse) return;
  const int size = 6 + dense_size(*model_, "inverse of the inertia matrix");
  prepare_bodies();
  for (Memory& memory : memory_) {
    if (!constants_) memory.single->prepare_derivatives();
    memory.inverse = rows_of_tile(size * size);
  }
}

void Engine::prepare_frames() {
  if (memory_.front().frame) return;
  prepare_bodies();
  for (Memory& memory : memory_) {
    memory.frame = rows_of_tile(std::max(12, 6 * model_->joint_count()));
  }
}

void Engine::prepare_bodies() {
  for (Memory& memory : memory_) {
    if (!memory.bodies) memory.bodies = rows_of_tile(9 * model_->body_count());
  }
}

void Engine::prepare_singles() {
  for (Memory& memory : memory_) {
    if (!memory.single) memory.single = std::make_unique<SingleStates>(*model_, gravity_);
  }
}

void Engine::prepare_derivatives() {
  if (!model_->followers().empty()) {
    throw DomainError("batches have no derivatives of model '" + model_->name() +
                      "', whose joint '" + model_->joint(model_->followers().front().joint).name +
                      "' follows another");
  }
  prepare_singles();
  for (const Memory& memory : memory_) memory.single->prepare_derivatives();
}

const double* Engine::inertia_matrix(int worker, const double* state) {
  const Memory& memory = memory_[static_cast<std::size_t>(worker)];
  double* const H = memory.matrix.get();
  if (constants_) {
    kernels_.inertia_matrix(constants_->robot(), state, memory.workspace.get(), memory.bodies.get(),
                            H);
  } else {
    memory.single->inertia_matrix(state, H);
  }
  return H;
}

const double* Engine::inverse_inertia(int worker, const double* state) {
  const Memory& memory = memory_[static_cast<std::size_t>(worker)];
  double* const H_inverse = memory.inverse.get();
  if (constants_) {
    kernels_.inverse_inertia(constants_->robot(), state, memory.workspace.get(),
                             memory.bodies.get(), H_inverse);
  } else {
    memory.single->inverse_inertia(state, H_inverse);
  }
  return H_inverse;
}

const double* Engine::frame_jacobian(int worker, const FramePoint& point, const double* state) {
  const Memory& memory = memory_[static_cast<std::size_t>(worker)];
  kernels_.frame_jacobian(constants_->robot(), point, state, memory.workspace.get(),
                          memory.bodies.get(), memory.frame.get());
  return memory.frame.get();
}

const double* Engine::frame_pose(int worker, const FramePoint& point, const double* state) {
  const Memory& memory = memory_[static_cast<std::size_t>(worker)];
  kernels_.frame_pose(constants_->robot(), point, state, memory.workspace.get(),
                      memory.frame.get());
  return memory.frame.get();
}

namespace {

Matrix3 about_z(double angle) {
  return Eigen::AngleAxisd(angle, Vector3::UnitZ()).toRotationMatrix();
}
Matrix3 about_x(double angle) {
  return Eigen::AngleAxisd(angle, Vector3::UnitX()).toRotationMatrix();
}

/// Cosine or sine, with what differs from 0 or ±1 by rounding made exactly that.
double exact(double value) {
  constexpr double kRounding = 4.0 * std::numeric_limits<double>::epsilon();
  const double nearest = std::round(value);
  return std::abs(value - nearest) <= kRounding ? nearest : value;
}

Rotation rotation(double angle) {
  const double c = exact(std::cos(angle)), s = exact(std::sin(angle));
  return {c, s, s * s, c * s, 2.0 * s * s, 2.0 * c * s, c * c};
}

/// Q = R_z(before) R_x(twist) R_z(after).
struct EulerAngles {
  double before, twist, after;

  explicit EulerAngles(const Matrix3& Q)
      : before(std::atan2(Q(0, 2), -Q(1, 2))),
        twist(std::atan2(std::hypot(Q(0, 2), Q(1, 2)), Q(2, 2))) {
    // where the twist is 0 or π, `before` is arbitrary: what is left belongs to `after`
    const Matrix3 rest = about_x(-twist) * about_z(-before) * Q;
    after = std::atan2(rest(1, 0), rest(0, 0));
  }
};

class Placer {
 public:
  explicit Placer(const Model& model)
      : model_(model), placements_(static_cast<std::size_t>(model.body_count())) {
    // children have higher numbers: every slide is known before that of the lower link
    for (int body = model.joint_count(); body >= 0; --body) {
      const LinkList children = model.topology().children(body);
      if (!children.empty()) place(body, children.front());
    }
  }

  const std::vector<Placement>& all() const { return placements_; }
  const Placement& operator[](int body) const {
    return placements_[static_cast<std::size_t>(body)];
  }

  /// Origin of a link's frame in that of its lower link, at q = 0.
  Vector3 offset(int link) const {
    const int lower = model_.topology().connection(link);
    const Joint& joint = model_.joint(link);
    Vector3 origin = joint.origin + (*this)[link].slide * joint.rotation.col(2);
    if (lower == 0) origin -= model_.body(0).center_of_mass;
    return (*this)[lower].point(origin);
  }

 private:
  void place(int body, int child) {
    Placement& placement = placements_[static_cast<std::size_t>(body)];
    placement.angle = EulerAngles(model_.joint(child).rotation).before;
    placement.slide = offset(child).z();
  }

  const Model& model_;
  std::vector<Placement> placements_;
};

void copy_body(const Body& body, const Vector3& center, const Matrix3& axes, Link& link) {
  const Matrix3 I =
      axes.transpose() * body.inertia_L * axes +
      body.mass * (center.squaredNorm() * Matrix3::Identity() - center * center.transpose());
  const double inertia[] = {I(0, 0), I(0, 1), I(0, 2), I(1, 1), I(1, 2), I(2, 2)};
  std::copy(std::begin(inertia), std::end(inertia), link.I);
  const double gyration[] = {I(2, 2) - I(1, 1), I(0, 0) - I(2, 2), I(1, 1) - I(0, 0)};
  std::copy(std::begin(gyration), std::end(gyration), link.gyration);
  link.mass = body.mass;
  for (int j = 0; j < 3; ++j) link.h[j] = body.mass * center(j);
}

void copy_joint(const Model& model, const Placer& placer, int body, Link& link) {
  const Joint& joint = model.joint(body);
  const int lower = model.topology().connection(body);
  const bool first = model.topology().children(lower).front() == body;
  const EulerAngles angles(joint.rotation);
  const double turn = first ? 0.0 : angles.before - placer[lower].angle;
  Vector3 r = placer.offset(body);
  if (first) r.z() = 0.0;
  std::copy_n(r.data(), 3, link.r);
  link.twist = rotation(angles.twist);
  link.kind = Twist::any;
  if (link.twist.c == 1.0 && link.twist.s == 0.0) link.kind = Twist::none;
  if (link.twist.c == 0.0 && link.twist.s == 1.0) link.kind = Twist::right_angle;
  link.turn = rotation(turn);
  link.turned = !first;
  const double angle = angles.after + placer[body].angle;
  link.cos_angle = std::cos(angle);
  link.sin_angle = std::sin(angle);
  link.prismatic = joint.type == JointType::prismatic;
  link.screw = joint.type == JointType::screw;
  if (link.screw) {
    link.slide = joint.slide;
    const Vector3 way = joint.slide * (about_z(turn) * about_x(angles.twist)).col(2);
    std::copy_n(way.data(), 3, link.way);
  }
  link.stiffness = joint.stiffness;
  link.damping = joint.damping;
  link.rest_position = joint.rest_position;
  link.joint = body - 1;
}

}  // namespace

Vector3 Placement::point(const Vector3& in_link) const {
  return about_z(-angle) * in_link - slide * Vector3::UnitZ();
}

FramePoint RobotConstants::point(const Frame& frame, BatchJacobian kind) const {
  const auto i = static_cast<std::size_t>(frame.body);
  const Placement& placement = placements_[i];
  FramePoint point{entry_[i], {}, {}, kind == BatchJacobian::generalized && !fixed_base_};
  Eigen::Map<Vector3>(point.position) =
      placement.point(frame.body == 0 ? frame.position - base_center_ : frame.position);
  Eigen::Map<Matrix3>(point.rotation) = about_z(-placement.angle) * frame.rotation;
  return point;
}

RobotConstants::RobotConstants(const Model& model)
    : base_center_(model.body(0).center_of_mass), fixed_base_(model.has_fixed_base()) {
  const Placer placer(model);
  placements_ = placer.all();
  const std::vector<int> order = depth_first_order(model.topology());
  entry_.resize(order.size());
  for (const int body : order) {
    const int here = static_cast<int>(links_.size());
    entry_[static_cast<std::size_t>(body)] = here;
    Link& link = links_.emplace_back();
    const Vector3 center = body == 0 ? Vector3(Vector3::Zero()) : model.body(body).center_of_mass;
    copy_body(model.body(body), placer[body].point(center), about_z(placer[body].angle), link);
    link.branches = model.topology().children(body).size() > 1;
    if (link.branches) link.branch = branches_++;
    if (body == 0) {
      link.turn = rotation(placer[0].angle);
      link.r[2] = placer[0].slide;
      continue;
    }
    copy_joint(model, placer, body, link);
    link.lower = entry_[static_cast<std::size_t>(model.topology().connection(body))];
    link.follows = link.lower == here - 1;
    link.plain = !link.prismatic && !link.screw && !link.turned && !link.branches && link.follows;
    const LinkList siblings = model.topology().children(model.topology().connection(body));
    link.first_sum = !link.follows && siblings.back() == body;
  }
  for (std::size_t i = links_.size(); i-- > 0;) {
    links_[i].carried_mass += links_[i].mass;
    if (i > 0)
      links_[static_cast<std::size_t>(links_[i].lower)].carried_mass += links_[i].carried_mass;
  }
}

}  // namespace spacedyn::batch
