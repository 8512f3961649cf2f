// SPDX-License-Identifier: MIT
// studio/server/connection.hpp — a connection with limits of time and size.
#pragma once
#include <httplib.h>
#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <string>

namespace synthoscope::studio {

/// Bytes and times of one request. A client that is slower is cut off, so that it takes a thread
/// for so long at most.
struct ConnectionLimits {
  std::size_t head_bytes = std::size_t{16} << 10;
  std::chrono::seconds request{6};  ///< until head and body have arrived
  /// Bytes that prolong this time by a second when they arrive, so that large files are served
  std::size_t bytes_per_second = std::size_t{128} << 10;
  std::chrono::seconds write{10};  ///< until the client takes more of the response
  std::chrono::seconds end{1};     ///< until the client closes after the response
};

/// Owns a socket that was accepted. httplib's own stream limits the time of one read, not of all.
class Connection final : public httplib::Stream {
 public:
  /// @param stopping  if it becomes true, nothing is waited for any longer.
  Connection(socket_t socket, const std::atomic<bool>& stopping,
             const ConnectionLimits& limits = {});
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  ~Connection() override;

  [[nodiscard]] bool is_readable() const override;
  /// Returns whether the client takes more, and has not closed.
  [[nodiscard]] bool is_writable() const override;
  ssize_t read(char* to, size_t size) override;
  ssize_t write(const char* from, size_t size) override;
  void get_remote_ip_and_port(std::string& ip, int& port) const override;
  void get_local_ip_and_port(std::string& ip, int& port) const override;
  [[nodiscard]] socket_t socket() const override { return socket_; }

  /// Ends the response, and discards what the client still sends: a socket that is closed with
  /// unread bytes resets the connection, and the client may lose the response.
  void finish();

 private:
  using Clock = std::chrono::steady_clock;

  [[nodiscard]] Clock::time_point deadline() const;
  [[nodiscard]] short wait_for(short events, Clock::time_point until) const;
  ssize_t fill();
  [[nodiscard]] bool count_head(const char* bytes, std::size_t size);

  const socket_t socket_;
  const std::atomic<bool>& stopping_;
  const ConnectionLimits limits_;
  const Clock::time_point begun_;
  std::size_t received_bytes_ = 0;
  std::array<char, 4096> buffer_{};
  std::size_t begin_ = 0, end_ = 0;  ///< of bytes in the buffer that nobody read
  std::size_t head_bytes_ = 0;
  int line_bytes_ = 0;  ///< of the present line of the head, without carriage returns
  bool is_head_ = true;
};

}  // namespace synthoscope::studio
