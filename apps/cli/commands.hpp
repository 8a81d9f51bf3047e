/// @file
/// The commands of the program, one source file each.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "console.hpp"
#include "exit_codes.hpp"

namespace spacedyn::cli {

struct CheckOptions {
  std::vector<std::string> files;
  bool strict = false;
};
/// Validates models and scenarios and shows every problem of every file.
ExitCode run_check(const CheckOptions& options, Console& console);

struct InfoOptions {
  std::string model;
  bool paper_notation = false;
  bool matrices = false;  ///< print B, S0, Se and S of large models, too
  bool strict = false;
};
/// Describes a model.
ExitCode run_info(const InfoOptions& options, Console& console);

struct EvaluateOptions {
  std::string model;
  std::string state;  ///< a file, or `-` for standard input
  bool strict = false;
};
/// Prints every quantity of a model at one state or several, as JSON.
ExitCode run_evaluate(const EvaluateOptions& options, Console& console);

struct ModesOptions {
  std::string file;   ///< model or scenario
  std::string state;  ///< a file, `-` for standard input, or empty: everything zero
  bool clamped = false;
  bool lock_unsprung = false;
  std::vector<std::string> locked;  ///< joints
  std::string report;               ///< file of the page; empty: none
  bool force = false;
  bool open = false;  ///< show the page in a browser
  bool strict = false;
};
/// Prints natural frequencies, damping and shapes, and writes the page that shows them.
ExitCode run_modes(const ModesOptions& options, Console& console);

struct LinearizeOptions {
  std::string file;                    ///< model or scenario
  std::string state;                   ///< as above, of a model
  std::vector<double> times;           ///< s, of a scenario
  std::vector<std::string> overrides;  ///< key.path=value, of a scenario
  std::string output;                  ///< file; empty: none
  bool force = false;
  bool strict = false;
};
/// Prints or writes linear models.
ExitCode run_linearize(const LinearizeOptions& options, Console& console);

struct EquilibriumOptions {
  std::string scenario;
  std::vector<std::string> overrides;  ///< key.path=value
  bool strict = false;
};
/// Prints where a scenario stays at rest.
ExitCode run_equilibrium(const EquilibriumOptions& options, Console& console);

struct SimulateOptions {
  std::string scenario;
  std::string output;                  ///< directory; empty: below results/
  std::vector<std::string> overrides;  ///< key.path=value
  std::string duration;                ///< s, or with a unit; empty: as the scenario says
  std::string format;                  ///< hdf5 | csv; empty: as the scenario says
  std::string channels;                ///< separated by commas; empty: as the scenario says
  bool force = false;
  bool no_progress = false;
  bool no_report = false;
  bool resume = false;
  std::optional<long> row;            ///< of the sweep whose result stands for the scenario
  double checkpoint_interval = 10.0;  ///< s of elapsed time
  bool open = false;                  ///< show the report in a browser
  bool strict = false;
  std::string program;  ///< as the user called it, for the suggested next command
};
/// Runs a scenario, writes its results and prints a summary.
ExitCode run_simulate(const SimulateOptions& options, Console& console);

struct SweepCommandOptions {
  std::string sweep;
  std::string output;                  ///< directory; empty: below results/
  std::vector<std::string> overrides;  ///< key=value of the sweep
  int threads = 0;                     ///< 0: one for each core
  bool resume = false;
  bool force = false;
  bool no_progress = false;
  bool linear = false;  ///< covariance from the derivatives of one flight in place of many flights
  bool strict = false;
  std::string program;  ///< as the user called it
};
/// Flies a scenario many times with parameters that vary.
ExitCode run_sweep_command(const SweepCommandOptions& options, Console& console);

/// Of a search for the best values: a fit or an optimization.
struct SearchCommandOptions {
  std::string file;
  std::string output;                  ///< directory; empty: below results/
  std::vector<std::string> overrides;  ///< key=value of the file
  int threads = 0;                     ///< 0: one for each core
  bool force = false;
  bool resume = false;  ///< of an optimization
  bool no_progress = false;
  bool strict = false;
  std::string program;  ///< as the user called it
};
/// Estimates numbers of a scenario from data.
ExitCode run_fit_command(const SearchCommandOptions& options, Console& console);
/// Finds numbers of a scenario that make what a flight costs least.
ExitCode run_optimize_command(const SearchCommandOptions& options, Console& console);

struct ReportOptions {
  std::vector<std::string> results;  ///< files, or folders with one result each
  std::string output;                ///< file; empty: beside the result
  bool force = false;
  bool open = false;
};
/// Writes one page about one result, or about several side by side.
ExitCode run_report(const ReportOptions& options, Console& console);

struct PlotOptions {
  std::string result;
  std::vector<std::string> channels;
  std::vector<std::string> others;  ///< results drawn with dashes
  std::string output;               ///< file, or `-` for standard output; empty: beside the result
  std::string title;
  std::vector<std::string> labels;   ///< of the results in the legend
  double width = 480.0;              ///< px
  double height = 190.0;             ///< px, of each panel
  double font_size = 8.25;           ///< pt
  std::optional<double> resolution;  ///< of PNG, dots per inch
  bool degrees = false;
  bool force = false;
};
/// Writes a picture of some channels.
ExitCode run_plot(const PlotOptions& options, Console& console);

constexpr double kUsualRate = 30.0;  // pictures a second

struct RenderOptions {
  std::string result;
  std::string output;              ///< file or folder; empty: a .webm beside the result
  std::string size = "1280x720";   ///< px
  std::string camera;              ///< a standard view, or what a link to a page says
  std::optional<double> rate;      ///< pictures a second
  std::optional<double> time;      ///< s, of one picture; none: the end
  std::optional<double> from, to;  ///< s
  std::optional<double> speed;     ///< simulated per elapsed time
  bool force = false;
};
/// Makes a video, frames or one picture of the page's view, each at an exact time.
ExitCode run_render(const RenderOptions& options, Console& console);

struct ViewOptions {
  SimulateOptions run;  ///< its scenario may be a model or a result instead
  bool live = false;
  bool no_open = false;
  int port = 0;        ///< 0: any free one
  double speed = 1.0;  ///< simulated per elapsed time, with live
};
/// Runs a scenario and opens its report, shows the run while it goes on, or shows a robot with
/// sliders for its joints.
ExitCode run_view(const ViewOptions& options, Console& console);

struct ConvertOptions {
  std::string input;
  std::string output;
  int compression = 0;
  bool force = false;
};
/// Writes a result in another format.
ExitCode run_convert(const ConvertOptions& options, Console& console);

struct ImportCommandOptions {
  std::string input;
  std::string output;  ///< file; empty: standard output
  bool fixed_base = false;
  bool no_meshes = false;
  bool force = false;
  bool strict = false;
};
/// Writes a foreign model as YAML.
ExitCode run_import(const ImportCommandOptions& options, Console& console);

struct ExportOptions {
  std::string model;
  std::string output;
  bool force = false;
  bool strict = false;
};
/// Writes a model as URDF and tells what is lost.
ExitCode run_export(const ExportOptions& options, Console& console);

struct ExamplesOptions {
  std::string name;  ///< empty: list them
  std::string program;
};
/// Lists the shipped scenarios, or copies one here.
ExitCode run_examples(const ExamplesOptions& options, Console& console);

struct NewOptions {
  std::string name;
  std::string program;
};
/// Writes a starter model and scenario into a new directory.
ExitCode run_new(const NewOptions& options, Console& console);

struct SchemaOptions {
  std::string kind;  ///< model | scenario
};
/// Prints a JSON Schema.
ExitCode run_schema(const SchemaOptions& options, Console& console);

}  // namespace spacedyn::cli
