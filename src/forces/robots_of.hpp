/// @file
/// Which bodies fly together. Private.
#pragma once

#include <vector>

#include "spacedyn/model/model.hpp"

namespace spacedyn {

/// Which robot each body belongs to, from 0: a free joint begins a new one.
/// @param count  in: 1; out: their number
std::vector<int> robots_of(const Model& model, int& count);

}  // namespace spacedyn
