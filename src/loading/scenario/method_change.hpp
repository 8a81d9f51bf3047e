/// @file
/// Another method of integration in place of that of a file.
#pragma once

#include "loading/yaml/node.hpp"
#include "loading/yaml/problem_list.hpp"

namespace spacedyn::loading {

/// A document whose method of integration overrides have changed, without those keys of its file
/// that belong to another kind of method; a note tells of each. Keys of overrides stay.
/// @param before, after  the document without and with the overrides
NodePtr leave_out_misfits(const NodePtr& before, const NodePtr& after, ProblemList& problems);

}  // namespace spacedyn::loading
