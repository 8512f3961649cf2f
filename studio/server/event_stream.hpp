// SPDX-License-Identifier: MIT
// studio/server/event_stream.hpp — events that all connected pages receive.
#pragma once
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <string>
#include "core/base/json_fwd.hpp"

namespace synthoscope::studio {

/// Keeps the latest events in the form of server-sent events. Each page reads on from the number
/// of its last event, so a slow page or one that connects again misses only events that are no
/// longer kept. Thread-safe.
///
/// @source  HTML Living Standard, section 9.2, Server-sent events.
class EventStream {
 public:
  static constexpr std::size_t kDefaultKept = 256;

  explicit EventStream(std::size_t kept = kDefaultKept) : kept_{kept} {}

  /// Adds an event, and wakes all who wait.
  void publish(const Json& event);

  /// Returns the number of the latest event; 0 before the first.
  [[nodiscard]] std::uint64_t latest() const;

  /// Returns all kept events after number `last` as text, and sets `last` to the number of the
  /// latest. Waits at most `patience` for one; returns empty text if there is none then.
  std::string wait_after(std::uint64_t& last, std::chrono::milliseconds patience);

 private:
  [[nodiscard]] std::string events_after(std::uint64_t last) const;

  const std::size_t kept_;
  mutable std::mutex mutex_;
  std::condition_variable has_come_;
  std::deque<std::string> events_;  ///< "id: 7\ndata: {...}\n\n", the latest one last
  std::uint64_t latest_ = 0;        ///< number of the last of them
};

}  // namespace synthoscope::studio
