#include <algorithm>
#include <cmath>
#include <string_view>

#include <fmt/format.h>

#include "math/rodrigues.hpp"
#include "reporting/facts/report_motion.hpp"
#include "reporting/page/report_json.hpp"
#include "reporting/plot/svg_writer.hpp"
#include "reporting/results/json.hpp"
#include "reporting/results/metadata.hpp"
#include "reporting/results/output_file.hpp"
#include "reporting/results/run_facts.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/math/constants.hpp"
#include "spacedyn/reporting/build_info.hpp"
#include "spacedyn/reporting/live.hpp"
#include "spacedyn/reporting/report.hpp"
#include "spacedyn/state/configuration.hpp"

namespace spacedyn {
namespace {

Json json_of(const LiveState& state) {
  return {{"run", state.run},        {"running", state.running},   {"paused", state.paused},
          {"speed", state.speed},    {"duration", state.duration}, {"status", state.status},
          {"message", state.message}};
}

std::string bytes_of(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

std::string filled_template(std::string_view connect, const std::string& title,
                            const std::string& data) {
  std::string_view rest = report_template();
  std::string html;
  const auto fill = [&](std::string_view marker, std::string_view text) {
    const std::size_t place = rest.find(marker);
    html += rest.substr(0, place);
    html += text;
    rest.remove_prefix(place + marker.size());
  };
  fill(kConnectMarker, connect);
  fill(kTitleMarker, escape_markup(title));
  fill(kDataMarker, data);
  html += rest;
  return html;
}

std::string html_report(const std::vector<ReportData>& reports) {
  if (reports.empty()) throw DomainError("a report needs at least one result");
  const auto is_thinned = [](const ReportData& report) { return report.thinned_from > 0; };
  if (reports.size() > 1 && std::any_of(reports.begin(), reports.end(), is_thinned)) {
    throw DomainError(
        "results are compared by all of their rows; one was read for a page of its own");
  }
  return filled_template("'none'", page_title(reports), report_json(reports));
}

void write_html_report(const std::string& path, const std::vector<ReportData>& reports) {
  write_file_atomically(path, html_report(reports));
}

std::string live_page(const ReportData& so_far, const LiveState& state,
                      const std::vector<LiveParameter>& parameters) {
  Json live{{"state", json_of(state)}, {"parameters", Json::array()}};
  for (const LiveParameter& parameter : parameters) {
    live["parameters"].push_back({{"key", parameter.key},
                                  {"value", parameter.value},
                                  {"unit", parameter.unit},
                                  {"element", parameter.element},
                                  {"part", parameter.part},
                                  {"name", parameter.name},
                                  {"plain_unit", parameter.plain_unit}});
  }
  std::vector<ReportData> reports{so_far};
  reports.front().generator = "spacedyn " + build_info().spacedyn;
  return filled_template("'self'", so_far.title, report_json(reports, bytes_of(live)));
}

ReportData ending_report(const RunRecord& record) {
  ResultTable table;
  table.columns = {{"time_s", "s"}};
  table.values.resize(0, 1);
  take_run_facts(metadata_json(record), table);
  ReportData report = report_data(table);
  report.model = record.model->name();
  add_model_facts(report, *record.model);
  return report;
}

std::string live_message(const ReportData& rows, const LiveState& state, const ReportData* ending) {
  std::string message = "{\"state\":" + bytes_of(json_of(state));
  if (rows.times.size() > 0) message += ",\"rows\":" + report_rows_json(rows);
  if (ending != nullptr) message += ",\"ending\":" + report_texts_json(*ending);
  return message + '}';
}

namespace {

/// Loops that give one joint the position of another one.
std::vector<Loop> gears(const Model& model) {
  std::vector<Loop> list;
  for (const Loop& loop : model.loops()) {
    if (loop.joints.size() == 2 && loop.coefficients.size() == 2) list.push_back(loop);
  }
  return list;
}

State posture(const Model& model, const std::vector<Loop>& gears) {
  State state(model);
  for (int i = 1; i <= model.joint_count(); ++i) {
    const Joint& joint = model.joint(i);
    state.q(i - 1) = std::clamp(0.0, joint.position_lower, joint.position_upper);
  }
  for (const Loop& gear : gears) {
    const double followed = gear.coefficients(0) * state.q(gear.joints[0] - 1);
    state.q(gear.joints[1] - 1) = (gear.offset - followed) / gear.coefficients(1);
  }
  return state;
}

/// Instants of a cycle, its end the same as its start.
constexpr int kInstants = 49;
/// Of the robot's size, and rad: how far the shown motion goes.
constexpr double kShownMove = 0.1;
constexpr double kShownTurn = 0.5;

/// The configuration moved by t along a shape.
State moved(const Model& model, State state, const VectorX& shape, double t) {
  state.r_0 += t * shape.head<3>();
  state.A_0 = turn_by(t * shape.segment<3>(3), state.A_0);
  displace_joints(model, t * shape.tail(state.q.size()), state.q);
  return state;
}

LinkFrames frames_of(const Model& model, const State& state) {
  LinkFrames frames(model);
  compute_link_frames(model, state, frames);
  return frames;
}

/// Points that stand for a robot: origins and centroids of links, and its frames.
Matrix3X points_of(const Model& model, const LinkFrames& frames) {
  std::vector<Vector3> points(frames.o.begin(), frames.o.end());
  points.insert(points.end(), frames.r.begin(), frames.r.end());
  for (const Frame& frame : model.frames()) points.push_back(frame_position(frames, frame));
  Matrix3X all(3, static_cast<Eigen::Index>(points.size()));
  for (std::size_t i = 0; i < points.size(); ++i) all.col(static_cast<Eigen::Index>(i)) = points[i];
  return all;
}

/// The a of modes_report().
double amplitude(const Model& model, const State& state, const VectorX& shape) {
  const double small = 1e-6;
  const Matrix3X here = points_of(model, frames_of(model, state));
  const Matrix3X there = points_of(model, frames_of(model, moved(model, state, shape, small)));
  const double size = (here.colwise() - here.rowwise().mean()).colwise().norm().maxCoeff();
  const double speed = (there - here).colwise().norm().maxCoeff() / small;
  double turn = shape.segment<3>(3).norm();
  for (int i = 1; i <= model.joint_count(); ++i) {
    turn = std::max(turn, model.joint(i).turn * std::abs(shape(5 + i)));
  }
  const double by_move = kShownMove * std::max(size, 1e-3) / std::max(speed, 1e-12);
  return std::min(by_move, kShownTurn / std::max(turn, 1e-12));
}

ReportMotion cycle(const Model& model, const State& state, const VectorX& shape) {
  const double a = amplitude(model, state, shape);
  ReportMotion motion = empty_motion(model, kInstants);
  for (int k = 0; k < kInstants; ++k) {
    const double fraction = static_cast<double>(k) / (kInstants - 1);
    const LinkFrames frames =
        frames_of(model, moved(model, state, shape, a * std::sin(2.0 * kPi * fraction)));
    motion.times[static_cast<std::size_t>(k)] = kShownCycle * fraction;
    set_instant(model, frames, k, motion);
  }
  return motion;
}

}  // namespace

ReportData model_report(const Model& model) {
  ReportData report = robot_report(model);
  report.title = model.name();
  report.description = model.description().notes.description;
  report.source = model.description().notes.source;
  report.gears = gears(model);
  if (model.loops().size() > report.gears.size()) {
    report.warnings.emplace_back("loops are not kept closed: their joints move one by one");
  }
  const State state = posture(model, report.gears);
  report.joint_positions = state.q;
  report.motion = empty_motion(model, 1);
  LinkFrames frames(model);
  compute_link_frames(model, state, frames);
  set_instant(model, frames, 0, report.motion);
  return report;
}

ReportData modes_report(const Model& model, const State& state,
                        const std::vector<ModeToShow>& modes) {
  state.check(model);
  ReportData report = robot_report(model);
  report.title = "Modes of " + model.name();
  for (const ModeToShow& mode : modes) {
    if (mode.shape.size() != model.velocity_size()) {
      throw DimensionError(fmt::format("the shape of mode {} has {} elements, expected {}",
                                       mode.number, mode.shape.size(), model.velocity_size()));
    }
    report.modes.push_back({mode.number, mode.frequency, mode.damping_ratio, mode.growth_rate,
                            mode.strain, cycle(model, state, mode.shape)});
  }
  if (!report.modes.empty()) report.motion = report.modes.front().motion;
  return report;
}

}  // namespace spacedyn
