// SPDX-License-Identifier: MIT
// tests/unit/score/spots/spot_lists.hpp — lists of spots, made by hand or at random.
#pragma once
#include <random>
#include <utility>
#include <vector>
#include "score/spots/spot.hpp"

namespace synthoscope::test {

inline score::Spot spot_at(double z, double y, double x, std::int64_t frame = 0) {
  score::Spot spot;
  spot.frame = frame;
  spot.at_um = {z, y, x};
  return spot;
}

inline score::SpotList list_of(std::vector<score::Spot> spots, const char* name = "spots.csv") {
  score::SpotList list;
  list.name = name;
  list.spots = std::move(spots);
  return list;
}

inline std::vector<score::Spot> random_spots(std::size_t count, const score::AlongZyx& size_um,
                                             std::int64_t frames, unsigned seed) {
  std::mt19937 random{seed};
  const auto below = [&](double most) { return std::uniform_real_distribution{0.0, most}(random); };
  std::vector<score::Spot> spots;
  for (std::size_t i = 0; i < count; ++i) {
    const auto frame = static_cast<std::int64_t>(random() % static_cast<unsigned>(frames));
    const double z = below(size_um[0]), y = below(size_um[1]), x = below(size_um[2]);
    spots.push_back(spot_at(z, y, x, frame));
  }
  return spots;
}

/// 20 planes of 64 x 64 pixels.
inline score::SpotSpace space_of_frames(std::int64_t frames, std::int64_t planes = 20) {
  return {{planes, 64, 64}, {0.25, 0.1, 0.08}, {0, frames - 1}};
}

}  // namespace synthoscope::test
