#include "reporting/results/output_file.hpp"

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>

#include <fcntl.h>
#include <unistd.h>

#include "reporting/results/child_process.hpp"
#include "spacedyn/error.hpp"

namespace spacedyn {
namespace {

[[noreturn]] void fail(const std::string& action, const std::string& path, int error) {
  throw IoError("cannot " + action + " '" + path + "': " + std::generic_category().message(error));
}

}  // namespace

OutputFile::OutputFile(std::string path)
    : path_(std::move(path)),
      descriptor_(::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666)) {
  if (descriptor_ >= 0) return;
  if (errno == EEXIST) {
    throw IoError("cannot create '" + path_ + "': it exists already and is not overwritten");
  }
  fail("create", path_, errno);
}

OutputFile::~OutputFile() {
  if (is_open()) ::close(descriptor_);
}

void OutputFile::append(std::string_view lines) {
  std::string_view rest = lines;
  while (!rest.empty()) {
    const ssize_t written = ::write(descriptor_, rest.data(), rest.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) {
      const int error = errno;
      cut_to_whole_lines(lines.substr(0, lines.size() - rest.size()));
      fail("write to", path_, error);
    }
    rest.remove_prefix(static_cast<std::size_t>(written));
  }
  size_ += static_cast<off_t>(lines.size());
}

void OutputFile::cut_to_whole_lines(std::string_view written) {
  size_ += static_cast<off_t>(written.rfind('\n') + 1);  // npos + 1 is 0
  if (::ftruncate(descriptor_, size_) == 0) ::lseek(descriptor_, size_, SEEK_SET);
}

void OutputFile::close() {
  const int descriptor = descriptor_;
  descriptor_ = -1;
  if (descriptor >= 0 && ::close(descriptor) != 0) fail("finish writing", path_, errno);
}

void OutputFile::rename(const std::string& path) {
  rename_file(path_, path);
  path_ = path;
}

void rename_file(const std::string& from, const std::string& to) {
  if (std::rename(from.c_str(), to.c_str()) != 0) fail("write", to, errno);
}

void sync_file(const std::string& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file < 0) fail("open", path, errno);
  // what is no file of a disk, and file systems that cannot, have nothing to wait for
  if (::fsync(file) != 0 && errno != EINVAL && errno != EROFS) fail("write to", path, errno);
}

void write_file_atomically(const std::string& path, std::string_view text, Durability durability) {
  const std::string temporary = path + ".tmp";
  ::unlink(temporary.c_str());
  try {
    OutputFile file(temporary);
    file.append(text);
    file.close();
    if (durability == Durability::power_cut) sync_file(temporary);
    rename_file(temporary, path);
    if (durability == Durability::power_cut) {
      const std::string folder = std::filesystem::path(path).parent_path().string();
      sync_file(folder.empty() ? "." : folder);
    }
  } catch (const IoError&) {
    ::unlink(temporary.c_str());
    throw;
  }
}

PlacedFile::PlacedFile(std::string path, Mode mode) : path_(std::move(path)) {
  if (mode == Mode::nameless) ::unlink(path_.c_str());
  file_ = Descriptor(::open(path_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
  if (file_ < 0) fail("create", errno);
  if (mode == Mode::nameless) ::unlink(path_.c_str());
}

void PlacedFile::write(std::uint64_t at, const void* bytes, std::size_t size) const {
  const char* next = static_cast<const char*>(bytes);
  while (size > 0) {
    const ssize_t count = ::pwrite(file_, next, size, static_cast<off_t>(at));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) fail("write to", errno);
    next += count;
    at += static_cast<std::uint64_t>(count);
    size -= static_cast<std::size_t>(count);
  }
}

void PlacedFile::read(std::uint64_t at, void* bytes, std::size_t size) const {
  auto* next = static_cast<char*>(bytes);
  while (size > 0) {
    const ssize_t count = ::pread(file_, next, size, static_cast<off_t>(at));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) fail("read", errno);
    next += count;
    at += static_cast<std::uint64_t>(count);
    size -= static_cast<std::size_t>(count);
  }
}

void PlacedFile::close() {
  if (!file_.close()) fail("finish writing", errno);
}

void PlacedFile::fail(const char* action, int error) const {
  throw IoError(std::string("cannot ") + action + " '" + path_ +
                "': " + std::generic_category().message(error));
}

}  // namespace spacedyn
