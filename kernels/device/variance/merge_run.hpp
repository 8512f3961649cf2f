// SPDX-License-Identifier: MIT
// kernels/device/variance/merge_run.hpp — a run: merges along one axis that a kernel makes
// together, and the memory that they need meanwhile; host and device compile this file.
#pragma once
#include "kernels/device/variance/variance_arguments.hpp"

namespace synthoscope::kernels::device {

/// Merges that make signals from earlier ones: signal 0 is the input, merge i makes signal i + 1,
/// the last signal is the result.
struct MergeRun {
  static constexpr int kMax = 12;
  int merges = 0;
  int sides[kMax] = {}, centre[kMax] = {}, spacing[kMax] = {};

  /// Returns how far around an element a signal looks, which is by how many elements it comes
  /// later.
  constexpr int reach(int signal) const {
    int reaches[kMax + 1] = {};
    for (int i = 0; i < merges; ++i) {
      const int to_sides = reaches[sides[i]] + spacing[i], to_centre = reaches[centre[i]];
      reaches[i + 1] = to_sides > to_centre ? to_sides : to_centre;
    }
    return reaches[signal];
  }
  constexpr int reach() const { return reach(merges); }

  /// Returns the elements of a signal that merges look back at, including the last one: 1 if they
  /// need no other.
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
  /// Returns the elements in the rings of all signals before `signal`. An image has only voxels, no
  /// parts.
  constexpr int ring(int signal, bool of_image) const {
    int elements = 0;
    for (int i = of_image ? 1 : 0; i < signal; ++i)
      if (depth(i) > 1) elements += depth(i);
    return elements;
  }
  /// Returns the number of signals before `signal` that are sides of merges: each has a buffer.
  constexpr int buffer(int signal, bool of_image) const {
    int buffers = 0;
    for (int i = of_image ? 1 : 0; i < signal; ++i) buffers += is_side(i);
    return buffers;
  }
};

/// Columns of a block along y and z; a thread goes down one.
inline constexpr int kMarchColumns = 64;
/// Along x: threads of a block, elements of a row for each, and elements of the block.
inline constexpr int kLineThreads = 256, kLineEach = 4, kLine = kLineThreads * kLineEach;

constexpr int march_shared_bytes(const MergeRun& run, bool of_image, int steps) {
  return kMarchColumns * (4 * run.voxel_depth() + 8 * run.ring(run.merges, of_image)) + 4 * steps;
}
constexpr int line_shared_bytes(const MergeRun& run, bool of_image) {
  return (kLine + 2 * run.widest()) * (4 + 8 * run.buffer(run.merges, of_image));
}

/// The most weights, from the centre outwards, of a run that has weights instead of merges.
inline constexpr int kMaxTaps = 33;

/// Neighbouring results that a thread makes at once.
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
  PartsSignal from, made;     ///< null `from`: the image; null `made`: not kept
  int strip = 1, strips = 1;  ///< results of a thread along the axis, and number of strips
  WindowPlaces window;        ///< made by the last merge, for the box without its margin
  int around_z = 0, around_y = 0, around_x = 0;
  unsigned long long* counts = nullptr;
};

struct RunWeights {
  ThreeWeights merges[MergeRun::kMax]{};
  float taps[kMaxTaps] = {};  ///< from the centre outwards
};

}  // namespace synthoscope::kernels::device
