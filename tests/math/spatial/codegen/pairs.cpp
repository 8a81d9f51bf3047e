// One function of the spatial layer beside the same written by hand; count_instructions.py compares
// what they compile to.

#include "bench/plain_spatial.hpp"
#include "spacedyn/math/spatial/cross.hpp"
#include "spacedyn/math/spatial/rigid_inertia.hpp"

using namespace spacedyn;

extern "C" {

void layer_motion(const PluckerTransform* X, const MotionVector* v, MotionVector* __restrict out) {
  *out = *X * *v;
}
void plain_motion(const plain::Transform* X, const plain::Vector6* v,
                  plain::Vector6* __restrict out) {
  plain::motion(*X, *v, *out);
}

void layer_force_back(const PluckerTransform* X, const ForceVector* f,
                      ForceVector* __restrict out) {
  *out = X->transpose_times(*f);
}
void plain_force_back(const plain::Transform* X, const plain::Vector6* f,
                      plain::Vector6* __restrict out) {
  plain::force_back(*X, *f, *out);
}

void layer_momentum(const RigidInertia* I, const MotionVector* v, ForceVector* __restrict out) {
  *out = *I * *v;
}
void plain_momentum(const plain::Inertia* I, const plain::Vector6* v,
                    plain::Vector6* __restrict out) {
  plain::momentum(*I, *v, *out);
}

// too long to be inlined by itself; flattened so that its instructions can be counted
__attribute__((flatten)) void layer_inertia_back(const PluckerTransform* X, const RigidInertia* I,
                                                 RigidInertia* __restrict out) {
  *out = transform_back(*X, *I);
}
__attribute__((flatten)) void plain_inertia_back(const plain::Transform* X, const plain::Inertia* I,
                                                 plain::Inertia* __restrict out) {
  plain::inertia_back(*X, *I, *out);
}
}
