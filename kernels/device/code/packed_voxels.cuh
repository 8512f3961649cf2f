// SPDX-License-Identifier: MIT
// kernels/device/code/packed_voxels.cuh — neighbouring voxels of one or two bytes that a thread
// reads at once, at any alignment.
#pragma once

namespace synthoscope::kernels::device {

inline constexpr int kPackedVoxels = 4;

template <bool kFirst, class First, class Other>
struct ChosenOf {
  using Type = First;
};
template <class First, class Other>
struct ChosenOf<false, First, Other> {
  using Type = Other;
};
template <bool kFirst, class First, class Other>
using ChosenType = typename ChosenOf<kFirst, First, Other>::Type;

/// What a register holds of a voxel that is being loaded: narrow integers as int, because a
/// conversion to float would wait for the voxel.
template <class In>
using AsRead = ChosenType<(sizeof(In) < 4), int, ChosenType<(sizeof(In) > 4), float, In>>;

inline bool begins_a_word(const void* memory) {
  return reinterpret_cast<unsigned long long>(memory) % sizeof(unsigned) == 0;
}

/// kPackedVoxels neighbouring voxels.
template <class In, bool kUsed>
class PackedVoxels {};

template <class In>
class PackedVoxels<In, true> {
 public:
  /// Begins to read them. kWords + 1 words of memory must be readable, from the one that holds the
  /// first voxel.
  void read(const In* from) {
    const unsigned within = static_cast<unsigned>(reinterpret_cast<unsigned long long>(from)) % 4;
    const auto* const words =
        reinterpret_cast<const unsigned*>(reinterpret_cast<const unsigned char*>(from) - within);
    shift_ = static_cast<int>(8 * within);
#pragma unroll
    for (int i = 0; i <= kWords; ++i) held_[i] = words[i];
  }

  /// Begins to read `at(0)`, `at(1)` and so on.
  template <class At>
  void read_each(const At& at) {
    shift_ = kEach;
#pragma unroll
    for (int i = 0; i < kPackedVoxels; ++i) held_[i] = static_cast<unsigned>(at(i));
  }

  void put(float* to) const {
    struct alignas(16) Set {
      float values[kPackedVoxels];
    } set;
    if (shift_ == kEach) {
#pragma unroll
      for (int i = 0; i < kPackedVoxels; ++i)
        set.values[i] = static_cast<float>(static_cast<int>(held_[i]));
    } else {
#pragma unroll
      for (int word = 0; word < kWords; ++word) {
        const unsigned whole = __funnelshift_r(held_[word], held_[word + 1], shift_);
#pragma unroll
        for (int i = 0; i < kOfAWord; ++i)
          set.values[word * kOfAWord + i] =
              static_cast<float>(static_cast<int>(static_cast<In>(whole >> (8 * sizeof(In) * i))));
      }
    }
    *reinterpret_cast<Set*>(to) = set;
  }

 private:
  static constexpr int kOfAWord = sizeof(unsigned) / sizeof(In);
  static constexpr int kWords = kPackedVoxels / kOfAWord;
  static constexpr int kEach = -1;  ///< instead of a shift: one register for each voxel
  unsigned held_[kPackedVoxels];
  int shift_;  ///< bits of the first word that lie before the first voxel
};

}  // namespace synthoscope::kernels::device
