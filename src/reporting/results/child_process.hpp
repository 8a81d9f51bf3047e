/// @file
/// Another program that reads one file and answers through a pipe. Private.
#pragma once

#include <string>
#include <vector>

#include <sys/types.h>

namespace spacedyn {

/// An open file of the operating system, closed at the end and never handed to other programs.
class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}
  ~Descriptor();
  Descriptor(Descriptor&& other) noexcept;
  Descriptor& operator=(Descriptor&& other) noexcept;
  operator int() const { return number_; }
  /// @return false if the operating system reports a late failure
  bool close();

 private:
  int number_;
};

/// Runs until it ends or the object goes; it hears no Ctrl-C, for its parent does.
class ChildProcess {
 public:
  /// @param file  becomes its standard input
  /// @throws IoError if the program cannot be started
  ChildProcess(const std::string& program, const std::vector<std::string>& arguments, int file);
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  /// Reads as many bytes as there should be. @param seconds  to wait in all, reduced by the wait
  /// @return false if there are fewer or the time is over
  bool read(void* bytes, std::size_t size, double& seconds);
  /// Ends it. @return what is worth telling about its end, empty if it ended as it should
  std::string finish();

 private:
  pid_t process_ = -1;
  Descriptor answers_;
  bool was_too_slow_ = false;
};

}  // namespace spacedyn
