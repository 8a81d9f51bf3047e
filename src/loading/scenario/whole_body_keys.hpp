/// @file
/// What the types of task-level controllers share: their settings and keys.
#pragma once

#include <string>
#include <vector>

#include "loading/scenario/control_keys.hpp"
#include "loading/scenario/task_reader.hpp"

namespace spacedyn::loading {

struct WholeBodyInput : ControlInput {
  WholeBodyInput() { task.axes = {0, 1, 2, 3, 4, 5}; }

  WholeBody::Settings settings;
  Task task;                ///< of a preset
  std::string robot;        ///< its name; empty: not said
  std::vector<int> joints;  ///< without wheels
  std::vector<int> wheels;
  VectorX rates;                           ///< of reaction_null_space
  double gain = 0.0;                       ///< 1/s, of the same
  std::vector<int> base_axes = {3, 4, 5};  ///< of the same
};

/// A key of the stack.
template <typename T>
auto stack_setting(T WholeBody::Settings::*member) {
  return [member](WholeBodyInput& input) -> T& { return input.settings.*member; };
}

/// @name Keys
/// @{
/// `robot`, `joints`, timing and `effort_limit`.
void add_stack_keys(Mapping<WholeBodyInput>& keys);
void add_level(Mapping<WholeBodyInput>& keys);
void add_rate_gain(Mapping<WholeBodyInput>& keys, Presence presence);
void add_damping(Mapping<WholeBodyInput>& keys);
/// `limits` and `limit_gain`.
void add_limits(Mapping<WholeBodyInput>& keys);
/// @}

/// Adds the controller of settings that are right, with the tasks that they have.
void add_whole_body(Reading& reading, WholeBodyInput& input);

}  // namespace spacedyn::loading
