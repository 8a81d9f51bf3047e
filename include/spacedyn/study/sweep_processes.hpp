/// @file
/// Several processes, on one machine or on many, that fly a sweep together.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "spacedyn/export.hpp"

namespace spacedyn {

/// Messages between the processes of a sweep; called by one thread.
class SPACEDYN_EXPORT SweepCommunicator {
 public:
  virtual ~SweepCommunicator();
  /// Number of processes. Process 0 runs the sweep and writes, the others fly rows for it.
  virtual int size() const = 0;
  /// Does not wait for the other side; messages from one process to another keep their order.
  virtual void send(int process, const std::string& message) = 0;
  /// Takes a message that has arrived, from any process. @return false if there is none
  virtual bool receive(int& process, std::string& message) = 0;
  /// Ends the communication.
  /// @param all_leave  all other processes do the same; false: some no longer answer
  virtual void close(bool all_leave) = 0;
};

/// The other processes as process 0 sees them.
///
/// Rows go to whoever is free, some ahead of need where flights are short. A process that has not
/// answered for the given patience is lost: its rows are flown by others, and what it still says
/// is ignored.
class SPACEDYN_EXPORT SweepProcesses {
 public:
  /// @param patience  s
  explicit SweepProcesses(SweepCommunicator& communicator, double patience = 30.0);
  /// Lets the other processes end, which may take some seconds, and closes the communicator.
  ~SweepProcesses();
  SweepProcesses(const SweepProcesses&) = delete;
  SweepProcesses& operator=(const SweepProcesses&) = delete;

  int size() const;
  /// Processes that no longer answer.
  int lost() const;

  class Implementation;
  Implementation& implementation() { return *implementation_; }

 private:
  std::unique_ptr<Implementation> implementation_;
};

/// What all processes but 0 do: flies rows that process 0 hands out, until that ends the sweep.
///
/// The texts of all input files come from process 0. Whatever is wrong here is reported there.
/// @param threads  flights at once, at least 1
/// @param goes_on  asked every few milliseconds; false ends the flights of this process
SPACEDYN_EXPORT void fly_rows_for_others(SweepCommunicator& communicator, int threads,
                                         const std::function<bool()>& goes_on);

}  // namespace spacedyn
