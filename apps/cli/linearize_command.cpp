#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include "commands.hpp"
#include "inputs.hpp"
#include "linear_answer.hpp"
#include "result_report.hpp"

namespace spacedyn::cli {
namespace {

void warn(const LinearAnswer& answer, Console& console) {
  std::vector<Diagnostic> warnings;
  for (const LinearPoint& point : answer.points) {
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

bool is_mat(const std::string& path) { return std::filesystem::path(path).extension() == ".mat"; }

void write(const std::string& path, const LinearAnswer& answer, const std::string& json) {
  try {
    if (is_mat(path)) return write_mat(path, linear_matrices(answer));
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
  refuse_inputs(options.output, {options.file, options.state});
}

}  // namespace

ExitCode run_linearize(const LinearizeOptions& options, Console& console) {
  check_output(options);
  refuse_two_inputs({options.file, options.state});
  const bool is_scenario = kind_of(options.file) == FileKind::scenario;
  const LinearAnswer answer =
      is_scenario ? linearize_scenario(options, console) : linearize_model(options, console);
  warn(answer, console);
  const std::string json = json_text(linear_json(answer));
  if (!options.output.empty()) write(options.output, answer, json);
  if (console.options().json) {
    console.print(json);
    return ExitCode::done;
  }
  std::string text = linear_text(answer);
  if (!options.output.empty()) text += "written to " + options.output + '\n';
  console.print(text);
  return ExitCode::done;
}

}  // namespace spacedyn::cli
