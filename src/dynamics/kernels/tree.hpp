/// @file
/// A robot as kernels see it: plain numbers, contiguous, in the order in which bodies are visited.
#pragma once

namespace spacedyn {

/// What is constant about one body and its joint: 256 bytes, four cache lines.
///
/// The fixed rotation and offset of the joint are folded into C and l. The type of the joint is
/// data: its angle is turn · q and its offset slide · q, so that no kernel branches on it.
struct LinkConstants {
  double C[9];          ///< link frame at q = 0 in the axes of the lower link, column after column
  double l[3];          ///< joint from the frame origin of the lower link, its axes, m
  double c[3];          ///< centroid from the frame origin, link axes, m
  double I[6];          ///< about the centroid, link axes: xx, xy, xz, yy, yz, zz, kg m²
  double mass;          ///< kg
  double turn;          ///< about the axis per unit of q: 1, of a prismatic joint 0
  double slide;         ///< along the axis per unit of q: 0, prismatic 1, of a screw between, m
  double carried_mass;  ///< of the body and all that it carries, kg
  double stiffness, damping, rest_position;  ///< the joint's own spring and damper
  double armature;                           ///< of the joint, beyond the inertia of bodies
  double inverse_bound;  ///< 1 / a bound of the inertia that the joint moves in any pose
  double unused[2];
};
static_assert(sizeof(LinkConstants) == 256, "four cache lines");

/// Where LinkBlock has the numbers of LinkConstants: by their position in it.
enum LinkRow {
  kRowC = 0,
  kRowL = 9,
  kRowCentroid = 12,
  kRowI = 15,
  kRowMass = 21,
  kRowTurn = 22,
  kRowSlide = 23,
  kRowCarriedMass = 24,
  kLinkRows = 25
};

/// Bodies in one block of rows, whatever the instruction set.
constexpr int kBlock = 8;

/// The same numbers of eight bodies, one body per lane; zero beyond the last body.
struct LinkBlock {
  double rows[kLinkRows][kBlock];
};

/// How an entry meets others in a sweep from the last entry to the base: along a run, what bodies
/// hand on stays in registers.
struct Visit {
  int hands_on;  ///< 1 if the lower body is visited next, else 0
  int opens;     ///< 1 if this is the first that its lower body, visited later, collects, else 0
  int collects;  ///< 1 if an upper body was visited earlier than just before, else 0
};

/// A branch that slides on the base is computed about an origin of its own, where the slides have
/// taken it, and which moves along: all that the slides carry keeps its digits however far it is.
struct Opening {
  int entry;     ///< first of the slides, which are entries in a row
  int slides;    ///< number of these
  int freedoms;  ///< 6 if three turns of bodies without mass follow: a free joint; else 0
};

/// The bodies of a robot, a body directly after its lower one wherever it is the first child:
/// entry 0 is the base, every other entry comes after that of its lower body.
struct Tree {
  int bodies;        ///< n + 1
  const int* lower;  ///< entry of the lower body; of the base: 0
  const int* body;   ///< number of the body in the Model; its joint is body − 1
  const int* run;    ///< first of the entries up to this one that form a chain, numbered in a row
  const LinkConstants* links;  ///< aligned to 64 bytes
  const LinkBlock* blocks;     ///< aligned to 64 bytes
  int block_count;
  const Visit* visits;   ///< of all entries
  const int* spherical;  ///< first of three entries in a row, of each spherical joint
  int spherical_count;   ///< number of these
  const int* origin;     ///< 0: the base centroid; else 1 + index of an opening, per entry
  const int* opens;      ///< number of slides if an opening begins at an entry, else 0
  const Opening* openings;
  int opening_count;
  double inverse_base_bound[2];  ///< the same of turning and of moving the base
};

/// Coordinates as a factorization of H sees them: 6 + n, those of the base a chain.
struct CoordinateTree {
  const int* free;  ///< ascending
  int free_count;
  const int* lower;  ///< of each coordinate, the next free one towards the base, or −1
  const int* first;  ///< of each coordinate, the last of those numbered in a row towards the base
};

}  // namespace spacedyn
