/// @file
/// How a forward-dynamics evaluation ended.
#pragma once

namespace spacedyn {

enum class [[nodiscard]] DynamicsStatus{
    ok,
    inertia_not_positive_definite  ///< H of the free coordinates could not be factorized
};

}  // namespace spacedyn
