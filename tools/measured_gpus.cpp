// SPDX-License-Identifier: MIT
#include "tools/measured_gpus.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <array>
#include "core/error.hpp"
#include "core/json.hpp"
#include "core/memory_budget.hpp"

namespace synthoscope::tools {
namespace {

struct RateRow {
  const char* key;
  double cuda::DeviceRates::*rate;
};

constexpr std::array kRateRows{
    RateRow{"pinned_up_bytes_per_second", &cuda::DeviceRates::pinned_up},
    RateRow{"pinned_down_bytes_per_second", &cuda::DeviceRates::pinned_down},
    RateRow{"pinned_both_bytes_per_second", &cuda::DeviceRates::pinned_both},
    RateRow{"ordinary_up_bytes_per_second", &cuda::DeviceRates::ordinary_up},
    RateRow{"ordinary_down_bytes_per_second", &cuda::DeviceRates::ordinary_down},
    RateRow{"copy_bytes_per_second", &cuda::DeviceRates::copy},
};

const cuda::DeviceRates* rates_of(const cuda::DeviceInfo& device,
                                  const std::vector<MeasuredGpu>& measured) {
  const auto found = std::find_if(measured.begin(), measured.end(),
                                  [&](const auto& gpu) { return gpu.uuid == device.uuid; });
  return found == measured.end() ? nullptr : &found->rates;
}

std::string device_text(const cuda::DeviceInfo& device, const cuda::DeviceRates* rates) {
  const auto text =
      fmt::format("GPU {}        {}, {}, {} multiprocessors, sm_{}\n", device.id.index, device.name,
                  print_bytes(device.memory_bytes), device.multiprocessors, device.capability);
  if (!rates) return text + "  not measured yet; --measure does\n";
  return text + fmt::format(
                    "  link       {:.1f} GB/s up, {:.1f} down, {:.1f} both at once\n"
                    "  ordinary   {:.1f} GB/s up, {:.1f} down, of memory that is not pinned\n"
                    "  memory     {:.0f} GB/s, read and written\n",
                    rates->pinned_up * 1e-9, rates->pinned_down * 1e-9, rates->pinned_both * 1e-9,
                    rates->ordinary_up * 1e-9, rates->ordinary_down * 1e-9, rates->copy * 1e-9);
}

}  // namespace

std::vector<MeasuredGpu> measure_gpus(const cuda::DeviceList& list, const RunContext& context) {
  std::vector<MeasuredGpu> measured;
  context.progress.begin("measure the GPUs", static_cast<std::int64_t>(list.devices.size()));
  for (const cuda::DeviceInfo& device : list.devices) {
    try {
      measured.push_back(
          {device.uuid, cuda::measure_device(device.id, context.memory, context.stop)});
    } catch (const CudaError& failure) {
      context.log.warn(fmt::format("GPU {} is not measured: {}", device.id.index, failure.what()));
    }
    context.progress.advance(1);
  }
  return measured;
}

Json json_of(const cuda::DeviceRates& rates) {
  Json json = Json::object();
  for (const RateRow& row : kRateRows) json[row.key] = rates.*row.rate;
  return json;
}

Json json_of(const std::vector<MeasuredGpu>& gpus) {
  Json json = Json::array();
  for (const MeasuredGpu& gpu : gpus)
    json.push_back({{"uuid", gpu.uuid}, {"rates", json_of(gpu.rates)}});
  return json;
}

std::vector<MeasuredGpu> gpus_from(const Json& json) try {
  std::vector<MeasuredGpu> gpus;
  for (const Json& one : json) {
    MeasuredGpu gpu{one.at("uuid").get<std::string>(), {}};
    for (const RateRow& row : kRateRows) {
      const auto rate = one.at("rates").at(row.key).get<double>();
      if (!(rate >= 1e-6 && rate <= 1e18)) return {};  // predictions divide by it
      gpu.rates.*row.rate = rate;
    }
    gpus.push_back(std::move(gpu));
  }
  return gpus;
} catch (const Json::exception&) {
  return {};
}

Json devices_json(const cuda::DeviceList& list, const std::vector<MeasuredGpu>& measured) {
  Json json = Json::array();
  for (const cuda::DeviceInfo& device : list.devices) {
    const auto* const rates = rates_of(device, measured);
    json.push_back({{"index", device.id.index},
                    {"name", device.name},
                    {"uuid", device.uuid},
                    {"capability", device.capability},
                    {"memory_bytes", device.memory_bytes},
                    {"multiprocessors", device.multiprocessors},
                    {"l2_bytes", device.l2_bytes},
                    {"shared_bytes", device.shared_bytes},
                    {"rates", rates ? json_of(*rates) : Json{}}});
  }
  return json;
}

std::string devices_text(const cuda::DeviceList& list, const std::vector<MeasuredGpu>& measured) {
  if (list.devices.empty()) return fmt::format("GPU          none: {}\n", list.why_none);
  std::string text;
  for (const cuda::DeviceInfo& device : list.devices)
    text += device_text(device, rates_of(device, measured));
  return text;
}

}  // namespace synthoscope::tools
