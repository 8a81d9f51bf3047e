/// @file
/// A robot as the batch kernels see it: plain numbers, in the order in which bodies are visited.
#pragma once

namespace spacedyn::batch {

/// States side by side in memory, whatever the width of the registers: rows of this many doubles.
constexpr int kTile = 8;

/// A constant rotation about one axis, with the products that act on inertias.
struct Rotation {
  double c, s, ss, cs, two_ss, two_cs, cc;
};

/// Most robots have joint axes that are parallel or perpendicular to the next: then a rotation
/// about x takes no multiplication.
enum class Twist { none, right_angle, any };

/// What is constant about one link and its joint, in frames chosen for the kernels.
///
/// The z axis of a link frame is the joint axis. Turning the frame about it by a constant, and for
/// a revolute joint sliding it along, changes the joint angle by a constant only: so frames are
/// placed such that the first link that a link carries is reached by a rotation about x alone, with
/// an offset that has no z component. Other links need `turn` as well.
struct Link {
  Rotation twist;               ///< about x, from the lower link's frame
  Rotation turn;                ///< about z before it; none unless `turned`
  double r[3];                  ///< origin in the lower link's frame, at zero displacement
  double cos_angle, sin_angle;  ///< of the joint at q = 0; of a prismatic joint always
  double slide, way[3];         ///< of a screw per unit of q, way in the lower link's frame; else 0
  double mass, h[3];            ///< m and m c, link frame
  double carried_mass;          ///< m and that of all links it carries
  double I[6];                  ///< about the frame origin: xx, xy, xz, yy, yz, zz
  double gyration[3];           ///< I_zz − I_yy, I_xx − I_zz, I_yy − I_xx
  double stiffness, damping, rest_position;  ///< the joint's own spring and damper
  int lower;                                 ///< entry of the lower body
  int joint;                                 ///< row of the joint in joint vectors
  int branch;     ///< of a body that carries more than the link that follows it: its number
  bool branches;  ///< whether it does
  Twist kind;     ///< of `twist`
  bool prismatic;
  bool screw;
  bool turned;     ///< needs `turn` and has an r with z component
  bool follows;    ///< the entry before is the lower body
  bool plain;      ///< revolute, follows, neither turned nor branching
  bool first_sum;  ///< does not follow, and no later entry is carried by the same body
};

/// Entry 0 is the base: `turn` takes its axes to its frame, whose origin is r from the centroid, on
/// the z axis. Every other entry comes after its lower body, depth first.
struct Robot {
  int links;     ///< n; entries 0…n
  int branches;  ///< bodies that branch
  bool fixed_base;
  const Link* link;
};

/// A frame fixed to a body, in the frame of its entry, and which Jacobian of it is wanted.
struct FramePoint {
  int entry;
  double position[3], rotation[9];  ///< axes as columns
  bool generalized;
};

/// @name Rows of one tile
/// @{
/// State: r_0 (3), A_0 column by column (9), θ (3), A_ref (9), v_0 (3), ω_0 (3), q (n), q̇ (n), with
/// A_0 = Exp(θ) A_ref. Behind them a chart of each spherical joint, θ (3) and A_ref (9), whose
/// rotation is the transpose of Exp(−θ) A_ref.
struct StateRows {
  static constexpr int r_0 = 0, A_0 = 3, theta = 12, A_ref = 15, v_0 = 24, omega_0 = 27, q = 30;
  static constexpr int kChart = 12;
  static constexpr int count(int joints) { return 30 + 2 * joints; }
};
/// Per entry, in the workspace of one block of lanes; K and w take the place of n and f.
struct WorkRows {
  static constexpr int cosine = 0, sine = 1;  ///< of the joint angle
  static constexpr int bias = 2;              ///< ω × (ω × r) of the lower link, its axes
  static constexpr int drift = 5;             ///< what q̇ adds to the accelerations, link axes
  static constexpr int n = 8, f = 11;         ///< gyroscopic wrench
  static constexpr int K = 8, w = 13;         ///< q̈ = w − K·(α, a) − …
  static constexpr int count = 14;
};
/// Behind them, per body that branches: what its links have handed down, later its accelerations.
struct BranchRows {
  static constexpr int omega = 0, sum = 3, motion = 3, count = 30;
};
/// @}

}  // namespace spacedyn::batch
