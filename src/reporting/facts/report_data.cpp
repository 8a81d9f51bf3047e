#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "reporting/facts/report_bodies.hpp"
#include "reporting/facts/report_motion.hpp"
#include "spacedyn/reporting/report.hpp"

namespace spacedyn {
namespace {

void add_fact(ReportData& report, const char* group, std::string label, std::string value) {
  if (!value.empty()) report.facts.push_back({group, std::move(label), std::move(value)});
}

std::string seconds(const std::optional<double>& time) {
  return time ? fmt::format("{:.6g} s", *time) : std::string();
}

/// The larger of what has flowed and of what the sources did, for results that do not say the
/// first.
double energy_scale(const RunFacts& facts) {
  double most = facts.throughput.value_or(0.0);
  for (const SourceBudget& source : facts.sources_of_energy) {
    for (const double joule : {source.end.work, source.end.dissipated, source.end.stored}) {
      most = std::max(most, std::abs(joule));
    }
  }
  return most;
}

/// What each source of energy put in and what became of it; rounding is shown as 0.
void add_energy_budget(ReportData& report, const RunFacts& facts) {
  const double rounding = kRoundingFraction * energy_scale(facts);
  const auto text = [&](double joule) {
    return fmt::format("{:.6g} J", std::abs(joule) < rounding ? 0.0 : joule);
  };
  for (const SourceBudget& source : facts.sources_of_energy) {
    add_fact(
        report, "Energy budget", source.name,
        fmt::format("{} in, {} stored, {} dissipated", text(source.end.work),
                    text(source.end.stored - source.start.stored), text(source.end.dissipated)));
  }
}

/// The energies of the run, in its columns and in what flowed.
double energy_scale(const ResultTable& result) {
  double most = energy_scale(result.facts);
  for (std::size_t i = 1; i < result.columns.size(); ++i) {
    if (result.columns[i].unit != "J") continue;
    for (const double joule : result.values.col(static_cast<Eigen::Index>(i))) {
      if (std::isfinite(joule)) most = std::max(most, std::abs(joule));
    }
  }
  return most;
}

void add_worst(ReportData& report, const char* label, const std::optional<WorstInstant>& worst) {
  if (worst) add_fact(report, "Worst instants", label, to_string(*worst));
}

void add_run_facts(ReportData& report, const RunFacts& facts, const ResultTable& result) {
  add_fact(report, "Run", "Scenario", facts.scenario);
  add_fact(report, "Run", "Outcome", facts.status);
  add_fact(report, "Run", "Message", facts.message);
  add_fact(report, "Run", "Stopped by", facts.stopped_by);
  add_fact(report, "Run", "Simulated time", seconds(facts.time));
  if (facts.time && facts.duration && *facts.time < *facts.duration) {
    add_fact(report, "Run", "Asked for", seconds(facts.duration));
  }
  add_fact(report, "Run", "Wall time",
           facts.wall_seconds ? fmt::format("{:.3g} s", *facts.wall_seconds) : std::string());
  if (facts.time && facts.wall_seconds && *facts.wall_seconds > 0.0) {
    add_fact(report, "Run", "Real-time factor",
             fmt::format("{:.3g}", *facts.time / *facts.wall_seconds));
  }
  add_fact(report, "Run", "Started", facts.started);
  if (result.values.rows() > 0) {
    add_fact(report, "Run", "Rows", fmt::format("{}", result.values.rows()));
  }
  add_worst(report, "Momentum drift", facts.worst_momentum);
  add_worst(report, "Energy residual", facts.worst_energy);
  add_energy_budget(report, facts);
  for (const auto& [label, value] : facts.overrides) add_fact(report, "Overrides", label, value);
  for (const auto& [label, value] : facts.integrator) add_fact(report, "Integration", label, value);
  for (const auto& [label, value] : facts.versions) add_fact(report, "Versions", label, value);
}

std::string generator(const RunFacts& facts) {
  for (const auto& [name, version] : facts.versions) {
    if (name == "spacedyn") return "spacedyn " + version;
  }
  return "spacedyn";
}

}  // namespace

ReportData report_data(const ResultTable& result) {
  ReportData report;
  const RunFacts& facts = result.facts;
  report.title = facts.scenario.empty() ? result.path : facts.scenario;
  report.path = result.path;
  report.status = facts.status;
  report.message = facts.message;
  report.generator = generator(facts);
  report.times = result.values.col(0);
  report.series = report_series(result);
  report.scales.energy = energy_scale(result);
  for (const EventRecord& event : facts.events)
    report.events.push_back({event.time, event.name, {}});
  add_run_facts(report, facts, result);
  if (facts.momentum_drift) report.audit.push_back({"Momentum drift", *facts.momentum_drift, {}});
  if (facts.energy_residual)
    report.audit.push_back({"Energy residual", *facts.energy_residual, {}});
  if (facts.attitude_error) report.audit.push_back({"Attitude error", *facts.attitude_error, {}});
  for (const auto& [path, text] : facts.sources) report.inputs.push_back({path, text});
  report.warnings = result.warnings;
  return report;
}

ReportData report_data(const ResultTable& result, const Model& model) {
  ReportData report = report_data(result);
  report.model = model.name();
  use_model_names(report, model);
  add_model_facts(report, model);
  const ResultStates states(result, model);
  if (!states.complete()) {
    report.warnings.push_back(fmt::format(
        "there is no animation: the result has no column '{}'; record the channel 'state'",
        states.missing()));
    return report;
  }
  report.bodies = report_bodies(model);
  report.shapes = report_shapes(model);
  report.frames = model.frames();
  report.motion = report_motion(result, model, states, report.scales);
  return report;
}

}  // namespace spacedyn
