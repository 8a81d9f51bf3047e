/// @file
/// Keys of the tasks of task-level controllers.
#pragma once

#include <string>
#include <vector>

#include "loading/scenario/shared_keys.hpp"
#include "spacedyn/control/whole_body.hpp"

namespace spacedyn::loading {

/// What tasks are read for.
struct TaskPlace {
  WholeBody::Level level;
  bool in_stack = true;  ///< whether `priority` and `weight` are keys
};

/// @name Tables of keys, by the level of their controller
/// @{
Mapping<Task> frame_task_keys(const TaskPlace& place);
/// A frame task with `mass`, `damping` and `stiffness` of an impedance.
Mapping<Task> impedance_keys();
/// @}

/// The key `tasks`.
KeyGroup<WholeBody::Settings> tasks_key();

namespace kind {
/// `all`, `linear`, `angular` or a list of `x y z rx ry rz`, as rows of a twist.
Kind<std::vector<int>> axes(const char* title);
/// One number for all rows or driven joints, or one for each; by its size the reader knows.
Kind<VectorX> each_row(const Quantity& quantity, const char* title);
}  // namespace kind

/// One value becomes one for each of so many rows; another number of values is reported.
/// @returns whether it fits
bool fit_rows(MapReader& map, const char* key, VectorX& values, Eigen::Index rows,
              const char* what = "axis");

}  // namespace spacedyn::loading
