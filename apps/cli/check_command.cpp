#include <fmt/format.h>

#include "commands.hpp"
#include "diagnostic_text.hpp"
#include "inputs.hpp"
#include "spacedyn/optimization/optimize.hpp"
#include "spacedyn/study/sweep.hpp"

namespace spacedyn::cli {
namespace {

/// What was found in one valid file.
struct Finding {
  std::string description;
  std::vector<Diagnostic> warnings;
};

Finding read(const std::string& path) {
  const bool is_piped = path == kDash;
  if (!is_piped && is_fit_file(path)) {
    const Fit fit = Fit::load(path);
    std::size_t samples = 0;
    for (const FitColumn& column : fit.settings().columns) samples += column.values.size();
    const std::size_t parameters = fit.settings().parameters.size();
    return {fmt::format("fit '{}', {} parameter{} of '{}' from {} samples", fit.settings().name,
                        parameters, parameters == 1 ? "" : "s", fit.scenario().name, samples),
            fit.warnings()};
  }
  if (!is_piped && is_optimization_file(path)) {
    const Optimization optimization = Optimization::load(path);
    const std::size_t variables = optimization.settings().variables.size();
    return {fmt::format("optimization '{}', {} variable{} of '{}'", optimization.settings().name,
                        variables, variables == 1 ? "" : "s", optimization.scenario().name),
            optimization.warnings()};
  }
  const FileKind kind = kind_of(path);
  if (kind == FileKind::sweep) {
    const Sweep sweep = Sweep::load(path);
    return {fmt::format("sweep '{}', {} row{} of '{}'", sweep.settings().name, sweep.rows(),
                        sweep.rows() == 1 ? "" : "s", sweep.scenario().name),
            sweep.warnings()};
  }
  if (kind == FileKind::model) {
    LoadedModel loaded =
        is_piped ? parse_model(standard_input(), kStandardInput) : load_model(path);
    const auto joints = loaded.model->coordinates().size();
    return {
        fmt::format("model '{}', {} joint{}", loaded.model->name(), joints, joints == 1 ? "" : "s"),
        std::move(loaded.warnings)};
  }
  Scenario scenario =
      is_piped ? parse_scenario(standard_input(), kStandardInput) : load_scenario(path);
  scenario.warnings.insert(scenario.warnings.end(), scenario.remarks.begin(),
                           scenario.remarks.end());
  return {fmt::format("scenario '{}', {:g} s of '{}'", scenario.name, scenario.duration,
                      scenario.setup.model->name()),
          std::move(scenario.warnings)};
}

}  // namespace

ExitCode run_check(const CheckOptions& options, Console& console) {
  refuse_two_inputs(options.files);
  std::vector<CodedDiagnostic> all;
  bool failed = false;
  for (const std::string& path : options.files) {
    std::vector<Diagnostic> found;
    try {
      Finding finding = reading(path, [&] { return read(path); });
      judge_warnings(finding.warnings, options.strict);
      found = std::move(finding.warnings);
      if (!console.options().json && !console.options().quiet) {
        console.print(fmt::format("{}: valid {}\n", path == kDash ? kStandardInput : path,
                                  finding.description));
      }
    } catch (const Failure& failure) {
      found = failure.diagnostics();
      failed = true;
    }
    if (!console.options().json) console.show(found, ExitCode::bad_input);
    for (Diagnostic& diagnostic : found) all.push_back({std::move(diagnostic)});
  }
  if (console.options().json) console.print(diagnostics_json(all));
  return failed ? ExitCode::bad_input : ExitCode::done;
}

}  // namespace spacedyn::cli
