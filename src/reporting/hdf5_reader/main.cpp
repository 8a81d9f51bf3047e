// Reads an HDF5 result on standard input for the library, which does not trust it: the C library of
// HDF5 crashes, hangs and takes all memory on damaged files. What it says goes to standard output.
//
// Usage: spacedyn-read-hdf5 RECORD INPUTS MEMORY SECONDS: whether these parts are read (0 or 1),
// MiB, and seconds of computing before the rows; those get more
#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <limits>
#include <new>

#include <poll.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

#include "reporting/hdf5_reader/reader.hpp"
#include "reporting/results/hdf5_messages.hpp"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SPACEDYN_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || \
    __has_feature(memory_sanitizer)
#define SPACEDYN_SANITIZED 1
#endif
#endif

#ifdef SPACEDYN_SANITIZED
/// A limit of the address space would not leave a sanitizer its shadow: it limits memory itself.
extern "C" __attribute__((visibility("default"))) const char* __asan_default_options() {
  return "abort_on_error=1:allocator_may_return_null=1:max_allocation_size_mb=640:"
         "hard_rss_limit_mb=900:detect_leaks=0";  // it ends without closing what may be damaged
}
#endif

namespace spacedyn::hdf5 {
namespace {

constexpr long kNumbersAtOnce = 128L * 1024;
constexpr double kBytesPerSecond = 32.0 * 1024 * 1024;  // unpacked on a slow machine

void write_all(const void* bytes, std::size_t size) {
  const char* next = static_cast<const char*>(bytes);
  while (size > 0) {
    const ssize_t count = write(STDOUT_FILENO, next, size);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) _exit(1);  // the library is gone
    next += count;
    size -= static_cast<std::size_t>(count);
  }
}

void send(MessageKind kind, const void* bytes, std::size_t size) {
  const MessageHead head{static_cast<std::uint32_t>(kind), 0, size};
  write_all(&head, sizeof(head));
  write_all(bytes, size);
}

void send(MessageKind kind, const std::string& bytes) { send(kind, bytes.data(), bytes.size()); }

template <typename Resource>
void limit(Resource resource, rlim_t most) {
  rlimit limits = {};
  if (getrlimit(resource, &limits) != 0) return;
  limits.rlim_cur = limits.rlim_max = std::min(most, limits.rlim_max);
  setrlimit(resource, &limits);
}

/// Allows for some more seconds of computing.
void allow_seconds(double seconds) {
  rusage used = {};
  rlimit limits = {};
  if (getrusage(RUSAGE_SELF, &used) != 0 || getrlimit(RLIMIT_CPU, &limits) != 0) return;
  const auto so_far = static_cast<double>(used.ru_utime.tv_sec + used.ru_stime.tv_sec);
  limits.rlim_cur = static_cast<rlim_t>(std::min(so_far + 1.0 + seconds, 1.0e9));
  limits.rlim_cur = std::min(limits.rlim_cur, limits.rlim_max);
  setrlimit(RLIMIT_CPU, &limits);
}

/// From now on this process can open no file, write none, start no program and leave no core, and
/// where the system can refuse other calls it does.
void limit_all(long mebibytes, double seconds) {
  closefrom(STDERR_FILENO + 1);
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_FSIZE, 0);
  limit(RLIMIT_NPROC, 0);
  allow_seconds(seconds);
#ifndef SPACEDYN_SANITIZED  // they reserve terabytes that they do not use
  limit(RLIMIT_NOFILE, STDERR_FILENO + 1);
  limit(RLIMIT_AS, static_cast<rlim_t>(mebibytes) * 1024 * 1024);
  keep_to_reading();
#else
  static_cast<void>(mebibytes);
#endif
}

/// Ends this process soon after its reader has gone, even where HDF5 computes for ever.
///
/// PR_SET_PDEATHSIG would ask for the thread that started it; another one may read the rows.
void end_with_the_reader() {
  struct sigaction action = {};
  action.sa_handler = [](int) {
    const int error = errno;
    pollfd output{STDOUT_FILENO, 0, 0};
    if (poll(&output, 1, 0) > 0 && (output.revents & POLLERR) != 0) _exit(1);
    errno = error;
  };
  action.sa_flags = SA_RESTART;
  sigaction(SIGALRM, &action, nullptr);
  constexpr long kMicroseconds = 100000;
  const itimerval beat{{0, kMicroseconds}, {0, kMicroseconds}};
  setitimer(ITIMER_REAL, &beat, nullptr);
}

void send_array(const Array& array) {
  MessageWriter message;
  message.text(array.path).text(array.frame).number(array.is_list ? 1 : 0);
  message.number(array.names.size());
  for (std::size_t i = 0; i < array.names.size(); ++i) {
    message.text(array.names[i]).text(array.units[i]);
  }
  send(MessageKind::array, message.bytes());
}

bool contains(const std::vector<std::string>& paths, const std::string& path) {
  return std::find(paths.begin(), paths.end(), path) != paths.end();
}

/// The record was written last, so it is what a file that is cut off lacks first.
void send_record(hid_t file, const std::vector<std::string>& paths) {
  try {
    if (!contains(paths, "meta/record")) return;
    const auto text = read_text(file, "meta/record");
    if (text) send(MessageKind::record, *text);
  } catch (const Failure&) {
    // the library finds that there was none
  }
}

void send_inputs(hid_t file, const std::vector<std::string>& paths) {
  const std::string folder = "meta/inputs/";
  try {
    const Handle group(H5Gopen2(file, "meta/inputs", H5P_DEFAULT), &H5Gclose);
    for (const std::string& path : paths) {
      if (path.rfind(folder, 0) != 0) continue;
      const Handle dataset = open_dataset(file, path);
      const auto original = read_text_attribute(dataset, "path");
      MessageWriter message;
      message.text(original.value_or(path.substr(folder.size())));
      message.text(read_text(file, path).value_or(""));
      send(MessageKind::input, message.bytes());
    }
    const auto keys = read_list_attribute(group, "override_keys");
    const auto values = read_list_attribute(group, "override_values");
    MessageWriter message;
    const std::size_t count = keys && values ? std::min(keys->size(), values->size()) : 0;
    message.number(count);
    for (std::size_t i = 0; i < count; ++i) message.text(keys->at(i)).text(values->at(i));
    send(MessageKind::overrides, message.bytes());
  } catch (const Failure&) {
    // the library finds that the overrides are missing
  }
}

/// Sends the texts that rows have.
void send_texts(const Arrays& arrays, long first, long count) {
  if (!arrays.texts.is_open()) return;
  const std::vector<std::string> texts = read_row_texts(arrays.texts, first, count);
  MessageWriter message;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (texts[i].empty()) continue;
    message.number(static_cast<std::uint64_t>(first) + i).text(texts[i]);
  }
  if (!message.bytes().empty()) send(MessageKind::texts, message.bytes());
}

/// Sends the rows of a stretch that are there. @return false if there is nothing beyond them
bool send_stretch(const Arrays& arrays, long first, long count, double& last_time) {
  static std::vector<double> numbers;
  read_rows(arrays, first, count, numbers);
  const long good = ascending_rows(arrays, numbers, last_time);
  send_texts(arrays, first, good);
  send(MessageKind::rows, numbers.data(),
       sizeof(double) * static_cast<std::size_t>(good * arrays.width));
  return good == count;
}

/// Whole pieces where they are small, some rows of them where they are large.
void send_rows(const Arrays& arrays) {
  const long piece = arrays.list.front().piece;
  const long most = std::max(kNumbersAtOnce / arrays.width, 1L);
  const long stretch = piece > 0 && piece < most ? most / piece * piece : most;
  double last_time = -std::numeric_limits<double>::infinity();
  for (long row = 0; row < arrays.rows; row += stretch) {
    const long end = std::min(row + stretch, arrays.rows);
    bool more = true;
    try {
      more = send_stretch(arrays, row, end - row, last_time);
    } catch (const Failure&) {
      // pieces before the damaged one are worth having
      const long step = piece > 0 ? std::min(piece, stretch) : stretch;
      for (long one = row; one < end && more; one += step) {
        more = send_stretch(arrays, one, std::min(step, end - one), last_time);
      }
    }
    if (!more) throw Failure("the time does not ascend");
  }
}

void read_all(bool with_record, bool with_inputs, double seconds) {
  const Handle file = open_descriptor(STDIN_FILENO);
  const std::vector<std::string> paths = dataset_paths(file);
  const auto format = read_text_attribute(file, "format");
  send(MessageKind::format, format.value_or(""));
  const Arrays arrays = find_arrays(file, paths);
  for (const std::string& path : arrays.ignored) send(MessageKind::ignored, path);
  for (const Array& array : arrays.list) send_array(array);
  send(MessageKind::shape, MessageWriter().number(static_cast<std::uint64_t>(arrays.rows)).bytes());
  if (with_record) send_record(file, paths);
  send(MessageKind::part_done, MessageWriter().number(kRecordPart).bytes());
  if (with_inputs) send_inputs(file, paths);
  send(MessageKind::part_done, MessageWriter().number(kInputsPart).bytes());
  const double bytes = sizeof(double) * static_cast<double>(arrays.rows) * arrays.width;
  allow_seconds(seconds + bytes / kBytesPerSecond);
  try {
    send_rows(arrays);
  } catch (const Failure& failure) {
    send(MessageKind::cut, failure.what());
  }
  send(MessageKind::end, "");
}

/// @param words  as in the usage above
int run(int count, char** words) {
  if (count != 5) return 2;
  const Silence silence;
  const double seconds = std::strtod(words[4], nullptr);
  limit_all(std::strtol(words[3], nullptr, 10), seconds);
  end_with_the_reader();
  try {
    read_all(words[1][0] == '1', words[2][0] == '1', seconds);
  } catch (const Failure& failure) {
    send(MessageKind::failure, failure.what());
  } catch (const std::bad_alloc&) {
    send(MessageKind::failure, "it asks for more memory than its reader is given");
  }
  _exit(0);  // without closing what may be too damaged to be closed
}

}  // namespace
}  // namespace spacedyn::hdf5

int main(int count, char** words) { return spacedyn::hdf5::run(count, words); }
