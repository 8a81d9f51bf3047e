/// @file
/// One interface for every library that takes part, so that all are asked the same.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "bench/robots.hpp"

namespace spacedyn::bench {

enum class Quantity {
  forward_dynamics,  ///< u̇ from τ
  inverse_dynamics,  ///< base wrench and τ from u̇
  inertia_matrix,    ///< H
  frame_jacobian,    ///< positions of all bodies and J of one frame
  one_frame,         ///< pose and J of one frame, nothing else
  all_jacobians,     ///< positions of all bodies and J of each
  generalized_jacobian,
  derivatives,  ///< u̇ and its derivatives with respect to configuration, velocity and forces
  rk4_steps  ///< kRk4Steps steps of the classical Runge–Kutta method, by the library's own loop
};
constexpr int kRk4Steps = 200;
constexpr double kRk4Step = 1e-3;  ///< s

/// A library with one robot. Every evaluation starts from the bare state: positions, velocities and
/// forces are handed over and whatever the quantity needs is computed again.
class Contender {
 public:
  virtual ~Contender() = default;
  virtual const char* name() const = 0;
  virtual bool offers(Quantity quantity) const = 0;
  /// The quantity at state k of the workload; kept inside for the questions below.
  virtual void evaluate(Quantity quantity, int k) = 0;

  /// @name What the last evaluation found, in this project's conventions
  /// @{
  virtual VectorX acceleration() const = 0;   ///< u̇ = [v̇_0; ω̇_0; q̈]
  virtual VectorX forces() const = 0;         ///< [F_0; N_0; τ]
  virtual double kinetic_energy() const = 0;  ///< ½ uᵀ H u
  virtual Vector6 frame_twist() const = 0;    ///< J u, linear first
  /// @}
};

/// This library and every peer that was found when building, on a workload that outlives them.
std::vector<std::unique_ptr<Contender>> make_contenders(const Workload& work);

std::unique_ptr<Contender> make_spacedyn(const Workload& work);
std::unique_ptr<Contender> make_mujoco(const Workload& work);
std::unique_ptr<Contender> make_bullet(const Workload& work);
std::unique_ptr<Contender> make_dart(const Workload& work);
std::unique_ptr<Contender> make_simbody(const Workload& work);

/// Holds every contender against this library's inertia-matrix way at all states of its workload.
/// @return one line per disagreement; empty if there is none
std::vector<std::string> disagreements(const Workload& work,
                                       std::vector<std::unique_ptr<Contender>>& contenders);

}  // namespace spacedyn::bench
