#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "recording/column_names.hpp"
#include "spacedyn/math/constants.hpp"
#include "spacedyn/math/rotations.hpp"
#include "spacedyn/model/joint_traits.hpp"
#include "spacedyn/reporting/report_data.hpp"
#include "spacedyn/reporting/run_record.hpp"
#include "spacedyn/state/robot_state.hpp"

namespace spacedyn {
namespace {

constexpr std::size_t kMaxRobots = 6;
constexpr int kMaxJoints =
    30;  // more would scroll the rest off the screen; the result file has all
constexpr int kFirstEvents = 15, kLastEvents = 5;
constexpr int kMaxSources = 20;

/// Of a scale; what is rounding is 0.
double rounded(double number, double scale) {
  return std::abs(number) < kRoundingFraction * scale ? 0.0 : number;
}

std::string text(const Vector3& vector, double scale = 1.0) {
  return fmt::format("[{: .6g}, {: .6g}, {: .6g}]", rounded(vector.x(), scale),
                     rounded(vector.y(), scale), rounded(vector.z(), scale));
}

/// A line `  label   value`, the values aligned.
std::string line(const std::string& label, const std::string& value) {
  return fmt::format("  {:<23} {}\n", label, value);
}

std::string heading(const RunRecord& record) {
  std::string text = fmt::format("{}: {} ", record.scenario, to_string(record.status));
  if (record.status == RunStatus::complete) {
    text += fmt::format("after {:g} s of simulated time\n", record.time);
  } else {
    text += fmt::format("at t = {:g} s of {:g} s\n", record.time, record.duration);
  }
  const char* base = record.base_mode == BaseMode::floating ? "floating"
                     : record.base_mode == BaseMode::fixed  ? "fixed"
                                                            : "prescribed";
  const auto joints = static_cast<int>(recorded_joints(*record.model).size());
  if (const std::size_t robots = record.model->robots().size(); robots > 0) {
    return text +
           line("model", fmt::format("{} robot{}, {} joint{}", robots, robots == 1 ? "" : "s",
                                     joints, joints == 1 ? "" : "s"));
  }
  return text + line("model", fmt::format("{}, {} base, {} joint{}", record.model->name(), base,
                                          joints, joints == 1 ? "" : "s"));
}

std::string base_text(const std::string& name, const BaseMotion& base) {
  const Vector3 rpy = rpy_from_matrix(base.A_0) / kDegree;
  std::string text = line(name + " position", spacedyn::text(base.r_0) + " m");
  text += line(name + " roll, pitch, yaw", spacedyn::text(rpy) + " deg");
  text += line(name + " velocity", spacedyn::text(base.v_0) + " m/s");
  return text + line(name + " angular velocity", spacedyn::text(base.omega_0) + " rad/s");
}

std::string final_state_text(const Model& model, const State& state) {
  std::string text = "final state\n";
  if (model.robots().empty()) {
    text += base_text("base", {state.r_0, state.A_0, state.v_0, state.omega_0});
  }
  const std::vector<Robot>& robots = model.robots();
  const std::size_t shown_robots = std::min(robots.size(), kMaxRobots);
  for (std::size_t k = 0; k < shown_robots; ++k) {
    text += base_text(robots[k].name, base_motion(model, robots[k], state));
  }
  if (shown_robots < robots.size()) {
    text += line("…", fmt::format("and {} more robots", robots.size() - shown_robots));
  }
  std::vector<int> joints = recorded_joints(model);
  std::stable_partition(joints.begin(), joints.end(),
                        [&](int joint) { return model.wheel(joint) == nullptr; });
  const auto count = static_cast<int>(joints.size());
  const int shown = std::min(count, kMaxJoints);
  for (int k = 0; k < shown; ++k) {
    const int i = joints[static_cast<std::size_t>(k)];
    const Joint& joint = model.joint(i);
    const char* unit = coordinate_units(joint.type).position;
    text += line(joint.name, fmt::format("{: .6g} {}, {: .6g} {}/s", rounded(state.q(i - 1), 1.0),
                                         unit, rounded(state.qd(i - 1), 1.0), unit));
  }
  if (shown < count) {
    text += line("…", fmt::format("and {} more joints", count - shown));
  }
  return text;
}

std::string rotations(const RunRecord& record) {
  std::string text;
  const std::size_t shown = std::min(record.rotations.size(), kMaxRobots);
  for (std::size_t k = 0; k < shown; ++k) {
    const BaseRotation& rotation = record.rotations[k];
    text += text.empty() ? "largest rotation from the start\n" : "";
    text += line(rotation.name, fmt::format("{:.3g} deg at t = {:.4g} s",
                                            rounded(rotation.angle, 1.0) / kDegree, rotation.time));
  }
  return text;
}

/// Where an error comes from that is more than rounding.
std::string worst(double error, const std::optional<WorstInstant>& instant) {
  constexpr double kShown = 1e-12;
  return instant && error > kShown ? line("  worst", to_string(*instant)) : std::string();
}

/// How much more energy there is at the end: what came in, where the totals say so to the digits
/// that are shown of them. Their difference alone has no digits left where little changes.
double kept_energy(const SimulationResult& result) {
  constexpr double kShown = 1e-9;
  const double change = result.final_energy.total() - result.initial_energy.total();
  const double booked = result.integrals.work - result.integrals.dissipated;
  return std::abs(change - booked) <= kShown * result.audit.energy_scale() ? booked : change;
}

std::string conservation(const SimulationResult& result) {
  std::string text = "conservation\n";
  const auto change = [](const auto& from, const auto& to, const char* unit) {
    return fmt::format("{} → {} {}", from, to, unit);
  };
  const Momentum& before = result.initial_momentum;
  const Momentum& after = result.final_momentum;
  const ConservationAudit& audit = result.audit;
  const auto energy = [&](double joule) {
    return fmt::format("{:.9g}", rounded(joule, audit.energy_scale()));
  };
  const auto linear = [&](const Momentum& at) {
    return spacedyn::text(at.linear, audit.linear_scale());
  };
  const auto angular = [&](const Momentum& at) {
    return spacedyn::text(at.angular_centroid, audit.angular_scale());
  };
  text += line("linear momentum", change(linear(before), linear(after), "kg m/s"));
  text += line("angular, about centroid", change(angular(before), angular(after), "kg m²/s"));
  text += line("energy", change(energy(result.initial_energy.total()),
                                energy(result.final_energy.total()), "J"));
  const double work = result.integrals.work, dissipated = result.integrals.dissipated;
  text += line("energy in", fmt::format("{} J, {} J of it kept, {} J dissipated", energy(work),
                                        energy(kept_energy(result)), energy(dissipated)));
  text += line("momentum drift", fmt::format("{:.3g}", audit.momentum_drift()));
  text += worst(audit.momentum_drift(), audit.worst_momentum());
  text += line("energy residual", fmt::format("{:.3g}", audit.energy_residual()));
  text += worst(audit.energy_residual(), audit.worst_energy());
  text += line("attitude error", fmt::format("{:.3g}", audit.attitude_error()));
  const LoopSummary& loops = result.loops;
  if (loops.rows == 0) return text;
  text += line("loops open by", fmt::format("{:.3g} in position, {:.3g} in velocity, at most",
                                            loops.position_residual, loops.velocity_residual));
  return text + line("rank of loops", fmt::format("{} of {} rows", loops.rank, loops.rows));
}

/// What each source put in and what became of it.
std::string budget(const SimulationResult& result) {
  if (result.sources.empty()) return {};
  const auto energy = [&](double joule) {
    return fmt::format("{:.6g} J", rounded(joule, result.integrals.throughput));
  };
  const auto count = static_cast<int>(result.sources.size());
  std::string text = "energy budget\n";
  for (int i = 0; i < std::min(count, kMaxSources); ++i) {
    const SourceBudget& source = result.sources[static_cast<std::size_t>(i)];
    text +=
        line(source.name, fmt::format("{} in, {} stored, {} dissipated", energy(source.end.work),
                                      energy(source.end.stored - source.start.stored),
                                      energy(source.end.dissipated)));
  }
  return count > kMaxSources ? text + fmt::format("  … and {} more\n", count - kMaxSources) : text;
}

std::string contacts(const SimulationResult& result) {
  std::string text;
  for (const ContactSummary& contact : result.contacts) {
    text += text.empty() ? "contacts\n" : "";
    text +=
        line(contact.name,
             contact.count == 0
                 ? std::string("never touched")
                 : fmt::format("from t = {:.6g} s, {} times, at most {:.6g} N, {:.6g} N s{}",
                               contact.first, contact.count, contact.largest_force, contact.impulse,
                               contact.last >= result.time ? ", touches at the end" : ""));
  }
  return text;
}

/// How near the events came that have not happened.
std::string missed_events(const RunRecord& record) {
  const auto count = static_cast<int>(record.missed_events.size());
  std::string text;
  for (int i = 0; i < std::min(count, kFirstEvents); ++i) {
    const MissedEvent& event = record.missed_events[static_cast<std::size_t>(i)];
    text +=
        line(event.name, event.unit.empty() || !std::isfinite(event.by)
                             ? std::string("did not happen")
                             : fmt::format("did not happen: missed by {:.3g} {} at t = {:.4g} s",
                                           event.by, event.unit, event.time));
  }
  if (count > kFirstEvents) {
    text += fmt::format("  … and {} more that did not happen\n", count - kFirstEvents);
  }
  return text;
}

std::string events(const RunRecord& record, const SimulationResult& result) {
  if (result.events.empty() && record.missed_events.empty()) return {};
  const auto count = static_cast<int>(result.events.size());
  // of many, the last ones tell how it ended
  const int left_out = std::max(0, count - kFirstEvents - kLastEvents);
  std::string text = "events\n";
  for (int i = 0; i < count; ++i) {
    if (left_out > 0 && i == kFirstEvents) {
      text += fmt::format("  … and {} more\n", left_out);
      i += left_out;
    }
    const EventRecord& event = result.events[static_cast<std::size_t>(i)];
    const char* mark = event.is_warning ? " (warning)" : "";
    text += line(event.name, fmt::format("t = {:.12g} s{}", event.time, mark));
  }
  text += missed_events(record);
  return result.stopped_by.empty() ? text : text + line("stopped by", result.stopped_by);
}

std::string connections_text(const SimulationResult& result) {
  if (result.connections.empty()) return {};
  std::string text = "connections made\n";
  for (const ConnectionRecord& made : result.connections) {
    text += line(made.name,
                 fmt::format("t = {:.12g} s: {:.6g} N s, {:.6g} N m s, {:.6g} J lost", made.time,
                             made.impulse, made.angular_impulse, made.energy_lost));
  }
  return text;
}

std::string checks_text(const RunRecord& record) {
  if (record.checks.empty()) return {};
  std::string text = "checks\n";
  for (const CheckOutcome& check : record.checks) {
    text += line(check.name, fmt::format("{:.3g}, limit {:g}: {}", check.value, check.limit,
                                         check.passed() ? "passed" : "FAILED"));
  }
  return text;
}

std::string cost(const RunRecord& record) {
  const IntegratorStatistics& statistics = record.statistics;
  std::string text = "integration\n";
  text += line("method", std::string(method_traits(record.integrator).name));
  text += line("steps", fmt::format("{} accepted, {} rejected, {} evaluations", statistics.steps,
                                    statistics.rejected, statistics.evaluations));
  return text + line("wall time", fmt::format("{:.3g} s, {:.3g} times real time",
                                              record.wall_seconds, record.real_time_factor()));
}

std::string warnings(const RunRecord& record) {
  if (record.warnings.empty()) return {};
  std::string text = "warnings\n";
  for (const std::string& warning : record.warnings) text += "  " + warning + '\n';
  return text;
}

}  // namespace

std::string summary_text(const RunRecord& record) {
  const SimulationResult& result = record.result.value();
  std::string text = heading(record) + final_state_text(*record.model, result.state) +
                     rotations(record) + conservation(result) + budget(result) + contacts(result) +
                     events(record, result) + connections_text(result) + checks_text(record) +
                     warnings(record) + cost(record);
  if (!record.files.empty()) text += "files\n";
  for (const std::string& file : record.files) text += "  " + file + '\n';
  return text;
}

}  // namespace spacedyn
