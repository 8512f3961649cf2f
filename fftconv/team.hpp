// SPDX-License-Identifier: MIT
// fftconv/team.hpp — processes that share one run, and talk to each other.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include "core/volume/shard.hpp"

namespace synthoscope::fftconv {

/// One process of several that carry out one plan together; all of them call the same functions in
/// the same order, from one thread each.
class Team {
 public:
  virtual ~Team() = default;

  /// Which of how many this is.
  [[nodiscard]] virtual Shard member() const = 0;

  /// Sends `out` to member `to` and takes `in` from member `from`, from 1, both at once; a span
  /// that is empty is no message. Messages from one member to another arrive in their order, and
  /// must have the size that is awaited, below 2^31 bytes. Returns when `out` may be overwritten.
  virtual void exchange(std::int64_t to, std::span<const std::byte> out, std::int64_t from,
                        std::span<std::byte> in) = 0;

  /// Returns when all members have come here.
  virtual void wait_for_all() = 0;
};

}  // namespace synthoscope::fftconv
