// SPDX-License-Identifier: MIT
// core/math/random.hpp — counter-based random numbers: a draw is a function of (seed, stage, voxel,
// draw).
#pragma once
#include <array>
#include <cstdint>

namespace synthoscope {

using PhiloxBlock = std::array<std::uint32_t, 4>;
using PhiloxKey = std::array<std::uint32_t, 2>;

/// Philox4x32-10: four uniform 32-bit words from a counter and a key.
/// @source Salmon, Moraes, Dror, Shaw: Parallel random numbers: as easy as 1, 2, 3. SC'11,
///         doi:10.1145/2063384.2063405.
constexpr PhiloxBlock philox4x32(PhiloxBlock counter, PhiloxKey key) {
  constexpr std::uint32_t kMultiply0 = 0xD2511F53u, kMultiply1 = 0xCD9E8D57u;
  constexpr std::uint32_t kWeyl0 = 0x9E3779B9u, kWeyl1 = 0xBB67AE85u;
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t p0 = std::uint64_t{kMultiply0} * counter[0];
    const std::uint64_t p1 = std::uint64_t{kMultiply1} * counter[2];
    counter = {
        static_cast<std::uint32_t>(p1 >> 32) ^ counter[1] ^ key[0], static_cast<std::uint32_t>(p1),
        static_cast<std::uint32_t>(p0 >> 32) ^ counter[3] ^ key[1], static_cast<std::uint32_t>(p0)};
    key[0] += kWeyl0;
    key[1] += kWeyl1;
  }
  return counter;
}

/// What a stream of draws is for. Numbers are part of the reproducibility promise: never reuse one.
enum class RandomStage : std::uint32_t {
  phantom = 1,
  texture = 2,
  camera_maps = 3,
  shot_noise = 4,
  read_noise = 5,
  certificate = 6,
  em_gain = 7,
  frame_seeds = 8,
  beads = 9,
  sweep_seeds = 10,
  object_counts = 11,
  object_light = 12,
  background = 13,
  lives = 20,
  motion = 21,
  cell_lives = 22,
  cell_motion = 23,
  cells = 30,
  cell_nuclei = 31,
  organelles = 32,
  adherent = 33,
  adherent_nuclei = 34,
  row_noise = 40,
  tissue = 50,
  k_means = 60,
  feature_samples = 61,
  permutations = 62,
  forest = 63,
  directions = 64,
  null_draws = 65,
  fit_samples = 66,
  bootstrap = 67,
};

/// Independent draws for one purpose of one seed. Cheap to copy; `block` has no state.
class RandomStream {
 public:
  constexpr RandomStream(std::uint64_t seed, RandomStage stage) {
    const PhiloxBlock mixed =
        philox4x32({static_cast<std::uint32_t>(stage), 0, 0, 0},
                   {static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)});
    key_ = {mixed[0], mixed[1]};
  }

  /// Four words for voxel (or object) `index` < 2^48 and draw number `draw`.
  /// The counter's layout is a promise: index 48 bits, draw 16, frame 32, channel 32.
  [[nodiscard]] constexpr PhiloxBlock block(std::uint64_t index, std::uint16_t draw = 0,
                                            std::uint32_t frame = 0,
                                            std::uint32_t channel = 0) const {
    const std::uint32_t high =
        (static_cast<std::uint32_t>(index >> 32) & 0xFFFFu) | (std::uint32_t{draw} << 16);
    return philox4x32({static_cast<std::uint32_t>(index), high, frame, channel}, key_);
  }

 private:
  PhiloxKey key_{};
};

/// Uniform in (0, 1) with 32 bits: never 0, never 1.
constexpr double uniform32(std::uint32_t word) {
  return (word + 0.5) * 0x1p-32;
}

/// Uniform in (0, 1) with 52 bits: never 0, never 1.
constexpr double uniform52(std::uint32_t high, std::uint32_t low) {
  const std::uint64_t bits = (std::uint64_t{high} << 20) | (low >> 12);
  return (static_cast<double>(bits) + 0.5) * 0x1p-52;
}

}  // namespace synthoscope
