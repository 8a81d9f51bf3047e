/// @file
/// Geared joints whose transmission gives way.
#pragma once

#include "spacedyn/export.hpp"
#include "spacedyn/model/description.hpp"

namespace spacedyn {

/// The rotor of a joint as a link of its own, and the transmission to the joint.
struct ElasticDrive {
  LinkDescription rotor;
  TransmissionDescription transmission;
};

/// Takes the rotor out of a revolute joint and puts an elastic transmission between the two.
///
/// The rotor is a thin disc on the body that carries the link: link `<link>_rotor` on joint
/// `<joint>_motor` about the same axis, inertia rotor_inertia about it and half of that across it,
/// limits of the joint on the motor's side. It has all gyroscopic effects of a body. What remains
/// of the joint has neither rotor nor limits of effort and velocity: drive the motor's joint, at N
/// times the joint's position, N being the gear ratio. The inertia of the parent is not touched:
/// see take_rotor_out().
/// @param link  a link on a revolute joint; its joint is changed
/// @throws DomainError if the joint is not revolute or has no rotor_inertia: nothing would resist
/// its motion
SPACEDYN_EXPORT ElasticDrive separate_rotor(LinkDescription& link, double stiffness, double damping,
                                            double backlash = 0.0);

/// Takes the rotor of an ElasticDrive out of the body that carries it, whose inertia as given
/// includes it at rest: what both have together stays as it was.
/// @param parent  the body on which the rotor's joint sits
/// @throws DomainError if its inertia is smaller than the rotor's in some direction, unless it says
/// unphysical_inertia
SPACEDYN_EXPORT void take_rotor_out(BodyDescription& parent, const LinkDescription& rotor);

}  // namespace spacedyn
