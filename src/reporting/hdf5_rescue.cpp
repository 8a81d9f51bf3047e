#include "reporting/hdf5_rescue.hpp"

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <system_error>

#include <fcntl.h>
#include <unistd.h>

namespace spacedyn::hdf5 {
namespace {

/// A file whose name is gone as soon as the object is; whoever has it open may go on.
class TemporaryFile {
 public:
  TemporaryFile()
      : path_((std::filesystem::temp_directory_path() / "spacedyn-result-XXXXXX").string()),
        descriptor_(::mkostemp(path_.data(), O_CLOEXEC)) {
    require(descriptor_ >= 0);
  }
  ~TemporaryFile() {
    if (descriptor_ < 0) return;
    ::close(descriptor_);
    ::unlink(path_.c_str());
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  const std::string& path() const { return path_; }
  void append(const char* bytes, std::size_t size) const {
    while (size > 0) {
      const ssize_t written = ::write(descriptor_, bytes, size);
      require(written > 0);
      bytes += written;
      size -= static_cast<std::size_t>(written);
    }
  }
  void resize(std::uint64_t size) const {
    require(::ftruncate(descriptor_, static_cast<off_t>(size)) == 0);
  }

 private:
  void require(bool good) const {
    if (good) return;
    const int error = errno;
    throw Failure("no copy of it can be made in '" + path_ +
                  "': " + std::generic_category().message(error));
  }

  std::string path_;
  int descriptor_;
};

/// The length that the superblock of version 2 or 3 states, 0 if it is another one.
std::uint64_t stated_length(const char* superblock) {
  const auto byte = [&](int i) {
    return static_cast<std::uint64_t>(static_cast<unsigned char>(superblock[i]));
  };
  const bool is_known = (byte(8) == 2 || byte(8) == 3) && byte(9) == 8;
  std::uint64_t length = 0;
  for (int i = 7; i >= 0 && is_known; --i) length = length << 8 | byte(28 + i);
  return length;
}

}  // namespace

Handle open_cut_off(const std::string& path) {
  constexpr std::size_t kSuperblock = 48;
  std::ifstream file(path, std::ios::binary);
  std::array<char, 1 << 16> bytes{};
  const TemporaryFile copy;
  std::uint64_t size = 0, length = 0;
  while (file.read(bytes.data(), bytes.size()), file.gcount() > 0) {
    const auto count = static_cast<std::size_t>(file.gcount());
    if (size == 0 && count >= kSuperblock) length = stated_length(bytes.data());
    copy.append(bytes.data(), count);
    size += count;
  }
  if (length <= size) throw Failure("its beginning is damaged");
  copy.resize(length);
  return open_file(copy.path(), Access::read_abandoned);
}

}  // namespace spacedyn::hdf5
