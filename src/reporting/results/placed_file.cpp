#include "reporting/results/placed_file.hpp"

#include <cerrno>
#include <system_error>

#include <fcntl.h>
#include <unistd.h>

#include "spacedyn/error.hpp"

namespace spacedyn {

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
