#include "spacedyn/reporting/checkpoint_file.hpp"

#include <algorithm>
#include <cstdint>

#include "integration/equations/archive.hpp"
#include "reporting/results/output_file.hpp"
#include "reporting/results/run_facts.hpp"
#include "spacedyn/error.hpp"

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

}  // namespace spacedyn
