#include "scenario/run_lock.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <fstream>
#include <sstream>
#include <thread>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

#include "spacedyn/scenario/output_directory.hpp"

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

}  // namespace

RunLock::RunLock(const std::filesystem::path& folder) : folder_(lock(folder, LOCK_EX)) {}

void refuse_folder_in_use(const std::filesystem::path& folder) { lock(folder, LOCK_SH); }

}  // namespace spacedyn
