// SPDX-License-Identifier: MIT
#include "core/cuda/memory/device_rates.hpp"
#include <algorithm>
#include <chrono>
#include <cstring>
#include <limits>
#include <tuple>
#include <utility>
#include "core/cuda/memory/buffer.hpp"
#include "core/run/host_buffer.hpp"

namespace synthoscope::cuda {
namespace {

constexpr int kTrials = 6;  // the best counts; the first also warms up
constexpr std::int64_t kBytes = kDeviceMeasuringBytes / 2;

/// `moved` bytes over the wall seconds of `work`, which waits for what it enqueues.
template <class Work>
double rate_of(std::int64_t moved, const StopFlag& stop, Work&& work) {
  double best = std::numeric_limits<double>::infinity();
  for (int trial = 0; trial < kTrials; ++trial) {
    stop.check();
    const auto start = std::chrono::steady_clock::now();
    work();
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    best = std::min(best, seconds.count());
  }
  return static_cast<double>(moved) / best;
}

/// Up from `host`, and down to it.
std::pair<double, double> link_rates(const Stream& stream, std::byte* host, std::byte* device,
                                     const StopFlag& stop) {
  const auto copy = [&](std::byte* to, const std::byte* from) {
    return rate_of(kBytes, stop, [&] {
      enqueue_copy(stream, to, from, kBytes);
      stream.finish();
    });
  };
  const double up = copy(device, host);
  return {up, copy(host, device)};
}

}  // namespace

DeviceRates measure_device(DeviceId device, MemoryBudget& host, const StopFlag& stop) {
  MemoryBudget memory{kDeviceMeasuringBytes};
  const DeviceBuffer<std::byte> a{device, memory, kBytes, "rates to measure"},
      b{device, memory, kBytes, "rates to measure"};
  const Stream up{device}, down{device};
  DeviceRates rates;
  {
    const HostBuffer<std::byte> ordinary{host, kBytes, "rates to measure"};
    std::memset(ordinary.data(), 1, static_cast<std::size_t>(kBytes));
    std::tie(rates.ordinary_up, rates.ordinary_down) =
        link_rates(up, ordinary.data(), a.data(), stop);
  }
  const PinnedBuffer<std::byte> from{device, host, kBytes, "rates to measure"},
      to{device, host, kBytes, "rates to measure"};
  std::memset(from.data(), 1, static_cast<std::size_t>(kBytes));
  std::tie(rates.pinned_up, rates.pinned_down) = link_rates(up, from.data(), a.data(), stop);
  rates.pinned_both = rate_of(2 * kBytes, stop, [&] {
    enqueue_copy(up, a.data(), from.data(), kBytes);
    enqueue_copy(down, to.data(), b.data(), kBytes);
    up.finish();
    down.finish();
  });
  rates.copy = rate_of(2 * kBytes, stop, [&] {
    enqueue_copy(up, a.data(), b.data(), kBytes);
    up.finish();
  });
  return rates;
}

}  // namespace synthoscope::cuda
