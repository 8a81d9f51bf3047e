/// @file
/// Connections to viewers of a live run, with limits on what they ask and how long they take.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <functional>

#include <httplib.h>
#undef _res  // of resolv.h; a name that Eigen uses

namespace spacedyn::cli {

/// One request of a viewer and its answer.
class LiveConnection final : public httplib::Stream {
 public:
  /// @param ends  whether the server is to end, which no slow viewer may delay
  LiveConnection(socket_t socket, std::function<bool()> ends);

  /// Whether the request begins in time.
  bool begins_within(std::chrono::milliseconds patience) const;

  bool is_readable() const override;
  bool is_writable() const override;
  /// @return −1 also of a request that is too long or takes too long
  ssize_t read(char* bytes, size_t size) override;
  /// @return −1 also if nothing could be written for a while
  ssize_t write(const char* bytes, size_t size) override;
  using httplib::Stream::write;
  void get_remote_ip_and_port(std::string& ip, int& port) const override;
  void get_local_ip_and_port(std::string& ip, int& port) const override;
  socket_t socket() const override { return socket_; }

 private:
  using Clock = std::chrono::steady_clock;
  /// Waits until the socket is ready for some of POLLIN, POLLOUT.
  bool waits_for(short what, Clock::time_point until) const;

  socket_t socket_;
  std::function<bool()> ends_;
  Clock::time_point deadline_;  // of the request
  std::size_t left_;            // that the request may still have
  std::array<char, 4096> buffer_{};
  std::size_t begin_ = 0, end_ = 0;
};

/// The web server with such connections.
class LimitedServer final : public httplib::Server {
 public:
  /// @param ends  as above, called by many threads
  explicit LimitedServer(std::function<bool()> ends);

 private:
  bool process_and_close_socket(socket_t socket) override;

  std::function<bool()> ends_;
};

}  // namespace spacedyn::cli
