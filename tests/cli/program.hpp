/// @file
/// Runs the built program as a user would.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include <sys/types.h>

#include "support/temporary_directory.hpp"

namespace spacedyn::testing {

/// What a run of the program left behind.
struct Outcome {
  int exit_code = -1;  ///< 128 + signal number if a signal ended it
  std::string out;
  std::string err;
};

/// Circumstances of a run.
struct Surroundings {
  std::string directory = ".";
  std::string input;                               ///< on standard input
  std::map<std::string, std::string> environment;  ///< set on top of our own
  long file_size_limit = 0;                        ///< bytes; 0: none
  long memory_limit = 0;  ///< bytes of addresses; 0: none. Not with sanitizers, which map terabytes
  std::string output_device;  ///< instead of a file for standard output
  std::string error_device;   ///< instead of a file for standard error
};

/// The program while it runs; ended when the object goes.
class Program {
 public:
  Program(const std::vector<std::string>& arguments, const Surroundings& surroundings);
  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  void send(int signal) const;
  /// What it has written to standard output until now.
  std::string out_so_far() const;
  /// Waits for its end.
  Outcome wait();

 private:
  TemporaryDirectory streams_;
  pid_t process_ = -1;
};

/// Runs the program to its end.
Outcome run_program(const std::vector<std::string>& arguments,
                    const Surroundings& surroundings = {});

/// A directory with the starter robot and scenario `bot`, as `spacedyn new bot` writes them.
class StarterDirectory {
 public:
  StarterDirectory();
  std::string path() const { return directory_.path().string(); }
  std::string operator/(const std::string& name) const { return directory_ / name; }
  /// Runs the program in the directory.
  Outcome run(const std::vector<std::string>& arguments, Surroundings surroundings = {}) const;
  /// Replaces text of a file; the text must be there.
  void edit(const std::string& file, const std::string& from, const std::string& to) const;

 private:
  TemporaryDirectory directory_;
};

/// Waits until something is true; false if it does not become so in a minute.
bool becomes_true(const std::function<bool()>& condition);

/// Lines of a text.
std::vector<std::string> lines_of(const std::string& text);

}  // namespace spacedyn::testing
