#include "reporting/hdf5_reader/reader.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <new>

#include <sys/stat.h>
#include <unistd.h>
#if H5_VERSION_GE(1, 13, 0)
#include <H5FDdevelop.h>
#endif

namespace spacedyn::hdf5 {
namespace {

/// HDF5 doubles the pause after each attempt, from 1 ns on: 4 ms in all. Its own choice, 100, is
/// for ever.
constexpr unsigned kAttempts = 22;

/// The file that this process is there for.
struct Target {
  int descriptor = -1;
  bool grows = false;
  std::uint64_t stated_length = 0;  ///< what a file without its end once had, else 0
};
Target target;

/// What HDF5 keeps of a file, and what the driver adds.
struct OpenFile : H5FD_t {
  haddr_t end_of_addresses;
};

std::uint64_t length() {
  struct stat status = {};
  if (fstat(target.descriptor, &status) != 0 || status.st_size < 0) return 0;
  return static_cast<std::uint64_t>(status.st_size);
}

/// Up to @p size bytes; fewer at the end of the file. @return −1 if the disk fails
long read_bytes(std::uint64_t at, void* bytes, std::size_t size) {
  std::size_t done = 0;
  while (done < size) {
    const ssize_t count = pread(target.descriptor, static_cast<char*>(bytes) + done, size - done,
                                static_cast<off_t>(at + done));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return -1;
    if (count == 0) break;
    done += static_cast<std::size_t>(count);
  }
  return static_cast<long>(done);
}

H5FD_t* open_target(const char* /*name*/, unsigned /*flags*/, hid_t /*access*/, haddr_t /*most*/) {
  return new (std::nothrow) OpenFile{};
}

herr_t close_target(H5FD_t* file) {
  delete static_cast<OpenFile*>(file);
  return 0;
}

herr_t query(const H5FD_t* /*file*/, unsigned long* flags) {
  if (flags != nullptr) *flags = H5FD_FEAT_DATA_SIEVE | H5FD_FEAT_SUPPORTS_SWMR_IO;
  return 0;
}

/// What lies in a file that grows may be beyond the end that its superblock remembers.
haddr_t get_end_of_addresses(const H5FD_t* file, H5FD_mem_t /*type*/) {
  const haddr_t end = static_cast<const OpenFile*>(file)->end_of_addresses;
  return target.grows ? std::max<haddr_t>(end, length()) : end;
}

herr_t set_end_of_addresses(H5FD_t* file, H5FD_mem_t /*type*/, haddr_t end) {
  static_cast<OpenFile*>(file)->end_of_addresses = end;
  return 0;
}

haddr_t get_end_of_file(const H5FD_t* /*file*/, H5FD_mem_t /*type*/) {
  return std::max(length(), target.stated_length);
}

herr_t read(H5FD_t* /*file*/, H5FD_mem_t type, hid_t /*transfer*/, haddr_t address,
            std::size_t size, void* buffer) {
  if (address > INT64_MAX - size) return -1;
  const long count = read_bytes(address, buffer, size);
  if (count < 0) return -1;
  const auto there = static_cast<std::size_t>(count);
  if (there < size && type == H5FD_MEM_DRAW) return -1;
  std::memset(static_cast<char*>(buffer) + there, 0, size - there);
  return 0;
}

herr_t refuse_to_write(H5FD_t* /*file*/, H5FD_mem_t /*type*/, hid_t /*transfer*/,
                       haddr_t /*address*/, std::size_t /*size*/, const void* /*buffer*/) {
  return -1;
}

hid_t register_driver() {
  static const H5FD_class_t driver = [] {
    H5FD_class_t functions = {};
#if H5_VERSION_GE(1, 13, 0)
    functions.version = H5FD_CLASS_VERSION;
    functions.value = static_cast<H5FD_class_value_t>(500);
#endif
    functions.name = "spacedyn";
    functions.maxaddr = INT64_MAX;
    functions.fc_degree = H5F_CLOSE_WEAK;
    functions.open = &open_target;
    functions.close = &close_target;
    functions.query = &query;
    functions.get_eoa = &get_end_of_addresses;
    functions.set_eoa = &set_end_of_addresses;
    functions.get_eof = &get_end_of_file;
    functions.read = &read;
    functions.write = &refuse_to_write;
    return functions;
  }();
  return check(H5FDregister(&driver));
}

Handle open(unsigned flags, unsigned attempts) {
  static const hid_t driver = register_driver();
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), &H5Pclose);
  check(H5Pset_driver(access, driver, nullptr));
  check(H5Pset_metadata_read_attempts(access, attempts));
  return {H5Fopen("result", flags, access), &H5Fclose};
}

constexpr std::size_t kSuperblock = 48;
using Superblock = std::array<unsigned char, kSuperblock>;

/// The first bytes of the file if they are a superblock of version 2 or 3, else zeros.
Superblock superblock() {
  Superblock bytes{};
  const bool is_whole = read_bytes(0, bytes.data(), bytes.size()) == static_cast<long>(kSuperblock);
  if (is_whole && (bytes[8] == 2 || bytes[8] == 3) && bytes[9] == 8) return bytes;
  return {};
}

/// Whether a writer has it open, or never closed it.
bool is_marked(const Superblock& bytes) { return bytes[8] == 3 && bytes[11] != 0; }

std::uint64_t stated_length(const Superblock& bytes) {
  std::uint64_t length = 0;
  for (std::size_t i = 8; i-- > 0;) length = length << 8U | bytes[28 + i];
  return length <= INT64_MAX ? length : 0;
}

}  // namespace

Handle open_descriptor(int descriptor) {
  target = {descriptor, false, 0};
  const Superblock bytes = superblock();
  try {
    // HDF5 itself looks at the mark only with drivers of its own
    if (!is_marked(bytes)) return open(H5F_ACC_RDONLY, 1);
  } catch (const Failure&) {
    // still growing, or its writer was killed
  }
  target.grows = true;
  try {
    return open(H5F_ACC_RDONLY | H5F_ACC_SWMR_READ, kAttempts);
  } catch (const Failure&) {
    // cut off
  }
  target.stated_length = stated_length(bytes);
  if (target.stated_length <= length()) throw Failure("its beginning is damaged");
  return open(H5F_ACC_RDONLY | H5F_ACC_SWMR_READ, 1);
}

}  // namespace spacedyn::hdf5
