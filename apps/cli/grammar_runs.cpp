#include "grammar.hpp"

namespace spacedyn::cli {

CLI::Option* Grammar::add_run(CLI::App* command, SimulateOptions& options) {
  command
      ->add_option("-o,--output", options.output,
                   "Directory for the results (default: results/<scenario>, then -002, …)")
      ->type_name("DIR");
  add_overrides(command, options.overrides);
  command
      ->add_option("--duration", options.duration,
                   "Simulated time, s or with a unit; short for --set duration=…")
      ->type_name("TIME");
  CLI::Option* force = command->add_flag("--force", options.force, "Overwrite existing results");
  command->add_flag("--no-progress", options.no_progress, "Show no progress on the terminal");
  add_reading(command, options.strict);
  add_quiet(command, "Print no summary, no progress and no warnings");
  command->add_flag("-v,--verbose", console_.verbose, "Say what is read, run and written");
  return force;
}

void Grammar::add_overrides(CLI::App* command, std::vector<std::string>& overrides) {
  command
      ->add_option("--set", overrides,
                   "Change a value of the scenario, or of the model below model.; repeatable")
      ->type_name("KEY.PATH=VALUE")
      ->allow_extra_args(false);
}

void Grammar::add_simulate() {
  simulate_.program = program_;
  CLI::App* command = add("simulate", "Run a scenario, write its results, print a summary",
                          "spacedyn simulate scenario.yaml --set duration=20 -o results/long",
                          simulate_, &run_simulate);
  command
      ->add_option("SCENARIO", simulate_.scenario,
                   "Scenario file; a URDF, MJCF or .def model flies without one")
      ->required()
      ->type_name("");
  CLI::Option* force = add_run(command, simulate_);
  command
      ->add_option("--format", simulate_.format,
                   "Kind of result file: hdf5 or csv; short for --set output.format=…")
      ->type_name("FORMAT");
  command
      ->add_option("--channels", simulate_.channels,
                   "What to record, separated by commas; short for --set output.channels=[…]")
      ->type_name("LIST");
  command
      ->add_flag("--resume", simulate_.resume,
                 "Go on from the last checkpoint of a run that was killed, interrupted or failed")
      ->excludes(force);
  command
      ->add_option("--checkpoint-every", simulate_.checkpoint_interval,
                   "Elapsed time between checkpoints (default: 10 s)")
      ->type_name("SECONDS")
      ->check(CLI::PositiveNumber);
  command->add_flag("--no-report", simulate_.no_report, "Write no page, the numbers alone");
  command
      ->add_option("--row", simulate_.row,
                   "Fly this row of a sweep again; SCENARIO is the result of the sweep")
      ->type_name("ROW")
      ->check(CLI::NonNegativeNumber)
      ->excludes("--resume");
  add_json(command);
}

void Grammar::add_sweep() {
  sweep_.program = program_;
  CLI::App* command = add("sweep", "Fly a scenario many times with parameters that vary",
                          "spacedyn sweep study.yaml -j 4", sweep_, &run_sweep_command);
  command->add_option("SWEEP", sweep_.sweep, "File of the sweep")->required()->type_name("");
  command
      ->add_option("-o,--output", sweep_.output,
                   "Directory for the results (default: results/<sweep>, then -002, …)")
      ->type_name("DIR");
  command->add_option("-j,--threads", sweep_.threads, "Flights at once (default: one each core)")
      ->type_name("N")
      ->check(CLI::Range(1, 4096));
  command->add_option("--set", sweep_.overrides, "Change a key of the sweep; repeatable")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  CLI::Option* force = command->add_flag("--force", sweep_.force, "Overwrite existing results");
  CLI::Option* resume =
      command
          ->add_flag("--resume", sweep_.resume,
                     "Fly the rows that are missing after an interrupt, a kill or a full disk")
          ->excludes(force);
  command
      ->add_flag("--linear", sweep_.linear,
                 "Fly once, with derivatives, and print what follows from the distributions to "
                 "first order; files with -o alone")
      ->excludes(resume);
  command->add_flag("--no-progress", sweep_.no_progress, "Show no progress");
  add_reading(command, sweep_.strict);
  add_json(command);
  add_quiet(command, "Print no summary, no progress and no warnings");
}

void Grammar::add_fit() {
  add_search(add("fit", "Estimate numbers of a scenario from telemetry",
                 "spacedyn fit fit.yaml -j 4", fit_, &run_fit_command),
             fit_, "fit");
}

void Grammar::add_optimize() {
  CLI::App* command =
      add("optimize", "Find numbers of a scenario that make what a flight costs least",
          "spacedyn optimize slew.yaml -j 4", optimize_, &run_optimize_command);
  add_search(command, optimize_, "optimization");
  command
      ->add_flag("--resume", optimize_.resume,
                 "Go on with a search that was interrupted, or with more evaluations")
      ->excludes("--force");
}

void Grammar::add_search(CLI::App* command, SearchCommandOptions& options, const char* what) {
  options.program = program_;
  const std::string name = what;
  command->add_option("FILE", options.file, "File of the " + name)->required()->type_name("");
  command
      ->add_option("-o,--output", options.output,
                   "Directory for the results (default: results/<" + name + ">, then -002, …)")
      ->type_name("DIR");
  command->add_option("-j,--threads", options.threads, "Flights at once (default: one each core)")
      ->type_name("N")
      ->check(CLI::Range(1, 4096));
  command->add_option("--set", options.overrides, "Change a key of the " + name + "; repeatable")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  command->add_flag("--force", options.force, "Overwrite existing results");
  command->add_flag("--no-progress", options.no_progress, "Show no progress");
  add_reading(command, options.strict);
  add_json(command);
  add_quiet(command, "Print no summary, no progress and no warnings");
}

void Grammar::add_report() {
  CLI::App* command = add("report", "Write one page with animation, plots and tables",
                          "spacedyn report results/slew results/slew-002 -o both.html --open",
                          report_, &run_report);
  command
      ->add_option("RESULT", report_.results,
                   "Result files, or folders with one each; several are compared")
      ->required()
      ->type_name("");
  command->add_option("-o,--output", report_.output, "The page (default: beside the result)")
      ->type_name("FILE.html");
  command->add_flag("--open", report_.open, "Open it in the browser");
  command->add_flag("--force", report_.force, "Overwrite an existing file");
  add_json(command);
  add_quiet(command, "Show no warnings");
  command->add_flag("-v,--verbose", console_.verbose, "Say what is read");
}

void Grammar::add_plot() {
  CLI::App* command =
      add("plot", "Draw channels of a result as an SVG, PNG or PDF picture",
          "spacedyn plot results/slew 'joints_*_rad' base_attitude --degrees", plot_, &run_plot);
  command->add_option("RESULT", plot_.result, "Result file, or a folder with one")
      ->required()
      ->type_name("");
  CLI::Option* channels =
      command
          ->add_option("CHANNEL", plot_.channels,
                       "Columns, their beginnings, patterns with *, or groups such as momentum; "
                       "none: list them")
          ->type_name("");
  const std::size_t others = command->get_options().size();
  command
      ->add_option("-o,--output", plot_.output,
                   "The picture, .svg, .png or .pdf; - prints SVG on standard output")
      ->type_name("FILE");
  command->add_option("--with", plot_.others, "Another result, drawn with dashes; repeatable")
      ->type_name("RESULT")
      ->allow_extra_args(false);
  command->add_option("--title", plot_.title, "A title above the panels")->type_name("TEXT");
  command->add_option("--width", plot_.width, "Width in px, 96 to an inch (default: 480)")
      ->type_name("PX")
      ->check(CLI::Range(200.0, 5000.0));
  command
      ->add_option("--height", plot_.height,
                   "Height of each panel in px, 96 to an inch (default: 190)")
      ->type_name("PX")
      ->check(CLI::Range(40.0, 3000.0));
  command->add_option("--font-size", plot_.font_size, "Size of letters in points (default: 8.25)")
      ->type_name("PT")
      ->check(CLI::Range(4.0, 40.0));
  command
      ->add_option("--label", plot_.labels,
                   "What the legend calls RESULT, then each --with; repeatable")
      ->type_name("TEXT")
      ->allow_extra_args(false);
  command->add_option("--dpi", plot_.resolution, "Resolution of a PNG (default: 300)")
      ->type_name("DPI")
      ->check(CLI::Range(30.0, 2400.0));
  command->add_flag("--degrees", plot_.degrees, "Draw angles in degrees");
  command->add_flag("--force", plot_.force, "Overwrite an existing file");
  // a list of channels is no picture
  const std::vector<CLI::Option*> options = command->get_options();
  for (std::size_t i = others; i < options.size(); ++i) options[i]->needs(channels);
}

void Grammar::add_render() {
  CLI::App* command = add("render", "Make a video, its frames or a picture of the animation",
                          "spacedyn render results/slew -o slew.webm --size 1920x1080 --speed 2",
                          render_, &run_render);
  command->add_option("RESULT", render_.result, "Result file, or a folder with one")
      ->required()
      ->type_name("");
  command
      ->add_option("-o,--output", render_.output,
                   "Video (.webm, or .mp4 with ffmpeg), picture (.png), or folder for frames "
                   "(default: a .webm beside the result)")
      ->type_name("PATH");
  command->add_option("--size", render_.size, "Width and height in px (default: 1280x720)")
      ->type_name("WxH");
  command->add_option("--fps", render_.rate, "Pictures a second of the video (default: 30)")
      ->type_name("RATE")
      ->check(CLI::Range(1.0, 240.0));
  command
      ->add_option("--speed", render_.speed,
                   "Simulated seconds per second (default: 1, faster for long runs)")
      ->type_name("FACTOR")
      ->check(CLI::Range(0.001, 10000.0));
  command->add_option("--from", render_.from, "Where the video begins (default: the start)")
      ->type_name("SECONDS");
  command->add_option("--to", render_.to, "Where it ends (default: the end)")->type_name("SECONDS");
  command->add_option("--time", render_.time, "Time of a picture (default: the end)")
      ->type_name("SECONDS");
  command
      ->add_option("--camera", render_.camera,
                   "home, front, right, top, or what a link copied from a page says behind its #")
      ->type_name("VIEW");
  command->add_flag("--force", render_.force, "Overwrite what is there");
  add_quiet(command, "Show no progress and no warnings");
  command->add_flag("-v,--verbose", console_.verbose, "Say what is done");
}

void Grammar::add_view() {
  view_.run.program = program_;
  CLI::App* command =
      add("view",
          "Run a scenario and open its report, watch the run with --live, or move a robot's joints",
          "spacedyn view scenario.yaml --live --speed 2", view_, &run_view);
  command
      ->add_option(
          "SCENARIO", view_.run.scenario,
          "Scenario file, a result, or a model, which is shown with sliders for its joints; a "
          "model in URDF, MJCF or .def flies with --live, --set or --duration")
      ->required()
      ->type_name("");
  CLI::Option* live = command->add_flag("--live", view_.live,
                                        "Serve a page of the run on this machine while it goes on");
  command->add_option("--speed", view_.speed, "Simulated seconds per second (default: 1)")
      ->type_name("FACTOR")
      ->check(CLI::Range(0.001, 10000.0))
      ->needs(live);
  command->add_option("--port", view_.port, "Port of the page (default: any free one)")
      ->type_name("PORT")
      ->check(CLI::Range(1, 65535))
      ->needs(live);
  add_run(command, view_.run);
  command->get_option("--output")
      ->description(
          "Directory for the results (default: results/<scenario>, then -002, …); of a result or a "
          "model the page");
  command->add_flag("--no-open", view_.no_open, "Print the address or path, open no browser");
}

void Grammar::add_convert() {
  CLI::App* command = add("convert", "Write a result in another format: .h5, .csv or .mat",
                          "spacedyn convert results/slew slew.mat", convert_, &run_convert);
  command->add_option("RESULT", convert_.input, "Result file, or a folder with one")
      ->required()
      ->type_name("");
  command->add_option("OUT", convert_.output, "File to write; its ending is the format")
      ->required()
      ->type_name("");
  command->add_option("--compress", convert_.compression, "Compression of HDF5, 0 (none) to 9")
      ->type_name("LEVEL")
      ->check(CLI::Range(0, 9));
  command->add_flag("--force", convert_.force, "Overwrite existing files");
  add_json(command);
  add_quiet(command, "Show no warnings and no names");
}

}  // namespace spacedyn::cli
