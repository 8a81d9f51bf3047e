/// @file
/// Reads what repeats in scenario files: instants, rows over time, one number per joint.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "loading/keys/map_reader.hpp"

namespace spacedyn::loading {

/// A list of at least two instants, each after the one before it, s.
std::optional<std::vector<double>> read_times(const Value& value, ProblemList& problems);

/// One row per instant, each a list of as many numbers as there are quantities (a single number may
/// stand without its list): a matrix with one column per instant.
std::optional<MatrixX> read_rows(const Value& value, std::size_t count,
                                 const std::vector<Quantity>& quantities, ProblemList& problems);

/// One number for all, or a list with one number for each.
std::optional<VectorX> read_each(const Value& value, const std::vector<Quantity>& quantities,
                                 ProblemList& problems);

/// Reports a step that would divide a duration into too many parts.
void check_count(const Value& value, double duration, double step, const std::string& what,
                 ProblemList& problems);

/// Calls a function; an error it throws is reported at a value.
void guard(const Value& value, ProblemList& problems, const std::function<void()>& function);

}  // namespace spacedyn::loading
