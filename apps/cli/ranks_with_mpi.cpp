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

}  // namespace
}  // namespace spacedyn::cli

extern "C" __attribute__((visibility("default"))) void spacedyn_join_with_mpi(
    spacedyn::cli::Ranks& ranks) {
  auto communicator = std::make_unique<spacedyn::cli::MpiCommunicator>();
  ranks.rank = communicator->rank();
  ranks.communicator = std::move(communicator);
}
