#include "picture.hpp"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <filesystem>
#include <system_error>
#include <vector>

#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>

#include "failure.hpp"

extern char** environ;

namespace spacedyn::cli {
namespace {

constexpr double kPixelsPerInch = 96.0;

[[noreturn]] void fail(const std::string& reason) {
  throw Failure(ExitCode::output_failed, "cannot draw the picture: " + reason);
}

[[noreturn]] void fail(int error) { fail(std::generic_category().message(error)); }

/// A file in memory, so that neither side of a process waits for the other.
class MemoryFile {
 public:
  MemoryFile() : descriptor_(::memfd_create("spacedyn", MFD_CLOEXEC)) {
    if (descriptor_ < 0) fail(errno);
  }
  ~MemoryFile() { ::close(descriptor_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  [[nodiscard]] int descriptor() const { return descriptor_; }

  void fill(const std::string& bytes) const {
    for (std::size_t done = 0; done < bytes.size();) {
      const ssize_t count = ::write(descriptor_, bytes.data() + done, bytes.size() - done);
      if (count < 0) fail(errno);
      done += static_cast<std::size_t>(count);
    }
    ::lseek(descriptor_, 0, SEEK_SET);
  }

  [[nodiscard]] std::string bytes() const {
    std::string all(static_cast<std::size_t>(::lseek(descriptor_, 0, SEEK_END)), '\0');
    const ssize_t count = ::pread(descriptor_, all.data(), all.size(), 0);
    if (count != static_cast<ssize_t>(all.size())) fail(errno);
    return all;
  }

 private:
  int descriptor_;
};

/// What a program writes to its standard output, given its standard input.
std::string output_of(std::vector<std::string> words, const std::string& input) {
  const MemoryFile from, to, said;
  from.fill(input);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, from.descriptor(), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, to.descriptor(), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, said.descriptor(), STDERR_FILENO);
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  pid_t process = 0;
  const int error =
      ::posix_spawnp(&process, pointers[0], &actions, nullptr, pointers.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error == ENOENT) {
    fail("the program '" + words.front() +
         "' is not there (on Debian: package librsvg2-bin); write a picture ending in .svg");
  }
  if (error != 0) fail(error);
  int status = 0;
  while (::waitpid(process, &status, 0) < 0) {
    if (errno != EINTR) fail(errno);
  }
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    const std::string reason = said.bytes();
    fail(reason.empty() ? "'" + words.front() + "' was stopped"
                        : reason.substr(0, reason.find('\n')));
  }
  return to.bytes();
}

}  // namespace

PictureFormat picture_format(const std::string& path) {
  std::string ending = std::filesystem::path(path).extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (ending == ".svg") return PictureFormat::svg;
  if (ending == ".png") return PictureFormat::png;
  if (ending == ".pdf") return PictureFormat::pdf;
  throw Failure(ExitCode::wrong_command_line,
                "cannot draw into '" + path + "': expected a name ending in .svg, .png or .pdf");
}

std::string draw_picture(const std::string& svg, PictureFormat format, double resolution) {
  if (format == PictureFormat::svg) return svg;
  std::vector<std::string> words{"rsvg-convert"};
  if (format == PictureFormat::pdf) {
    words.insert(words.end(), {"--format", "pdf"});
  } else {
    words.insert(words.end(), {"--background-color", "white", "--zoom",
                               fmt::format("{}", resolution / kPixelsPerInch)});
  }
  return output_of(std::move(words), svg);
}

}  // namespace spacedyn::cli
