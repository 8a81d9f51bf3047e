/// @file
/// What checkpoints hold besides the members of each class. Private.
#pragma once

#include <string_view>

#include "integration/equations/archive.hpp"
#include "spacedyn/integration/simulator.hpp"

namespace spacedyn {

void transfer_momentum(Archive& archive, Momentum& momentum);

/// The memory of a checkpoint: a number for the order in which things are written, a check sum, and
/// the rest.
std::string seal(const std::string& contents);
/// What has been sealed. @throws IoError if it is damaged or of another version
std::string_view unseal(std::string_view memory);

/// Everything that decides how steps are chosen and made; max_steps only decides when to give up.
/// @returns the same options as bytes, equal if and only if they are
std::string bytes_of(const IntegratorOptions& options);

/// What a checkpoint's set-up must have in common with that of the run that continues it, one line
/// for each part; quantities inside force elements are not seen.
std::vector<std::string> describe_setup(const SimulationSetup& setup,
                                        const std::vector<std::string>& auxiliary_names);

/// @throws DomainError naming the first part that differs
void check_same_setup(const std::vector<std::string>& then, const std::vector<std::string>& now);

}  // namespace spacedyn
