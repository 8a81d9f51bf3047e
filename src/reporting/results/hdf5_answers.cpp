#include "reporting/results/hdf5_answers.hpp"

#include <algorithm>
#include <filesystem>
#include <limits>

#include <dlfcn.h>
#include <fmt/format.h>

#include "reporting/results/dataset_plan.hpp"
#include "reporting/results/series_names.hpp"
#include "spacedyn/error.hpp"

namespace spacedyn::hdf5 {
namespace {

constexpr long kMebibytes = 640;           // of address space, some 200 of them for libraries
constexpr double kComputing = 1.0 / 30.0;  // of the time that it may take
constexpr double kBytesPerSecond = 1.0e6;  // of a disk that is slow but alive
constexpr std::uint64_t kMaxRowBytes = std::uint64_t{64} * 1024 * 1024;
constexpr std::uint64_t kMaxTextBytes = std::uint64_t{64} * 1024 * 1024;
constexpr std::uint64_t kMaxColumns = 100000;
constexpr std::size_t kMaxName = 1024;

/// Beside the library: as installed, else as built.
std::string program() {
  namespace fs = std::filesystem;
  Dl_info library = {};
  static const char anchor = 0;
  if (dladdr(&anchor, &library) == 0) throw IoError("the library does not know where it is");
  // its true place, since Debian finds it in /lib, a link to /usr/lib
  const fs::path folder = fs::weakly_canonical(library.dli_fname).parent_path();
  const fs::path installed = folder / SPACEDYN_LIB_TO_READER;
  if (fs::exists(installed)) return installed.lexically_normal().string();
  return (folder / "libexec/spacedyn/spacedyn-read-hdf5").string();
}

[[noreturn]] void fail_to_understand() { throw ReaderFailure("its reader gives no sense"); }

/// The columns of an array, their names fit for any file.
void take_array(MessageReader message, std::vector<Column>& columns) {
  const std::string path = current_path('/' + message.text());
  std::string frame = message.text();
  const bool is_list = message.number() == 1;
  const std::uint64_t width = message.number();
  if (width == 0 || width > kMaxColumns - columns.size() || (is_list && width != 1)) {
    fail_to_understand();
  }
  if (!is_plain(frame, kMaxName)) frame.clear();
  for (std::uint64_t i = 0; i < width; ++i) {
    Column column;
    column.name = message.text();
    column.unit = message.text();
    column.dataset = path;
    column.index = is_list ? -1 : static_cast<int>(i);
    column.frame = frame;
    if (column.name.empty() || !is_plain(column.name, kMaxName) ||
        column.name.find(',') != std::string::npos) {
      throw ReaderFailure("the names of the columns of an array are no texts");
    }
    if (!is_plain(column.unit, kMaxName)) column.unit = unit_from_name(column.name);
    columns.push_back(std::move(column));
  }
  message.finish();
}

std::vector<std::pair<std::string, std::string>> take_overrides(MessageReader message) {
  std::vector<std::pair<std::string, std::string>> overrides;
  for (std::uint64_t count = message.number(); count > 0; --count) {
    std::string key = message.text();
    overrides.emplace_back(std::move(key), message.text());
  }
  message.finish();
  return overrides;
}

long take_rows(MessageReader message) {
  const std::uint64_t rows = message.number();
  if (rows > std::uint64_t{std::numeric_limits<int>::max()}) fail_to_understand();
  return static_cast<long>(rows);
}

/// A reason as one line of a message.
std::string shortened(std::string reason) {
  constexpr std::size_t kMost = 200;
  if (is_plain(reason, kMost)) return reason;
  return is_plain(reason, reason.size()) ? reason.substr(0, kMost) + " …" : "unknown reason";
}

}  // namespace

Answers::Answers(int file, Wanted wanted, double& seconds)
    : seconds_(seconds),
      process_(program(),
               {wanted.record ? "1" : "0", wanted.inputs ? "1" : "0", std::to_string(kMebibytes),
                fmt::format("{}", kComputing * seconds)},
               file) {}

void Answers::read(void* bytes, std::size_t size) {
  const double most = std::max(seconds_, 0.0);
  if (!process_.read(bytes, size, seconds_)) throw ReaderFailure(process_.finish());
  seconds_ = std::min(most, seconds_ + static_cast<double>(size) / kBytesPerSecond);
}

MessageHead Answers::head() {
  MessageHead head;
  read(&head, sizeof(head));
  return head;
}

std::string Answers::payload(const MessageHead& head) {
  if (head.size > kMaxTextBytes - texts_) {
    throw ReaderFailure("its texts are longer than 64 MiB");
  }
  texts_ += head.size;
  std::string bytes(head.size, '\0');
  read(bytes.data(), bytes.size());
  return bytes;
}

bool Answers::take(MessageKind kind, const std::string& bytes, Contents& contents) {
  MessageReader message(bytes);
  switch (kind) {
    case MessageKind::format:
      contents.format = shortened(bytes);
      return true;
    case MessageKind::ignored:
      contents.ignored.push_back('/' + shortened(bytes));
      return true;
    case MessageKind::array:
      take_array(message, contents.columns);
      return true;
    case MessageKind::shape:
      contents.rows = take_rows(message);
      has_shape_ = true;
      return true;
    case MessageKind::record:
      contents.record = bytes;
      return true;
    case MessageKind::input: {
      std::string path = message.text();
      contents.inputs.emplace_back(std::move(path), message.text());
      return true;
    }
    case MessageKind::overrides:
      contents.overrides = take_overrides(message);
      return true;
    case MessageKind::part_done:
      return ++parts_ < kParts;
    case MessageKind::failure:
      contents.failure = shortened(bytes);
      return false;
    default:
      fail_to_understand();
  }
}

void Answers::read_contents(Contents& contents) {
  try {
    while (true) {
      const MessageHead next = head();
      const auto kind = static_cast<MessageKind>(next.kind);
      if (!take(kind, payload(next), contents)) break;
    }
  } catch (const ReaderFailure&) {
    throw;
  } catch (const std::runtime_error&) {
    fail_to_understand();
  }
}

std::optional<std::uint64_t> Answers::failed_part() const {
  if (!has_shape_ || parts_ >= kParts) return std::nullopt;
  return parts_;
}

void Answers::take_row_texts(const MessageHead& head) {
  if (head.size > kMaxRowBytes) fail_to_understand();
  std::string bytes(head.size, '\0');
  read(bytes.data(), bytes.size());
  try {
    MessageReader message(bytes);
    while (!message.is_at_end()) {
      const auto row = static_cast<long>(message.number());
      row_texts_.emplace_back(row, message.text());
    }
  } catch (const ReaderFailure&) {
    throw;
  } catch (const std::runtime_error&) {
    fail_to_understand();
  }
}

bool Answers::next(int width, RowMatrix& rows, std::string& reason) {
  try {
    MessageHead next = head();
    row_texts_.clear();
    if (static_cast<MessageKind>(next.kind) == MessageKind::texts) {
      take_row_texts(next);
      next = head();
    }
    const auto kind = static_cast<MessageKind>(next.kind);
    if (kind == MessageKind::rows) {
      const std::uint64_t row = sizeof(double) * static_cast<std::uint64_t>(width);
      if (next.size > kMaxRowBytes || next.size % row != 0) fail_to_understand();
      rows.resize(static_cast<Eigen::Index>(next.size / row), width);
      read(rows.data(), next.size);
      return true;
    }
    if (kind == MessageKind::cut) {
      reason = shortened(payload(next));
    } else if (kind != MessageKind::end) {
      fail_to_understand();
    }
  } catch (const ReaderFailure& failure) {
    reason = failure.what();
  }
  return false;
}

}  // namespace spacedyn::hdf5
