#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include "commands.hpp"
#include "inputs.hpp"
#include "interrupt.hpp"
#include "json.hpp"
#include "result_report.hpp"
#include "simulation_run.hpp"
#include "spacedyn/analysis/linearization.hpp"
#include "spacedyn/forces/applied_loads.hpp"
#include "spacedyn/forces/function_force.hpp"
#include "spacedyn/reporting/matrix_file.hpp"
#include "text_table.hpp"

namespace spacedyn::cli {
namespace {

constexpr double kPi = 3.14159265358979323846;

/// One point and the linear model there.
struct Point {
  State state;
  Linearization linear;
};

/// A robot or scenario with all its points.
struct Answer {
  std::string name;
  std::shared_ptr<const Model> model;
  std::vector<Point> points;
};

/// The loads of a state file as elements: they stay as they are when the state changes.
ForcedSystem system_of(const std::shared_ptr<const Model>& model, const EvaluationInput& input) {
  ForcedSystem system{model, Mobility(*model), input.loads.gravity};
  const Vector6 F_b = input.loads.F_b;
  const VectorX tau = input.loads.tau;
  system.forces.push_back(
      std::make_shared<FunctionForce>("given", [F_b, tau](const Situation&, Loads& loads) {
        loads.F_b += F_b;
        loads.tau += tau;
      }));
  for (const PointWrench& wrench : input.wrenches) {
    VectorX values(6);
    values << wrench.force, wrench.torque;
    system.forces.push_back(std::make_shared<AppliedWrench>(
        "wrench", wrench.at, WrenchAxes::inertial, TimeTable::constant(values)));
  }
  return system;
}

Answer of_model(const LinearizeOptions& options, Console& console) {
  if (!options.times.empty() || !options.overrides.empty()) {
    throw Failure(
        ExitCode::wrong_command_line,
        "options '--time' and '--set' are for scenarios, and '" + options.file + "' is a model");
  }
  const LoadedModel loaded = read_model(options.file, options.strict, console);
  const EvaluationInput input = read_state(options.state, *loaded.model);
  const ForcedSystem system = system_of(loaded.model, input);
  const Linearization linear = reading(
      options.file, [&] { return linearize(system, input.state, 0.0, input.acceleration); });
  return {loaded.model->name(), loaded.model, {{input.state, linear}}};
}

/// Keeps the first or the last output of a run.
class PointKeeper final : public SimulationObserver {
 public:
  explicit PointKeeper(bool first) : first_(first) {}

  void on_output(const SimulationPoint& point) override {
    if (first_ && acceleration.size() > 0) return;
    state = point.state;
    acceleration = point.acceleration;
  }
  bool on_step(double, const IntegratorStatistics&) override {
    return !first_ && !interrupt_requested();
  }

  State state;
  VectorX acceleration;

 private:
  bool first_;
};

/// State and acceleration of a scenario at a time, which the run reaches exactly.
PointKeeper fly(const Scenario& scenario, double time) {
  const bool start = time == 0.0;
  PointKeeper keeper(start);
  const double duration = start ? scenario.duration : time;
  try {
    const SimulationResult result =
        Simulator(scenario.setup).run(scenario.initial, duration, duration, keeper);
    if (result.interrupted && !start) throw Failure(ExitCode::interrupted, "interrupted");
  } catch (const NumericalError& error) {
    throw Failure(ExitCode::integration_failed, error.what());
  }
  return keeper;
}

ForcedSystem system_of(const SimulationSetup& setup) {
  std::vector<bool> free(static_cast<std::size_t>(setup.model->joint_count()), true);
  for (const PrescribedJoint& joint : setup.prescribed_joints) {
    free[static_cast<std::size_t>(joint.joint - 1)] = false;
  }
  return {setup.model, Mobility(setup.base_mode == BaseMode::floating, free), setup.gravity,
          setup.forces, setup.controllers};
}

void check_times(const std::vector<double>& times, double duration) {
  for (const double time : times) {
    if (time >= 0.0 && time <= duration) continue;
    throw Failure(
        ExitCode::wrong_command_line,
        fmt::format("option '--time': {:g} s is not in the run, which goes from 0 to {:g} s", time,
                    duration));
  }
}

Answer of_scenario(const LinearizeOptions& options, Console& console) {
  if (!options.state.empty()) {
    throw Failure(ExitCode::wrong_command_line, "a scenario has its own state",
                  "say where in its run with --time, or change its initial state with --set");
  }
  const Scenario scenario =
      read_scenario(options.file, parse_overrides(options.overrides), options.strict, console);
  std::vector<double> times = options.times;
  if (times.empty()) times.push_back(0.0);
  check_times(times, scenario.duration);
  const ForcedSystem system = system_of(scenario.setup);
  Answer answer{scenario.name, scenario.setup.model, {}};
  for (const double time : times) {
    answer.points.push_back(reading(options.file, [&] {
      const PointKeeper at = fly(scenario, time);
      return Point{at.state, linearize(system, at.state, time, at.acceleration)};
    }));
  }
  return answer;
}

Json mode_json(const EigenMode& mode) {
  Json json;
  json["eigenvalue"] = {mode.eigenvalue.real(), mode.eigenvalue.imag()};
  json["omega"] = mode.omega;
  json["frequency"] = std::abs(mode.eigenvalue.imag()) / (2.0 * kPi);
  json["damping_ratio"] = mode.damping_ratio;
  json["shape_real"] = json_list(mode.shape.real());
  json["shape_imaginary"] = json_list(mode.shape.imag());
  return json;
}

Json state_json(const State& state) {
  Json json;
  json["r0"] = json_list(state.r_0);
  json["A0"] = json_rows(state.A_0);
  json["v0"] = json_list(state.v_0);
  json["w0"] = json_list(state.omega_0);
  json["q"] = json_list(state.q);
  json["qd"] = json_list(state.qd);
  return json;
}

Json point_json(const Point& point) {
  const Linearization& linear = point.linear;
  Json json;
  json["time"] = linear.time;
  json["state"] = state_json(point.state);
  json["states"] = linear.state_names;
  json["inputs"] = linear.input_names;
  json["outputs"] = linear.output_names;
  json["rate"] = json_list(linear.rate);
  json["A"] = json_rows(linear.A);
  json["B"] = json_rows(linear.B);
  json["C"] = json_rows(linear.C);
  json["H"] = json_rows(linear.H);
  json["D"] = json_rows(linear.D);
  json["K"] = json_rows(linear.K);
  json["modes"] = Json::array();
  for (const EigenMode& mode : eigenmodes(linear.A)) json["modes"].push_back(mode_json(mode));
  json["not_smooth"] = linear.rough;
  return json;
}

Json answer_json(const Answer& answer) {
  Json json;
  json["name"] = answer.name;
  json["joint_order"] = Json::array();
  for (int i = 1; i <= answer.model->joint_count(); ++i) {
    json["joint_order"].push_back(answer.model->joint(i).name);
  }
  json["points"] = Json::array();
  for (const Point& point : answer.points) json["points"].push_back(point_json(point));
  return json;
}

/// The positions that move most in a mode.
std::string leading_positions(const Linearization& linear, const EigenMode& mode) {
  std::vector<Eigen::Index> order;
  for (Eigen::Index i = 0; i < linear.B.cols(); ++i) order.push_back(i);
  const auto size = [&](Eigen::Index i) { return std::abs(mode.shape(i)); };
  std::stable_sort(order.begin(), order.end(),
                   [&](Eigen::Index a, Eigen::Index b) { return size(a) > size(b); });
  std::string text;
  for (std::size_t i = 0; i < std::min<std::size_t>(order.size(), 3); ++i) {
    if (size(order[i]) < 0.1 * size(order[0])) break;
    text += (i == 0 ? "" : ", ") + linear.state_names[static_cast<std::size_t>(order[i])];
  }
  return text;
}

std::string point_text(const Linearization& linear) {
  std::string text = fmt::format("time {:g} s: {} states, {} inputs, {} outputs\n", linear.time,
                                 linear.A.rows(), linear.B.cols(), linear.C.rows());
  std::vector<std::vector<std::string>> rows{
      {"eigenvalue, 1/s", "frequency, Hz", "damping", "moves"}};
  int zeros = 0;
  for (const EigenMode& mode : eigenmodes(linear.A)) {
    if (mode.is_rigid()) {
      ++zeros;
      continue;
    }
    const double real = mode.eigenvalue.real(), imaginary = mode.eigenvalue.imag();
    rows.push_back({imaginary == 0.0 ? fmt::format("{:.6g}", real)
                                     : fmt::format("{:.6g} ± {:.6g} i", real, imaginary),
                    imaginary == 0.0 ? "" : fmt::format("{:.6g}", imaginary / (2.0 * kPi)),
                    imaginary == 0.0 ? "" : fmt::format("{:.4g} %", 100.0 * mode.damping_ratio),
                    leading_positions(linear, mode)});
  }
  if (zeros > 0) text += fmt::format("  {} eigenvalue{} 0\n", zeros, zeros == 1 ? "" : "s");
  return rows.size() > 1 ? text + text_table(rows) : text;
}

void warn(const Answer& answer, Console& console) {
  std::vector<Diagnostic> warnings;
  for (const Point& point : answer.points) {
    for (const std::string& state : point.linear.rough) {
      Diagnostic warning;
      warning.severity = Severity::warning;
      warning.message =
          fmt::format("at {:g} s the loads are not smooth along {}", point.linear.time, state);
      warning.hint = "a limit or a contact begins here; linearize a little beside it";
      warnings.push_back(std::move(warning));
    }
  }
  console.show(warnings, ExitCode::bad_input);
}

/// Matrices of all points behind one another, for MATLAB.
MatrixFile matrix_file(const Answer& answer) {
  const Linearization& first = answer.points.front().linear;
  MatrixFile content;
  content.variable = "linear";
  content.texts = {{"states", first.state_names},
                   {"inputs", first.input_names},
                   {"outputs", first.output_names}};
  const auto add = [&](const char* name, const auto& matrix_of) {
    std::vector<MatrixX> matrices;
    for (const Point& point : answer.points) matrices.push_back(matrix_of(point.linear));
    content.matrices.emplace_back(name, std::move(matrices));
  };
  add("A", [](const Linearization& linear) { return linear.A; });
  add("B", [](const Linearization& linear) { return linear.B; });
  add("C", [](const Linearization& linear) { return linear.C; });
  add("H", [](const Linearization& linear) { return linear.H; });
  add("D", [](const Linearization& linear) { return linear.D; });
  add("K", [](const Linearization& linear) { return linear.K; });
  add("rate", [](const Linearization& linear) -> MatrixX { return linear.rate; });
  add("time",
      [](const Linearization& linear) -> MatrixX { return MatrixX::Constant(1, 1, linear.time); });
  return content;
}

bool is_mat(const std::string& path) { return std::filesystem::path(path).extension() == ".mat"; }

void write(const std::string& path, const Answer& answer, const std::string& json) {
  try {
    if (is_mat(path)) return write_mat(path, matrix_file(answer));
  } catch (const IoError& error) {
    throw Failure(ExitCode::output_failed, error.what());
  }
  std::ofstream file(path, std::ios::binary);
  file << json << std::flush;
  if (!file) throw Failure(ExitCode::output_failed, "cannot write '" + path + "'");
}

void check_output(const LinearizeOptions& options) {
  if (options.output.empty()) return;
  if (std::filesystem::path(options.output).extension() != ".json" && !is_mat(options.output)) {
    throw Failure(ExitCode::wrong_command_line,
                  "option '--output' needs a file name that ends in .json or .mat, got '" +
                      options.output + "'");
  }
  refuse_existing(options.output, options.force);
}

}  // namespace

ExitCode run_linearize(const LinearizeOptions& options, Console& console) {
  check_output(options);
  const bool is_scenario =
      reading(options.file, [&] { return file_kind(options.file); }) == FileKind::scenario;
  const Answer answer = is_scenario ? of_scenario(options, console) : of_model(options, console);
  warn(answer, console);
  const std::string json = json_text(answer_json(answer));
  if (!options.output.empty()) write(options.output, answer, json);
  if (console.options().json) {
    console.print(json);
    return ExitCode::done;
  }
  std::string text = answer.name + '\n';
  for (const Point& point : answer.points) text += point_text(point.linear);
  if (!options.output.empty()) text += "written to " + options.output + '\n';
  console.print(text);
  return ExitCode::done;
}

}  // namespace spacedyn::cli
