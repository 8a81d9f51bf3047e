/// @file
/// From what was read to a Model, with the builder's problems at their places in files.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "loading/model/model_reader.hpp"
#include "spacedyn/model/model.hpp"

namespace spacedyn::loading {

/// Place and full key path of a builder's key path, for instance `links.3.joint.axis`.
/// The node is the deepest one that exists.
Value locate(const ReadModel& read, const std::string& builder_path);

/// Follows keys and list positions of a dotted path as far as they exist.
Value descend(Value value, const std::string& rest);

/// Reports problems of a part that stands by itself, each under the path `part`, at their places
/// unless there are errors before them; a part that is refused leaves its names unknown.
/// @returns whether the part is without errors
bool accept_part(const std::vector<Problem>& found, const Value& value, std::size_t errors_before,
                 ProblemList& problems, ReadModel& result);

/// Reads a part from the table that a function makes; its names are unknown if it is wrong.
/// @param validate  finds what is wrong with a part by itself, under a path
template <auto make, typename Part, typename Validate>
bool read_part(const Value& value, ReadContext& context, ReadModel& result, Part& part,
               const Validate& validate) {
  const std::size_t errors_before = context.problems.error_count();
  const bool is_right = once<make>().read_whole(value, context, part);
  const auto found = is_right ? validate(part, "part") : std::vector<Problem>();
  return accept_part(found, value, errors_before, context.problems, result);
}

/// Builds a model; reports the builder's problems, and nothing is returned if there are errors.
std::shared_ptr<const Model> assemble_model(const ReadModel& read, ProblemList& problems);

/// Names of the joints that move no mass, no inertia and no rotor.
std::vector<std::string> joints_without_inertia(const Model& model);

/// `joint 'a' moves` or `the joints 'a', 'b' and 3 more move`.
std::string joints_move(const std::vector<std::string>& joints);

/// Reports a model whose H is not positive definite: an error if that is so wherever its joints
/// are; a warning if only at zero, or if no joint has anything to move, so that the model serves
/// kinematics alone.
void check_regularity(const Model& model, const ReadModel& read, ProblemList& problems);

}  // namespace spacedyn::loading
