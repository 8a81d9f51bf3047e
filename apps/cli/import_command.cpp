#include <cerrno>
#include <filesystem>
#include <fstream>

#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "failure.hpp"
#include "inputs.hpp"
#include "result_report.hpp"
#include "spacedyn/loading/foreign.hpp"

namespace spacedyn::cli {
namespace {

std::string folder_of(const std::string& path) {
  return std::filesystem::path(path).parent_path().string();
}

void write_text(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (file) return;
  throw Failure(ExitCode::output_failed, path + ": cannot be written");
}

}  // namespace

ExitCode run_import(const ImportCommandOptions& options, Console& console) {
  if (!options.output.empty()) {
    refuse_existing(options.output, options.force);
    refuse_inputs(options.output, {options.input});
  }
  ImportOptions how;
  how.fixed_base = options.fixed_base;
  how.meshes = !options.no_meshes;
  const std::string target = folder_of(options.output);
  const ImportedModel imported = reading(options.input, [&] {
    return options.input == kDash ? import_model_text(standard_input(), kStandardInput, target, how)
                                  : import_model(options.input, target, how);
  });
  judge_warnings(imported.warnings, options.strict);
  console.show(imported.warnings, ExitCode::bad_input);
  if (options.output.empty()) {
    console.print(imported.yaml);
    return ExitCode::done;
  }
  write_text(options.output, imported.yaml);
  if (console.options().json) {
    console.print(nlohmann::ordered_json{{"files", {options.output}}}.dump() + '\n');
  } else if (!console.options().quiet) {
    console.print(options.output + '\n');
  }
  return ExitCode::done;
}

ExitCode run_export(const ExportOptions& options, Console& console) {
  if (std::filesystem::path(options.output).extension() != ".urdf") {
    throw Failure(ExitCode::wrong_command_line,
                  "cannot export to '" + options.output + "': expected a name ending in .urdf");
  }
  refuse_existing(options.output, options.force);
  refuse_inputs(options.output, {options.model});
  const LoadedModel loaded = read_model(options.model, false, console);
  const UrdfExport written = reading(options.model, [&] {
    return export_urdf(*loaded.model, folder_of(options.model), folder_of(options.output));
  });
  std::vector<Diagnostic> losses;
  for (const std::string& loss : written.losses) {
    Diagnostic lost;
    lost.severity = Severity::warning;
    lost.file = options.model;
    lost.message = "URDF cannot say: " + loss;
    losses.push_back(lost);
  }
  judge_warnings(losses, options.strict);
  if (!console.options().json) console.show(losses, ExitCode::bad_input);
  write_text(options.output, written.urdf);
  if (console.options().json) {
    const nlohmann::ordered_json answer{{"files", {options.output}}, {"losses", written.losses}};
    console.print(answer.dump() + '\n');
  } else if (!console.options().quiet) {
    console.print(options.output + '\n');
  }
  return ExitCode::done;
}

}  // namespace spacedyn::cli
