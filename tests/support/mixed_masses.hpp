/// @file
/// Chains of links of very different mass, and their accelerations to sixty digits.
#pragma once

#include <cmath>
#include <vector>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>

#include "math/precise.hpp"
#include "spacedyn/model/model_builder.hpp"
#include "support/random_models.hpp"

namespace spacedyn::testing {

using PreciseX = Eigen::Matrix<Precise, Eigen::Dynamic, 1>;
using PreciseXX = Eigen::Matrix<Precise, Eigen::Dynamic, Eigen::Dynamic>;

inline PreciseVector cross(const PreciseVector& a, const PreciseVector& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
inline PreciseMatrix precise_matrix(const Matrix3& A) {
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

inline PreciseBody place_base(const Model& model, const State& state) {
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

inline PreciseBody place_link(const Model& model, const State& state, int link,
                              const PreciseBody& lower) {
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

inline PreciseSystem precise_system(const Model& model, const State& state) {
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
inline Model mixed_chain(RandomModels& random, int links, double decades) {
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

/// Condition of H with its diagonal scaled to ones, which is what a factorization feels.
inline double scaled_condition(const PreciseXX& H) {
  PreciseX d = H.diagonal();
  for (Eigen::Index i = 0; i < d.size(); ++i) d[i] = Precise(1) / sqrt(d[i]);
  const PreciseXX scaled = d.asDiagonal() * H * d.asDiagonal();
  const PreciseX values =
      Eigen::SelfAdjointEigenSolver<PreciseXX>(scaled, Eigen::EigenvaluesOnly).eigenvalues();
  return Precise(values[values.size() - 1] / values[0]).convert_to<double>();
}

/// A robot at a state, with loads that make accelerations of order one, so that all rows count.
struct MixedCase {
  MixedCase(unsigned seed, double decades)
      : random(seed),
        model(mixed_chain(random, 5, decades)),
        state(random.state(model)),
        system(precise_system(model, state)),
        loads(model) {
    const auto to_precise = [](double x) { return Precise(x); };
    const PreciseX wanted = random.vector(model.velocity_size()).unaryExpr(to_precise);
    const VectorX forces =
        PreciseX(system.H * wanted + system.bias).unaryExpr([](const Precise& x) {
          return x.convert_to<double>();
        });
    loads.F_b = forces.head<6>();
    loads.tau = forces.tail(model.joint_count());
    exact = system.H.llt().solve(PreciseX(forces.unaryExpr(to_precise) - system.bias));
  }

  RandomModels random;
  Model model;
  State state;
  PreciseSystem system;
  Loads loads;
  PreciseX exact;  ///< u̇
};

/// Largest error of accelerations, relative to the largest of them or 1.
inline double relative_error(const PreciseX& exact, const VectorX& acceleration) {
  double error = 0.0, scale = 1.0;
  for (Eigen::Index i = 0; i < acceleration.size(); ++i) {
    const Precise difference = exact[i] - acceleration(i);
    scale = std::max(scale, std::abs(exact[i].convert_to<double>()));
    error = std::max(error, std::abs(difference.convert_to<double>()));
  }
  return error / scale;
}

}  // namespace spacedyn::testing
