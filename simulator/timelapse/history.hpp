// SPDX-License-Identifier: MIT
// simulator/timelapse/history.hpp — the lives of the bodies of one kind, and where they are frame
// by frame.
#pragma once
#include <cstdint>
#include <span>
#include <utility>
#include <vector>
#include "simulator/phantom/geometry/pose.hpp"
#include "simulator/phantom/mitosis/mitosis.hpp"
#include "simulator/timelapse/lineage.hpp"

namespace synthoscope::simulator {

/// A body in a frame.
struct PosedBody {
  std::int64_t number = 0;  ///< in the lineage and in the random draws
  Pose pose;                ///< of the body that MovingKind::draw returns
  double birth_scale = 1;   ///< pose.scale at its birth
  Mitosis mitosis = {};     ///< of a nucleus, if the movie shows mitosis
};

/// The bodies of one kind, frame by frame. Frames are added in order.
class History {
 public:
  History(std::vector<Life> lineage, std::int64_t frames) : lineage_{std::move(lineage)} {
    rows_.reserve(static_cast<std::size_t>(headcount_of(lineage_, frames).rows));
    starts_.reserve(static_cast<std::size_t>(frames) + 1);
    starts_.push_back(0);
  }

  /// Adds the next frame. @param bodies  by number
  void add(const std::vector<PosedBody>& bodies) {
    rows_.insert(rows_.end(), bodies.begin(), bodies.end());
    starts_.push_back(rows_.size());
  }

  /// Returns the bodies that exist in a frame, by number; without drift.
  [[nodiscard]] std::span<const PosedBody> at(std::int64_t frame) const {
    const auto begin = starts_.at(static_cast<std::size_t>(frame)),
               end = starts_.at(static_cast<std::size_t>(frame) + 1);
    return {rows_.data() + begin, end - begin};
  }
  [[nodiscard]] const std::vector<Life>& lineage() const { return lineage_; }
  [[nodiscard]] std::int64_t lives() const { return std::ssize(lineage_); }

  /// Returns the bytes needed. A lineage grows by doubling, so it counts twice.
  static std::int64_t bytes(const Headcount& count, std::int64_t frames) {
    return 2 * count.lives * std::int64_t{sizeof(Life)} +
           count.rows * std::int64_t{sizeof(PosedBody)} +
           (frames + 1) * std::int64_t{sizeof(std::size_t)};
  }

 private:
  std::vector<Life> lineage_;
  std::vector<PosedBody> rows_;      ///< frame by frame
  std::vector<std::size_t> starts_;  ///< start of each frame in rows_, and the end
};

}  // namespace synthoscope::simulator
