#include "spacedyn/scenario/output_directory.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <fstream>
#include <sstream>
#include <system_error>
#include <thread>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "scenario/run_outcome.hpp"
#include "spacedyn/reporting/run_record.hpp"
#include "spacedyn/scenario/scenario_run.hpp"

namespace spacedyn {
namespace {

constexpr std::size_t kLongestCommand = 200;
/// Whoever only looks holds the lock for microseconds.
constexpr int kAttempts = 5;
constexpr std::chrono::milliseconds kPause{10};

/// The process that holds a lock on an open file, as the kernel lists them; 0 if it does not say.
long holder_of(int descriptor) {
  struct stat status = {};
  if (::fstat(descriptor, &status) != 0) return 0;
  const std::string inode = fmt::format(":{}", status.st_ino);
  std::ifstream list("/proc/locks");
  for (std::string line; std::getline(list, line);) {
    // 1: FLOCK  ADVISORY  WRITE 1234 fe:00:5678 0 EOF
    std::istringstream words(line);
    std::string number, kind, mode, access, place;
    long process = 0;
    words >> number >> kind >> mode >> access >> process >> place;
    const bool is_here = place.size() > inode.size() &&
                         place.compare(place.size() - inode.size(), inode.size(), inode) == 0;
    if (kind == "FLOCK" && access == "WRITE" && is_here) return process;
  }
  return 0;
}

std::string command_of(long process) {
  std::ifstream file(fmt::format("/proc/{}/cmdline", process), std::ios::binary);
  std::string text(kLongestCommand, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(file.gcount()));
  std::replace(text.begin(), text.end(), '\0', ' ');
  while (!text.empty() && text.back() == ' ') text.pop_back();
  return text;
}

[[noreturn]] void fail_in_use(const std::filesystem::path& folder, int descriptor) {
  std::string who = "another process";
  if (const long process = holder_of(descriptor); process > 0) {
    who = fmt::format("process {}", process);
    const std::string command = command_of(process);
    if (!command.empty()) who += fmt::format(" ({})", command);
  }
  throw OutputDirectoryError(
      OutputDirectoryError::Kind::in_use,
      fmt::format("'{}' is in use: {} is writing a run into it", folder.string(), who));
}

Descriptor lock(const std::filesystem::path& folder, int operation) {
  Descriptor descriptor(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (descriptor < 0) return descriptor;  // whoever writes there says why it cannot
  for (int attempt = 1; ::flock(descriptor, operation | LOCK_NB) != 0; ++attempt) {
    if (errno == EINTR) continue;
    if (errno != EWOULDBLOCK) return Descriptor();
    if (attempt >= kAttempts) fail_in_use(folder, descriptor);
    std::this_thread::sleep_for(kPause);
  }
  return descriptor;
}

namespace fs = std::filesystem;

constexpr int kMaxNumber = 9999;
constexpr std::size_t kMaxStem = 100;  // file systems allow 255 bytes, endings included

bool is_plain(char c) {
  return static_cast<unsigned char>(c) >= 0x80 || (c >= 'a' && c <= 'z') ||
         (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
}

using Kind = OutputDirectoryError::Kind;

[[noreturn]] void fail(const std::string& message, Kind kind = Kind::unusable) {
  throw OutputDirectoryError(kind, message);
}

[[noreturn]] void fail_to_create(const fs::path& path, const std::error_code& error) {
  fail(fmt::format("cannot create directory '{}': {}", path.string(), error.message()));
}

/// Creates a directory and its parents; whether the directory itself is new.
bool create(const fs::path& path) {
  std::error_code error;
  const bool created = fs::create_directories(path, error);
  if (error) fail_to_create(path, error);
  return created;
}

fs::path numbered(const std::string& stem, int number) {
  return fs::path("results") / (number == 1 ? stem : fmt::format("{}-{:03}", stem, number));
}

/// Of the directories of a scenario; 0 if there is none.
int newest_number(const std::string& stem) {
  int number = 0;
  while (number < kMaxNumber && fs::exists(numbered(stem, number + 1))) ++number;
  return number;
}

/// Whether there is a run that has not come to its end.
bool is_unfinished(const OutputDirectory& directory) {
  if (fs::exists(directory.checkpoint())) return true;
  if (!fs::exists(directory.metadata())) return false;
  try {
    const std::string status = facts_of_run(directory).status;
    return !status.empty() && status != to_string(RunStatus::complete);
  } catch (const IoError&) {
    return false;
  }
}

[[noreturn]] void refuse_to_resume(const OutputDirectory& directory) {
  fail(fmt::format("nothing to resume: there is no checkpoint '{}'", directory.checkpoint()),
       fs::exists(directory.result()) ? Kind::no_checkpoint : Kind::no_run);
}

fs::path create_numbered(const std::string& stem) {
  const fs::path parent = "results";
  create(parent);
  for (int number = 1; number <= kMaxNumber; ++number) {
    fs::path path = numbered(stem, number);
    std::error_code error;
    if (fs::create_directory(path, error)) return path;
    if (error && error != std::errc::file_exists) fail_to_create(path, error);
  }
  fail(fmt::format("there are {} directories results/{}… already", kMaxNumber, stem),
       Kind::too_many);
}

void remove_file(const std::string& path) {
  std::error_code error;
  fs::remove(path, error);
  if (error) fail(fmt::format("cannot overwrite '{}': {}", path, error.message()));
}

}  // namespace

RunLock::RunLock(const std::filesystem::path& folder) : folder_(lock(folder, LOCK_EX)) {}

void refuse_folder_in_use(const std::filesystem::path& folder) { lock(folder, LOCK_SH); }

OutputDirectoryError::~OutputDirectoryError() = default;

OutputDirectory::OutputDirectory(const std::string& scenario, const std::string& requested,
                                 ResultFormat format, ExistingFiles existing)
    : stem_(file_stem(scenario)), format_(format) {
  const bool force = existing == ExistingFiles::overwrite;
  if (requested.empty() && !force) {
    path_ = create_numbered(stem_);
    created_ = true;
    return;
  }
  path_ = requested.empty() ? fs::path("results") / stem_ : fs::path(requested);
  created_ = create(path_);
  if (created_) return;
  refuse_folder_in_use(path_);
  if (force) {
    // whatever kind the earlier run wrote
    for (const ResultFormat earlier : all_result_formats()) remove_file(result(earlier));
    remove_file(metadata());
    remove_file(checkpoint());
    remove_file(report());
    return;
  }
  std::error_code error;
  const bool is_empty = fs::is_empty(path_, error);
  if (error) fail(fmt::format("cannot look into '{}': {}", path_.string(), error.message()));
  if (is_empty) return;
  fail(fmt::format("'{}' exists already and is not empty", path_.string()),
       fs::exists(checkpoint()) ? Kind::holds_checkpoint : Kind::not_empty);
}

OutputDirectory OutputDirectory::of_earlier_run(const std::string& scenario,
                                                const std::string& requested, ResultFormat format) {
  const std::string stem = file_stem(scenario);
  if (!requested.empty()) {
    OutputDirectory directory(stem, format, requested);
    refuse_folder_in_use(directory.path());
    if (!is_unfinished(directory)) refuse_to_resume(directory);
    return directory;
  }
  for (int number = newest_number(stem); number >= 1; --number) {
    OutputDirectory directory(stem, format, numbered(stem, number));
    if (!is_unfinished(directory)) continue;
    refuse_folder_in_use(directory.path());
    return directory;
  }
  refuse_to_resume({stem, format, numbered(stem, std::max(newest_number(stem), 1))});
}

std::optional<OutputDirectory> OutputDirectory::newest(const std::string& scenario,
                                                       const std::string& requested,
                                                       ResultFormat format) {
  const std::string stem = file_stem(scenario);
  const int count = requested.empty() ? newest_number(stem) : 1;
  for (int number = count; number >= 1; --number) {
    OutputDirectory directory(stem, format,
                              requested.empty() ? numbered(stem, number) : fs::path(requested));
    if (fs::exists(directory.result())) return directory;
  }
  return std::nullopt;
}

std::string OutputDirectory::result(ResultFormat format) const {
  return (path_ / (stem_ + std::string(extension(format)))).string();
}

void OutputDirectory::discard() const {
  std::error_code ignored;
  fs::remove(result(), ignored);
  fs::remove(metadata(), ignored);
  fs::remove(checkpoint(), ignored);
  if (created_) fs::remove(path_, ignored);
}

std::shared_ptr<const void> hold_directory(const std::filesystem::path& directory) {
  return std::make_shared<const RunLock>(directory);
}

std::string file_stem(const std::string& name) {
  std::size_t size = std::min(name.size(), kMaxStem);
  // not through the middle of a letter of several bytes
  while (size > 0 && size < name.size() && (static_cast<unsigned char>(name[size]) & 0xC0) == 0x80)
    --size;
  std::string stem = name.substr(0, size);
  std::replace_if(
      stem.begin(), stem.end(), [](char c) { return !is_plain(c); }, '_');
  return stem.empty() ? "scenario" : stem;
}

}  // namespace spacedyn
