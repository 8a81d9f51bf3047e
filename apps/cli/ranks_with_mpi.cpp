#include <cstdlib>
#include <list>
#include <string>

#include <mpi.h>

#include "failure.hpp"
#include "ranks.hpp"

namespace spacedyn::cli {
namespace {

void check(int code) {
  if (code == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING] = {};
  int size = 0;
  MPI_Error_string(code, text, &size);
  throw IoError("MPI: " + std::string(text, static_cast<std::size_t>(size)));
}

/// Point-to-point messages alone: a collective call would wait for ranks that have died.
class MpiCommunicator final : public SweepCommunicator {
 public:
  MpiCommunicator() {
    int provided = MPI_THREAD_SINGLE;
    check(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided));
    check(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    check(MPI_Comm_rank(MPI_COMM_WORLD, &rank_));
    check(MPI_Comm_size(MPI_COMM_WORLD, &size_));
  }

  int rank() const { return rank_; }
  int size() const override { return size_; }

  void send(int process, const std::string& message) override {
    drop_sent();
    sent_.push_back({message, MPI_REQUEST_NULL});
    const std::string& text = sent_.back().text;
    check(MPI_Isend(text.data(), static_cast<int>(text.size()), MPI_BYTE, process, kTag,
                    MPI_COMM_WORLD, &sent_.back().request));
  }

  bool receive(int& process, std::string& message) override {
    drop_sent();
    int has_arrived = 0, size = 0;
    MPI_Status status;
    check(MPI_Iprobe(MPI_ANY_SOURCE, kTag, MPI_COMM_WORLD, &has_arrived, &status));
    if (has_arrived == 0) return false;
    check(MPI_Get_count(&status, MPI_BYTE, &size));
    message.resize(static_cast<std::size_t>(size));
    process = status.MPI_SOURCE;
    check(
        MPI_Recv(message.data(), size, MPI_BYTE, process, kTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    return true;
  }

  void close(bool all_leave) override {
    if (!all_leave) return;  // MPI_Finalize would wait for those that do not
    for (Sent& each : sent_) check(MPI_Wait(&each.request, MPI_STATUS_IGNORE));
    check(MPI_Finalize());
  }

 private:
  static constexpr int kTag = 0;
  /// A message that may still be on its way.
  struct Sent {
    std::string text;
    MPI_Request request;
  };

  void drop_sent() {
    for (auto each = sent_.begin(); each != sent_.end();) {
      int is_done = 0;
      check(MPI_Test(&each->request, &is_done, MPI_STATUS_IGNORE));
      each = is_done != 0 ? sent_.erase(each) : std::next(each);
    }
  }

  int rank_ = 0, size_ = 1;
  std::list<Sent> sent_;
};

/// Whether mpirun or a batch system has started this process; by itself, MPI would first start a
/// daemon.
bool is_started_as_rank() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK"}) {
    if (std::getenv(name) != nullptr) return true;
  }
  return false;
}

}  // namespace

Ranks join_ranks() {
  if (!is_started_as_rank()) return {};
  auto communicator = std::make_unique<MpiCommunicator>();
  const int rank = communicator->rank();
  return {std::move(communicator), rank};
}

}  // namespace spacedyn::cli
