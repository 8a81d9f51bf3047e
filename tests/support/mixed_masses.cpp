#include "support/mixed_masses.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>

#include "math/precise.hpp"
#include "spacedyn/model/model_builder.hpp"

namespace spacedyn::testing {
namespace {

using PreciseX = Eigen::Matrix<Precise, Eigen::Dynamic, 1>;
using PreciseXX = Eigen::Matrix<Precise, Eigen::Dynamic, Eigen::Dynamic>;

PreciseVector cross(const PreciseVector& a, const PreciseVector& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
PreciseMatrix precise_matrix(const Matrix3& A) {
  return A.unaryExpr([](double x) { return Precise(x); });
}

/// A body of a robot with revolute joints: its motion at u̇ = 0 and what each coordinate adds.
struct PreciseBody {
  PreciseMatrix A;
  PreciseVector o, r, omega, omegad, v, vd;  ///< v, vd of the frame origin, then of the centroid
  PreciseXX J_v, J_w;
};

/// Σ of the projected inertias and forces, from (8)–(11) and (21)–(23): no recursion, no factors.
struct PreciseSystem {
  PreciseXX H;
  PreciseX bias;
};

PreciseBody place_base(const Model& model, const State& state) {
  PreciseBody base;
  base.A = precise_matrix(state.A_0);
  base.r = PreciseVector::Zero();
  base.o = -(base.A * precise(model.body(0).center_of_mass));
  base.omega = precise(state.omega_0);
  base.omegad = PreciseVector::Zero();
  base.v = cross(base.omega, base.o);
  base.vd = cross(base.omega, base.v);
  base.J_v = base.J_w = PreciseXX::Zero(3, model.velocity_size());
  for (int i = 0; i < 3; ++i) base.J_v(i, i) = base.J_w(i, 3 + i) = Precise(1);
  return base;
}

PreciseBody place_link(const Model& model, const State& state, int link, const PreciseBody& lower) {
  const Joint& joint = model.joint(link);
  const Precise q(state.q(link - 1)), qd(state.qd(link - 1));
  PreciseMatrix turn;
  turn << cos(q), -sin(q), Precise(0), sin(q), cos(q), Precise(0), Precise(0), Precise(0),
      Precise(1);
  PreciseBody body = lower;
  body.A = lower.A * precise_matrix(joint.rotation) * turn;
  const PreciseVector k = body.A.col(2), l = lower.A * precise(joint.origin);
  body.o = lower.o + l;
  body.v = lower.v + cross(lower.omega, l);
  body.vd = lower.vd + cross(lower.omegad, l) + cross(lower.omega, cross(lower.omega, l));
  body.omega = lower.omega + k * qd;
  body.omegad = lower.omegad + cross(lower.omega, k) * qd;
  body.r = body.o + body.A * precise(model.body(link).center_of_mass);
  for (int j = 3; j < 6 + link - 1; ++j) {
    const PreciseVector axis = lower.J_w.col(j);
    body.J_v.col(j) = lower.J_v.col(j) + cross(axis, PreciseVector(body.r - lower.r));
  }
  body.J_w.col(5 + link) = k;
  body.J_v.col(5 + link) = cross(k, PreciseVector(body.r - body.o));
  return body;
}

PreciseSystem precise_system(const Model& model, const State& state) {
  const int size = model.velocity_size();
  PreciseSystem system{PreciseXX::Zero(size, size), PreciseX::Zero(size)};
  std::vector<PreciseBody> bodies;
  for (int i = 0; i < model.body_count(); ++i) {
    bodies.push_back(
        i == 0 ? place_base(model, state)
               : place_link(model, state, i,
                            bodies[static_cast<std::size_t>(model.topology().connection(i))]));
    const PreciseBody& body = bodies.back();
    const PreciseMatrix I = body.A * precise_matrix(model.body(i).inertia_L) * body.A.transpose();
    const PreciseVector c = body.r - body.o;
    const PreciseVector vd =
        body.vd + cross(body.omegad, c) + cross(body.omega, cross(body.omega, c));
    const Precise mass(model.body(i).mass);
    system.H += body.J_v.transpose() * body.J_v * mass + body.J_w.transpose() * I * body.J_w;
    system.bias +=
        body.J_v.transpose() * vd * mass +
        body.J_w.transpose() * (I * body.omegad + cross(body.omega, PreciseVector(I * body.omega)));
  }
  return system;
}

/// A chain of revolute joints whose masses are spread over @p decades below and above 1 kg.
Model mixed_chain(RandomModels& random, int links, double decades) {
  ModelDescription description = random.description(TreeShape{links, 1, 0.0, true});
  const auto scale = [&](BodyDescription& body) {
    const double factor = std::pow(10.0, random.number(-decades, decades));
    body.mass *= factor;
    body.inertia *= factor;
  };
  scale(description.base);
  for (LinkDescription& link : description.links) scale(link);
  return ModelBuilder(description).build();
}

VectorX nearest(const PreciseX& a) {
  return a.unaryExpr([](const Precise& x) { return x.convert_to<double>(); });
}
PreciseX to_precise(const VectorX& a) {
  return a.unaryExpr([](double x) { return Precise(x); });
}

double largest_eigenvalue(const PreciseXX& A) {
  const MatrixX rounded = A.unaryExpr([](const Precise& x) { return x.convert_to<double>(); });
  return Eigen::SelfAdjointEigenSolver<MatrixX>(rounded, Eigen::EigenvaluesOnly)
      .eigenvalues()
      .maxCoeff();
}

/// Condition of H with its diagonal scaled to ones, which is what a factorization feels.
double scaled_condition(const PreciseXX& H) {
  PreciseX d = H.diagonal();
  for (Eigen::Index i = 0; i < d.size(); ++i) d[i] = Precise(1) / sqrt(d[i]);
  const PreciseXX scaled = d.asDiagonal() * H * d.asDiagonal();
  const PreciseXX inverse = scaled.llt().solve(PreciseXX::Identity(d.size(), d.size()));
  return largest_eigenvalue(scaled) * largest_eigenvalue(inverse);
}

}  // namespace

MixedCase::MixedCase(unsigned seed, double decades)
    : random(seed),
      model(mixed_chain(random, 5, decades)),
      state(random.state(model)),
      loads(model) {
  const PreciseSystem system = precise_system(model, state);
  const PreciseX wanted = to_precise(random.vector(model.velocity_size()));
  const VectorX forces = nearest(system.H * wanted + system.bias);
  loads.F_b = forces.head<6>();
  loads.tau = forces.tail(model.joint_count());
  acceleration = nearest(system.H.llt().solve(PreciseX(to_precise(forces) - system.bias)));
  condition = scaled_condition(system.H);
}

double MixedCase::relative_error(const VectorX& computed) const {
  return (acceleration - computed).cwiseAbs().maxCoeff() /
         std::max(1.0, acceleration.cwiseAbs().maxCoeff());
}

}  // namespace spacedyn::testing
