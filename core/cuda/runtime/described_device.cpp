// SPDX-License-Identifier: MIT
#include "core/cuda/runtime/described_device.hpp"
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <array>
#include "core/base/error.hpp"

namespace synthoscope::cuda {
namespace {

struct Limits {
  int capability;
  int shared_kib;                     ///< of a block
  int shared_kib_per_multiprocessor;  ///< shared by its blocks
};

constexpr int kRegisters = 1 << 16;  // of a multiprocessor, for all of these
constexpr std::array kLimits{Limits{75, 64, 64},    Limits{80, 163, 164},  Limits{86, 99, 100},
                             Limits{87, 163, 164},  Limits{89, 99, 100},   Limits{90, 227, 228},
                             Limits{100, 227, 228}, Limits{103, 227, 228}, Limits{110, 227, 228},
                             Limits{120, 99, 100},  Limits{121, 99, 100}};

}  // namespace

DeviceInfo described_device(int capability) {
  std::vector<int> known;
  for (const Limits& limits : kLimits) {
    known.push_back(limits.capability);
    if (limits.capability != capability) continue;
    DeviceInfo device;
    device.capability = capability;
    device.multiprocessors = 1;
    device.shared_bytes = limits.shared_kib << 10;
    device.shared_bytes_per_multiprocessor = limits.shared_kib_per_multiprocessor << 10;
    device.registers_per_multiprocessor = kRegisters;
    return device;
  }
  throw InvalidSpec(
      fmt::format("describe a GPU of compute capability {}: it is unknown; give one of {}",
                  capability, fmt::join(known, ", ")));
}

}  // namespace synthoscope::cuda
