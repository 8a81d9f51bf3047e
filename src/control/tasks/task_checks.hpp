/// @file
/// What is refused of tasks. Private.
#pragma once

#include <string>

#include "spacedyn/control/whole_body.hpp"

namespace spacedyn {

/// Fills in what is left out. @throws DomainError, DimensionError, the text beginning with @p owner
void check_task(const std::string& owner, const WholeBody::Settings& settings, Task& task);
/// @throws DomainError where thrusters cannot be opened as the level asks for
void check_thrusters(const std::string& owner, const WholeBody::Settings& settings);
/// @param J  rows of the task
/// @throws DomainError naming a row of a momentum that thrusters do not change to both sides
void check_momentum(const WholeBody& law, std::size_t task, const MatrixX& J);
/// The same of all momenta, and of rows of frames that nothing driven moves, if it is so in each of
/// several postures.
void check_rows(const WholeBody& law, const Model& model);

}  // namespace spacedyn
