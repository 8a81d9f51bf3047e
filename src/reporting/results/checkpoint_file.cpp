#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <system_error>

#include "integration/equations/archive.hpp"
#include "reporting/results/child_process.hpp"
#include "reporting/results/output_file.hpp"
#include "reporting/results/run_facts.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/reporting/checkpoint_file.hpp"

namespace spacedyn {
namespace {

constexpr std::string_view kMark = "spacedyn checkpoint\n";

void transfer_inputs(Archive& archive, CheckpointFile& file) {
  std::vector<std::string> keys, texts;
  for (const auto& [key, text] : file.sections) {
    keys.push_back(key);
    texts.push_back(text);
  }
  archive(file.instruction_set, file.model, keys, texts);
  for (std::size_t i = 0; archive.reads() && i < std::min(keys.size(), texts.size()); ++i) {
    file.sections[keys[i]] = texts[i];
  }
  std::size_t count = file.overrides.size();
  archive(count);
  for (std::size_t i = 0; i < count; ++i) {
    if (i == file.overrides.size()) file.overrides.emplace_back();
    archive(file.overrides[i].first, file.overrides[i].second);
  }
}

void transfer_peaks(Archive& archive, std::vector<Peak>& peaks) {
  std::vector<double> values, times;
  for (const Peak& peak : peaks) {
    values.push_back(peak.value);
    times.push_back(peak.time);
  }
  archive(values, times);
  for (std::size_t i = 0; archive.reads() && i < std::min(values.size(), times.size()); ++i) {
    peaks.push_back({values[i], times[i]});
  }
}

void transfer(Archive& archive, CheckpointFile& file) {
  transfer_inputs(archive, file);
  Checkpoint& checkpoint = file.checkpoint;
  State& state = checkpoint.state;
  IntegratorStatistics& statistics = checkpoint.statistics;
  archive(file.started, file.wall_seconds, checkpoint.time, checkpoint.outputs, state.r_0,
          state.A_0, state.q, state.v_0, state.omega_0, state.qd, state.z, statistics.steps,
          statistics.rejected, statistics.evaluations, checkpoint.memory);
  std::size_t watches = file.peaks.size();
  archive(watches);
  for (std::size_t i = 0; i < watches; ++i) {
    if (i == file.peaks.size()) file.peaks.emplace_back();
    transfer_peaks(archive, file.peaks[i]);
  }
}

[[noreturn]] void refuse(const std::string& path, const std::string& why) {
  throw IoError("cannot use the checkpoint '" + path + "': " + why);
}

/// What lies between the mark and the sum at the end.
std::string_view contents(std::string_view bytes, const std::string& path) {
  if (bytes.substr(0, kMark.size()) != kMark) refuse(path, "it is no checkpoint of spacedyn");
  std::uint64_t sum = 0;
  if (bytes.size() < kMark.size() + sizeof(sum)) refuse(path, "it is damaged");
  const std::string_view body =
      bytes.substr(kMark.size(), bytes.size() - kMark.size() - sizeof(sum));
  std::memcpy(&sum, bytes.data() + bytes.size() - sizeof(sum), sizeof(sum));
  if (sum != checksum(body)) refuse(path, "it is damaged");
  return body;
}

}  // namespace

std::string checkpoint_version() {
  const BuildInfo& info = build_info();
  return info.git.empty() ? info.spacedyn : info.spacedyn + " (" + info.git + ')';
}

void write_checkpoint(const std::string& path, const CheckpointFile& file) {
  CheckpointFile copy = file;
  Archive archive;
  archive(copy.version);
  transfer(archive, copy);
  const std::uint64_t sum = checksum(archive.bytes());
  std::string bytes(kMark);
  bytes += archive.bytes();
  bytes.append(reinterpret_cast<const char*>(&sum), sizeof(sum));
  write_file_atomically(path, bytes, Durability::power_cut);
}

CheckpointFile read_checkpoint(const std::string& path) {
  const std::string bytes = read_whole_file(path);
  Archive archive(contents(bytes, path));
  CheckpointFile file;
  archive(file.version);
  if (file.version != checkpoint_version()) {
    refuse(path, "spacedyn " + file.version + " has written it, this is " + checkpoint_version() +
                     "; only the same version continues a run bit for bit");
  }
  transfer(archive, file);
  return file;
}

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
