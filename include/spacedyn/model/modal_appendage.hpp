/// @file
/// Flexible appendages given by their clamped modes, as finite-element programs print them.
#pragma once

#include <string>
#include <vector>

#include "spacedyn/diagnostics.hpp"
#include "spacedyn/export.hpp"
#include "spacedyn/model/description.hpp"

namespace spacedyn {

/// One mode of a clamped appendage, its modal mass 1 kg m²: ½ η̇² + η̇ (p·v + h·ω) is what it adds to
/// the kinetic energy, v and ω being those of the root, and ½ ω_k² η² to the potential energy.
struct AppendageMode {
  double frequency = 0.0;                 ///< ω_k, rad/s
  double damping_ratio = 0.0;             ///< ζ_k
  Vector3 translation = Vector3::Zero();  ///< p, participation of translation, √kg
  Vector3 rotation = Vector3::Zero();     ///< h, of rotation about the root, √kg m
};

/// A flexible appendage: the mass properties it has when rigid, and some of its modes. Everything
/// is in the appendage's frame, whose origin is the root.
struct ModalAppendageDescription : BodyDescription {
  std::string parent;
  Pose origin;  ///< frame of the appendage in the parent's user frame
  std::vector<AppendageMode> modes;
};

/// Every problem of an appendage, each under @p path. Names are left to ModelBuilder.
///
/// What the modes take part in cannot exceed the whole: M − Σ L_k L_kᵀ must be positive
/// semidefinite, M (6×6) being the rigid mass matrix about the root and L_k = (p_k, h_k).
SPACEDYN_EXPORT std::vector<Problem> validate_modal_appendage(
    const ModalAppendageDescription& appendage, const std::string& path);

/// Adds an appendage to a robot: one link per mode, and the rest to the body that carries it.
///
/// A mode is a mass |p|² on a spring that slides along p through r = p × h/|p|², for that has the
/// coupling √|p|² (d, r × d) = (p, h); with p = 0 it is an inertia |h|² that turns about h. Links
/// `<name>_mode_<k>` on joints of the same names have the displacement η/|p| (or η/|h|), stiffness
/// |p|² ω² and damping 2 ζ |p|² ω. The parent gets the rigid mass properties less those of the
/// modes at rest, so that the whole at rest is the appendage as given; frame `<name>` is its root.
/// Each modal mass is there in all directions, so modes in several planes take more of a small
/// parent than it has: then it says carries_modes. Its composite with them is the body that was
/// given. Linear modes do not stiffen with rotation: keep the parent's rate well below the first
/// frequency. O(n).
/// @throws ModelError if the appendage has problems, DomainError for an unknown parent or if the
/// mass that remains of the parent vanishes while its moment does not
SPACEDYN_EXPORT void add_modal_appendage(ModelDescription& robot,
                                         const ModalAppendageDescription& appendage);

}  // namespace spacedyn
