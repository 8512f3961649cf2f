// SPDX-License-Identifier: MIT
#include "jobs/machine/measured_gpus.hpp"
#include <fmt/format.h>
#include <algorithm>
#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "core/run/memory_budget.hpp"
#include "fftconv/plan/cuts/machine_json.hpp"

namespace synthoscope::jobs {
namespace {

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

Json json_of(const std::vector<MeasuredGpu>& gpus) {
  Json json = Json::array();
  for (const MeasuredGpu& gpu : gpus)
    json.push_back({{"uuid", gpu.uuid}, {"rates", fftconv::json_of(gpu.rates)}});
  return json;
}

std::vector<MeasuredGpu> gpus_from(const Json& json) try {
  std::vector<MeasuredGpu> gpus;
  for (const Json& one : json)
    gpus.push_back(
        {one.at("uuid").get<std::string>(), fftconv::device_rates_from(one.at("rates"))});
  return gpus;
} catch (const Json::exception&) {
  return {};
} catch (const InvalidInput&) {
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
                    {"rates", rates ? fftconv::json_of(*rates) : Json{}}});
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

}  // namespace synthoscope::jobs
