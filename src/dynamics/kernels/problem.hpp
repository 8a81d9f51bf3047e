/// @file
/// Where kernels find states and loads, and where they leave results.
#pragma once

namespace spacedyn {

/// States as the kernels see them; `Lane` is double, or a pack with one state per lane. Vectors of
/// joints have n elements in the order of the Model. Velocity and position of the base centroid do
/// not matter: the common origin is there and moves with it.
template <typename Lane>
struct KernelState {
  const Lane* A_0;      ///< 9, column after column
  const Lane* omega_0;  ///< 3
  const Lane* q;
  const Lane* qd;
};

/// Loads likewise; force and moment hold 3 numbers per body of the Model, or are null.
template <typename Lane>
struct KernelLoads {
  const Lane* gravity;  ///< 3
  const Lane* F_b;      ///< 6: force, moment
  const Lane* tau;
  const Lane* force;
  const Lane* moment;  ///< about the centroid of the body
};

/// Which coordinates follow forces: 1 or 0 per entry of the Tree, the base first.
struct KernelMobility {
  const double* free;
};

/// Where frames and velocities go, 9 or 3 doubles per body of the Model.
struct KernelLinks {
  double *A, *r, *p, *o, *k;
  double *v, *omega;
};

/// A polyhedron: for each component an array of as many numbers as there are edges (from, to,
/// length, dyad as xx, xy, xz, yy, yz, zz) or faces (three corners, normal). Both counts are
/// multiples of kPadding; what pads them is an edge without dyad and a face without area and
/// normal.
struct KernelPolyhedron {
  static constexpr int kPadding = 8;  // the widest lanes
  static constexpr int kOfEdge = 13, kOfFace = 12;
  /// U, ∇U (3), ∇∇U (6, as a dyad), Σ ω_f, with G ρ = 1.
  static constexpr int kSums = 11;

  const double *edges, *faces;
  int edge_count, face_count;
};

/// Sums over all bodies, relative to the base centroid where that is said; vectors fill three of
/// four numbers.
struct alignas(64) KernelSums {
  double r_g[4], v_g[4];       ///< of the system centroid, relative to the base centroid
  double linear[4];            ///< momentum
  double angular_base[4];      ///< about the base centroid
  double angular_centroid[4];  ///< about the system centroid
  double linear_size;          ///< Σ m |v|
  double angular_size;         ///< Σ (|I ω| + m |r − r_g| |v − v_g|)
  double relative_size;        ///< Σ m |v − v_0|
  double twice_energy;         ///< kinetic, with geared rotors
  double inertia;              ///< Σ (½ tr I + m |r − r_0|²)
};

}  // namespace spacedyn
