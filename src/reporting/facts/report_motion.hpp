/// @file
/// States of a model read back from the rows of a result, the animation that they make, and what a
/// page needs to know of bodies and columns.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "spacedyn/forces/element.hpp"
#include "spacedyn/kinematics/link_frames.hpp"
#include "spacedyn/model/model.hpp"
#include "spacedyn/reporting/report_data.hpp"
#include "spacedyn/reporting/result_table.hpp"
#include "spacedyn/state/state.hpp"

namespace spacedyn {

/// Finds the columns of the state channel of a model in a result.
class ResultStates {
 public:
  ResultStates(const ResultTable& result, const Model& model);

  /// Whether all columns are there.
  bool complete() const { return missing_.empty(); }
  /// The first column that is not there.
  const std::string& missing() const { return missing_; }
  int size() const { return static_cast<int>(result_.values.rows()); }

  /// The state of a row. @return false if a number is not finite or the quaternion is zero
  /// @pre complete()
  bool read(int row, State& state) const;

 private:
  const ResultTable& result_;
  const Model& model_;
  std::vector<int> columns_;  // in the order of the state channel
  std::string missing_;
};

/// Rows whose states are shown: evenly spread, without those that hold no finite state.
std::vector<int> motion_rows(const ResultStates& states, const Model& model);

/// An instant that is shown: its number, its row of the result, and what elements see there.
struct ShownInstant {
  int number, row;
  const EvaluationContext& seen;
};
/// Calls a function with each of some rows.
void for_each_instant(const ResultTable& result, const ResultStates& states, const Model& model,
                      const std::vector<int>& rows,
                      const std::function<void(const ShownInstant&)>& visit);

/// Some instants of the bodies of a model, to be set; without efforts.
ReportMotion empty_motion(const Model& model, int instants);

/// Sets the poses and the centre of mass of an instant.
void set_instant(const Model& model, const LinkFrames& frames, int k, ReportMotion& motion);

/// Poses, centre of mass, momentum and joint torques.
/// @param scales  out: the momentum that the bodies carry
/// @pre states.complete()
ReportMotion report_motion(const ResultTable& result, const Model& model,
                           const ResultStates& states, ReportScales& scales);

/// One title for each result. Among results of one scenario it states the `--set` values that
/// differ, `arm: stiffness = 300`, or `arm: as written` where there are none; results that do not
/// differ so carry their paths.
std::vector<std::string> titles_of(const std::vector<ReportData>& reports);

/// The title of the page: a scenario that all have in common stands once.
std::string page_title(const std::vector<ReportData>& reports);

/// Difference of a series that two results share.
struct SeriesDifference {
  std::string group, label, unit;
  double greatest = 0.0;  ///< max |b − a|
  double time = 0.0;      ///< when, s
  double rms = 0.0;       ///< root of the mean of (b − a)² over the common times
};

/// Differences of all shared series, at the times of @p a that lie inside those of @p b, which is
/// interpolated linearly. Series without a common finite value are left out.
std::vector<SeriesDifference> compare(const ReportData& a, const ReportData& b);

std::vector<ReportBody> report_bodies(const Model& model);

/// Facts of the group `Model`.
void add_model_facts(ReportData& report, const Model& model);

/// Bodies, shapes, frames and facts of a robot by itself.
ReportData robot_report(const Model& model);

/// All columns but the time, then what derived_series() makes of them.
std::vector<ReportSeries> report_series(const ResultTable& result);

/// Names series of joints and frames as the model does.
void use_model_names(ReportData& report, const Model& model);

}  // namespace spacedyn
