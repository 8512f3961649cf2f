// SPDX-License-Identifier: MIT
// What fftconv/device/code/cluster.cuh has, for fibers of the host (tests/emulated/cluster.hpp).
#pragma once
#include <array>
#include "fftconv/device/code/arguments.hpp"
#include "tests/emulated/cluster.hpp"

namespace synthoscope::fftconv::device {

using ClusterAddress = unsigned;
using synthoscope::test::emulated::Barrier;
using synthoscope::test::emulated::Launch;

inline int rank_in_cluster() {
  return Launch::current().rank();
}
inline ClusterAddress own_address(const void* shared) {
  return Launch::current().address_of(shared);
}
inline ClusterAddress address_in(int rank, ClusterAddress own) {
  using synthoscope::test::emulated::kRankShift;
  return static_cast<unsigned>(rank) << kRankShift | (own & ((1U << kRankShift) - 1));
}
inline void meet_in_cluster() {
  Launch::current().meet_in_cluster();
}

struct Signal {
  ClusterAddress barrier;
  void begin(int arrivals) const { here() = {arrivals, arrivals}; }
  void arrive() const { here().arrive(0); }
  void expect(int bytes) const { here().arrive(bytes); }
  void arrive_in(int rank) const {
    Barrier* const there = &Launch::current().barrier(address_in(rank, barrier));
    Launch::current().later([there] { there->arrive(0); });
  }
  void wait(int phase) const {
    Launch::current().wait_while(
        [&] { return here().phase % 2 == static_cast<unsigned>(phase % 2); });
  }
  void wait_here(int phase) const { wait(phase); }

 private:
  [[nodiscard]] Barrier& here() const { return Launch::current().barrier(barrier); }
};

inline void store_in(int rank, ClusterAddress own, float2 value, const Signal& signal) {
  std::byte* const to = Launch::current().at(address_in(rank, own));
  Barrier* const there = &Launch::current().barrier(address_in(rank, signal.barrier));
  Launch::current().later([=] {
    std::memcpy(to, &value, sizeof value);
    there->came(sizeof value);
  });
}

inline void begin_copy(ClusterAddress to, const void* from, int bytes, const Signal& signal) {
  constexpr unsigned kAligned = 16;
  if (to % kAligned != 0 || reinterpret_cast<std::uintptr_t>(from) % kAligned != 0 ||
      static_cast<unsigned>(bytes) % kAligned != 0)
    throw std::logic_error{"a copy of parts of 16 bytes"};
  std::byte* const there = Launch::current().at(to);
  Barrier* const barrier = &Launch::current().barrier(signal.barrier);
  Launch::current().later([=] {
    std::memcpy(there, from, static_cast<std::size_t>(bytes));
    barrier->came(bytes);
  });
}

/// The words are the address, steps of axes 1 to 3, lengths of the box, and lengths of the array.
/// What is beyond the array is zero.
inline void begin_copy_of_box(ClusterAddress to, const TensorMap& tensor, const int (&at)[4],
                              const Signal& signal) {
  constexpr unsigned kAligned = 128;
  if (to % kAligned != 0) throw std::logic_error{"a box that does not begin at 128 bytes"};
  std::byte* const there = Launch::current().at(to);
  Barrier* const barrier = &Launch::current().barrier(signal.barrier);
  Launch::current().later([=, first = std::array{at[0], at[1], at[2], at[3]}] {
    const auto word = [&](int i) { return static_cast<std::ptrdiff_t>(tensor.words[i]); };
    std::byte* put = there;
    for (std::ptrdiff_t d = 0; d < word(7); ++d)
      for (std::ptrdiff_t c = 0; c < word(6); ++c)
        for (std::ptrdiff_t b = 0; b < word(5); ++b)
          for (std::ptrdiff_t a = 0; a < word(4); ++a, put += sizeof(float2)) {
            const std::ptrdiff_t i[] = {first[0] + a, first[1] + b, first[2] + c, first[3] + d};
            const bool exists =
                i[0] < word(8) && i[1] < word(9) && i[2] < word(10) && i[3] < word(11);
            const char* const from = reinterpret_cast<const char*>(tensor.words[0]) + 8 * i[0] +
                                     i[1] * word(1) + i[2] * word(2) + i[3] * word(3);
            const float2 value = exists ? *reinterpret_cast<const float2*>(from) : float2{0, 0};
            std::memcpy(put, &value, sizeof value);
          }
    barrier->came(static_cast<int>(put - there));
  });
}

inline void before_copies() {}

}  // namespace synthoscope::fftconv::device
