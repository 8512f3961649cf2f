// SPDX-License-Identifier: MIT
#include "studio/server/connection.hpp"
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <cstring>

namespace synthoscope::studio {

Connection::Connection(socket_t socket, const std::atomic<bool>& stopping,
                       const ConnectionLimits& limits)
    : socket_{socket}, stopping_{stopping}, limits_{limits}, begun_{Clock::now()} {}

Connection::~Connection() {
  ::close(socket_);
}

bool Connection::is_readable() const {
  return begin_ < end_ || (wait_for(POLLIN, deadline()) & POLLIN) != 0;
}

bool Connection::is_writable() const {
  constexpr short kClosed = POLLRDHUP | POLLERR | POLLHUP;
  const short found = wait_for(POLLOUT | POLLRDHUP, Clock::now() + limits_.write);
  return (found & POLLOUT) != 0 && (found & kClosed) == 0;
}

ssize_t Connection::read(char* to, size_t size) {
  if (begin_ == end_) {
    const ssize_t filled = fill();
    if (filled <= 0) return filled;
  }
  const std::size_t count = std::min(size, end_ - begin_);
  std::memcpy(to, buffer_.data() + begin_, count);
  if (!count_head(to, count)) return -1;
  begin_ += count;
  return static_cast<ssize_t>(count);
}

ssize_t Connection::write(const char* from, size_t size) {
  if ((wait_for(POLLOUT, Clock::now() + limits_.write) & POLLOUT) == 0) return -1;
  return ::send(socket_, from, size, MSG_NOSIGNAL | MSG_DONTWAIT);
}

void Connection::get_remote_ip_and_port(std::string& ip, int& port) const {
  ip = "127.0.0.1";
  port = 0;
}

void Connection::get_local_ip_and_port(std::string& ip, int& port) const {
  get_remote_ip_and_port(ip, port);
}

void Connection::finish() {
  ::shutdown(socket_, SHUT_WR);
  const Clock::time_point until = Clock::now() + limits_.end;
  while ((wait_for(POLLIN, until) & POLLIN) != 0)
    if (::recv(socket_, buffer_.data(), buffer_.size(), MSG_DONTWAIT) <= 0) return;
}

/// Returns when the request must have arrived.
Connection::Clock::time_point Connection::deadline() const {
  return begun_ + limits_.request +
         std::chrono::seconds{received_bytes_ / limits_.bytes_per_second};
}

/// Returns which of `events` have come, also errors; 0 at the end of the time or of the server.
short Connection::wait_for(short events, Clock::time_point until) const {
  using std::chrono::milliseconds;
  constexpr milliseconds kSlice{200};
  while (!stopping_.load(std::memory_order_relaxed)) {
    const auto left = std::chrono::ceil<milliseconds>(until - Clock::now());
    pollfd waited{socket_, events, 0};
    const auto patience = std::clamp(left, milliseconds{0}, kSlice);
    const int found = ::poll(&waited, 1, static_cast<int>(patience.count()));
    if (found > 0) return waited.revents;
    if ((found < 0 && errno != EINTR) || left <= milliseconds{0}) break;
  }
  return 0;
}

ssize_t Connection::fill() {
  if ((wait_for(POLLIN, deadline()) & POLLIN) == 0) return -1;
  const ssize_t received = ::recv(socket_, buffer_.data(), buffer_.size(), MSG_DONTWAIT);
  begin_ = 0;
  end_ = received > 0 ? static_cast<std::size_t>(received) : 0;
  received_bytes_ += end_;
  return received;
}

/// Returns whether the head, which an empty line ends, is still short enough.
bool Connection::count_head(const char* bytes, std::size_t size) {
  for (std::size_t i = 0; is_head_ && i < size; ++i) {
    if (++head_bytes_ > limits_.head_bytes) return false;
    if (bytes[i] == '\n') {
      is_head_ = line_bytes_ > 0;
      line_bytes_ = 0;
    } else if (bytes[i] != '\r') {
      ++line_bytes_;
    }
  }
  return true;
}

}  // namespace synthoscope::studio
