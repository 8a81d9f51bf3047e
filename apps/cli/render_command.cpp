#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "commands.hpp"
#include "failure.hpp"
#include "headless_page.hpp"
#include "interrupt.hpp"
#include "progress.hpp"
#include "result_report.hpp"
#include "suggestions.hpp"
#include "temporary_folder.hpp"

namespace spacedyn::cli {
namespace {

namespace fs = std::filesystem;

constexpr int kMostPictures = 100'000;  // an hour of video
constexpr int kLargest = 7680;          // px
constexpr double kHighestSpeed = 1000;  // that a page takes by itself, see player.js
constexpr const char* kRecorder = "window.spacedyn.recorder";

Failure wrong_use(const std::string& message, const std::string& hint = {}) {
  return {ExitCode::wrong_command_line, message, hint};
}

enum class Target { picture, frames, webm, mp4 };

Target target_of(const std::string& path) {
  const std::string ending = fs::path(path).extension().string();
  if (ending == ".png") return Target::picture;
  if (ending == ".webm") return Target::webm;
  if (ending == ".mp4") return Target::mp4;
  if (ending.empty()) return Target::frames;
  throw wrong_use("cannot render into '" + path +
                      "': expected a name ending in .webm, .mp4 or .png, or a folder",
                  ending == ".svg" ? "spacedyn plot draws channels as SVG" : "");
}

/// Width and height of `1280x720`; videos want even numbers.
std::array<int, 2> size_of(const std::string& text) {
  std::array<int, 2> size{};
  const char* const end = text.data() + text.size();
  const auto [middle, error] = std::from_chars(text.data(), end, size[0]);
  const bool has_height = error == std::errc() && middle != end && *middle == 'x';
  const bool is_whole = has_height && std::from_chars(middle + 1, end, size[1]).ptr == end;
  const auto is_right = [](int side) { return side >= 16 && side <= kLargest && side % 2 == 0; };
  if (is_whole && is_right(size[0]) && is_right(size[1])) return size;
  throw wrong_use(
      fmt::format("option '--size': expected two even numbers from 16 to {} as in 1280x720, "
                  "got '{}'",
                  kLargest, text));
}

void check_use(const RenderOptions& options, Target target) {
  if (target == Target::picture) {
    if (options.from || options.to || options.speed || options.rate) {
      throw wrong_use("options '--from', '--to', '--speed' and '--fps' are for videos and frames",
                      "the time of a picture is --time");
    }
  } else if (options.time) {
    throw wrong_use("option '--time' is for one picture (.png)", "a video has --from and --to");
  }
  const std::string& camera = options.camera;
  const auto says = [&](const char* key) { return camera.find(key) != std::string::npos; };
  const bool is_view = camera.empty() || camera == "home" || camera == "front" ||
                       camera == "right" || camera == "top";
  if (is_view || (says("from=") && says("to=")) || says("follow=")) return;
  throw wrong_use(
      "option '--camera': expected home, front, right, top or what a link to a page says "
      "behind its #, got '" +
      camera + "'");
}

/// Instants of pictures, s of the run, at a speed that one can watch unless one is asked for.
std::vector<double> picture_times(const RenderOptions& options, const VectorX& rows, double usual) {
  const double start = rows(0), end = rows(rows.size() - 1);
  const double slack = 1e-9 * (end - start);
  const auto is_within = [&](double time) { return time >= start - slack && time <= end + slack; };
  if (options.time && !is_within(*options.time)) {
    throw wrong_use(
        fmt::format("option '--time': expected a time between {:g} and {:g} s, got {:g} s", start,
                    end, *options.time));
  }
  const double from = options.from.value_or(options.time.value_or(start));
  const double to = options.to.value_or(options.time.value_or(end));
  if (!is_within(from) || !is_within(to) || from > to) {
    throw wrong_use(
        fmt::format("expected --from and --to in this order between {:g} and {:g} s, got "
                    "{:g} and {:g} s",
                    start, end, from, to));
  }
  const double step = options.speed.value_or(usual) / options.rate.value_or(kUsualRate);
  const double count = std::floor((to - from) / step * (1.0 + 1e-12)) + 1.0;
  if (count > kMostPictures) {
    throw wrong_use(
        fmt::format("these are {:.0f} pictures, at most {} are made", count, kMostPictures),
        "a higher --speed or a shorter span needs fewer");
  }
  std::vector<double> times;
  for (int i = 0; i < static_cast<int>(count); ++i) times.push_back(std::min(from + i * step, to));
  return times;
}

std::string bytes_of(const nlohmann::json& base64) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  unsigned bits = 0;
  int count = 0;
  for (const char c : base64.get_ref<const std::string&>()) {
    const std::size_t digit = kDigits.find(c);
    if (digit == std::string_view::npos) break;  // what fills it up
    bits = bits << 6U | static_cast<unsigned>(digit);
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes += static_cast<char>(bits >> static_cast<unsigned>(count) & 0xffU);
  }
  return bytes;
}

void keep(const std::string& path, const std::string& bytes) {
  std::ofstream file(path, std::ios::binary);
  file << bytes << std::flush;
  if (!file) throw Failure(ExitCode::output_failed, "cannot write '" + path + "'");
}

/// A video that ffmpeg makes of pictures.
class Mp4 {
 public:
  Mp4(const std::string& path, double rate) : path_(path) {
    if (std::system("command -v ffmpeg >/dev/null 2>&1") != 0) {
      throw Failure(ExitCode::output_failed, "cannot start ffmpeg, which makes videos of MP4",
                    "install it; .webm and a folder of frames need none");
    }
    std::signal(SIGPIPE, SIG_IGN);  // where it ends early, finish() says so
    const std::string command = fmt::format(
        "ffmpeg -loglevel error -y -f image2pipe -c:v png -framerate {} -i pipe:0 -c:v libx264 "
        "-pix_fmt yuv420p -crf 18 -movflags +faststart -f mp4 {}",
        rate, shell_word("file:" + path));
    pipe_ = ::popen(command.c_str(), "w");
  }
  ~Mp4() {
    if (pipe_ == nullptr) return;
    ::pclose(pipe_);
    std::remove(path_.c_str());
  }
  Mp4(const Mp4&) = delete;
  Mp4& operator=(const Mp4&) = delete;

  void add(const std::string& png) { std::fwrite(png.data(), 1, png.size(), pipe_); }
  void finish() {
    const int status = ::pclose(std::exchange(pipe_, nullptr));
    if (status != 0)
      throw Failure(ExitCode::output_failed, "ffmpeg could not make '" + path_ + "'");
  }

 private:
  std::string path_;
  std::FILE* pipe_ = nullptr;
};

/// Calls a function with each instant and its number.
using EachInstant = std::function<void(const std::function<void(double, std::size_t)>&)>;

void render(Target target, const std::string& path, double rate, HeadlessPage& page,
            const EachInstant& each) {
  const auto picture = [&](double time) {
    return bytes_of(page.evaluate(fmt::format("{}.still({})", kRecorder, time)));
  };
  if (target == Target::picture) {
    each([&](double time, std::size_t) { keep(path, picture(time)); });
  } else if (target == Target::frames) {
    std::error_code ignored;  // what cannot be made cannot be written into
    fs::create_directories(path, ignored);
    each([&](double time, std::size_t i) {
      keep((fs::path(path) / fmt::format("frame_{:06}.png", i)).string(), picture(time));
    });
  } else if (target == Target::mp4) {
    Mp4 video(path, rate);
    each([&](double time, std::size_t) { video.add(picture(time)); });
    video.finish();
  } else {
    page.evaluate(fmt::format("{}.film({})", kRecorder, rate));
    each([&](double time, std::size_t) {
      page.evaluate(fmt::format("{}.add({})", kRecorder, time));
    });
    keep(path, bytes_of(page.evaluate(fmt::format("{}.finish()", kRecorder))));
  }
}

/// What is there already is kept, unless asked otherwise; an empty folder will do.
void refuse_present(const std::string& path, Target target, bool force) {
  std::error_code error;
  if (target == Target::frames && fs::is_directory(path, error) && fs::is_empty(path, error))
    return;
  refuse_existing(path, force);
}

}  // namespace

ExitCode run_render(const RenderOptions& options, Console& console) {
  const ReportData report = read_result_report(options.result, ReportDetail::page);
  const std::string path = output_path(
      options.output, fs::path(report.path).replace_extension(".webm").string(), options.force);
  const Target target = target_of(path);
  const auto [width, height] = size_of(options.size);
  check_use(options, target);
  refuse_present(path, target, options.force);
  refuse_inputs(path, std::vector<ReportData>{report});
  if (report.motion.times.empty()) {
    throw Failure(ExitCode::bad_input, "'" + report.path + "' holds no motion of bodies to show",
                  "record what moves them: output.channels");
  }
  RenderOptions range = options;
  if (target == Target::picture && !options.time)
    range.time = report.times(report.times.size() - 1);
  picture_times(range, report.times, kHighestSpeed);  // what no speed can save needs no browser
  for (const std::string& warning : report.warnings) console.note("warning: " + warning);

  const TemporaryFolder folder;
  const std::string file = folder.path() + "/page.html";
  try {
    write_html_report(file, {report});
  } catch (const IoError& error) {
    throw Failure(ExitCode::output_failed, error.what());
  }
  catch_interrupts();
  console.detail("opening the page in a browser");
  HeadlessPage page(folder.path() + "/browser");
  page.open(file, width, height);
  if (page.evaluate(fmt::format("Boolean({})", kRecorder)) != true) {
    throw Failure(ExitCode::output_failed, "the browser offers no WebGL, which draws the pictures");
  }
  const nlohmann::json span =
      page.evaluate(fmt::format("{}.begin({})", kRecorder, nlohmann::json(options.camera).dump()));
  const std::vector<double> times = picture_times(range, report.times, span.at("speed"));
  Progress progress(error_is_terminal() && !console.options().quiet, times.back() - times.front());
  render(target, path, options.rate.value_or(kUsualRate), page, [&](const auto& take) {
    for (std::size_t i = 0; i < times.size(); ++i) {
      take(times[i], i);
      progress.update(times[i] - times.front());
    }
  });
  progress.clear();
  console.print(path + '\n');
  return ExitCode::done;
}

}  // namespace spacedyn::cli
