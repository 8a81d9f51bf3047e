#include "spacedyn/sensing/target_filter.hpp"

#include <algorithm>
#include <cmath>

#include "math/decompositions.hpp"
#include "sensing/estimation.hpp"
#include "spacedyn/math/rotations.hpp"
#include "spacedyn/math/so3.hpp"

namespace spacedyn {
namespace {

using Covariance = decltype(TargetEstimate::covariance);
using PoseRows = Eigen::Matrix<double, 6, TargetEstimate::kErrors>;
using Ratios = Eigen::Matrix<double, 5, 1>;

/// Where errors of a kind begin.
enum Part : Eigen::Index { kPlace = 0, kVelocity = 3, kTurn = 6, kRate = 9, kInertia = 12 };

/// Largest turn in a step of the prediction, whose error is of the fifth order in it, rad.
constexpr double kStepTurn = 0.02;
/// Least eigenvalue of an inertia over its trace that an update may lead to.
constexpr double kLeastMoment = 1e-3;

/// Element of an inertia over its trace, per ratio: zz is what the others leave.
Matrix3 inertia_change(const Ratios& ratios) {
  Matrix3 change;
  change << ratios(0), ratios(2), ratios(3),  //
      ratios(2), ratios(1), ratios(4),        //
      ratios(3), ratios(4), -ratios(0) - ratios(1);
  return change;
}

/// [r, v, A, ω, inertia, covariance], as a memory keeps it.
void store_estimate(const TargetEstimate& estimate, VectorRef memory) {
  memory.segment<3>(0) = estimate.r;
  memory.segment<3>(3) = estimate.v;
  memory.segment<9>(6) = estimate.A.reshaped();
  memory.segment<3>(15) = estimate.omega;
  memory.segment<9>(18) = estimate.inertia.reshaped();
  memory.tail<Covariance::SizeAtCompileTime>() = estimate.covariance.reshaped();
}

TargetEstimate stored_estimate(ConstVectorRef memory) {
  TargetEstimate estimate;
  estimate.r = memory.segment<3>(0);
  estimate.v = memory.segment<3>(3);
  estimate.A.reshaped() = memory.segment<9>(6);
  estimate.omega = memory.segment<3>(15);
  estimate.inertia.reshaped() = memory.segment<9>(18);
  estimate.covariance.reshaped() = memory.tail<Covariance::SizeAtCompileTime>();
  return estimate;
}

/// A free rigid body over one step; @p middle, out: its rate there.
void tumble_once(const Vector3& gravity, double h, TargetEstimate& estimate, Vector3& middle) {
  const Matrix3& I = estimate.inertia;
  const Matrix3 inverse = I.inverse();
  const auto rate = [&](const Vector3& omega) -> Vector3 {
    return -inverse * omega.cross(I * omega);
  };
  const Vector3 first = estimate.omega, k1 = rate(first), k2 = rate(first + 0.5 * h * k1),
                k3 = rate(first + 0.5 * h * k2), k4 = rate(first + h * k3);
  const Vector3 last = first + h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
  middle = 0.5 * (first + last) + h / 8.0 * (k1 - rate(last));
  const Vector3 turn = h / 6.0 * (first + 4.0 * middle + last) + h * h / 12.0 * first.cross(last);
  estimate.A = estimate.A * exp_so3(turn);
  estimate.omega = last;
  estimate.r += h * estimate.v + 0.5 * h * h * gravity;
  estimate.v += h * gravity;
}

int step_count(double duration, const Vector3& omega) {
  return 1 + static_cast<int>(std::min(duration * omega.norm() / kStepTurn, 1e6));
}

/// d(errors)/dt per error, at a rate.
Covariance error_rates(const Matrix3& I, const Vector3& omega) {
  const Matrix3 inverse = I.inverse();
  const Vector3 momentum = I * omega, omegad = -inverse * omega.cross(momentum);
  Covariance F = Covariance::Zero();
  F.block<3, 3>(kPlace, kVelocity).setIdentity();
  F.block<3, 3>(kTurn, kTurn) = -tilde(omega);
  F.block<3, 3>(kTurn, kRate).setIdentity();
  F.block<3, 3>(kRate, kRate) = inverse * (tilde(momentum) - tilde(omega) * I);
  for (int k = 0; k < Ratios::SizeAtCompileTime; ++k) {
    const Matrix3 change = inertia_change(Ratios::Unit(k));
    F.block<3, 1>(kRate, kInertia + k) = -inverse * (change * omegad + omega.cross(change * omega));
  }
  return F;
}

/// Covariance of the second-order part of ω̇, ½ tr(H_i P H_j P) with the second derivatives H_i of
/// its components: that of errors which are normal. No more than what is of first order, beyond
/// which neither says much. @param F  error_rates() there
Matrix3 bend(const Matrix3& I, const Vector3& omega, const Covariance& F, const Covariance& P) {
  constexpr int kCount = 8;  // of rate and inertia
  // I ω̇ = −ω × I ω, twice: along u and v, C I changes, w ω
  Matrix3 C[kCount];
  Vector3 w[kCount];
  for (int k = 0; k < kCount; ++k) {
    w[k] = k < 3 ? Vector3(Vector3::Unit(k)) : Vector3(Vector3::Zero());
    C[k] = k < 3 ? Matrix3(Matrix3::Zero()) : inertia_change(Ratios::Unit(k - 3));
  }
  const Matrix3 inverse = I.inverse();
  const auto first = F.block<3, kCount>(kRate, kRate);
  Eigen::Matrix<double, kCount, kCount> H[3];
  for (int u = 0; u < kCount; ++u) {
    for (int v = 0; v <= u; ++v) {
      const Vector3 second =
          -inverse *
          (C[u] * first.col(v) + C[v] * first.col(u) + w[u].cross(C[v] * omega + I * w[v]) +
           w[v].cross(C[u] * omega + I * w[u]) + omega.cross(C[u] * w[v] + C[v] * w[u]));
      for (int i = 0; i < 3; ++i) H[i](u, v) = H[i](v, u) = second(i);
    }
  }
  for (auto& of_component : H) of_component *= P.block<kCount, kCount>(kRate, kRate);
  Matrix3 result;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) result(i, j) = 0.5 * H[i].cwiseProduct(H[j].transpose()).sum();
  }
  const double most = first.cwiseProduct(first * P.block<kCount, kCount>(kRate, kRate)).sum();
  if (result.trace() > most) result *= most / result.trace();
  return result;
}

/// White noise of accelerations over one step.
void add_walk(double density, double h, Eigen::Index place, Eigen::Index rate, Covariance& P) {
  const double q = density * density;
  for (int i = 0; i < 3; ++i) {
    P(place + i, place + i) += q * h * h * h / 3.0;
    P(place + i, rate + i) += q * h * h / 2.0;
    P(rate + i, place + i) += q * h * h / 2.0;
    P(rate + i, rate + i) += q * h;
  }
}

void predict(const TargetFilter& filter, const Vector3& gravity, double duration,
             TargetEstimate& estimate) {
  const int steps = step_count(duration, estimate.omega);
  const double h = duration / steps;
  Covariance& P = estimate.covariance;
  for (int i = 0; i < steps; ++i) {
    Vector3 middle;
    tumble_once(gravity, h, estimate, middle);
    const Covariance rates = error_rates(estimate.inertia, middle), F = h * rates;
    // An error of the inertia lasts, and with it its part of second order, until the body has
    // turned by about a radian: a white noise of as much.
    const double turn = middle.squaredNorm() + P.block<3, 3>(kRate, kRate).trace();
    const Matrix3 unforeseen = bend(estimate.inertia, middle, rates, P);
    // exp(F), to the order of the steps
    Covariance transition = Covariance::Identity() + F / 4.0;
    for (const double order : {3.0, 2.0, 1.0}) {
      transition = (Covariance::Identity() + F / order * transition).eval();
    }
    P = (transition * P * transition.transpose()).eval();
    if (turn > 0.0) P.block<3, 3>(kRate, kRate) += h / std::sqrt(turn) * unforeseen;
    add_walk(filter.acceleration_noise, h, kPlace, kVelocity, P);
    add_walk(filter.angular_acceleration_noise, h, kTurn, kRate, P);
  }
}

/// Deviations of the components of a pose.
Vector6 pose_noise(const Sensor& sensor, const Sensor& camera) {
  if (sensor.filter.noise.size() > 0) return sensor.filter.noise;
  const SensorErrors& errors = camera.errors;
  Vector6 variance = Vector6::Zero();
  if (errors.noise.size() > 0) variance += errors.noise.cwiseAbs2();
  if (errors.noise_density.size() > 0) {
    variance += errors.noise_density.cwiseAbs2() / camera.sample_period;
  }
  return variance.cwiseSqrt();
}

/// A pose that a camera has read, inertial, and the covariance of its place and its turn.
struct SeenPose {
  SeenPose(const Sensor& sensor, const SensorContext& context) {
    const Matrix3 axes = frame_orientation(context.motion.frames, sensor.at);
    const VectorX& read = *context.pose;
    place = frame_position(context.motion.frames, sensor.at) + axes * read.head<3>();
    A = axes * matrix_from_quaternion(Quaternion(read(3), read(4), read(5), read(6)));
    const Vector6 variance = pose_noise(sensor, *context.camera).cwiseAbs2();
    covariance.setZero();
    covariance.topLeftCorner<3, 3>() = axes * variance.head<3>().asDiagonal() * axes.transpose();
    covariance.bottomRightCorner<3, 3>() = variance.tail<3>().asDiagonal();
  }

  Vector3 place;
  Matrix3 A;
  Matrix6 covariance;
};

TargetEstimate first_estimate(const TargetFilter& filter, const SeenPose& seen,
                              const Vector3& rho) {
  TargetEstimate estimate;
  estimate.A = seen.A;
  estimate.r = seen.place - seen.A * rho;
  estimate.inertia = filter.inertia / filter.inertia.trace();
  // r = place − A ρ: the error of A moves the centroid
  Matrix6 from = Matrix6::Identity();
  from.topRightCorner<3, 3>() = seen.A * tilde(rho);
  const Matrix6 pose = from * seen.covariance * from.transpose();
  Covariance& P = estimate.covariance;
  P.block<3, 3>(kPlace, kPlace) = pose.topLeftCorner<3, 3>();
  P.block<3, 3>(kPlace, kTurn) = pose.topRightCorner<3, 3>();
  P.block<3, 3>(kTurn, kPlace) = pose.bottomLeftCorner<3, 3>();
  P.block<3, 3>(kTurn, kTurn) = pose.bottomRightCorner<3, 3>();
  const auto square = [](double deviation) { return deviation * deviation; };
  P.diagonal().segment<3>(kVelocity).setConstant(square(filter.velocity_deviation));
  P.diagonal().segment<3>(kRate).setConstant(square(filter.rate_deviation));
  P.diagonal().segment<5>(kInertia).setConstant(square(filter.inertia_deviation));
  return estimate;
}

bool is_inertia(const Matrix3& I) { return principal_axes(I).moments(0) > kLeastMoment; }

/// The estimate moves by errors that an update has found; the inertia stays one.
void correct(const Eigen::Matrix<double, TargetEstimate::kErrors, 1>& errors,
             TargetEstimate& estimate) {
  estimate.r += errors.segment<3>(kPlace);
  estimate.v += errors.segment<3>(kVelocity);
  estimate.A = estimate.A * exp_so3(errors.segment<3>(kTurn));
  estimate.omega += errors.segment<3>(kRate);
  const Matrix3 change = inertia_change(errors.segment<5>(kInertia));
  double part = 1.0;
  while (part > 1e-6 && !is_inertia(estimate.inertia + part * change)) part *= 0.5;
  if (part > 1e-6) estimate.inertia += part * change;
}

void update(const SeenPose& seen, const Vector3& rho, TargetEstimate& estimate) {
  PoseRows H = PoseRows::Zero();
  H.block<3, 3>(0, kPlace).setIdentity();
  H.block<3, 3>(0, kTurn) = -estimate.A * tilde(rho);
  H.block<3, 3>(3, kTurn).setIdentity();
  Vector6 residual;
  residual << seen.place - estimate.r - estimate.A * rho, log_so3(estimate.A.transpose() * seen.A);
  Covariance& P = estimate.covariance;
  const PoseRows HP = H * P;
  const Matrix6 S = HP * H.transpose() + seen.covariance;
  const PoseRows gain = S.ldlt().solve(HP);
  correct(gain.transpose() * residual, estimate);
  const Covariance left = Covariance::Identity() - gain.transpose() * H;
  P = (left * P * left.transpose() + gain.transpose() * seen.covariance * gain).eval();
}

}  // namespace

Eigen::Index filter_memory_size() { return 27 + Covariance::SizeAtCompileTime; }

Vector3 place_on_target(const Model& model, const Frame& target) {
  return target.rotation.transpose() * (target.position - model.body(target.body).center_of_mass);
}

void tumble(const Vector3& gravity, double duration, TargetEstimate& estimate) {
  const int steps = step_count(duration, estimate.omega);
  Vector3 middle;
  for (int i = 0; i < steps; ++i) tumble_once(gravity, duration / steps, estimate, middle);
}

void filter_sample(const Sensor& sensor, const SensorContext& context, long index,
                   VectorRef memory) {
  const SeenPose seen(sensor, context);
  const Vector3 rho = place_on_target(context.motion.model, sensor.target);
  TargetEstimate estimate;
  if (index == 0) {
    estimate = first_estimate(sensor.filter, seen, rho);
  } else {
    estimate = stored_estimate(memory);
    predict(sensor.filter, context.gravity, sensor.sample_period, estimate);
    update(seen, rho, estimate);
  }
  store_estimate(estimate, memory);
}

void read_estimate(const Sensor& sensor, const SensorContext& context, ConstVectorRef memory,
                   VectorRef reading) {
  const TargetEstimate estimate = stored_estimate(memory);
  const Vector3 rho = place_on_target(context.motion.model, sensor.target);
  const Quaternion turn = quaternion_from_matrix(estimate.A);
  const Matrix3& I = estimate.inertia;
  reading << estimate.r + estimate.A * rho, turn.w(), turn.x(), turn.y(), turn.z(),
      estimate.v + estimate.A * estimate.omega.cross(rho), estimate.A * estimate.omega, I(0, 0),
      I(1, 1), I(2, 2), I(1, 2), I(0, 2), I(0, 1);
}

TargetEstimate estimate_of(ConstVectorRef reading, const Vector3& rho) {
  TargetEstimate estimate;
  estimate.A = matrix_from_quaternion(Quaternion(reading(3), reading(4), reading(5), reading(6)));
  estimate.omega = estimate.A.transpose() * reading.segment<3>(10);
  estimate.r = reading.head<3>() - estimate.A * rho;
  estimate.v = reading.segment<3>(7) - estimate.A * estimate.omega.cross(rho);
  const auto I = reading.tail<6>();
  estimate.inertia << I(0), I(5), I(4), I(5), I(1), I(3), I(4), I(3), I(2);
  return estimate;
}

TargetEstimate target_estimate(const SensorMemory& memory) {
  return stored_estimate(memory.estimate);
}

}  // namespace spacedyn
