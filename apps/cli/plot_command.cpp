#include <filesystem>
#include <fstream>

#include "commands.hpp"
#include "failure.hpp"
#include "inputs.hpp"
#include "picture.hpp"
#include "result_report.hpp"
#include "spacedyn/reporting/svg_plot.hpp"
#include "spacedyn/scenario/output_directory.hpp"
#include "spacedyn/study/sweep_report.hpp"
#include "suggestions.hpp"

namespace spacedyn::cli {
namespace {

constexpr double kPixelsPerPoint = 96.0 / 72.0;
constexpr double kResolution = 300.0;  // dots per inch, what journals ask for

/// Beside the result, named for the first channel.
std::string default_path(const PlotOptions& options, const ReportData& report) {
  const std::filesystem::path result(report.path);
  const std::string name = result.stem().string() + '-' + file_stem(options.channels.front());
  return (result.parent_path() / (name + ".svg")).string();
}

void write_picture(const std::string& path, const std::string& picture) {
  std::ofstream file(path, std::ios::binary);
  file << picture << std::flush;
  if (!file) throw Failure(ExitCode::output_failed, "cannot write '" + path + "'");
}

/// A second result where a channel should be. @throws Failure (2)
void refuse_results(const std::vector<std::string>& channels) {
  for (const std::string& channel : channels) {
    if (!is_result(channel) || !std::filesystem::exists(channel)) continue;
    throw Failure(ExitCode::wrong_command_line, "'" + channel + "' is a result, not a channel",
                  "draw another result into the same picture with --with " + shell_word(channel));
  }
}

/// Where and how a picture goes out.
ExitCode put_picture(const std::string& picture, const std::string& path,
                     const PlotOptions& options, Console& console) {
  if (options.output == "-") {
    console.print_exactly(picture);
    return ExitCode::done;
  }
  const PictureFormat format =
      options.output.empty() ? PictureFormat::svg : picture_format(options.output);
  write_picture(path, draw_picture(picture, format, options.resolution.value_or(kResolution)));
  console.print(path + '\n');
  return ExitCode::done;
}

/// A number of a sweep over another one, a point for each row.
ExitCode plot_sweep(const PlotOptions& options, Console& console) {
  const SweepTable table =
      reading(options.result, [&] { return read_sweep_table(options.result); });
  const auto& names = options.channels;
  if (names.size() != 2) {
    std::string known;
    for (const Column& column : table.parameters) known += "\n  " + column.name;
    for (const Column& column : table.collected) known += "\n  " + column.name;
    throw Failure(ExitCode::wrong_command_line,
                  "a picture of a sweep needs a parameter and a collected number of it:" + known);
  }
  std::string picture;
  try {
    picture = sweep_scatter_svg(table, names[0], names[1], options.width, options.height,
                                options.font_size * kPixelsPerPoint);
  } catch (const DomainError& error) {
    throw Failure(ExitCode::wrong_command_line, error.what());
  }
  const std::filesystem::path result(options.result);
  const std::string beside =
      (result.parent_path() / (result.stem().string() + '-' + file_stem(names[1]) + ".svg"))
          .string();
  const std::string path = output_path(options.output, beside, options.force);
  if (options.output != "-") {
    refuse_existing(path, options.force);
    refuse_inputs(path, {options.result});
  }
  return put_picture(picture, path, options, console);
}

}  // namespace

ExitCode run_plot(const PlotOptions& options, Console& console) {
  if (is_sweep_result(options.result)) return plot_sweep(options, console);
  if (options.channels.empty()) {
    console.print(result_text(options.result));
    return ExitCode::done;
  }
  refuse_results(options.channels);
  const bool is_printed = options.output == "-";
  const PictureFormat format =
      options.output.empty() || is_printed ? PictureFormat::svg : picture_format(options.output);
  if (options.resolution && format != PictureFormat::png) {
    throw Failure(ExitCode::wrong_command_line, "option '--dpi' is for PNG pictures (.png)");
  }
  std::vector<ReportData> reports{read_result_report(options.result, ReportDetail::picture)};
  for (const std::string& other : options.others) {
    reports.push_back(read_result_report(other, ReportDetail::picture));
  }
  for (const ReportData& report : reports) {
    for (const std::string& warning : report.warnings) console.note("warning: " + warning);
  }
  SvgOptions look;
  look.width = options.width;
  look.title = options.title;
  look.labels = options.labels;
  look.panel_height = options.height;
  look.font_size = options.font_size * kPixelsPerPoint;
  look.degrees = options.degrees;
  std::string picture;
  try {
    picture = svg_plot(reports, options.channels, look);
  } catch (const DomainError& error) {
    throw Failure(ExitCode::wrong_command_line, error.what());
  }
  const std::string path =
      output_path(options.output, default_path(options, reports.front()), options.force);
  if (!is_printed) {
    refuse_existing(path, options.force);
    refuse_inputs(path, reports);
  }
  return put_picture(picture, path, options, console);
}

}  // namespace spacedyn::cli
