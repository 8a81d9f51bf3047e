/// @file
/// How a forward-dynamics evaluation ended.
#pragma once

namespace spacedyn {

enum class [[nodiscard]] DynamicsStatus{
    ok,
    /// Some motion of the free coordinates moves no mass: a pivot of H, tips eliminated first, is
    /// below 64 eps of its diagonal element. All methods of forward dynamics ask the same question.
    inertia_not_positive_definite};

}  // namespace spacedyn
