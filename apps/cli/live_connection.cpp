#include "live_connection.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace spacedyn::cli {
namespace {

using Milliseconds = std::chrono::milliseconds;

constexpr std::size_t kMostRequestBytes = std::size_t{96} * 1024;  // of a request, headers included
constexpr Milliseconds kRequestTime{5000};
constexpr Milliseconds kWriteTime{5000};
constexpr Milliseconds kBetweenRequests{1000};
/// How often those who wait look whether the server ends.
constexpr Milliseconds kSlice{50};
constexpr int kMostRequests = 100;  // of one connection

}  // namespace

LiveConnection::LiveConnection(socket_t socket, std::function<bool()> ends)
    : socket_(socket),
      ends_(std::move(ends)),
      deadline_(Clock::now() + kRequestTime),
      left_(kMostRequestBytes) {}

bool LiveConnection::waits_for(short what, Clock::time_point until) const {
  while (!ends_()) {
    const auto rest = std::chrono::duration_cast<Milliseconds>(until - Clock::now());
    if (rest.count() <= 0) return false;
    pollfd wanted{socket_, what, 0};
    const int ready = ::poll(&wanted, 1, static_cast<int>(std::min(rest, kSlice).count()));
    if (ready > 0) return true;
    if (ready < 0 && errno != EINTR) return false;
  }
  return false;
}

bool LiveConnection::begins_within(Milliseconds patience) const {
  return waits_for(POLLIN, Clock::now() + patience);
}

bool LiveConnection::is_readable() const { return begin_ < end_ || waits_for(POLLIN, deadline_); }

bool LiveConnection::is_writable() const { return waits_for(POLLOUT, Clock::now() + kWriteTime); }

ssize_t LiveConnection::read(char* bytes, size_t size) {
  if (begin_ == end_) {
    if (left_ == 0 || !waits_for(POLLIN, deadline_)) return -1;
    ssize_t count = 0;
    do {
      count = ::recv(socket_, buffer_.data(), std::min(buffer_.size(), left_), 0);
    } while (count < 0 && errno == EINTR);
    if (count <= 0) return count;
    begin_ = 0;
    end_ = static_cast<std::size_t>(count);
    left_ -= end_;
  }
  const std::size_t count = std::min(size, end_ - begin_);
  std::memcpy(bytes, &buffer_[begin_], count);
  begin_ += count;
  return static_cast<ssize_t>(count);
}

ssize_t LiveConnection::write(const char* bytes, size_t size) {
  if (!is_writable()) return -1;
  ssize_t count = 0;
  do {
    count = ::send(socket_, bytes, size, MSG_NOSIGNAL | MSG_DONTWAIT);
  } while (count < 0 && errno == EINTR);
  if (count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return 0;
  return count;
}

// nothing here asks who it is: the server is bound to this machine
void LiveConnection::get_remote_ip_and_port(std::string& ip, int& port) const {
  ip.clear();
  port = 0;
}
void LiveConnection::get_local_ip_and_port(std::string& ip, int& port) const {
  ip.clear();
  port = 0;
}

LimitedServer::LimitedServer(std::function<bool()> ends) : ends_(std::move(ends)) {}

bool LimitedServer::process_and_close_socket(socket_t socket) {
  bool is_closed = false;
  for (int left = kMostRequests; left > 0 && !is_closed; --left) {
    LiveConnection connection(socket, ends_);
    if (!connection.begins_within(kBetweenRequests)) break;
    if (!process_request(connection, left == 1, is_closed, nullptr)) break;
  }
  ::shutdown(socket, SHUT_RDWR);
  ::close(socket);
  return true;
}

}  // namespace spacedyn::cli
