/// @file
/// The ten inertial parameters of each body, and whether matter can have them.
#pragma once

#include <string>
#include <vector>

#include "spacedyn/export.hpp"
#include "spacedyn/model/model.hpp"

namespace spacedyn {

/// Number of inertial parameters of one rigid body.
inline constexpr int kInertialParameters = 10;

/// π of one body: mass m; first moment m c (3); I_xx, I_xy, I_xz, I_yy, I_yz, I_zz, elements of the
/// inertia tensor about the origin of the body's frame. All in the axes that the file gives the
/// body, those of Model::frame() of its name; kg, kg m, kg m².
using InertialParameters = Eigen::Matrix<double, kInertialParameters, 1>;

/// π of one body of a model. Parts of fully coupled rotors that Body::inertia_L has are included.
SPACEDYN_EXPORT InertialParameters inertial_parameters(const Body& body);

/// π of all bodies, base first, then links in index order: size 10 (1 + n). Links that only stand
/// between two coordinates of a compound joint have zeros.
SPACEDYN_EXPORT VectorX inertial_parameters(const Model& model);

/// Their names in the same order: `arm.mass`, `arm.mx`, `arm.my`, `arm.mz`, `arm.xx`, …, `arm.zz`.
SPACEDYN_EXPORT std::vector<std::string> inertial_parameter_names(const Model& model);

/// P = [Σ, m c; m cᵀ, m] with Σ = ½ tr(I) E − I = ∫ x xᵀ dm: the pseudo-inertia, 4×4, which is
/// linear in π.
SPACEDYN_EXPORT Eigen::Matrix4d pseudo_inertia(const InertialParameters& parameters);

/// The contrary: π of a pseudo-inertia, of which the symmetric part counts.
SPACEDYN_EXPORT InertialParameters inertial_parameters_of(const Eigen::Matrix4d& pseudo_inertia);

/// Whether some distribution of positive mass that fills a volume has these parameters: exactly if
/// the pseudo-inertia is positive definite. It contains that the mass is positive, the inertia
/// about the centroid positive definite, and each of its principal moments less than the sum of the
/// other two. False for flat, thin and massless bodies, which are on the border, and if not finite.
SPACEDYN_EXPORT bool is_physically_consistent(const InertialParameters& parameters);

/// The parameters nearest to given ones whose pseudo-inertia has no eigenvalue below @p margin
/// times the largest: those of the projection in the Frobenius norm, lengths being measured in
/// units of
/// @p length. Parameters that satisfy this already are returned to rounding.
/// @param length  a size of the body, m, which makes masses and moments comparable
/// @param margin  between 0 and 1
/// @throws DomainError unless numbers are finite, length and margin in range, and any eigenvalue
/// positive
SPACEDYN_EXPORT InertialParameters nearest_consistent_parameters(
    const InertialParameters& parameters, double length, double margin = 1e-6);

}  // namespace spacedyn
