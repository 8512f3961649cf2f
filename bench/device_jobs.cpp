// SPDX-License-Identifier: MIT
#include "bench/device_jobs.hpp"
#include <fmt/format.h>
#include "core/error.hpp"
#include "kernels/device/device_correlation.hpp"

namespace synthoscope::kernels {

DeviceJob device_job(const Job& job) {
  DeviceJob made{operation_of(job), nullptr, nullptr, {}, {}};
  made.extent = made.operation->extent();
  made.types = made.operation->types();
  const std::string strategy = job.words.value("strategy", "");
  const auto ignore_counts = [](const StoredCounts&) {};
  if (strategy.empty()) {
    made.there = made.operation->on_device();
  } else if (strategy == "fused" || strategy == "plain") {
    made.alone = device::make_device_separable(
        setting_of(job), separable_stencil_of(job),
        strategy == "fused" ? device::SeparableStrategy::fused : device::SeparableStrategy::plain,
        ignore_counts);
  } else {
    const auto direct = device::direct_strategy_named(strategy);
    if (!direct) throw InvalidSpec(fmt::format("measure strategy {}: there is none", strategy));
    const Stencil stencil = stencil_of(job);
    if (!device::has_room_for(*direct, stencil.extent))
      throw InvalidSpec("there is no room for so many weights");
    made.alone = device::make_device_correlation(setting_of(job), stencil, *direct, ignore_counts);
  }
  if (made.alone) made.there = made.alone.get();
  return made;
}

}  // namespace synthoscope::kernels
