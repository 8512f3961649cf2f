// SPDX-License-Identifier: MIT
// simulator/phantom/texture.hpp — octaves of smooth noise in a cell's own frame.
#pragma once
#include <array>
#include <cstdint>
#include "core/random.hpp"
#include "simulator/phantom/lattice.hpp"
#include "simulator/phantom/vector3.hpp"

namespace synthoscope::simulator {

inline constexpr int kMaxOctaves = 8;

/// t(p) in (-1, 1), a function of (seed, p) alone: independent of grid, box and frame.
///
/// Octave k has random values in [-1, 1] on a cubic lattice of spacing wavelength / 2^(k+1) with a
/// turn and an offset of its own (see lattice_place), interpolated by 3 t^2 - 2 t^3 along each
/// axis; s is their sum scaled to variance 1, and t = s / sqrt(1 + s^2). Only + - * / sqrt are
/// used. The draws are a promise: stage `texture`; index = corner of the lattice, draw k its value
/// in octave k.
///
/// Remembers the lattice cells of its last point, so one object serves one thread.
class Texture {
 public:
  Texture(std::uint64_t seed, double wavelength_um, int octaves);

  /// `point` in micrometres of the cell's own frame. Repeats after 2^16 lattice cells.
  [[nodiscard]] double operator()(const Vector3& point);

  /// s: what t is before it is mapped into (-1, 1).
  [[nodiscard]] double field(const Vector3& point);

 private:
  struct Octave {
    double per_um = 1;
    LatticePlace place;
    std::array<std::int64_t, 3> cell{INT64_MIN, 0, 0};
    std::array<double, 8> corners{};
  };
  double noise(int number, const Vector3& point);
  void load(Octave& octave, int number, const std::array<std::int64_t, 3>& cell) const;

  RandomStream stream_;
  int octaves_;
  double scale_;
  std::array<Octave, kMaxOctaves> octave_;
};

}  // namespace synthoscope::simulator
