/// @file
/// Thin C++ over the C library of HDF5: handles that close, errors that are exceptions. Private: no
/// HDF5 type leaves the library.
#pragma once

#include <mutex>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "reporting/results/hdf5_library.hpp"

namespace spacedyn::hdf5 {

/// Why a call failed, in the words of HDF5 or of the operating system.
class Failure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Loads HDF5, and keeps it from printing while this exists; then the printer of whoever else uses
/// HDF5 comes back. Only one thread at a time has one: HDF5 is not made for several.
class Silence {
 public:
  Silence();
  ~Silence();
  Silence(const Silence&) = delete;
  Silence& operator=(const Silence&) = delete;

 private:
  std::unique_lock<std::recursive_mutex> only_;
  H5E_auto2_t printer_ = nullptr;
  void* data_ = nullptr;
};

/// The innermost reason on the error stack of this thread.
std::string last_reason();

/// Passes a result on. @throws Failure if it is negative, as HDF5 marks errors
template <typename Result>
Result check(Result result) {
  if (result < 0) throw Failure(last_reason());
  return result;
}

/// An open object of HDF5.
class Handle {
 public:
  using Close = herr_t (*)(hid_t);

  Handle() = default;
  /// @throws Failure if the call that made the identifier failed
  Handle(hid_t id, Close close) : id_(check(id)), close_(close) {}
  ~Handle() { reset(); }
  Handle(Handle&& other) noexcept
      : id_(std::exchange(other.id_, H5I_INVALID_HID)), close_(other.close_) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(close_, other.close_);
    return *this;
  }

  operator hid_t() const { return id_; }
  bool is_open() const { return id_ >= 0; }
  /// Closes and tells whether that went well.
  bool reset() {
    const hid_t id = std::exchange(id_, H5I_INVALID_HID);
    return id < 0 || close_(id) >= 0;
  }

 private:
  hid_t id_ = H5I_INVALID_HID;
  Close close_ = nullptr;
};

enum class Access {
  create,  ///< refuses an existing file
  update   ///< of a file that this program has just written
};

/// Opens a file; a new one in the newest format, which alone can be read while it grows. Whatever
/// others may have written is read in a process of its own (hdf5_process.hpp).
Handle open_file(const std::string& path, Access access);

/// @name Attributes and texts
/// @{
void write_attribute(hid_t object, const char* name, const std::string& text);
void write_attribute(hid_t object, const char* name, const std::vector<std::string>& texts);
void write_attribute(hid_t object, const char* name, int number);
/// How a link of a name is made: one that is not ASCII says that it is UTF-8.
Handle link_properties(const std::string& name);
void write_text(hid_t parent, const std::string& name, const std::string& text);
/// @}

/// Opens a group, creating it and those above it as far as they are missing.
Handle group(hid_t file, const std::string& path);

/// Writes texts of input files by their path, and overrides, where results have them.
void write_inputs(hid_t file, const std::vector<std::pair<std::string, std::string>>& files,
                  const std::vector<std::pair<std::string, std::string>>& overrides);

}  // namespace spacedyn::hdf5
