// SPDX-License-Identifier: MIT
// kernels/device/merge_run.hpp — merges along one axis that a kernel makes at once, and what they
// keep meanwhile; read by the compiler of the host and by that of the device.
#pragma once
#include "kernels/device/variance_arguments.hpp"

namespace synthoscope::kernels::device {

/// Each merge makes a signal of those before: signal 0 comes in, merge i makes signal i + 1, the
/// last one is the result.
struct MergeRun {
  static constexpr int kMost = 12;
  int merges = 0;
  int sides[kMost] = {}, centre[kMost] = {}, spacing[kMost] = {};

  /// How far around an element a signal looks, and so by how many elements it comes later.
  constexpr int reach(int signal) const {
    int reaches[kMost + 1] = {};
    for (int i = 0; i < merges; ++i) {
      const int to_sides = reaches[sides[i]] + spacing[i], to_centre = reaches[centre[i]];
      reaches[i + 1] = to_sides > to_centre ? to_sides : to_centre;
    }
    return reaches[signal];
  }
  constexpr int reach() const { return reach(merges); }

  /// Elements of a signal that merges look back at, with the one that came last: 1 where that is
  /// all.
  constexpr int depth(int signal) const {
    int most = 1;
    for (int i = 0; i < merges; ++i) {
      const int behind = reach(i + 1) - reach(signal);
      if (sides[i] == signal && behind + spacing[i] + 1 > most) most = behind + spacing[i] + 1;
      if (centre[i] == signal && behind + 1 > most) most = behind + 1;
    }
    return most;
  }
  constexpr int voxel_depth() const {
    int most = 1;
    for (int i = 0; i < merges; ++i)
      if (reach(i + 1) + spacing[i] + 1 > most) most = reach(i + 1) + spacing[i] + 1;
    return most;
  }
  constexpr bool is_side(int signal) const {
    for (int i = 0; i < merges; ++i)
      if (sides[i] == signal) return true;
    return false;
  }
  constexpr int widest() const {
    int most = 0;
    for (int i = 0; i < merges; ++i)
      if (spacing[i] > most) most = spacing[i];
    return most;
  }
  /// Elements of rings of all signals before `signal`. An image has no parts but its voxels.
  constexpr int ring(int signal, bool of_image) const {
    int elements = 0;
    for (int i = of_image ? 1 : 0; i < signal; ++i)
      if (depth(i) > 1) elements += depth(i);
    return elements;
  }
  /// Buffers of all signals before `signal` that are sides of merges.
  constexpr int buffer(int signal, bool of_image) const {
    int buffers = 0;
    for (int i = of_image ? 1 : 0; i < signal; ++i) buffers += is_side(i);
    return buffers;
  }
};

/// Along y and z a thread goes down one column, and a block has so many of them.
inline constexpr int kMarchColumns = 64;
/// Along x a block holds so many elements of a row, of which a thread has several.
inline constexpr int kLineThreads = 256, kLineEach = 4, kLine = kLineThreads * kLineEach;

constexpr int march_shared_bytes(const MergeRun& run, bool of_image, int steps) {
  return kMarchColumns * (4 * run.voxel_depth() + 8 * run.ring(run.merges, of_image)) + 4 * steps;
}
constexpr int line_shared_bytes(const MergeRun& run, bool of_image) {
  return (kLine + 2 * run.widest()) * (4 + 8 * run.buffer(run.merges, of_image));
}

/// The most weights on one side of the centre, of which a run has one instead of merges.
inline constexpr int kMostTaps = 33;

/// Results that a thread makes of neighbours at once.
inline constexpr int kTapResults = 4;
constexpr int tap_ring(int taps) {
  return (2 * (taps - 1) + kTapResults + 3) / 4 * 4;
}
constexpr int tap_pad(int taps) {
  return (taps - 1 + 3) / 4 * 4;
}
constexpr int tap_column_bytes(int taps, bool of_image, int steps) {
  return 4 * (tap_ring(taps) * kMarchColumns * (of_image ? 1 : 3) + steps);
}
constexpr int tap_line_bytes(int taps) {
  return 4 * (kLine + 2 * tap_pad(taps));
}

struct RunArguments {
  HeldVoxels in;
  int boundary = 0;
  Count z = 0, y = 0, x = 0;  ///< position of the first element of signals
  PartsBox box;               ///< that is made
  PartsSignal from, made;     ///< null: the image; not kept
  int strip = 1, strips = 1;  ///< results of a thread on its way, and how many there are of those
  WindowPlaces window;        ///< that the last merge makes, of the box but for what lies around it
  int around_z = 0, around_y = 0, around_x = 0;
  unsigned long long* counts = nullptr;
};

struct RunWeights {
  ThreeWeights merges[MergeRun::kMost]{};
  float taps[kMostTaps] = {};  ///< from the centre on
};

}  // namespace synthoscope::kernels::device
