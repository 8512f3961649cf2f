// SPDX-License-Identifier: MIT
#include "fftconv/plan/cuts/machine_json.hpp"
#include <fmt/format.h>
#include <array>
#include "core/base/error.hpp"
#include "core/base/json.hpp"

namespace synthoscope::fftconv {
namespace {

/// A positive number that is no nonsense: predictions divide by it.
double rate_from(const Json& json) {
  const auto rate = json.get<double>();
  if (!(rate >= 1e-6 && rate <= 1e18))
    throw InvalidInput(fmt::format(
        "read the rates of a machine: {} is not a rate; measure it again", text_of(json)));
  return rate;
}

/// A number of cores: rates are divided among them.
std::int64_t cores_from(const Json& json) {
  if (!json.is_number_integer() || json.get<std::int64_t>() < 1)
    throw InvalidInput(
        fmt::format("read the rates of a machine: {} is not a number of cores from 1; measure it "
                    "again",
                    text_of(json)));
  return json.get<std::int64_t>();
}

struct DeviceRateRow {
  const char* key;
  double cuda::DeviceRates::*rate;
};

constexpr std::array kDeviceRateRows{
    DeviceRateRow{"pinned_up_bytes_per_second", &cuda::DeviceRates::pinned_up},
    DeviceRateRow{"pinned_down_bytes_per_second", &cuda::DeviceRates::pinned_down},
    DeviceRateRow{"pinned_both_bytes_per_second", &cuda::DeviceRates::pinned_both},
    DeviceRateRow{"ordinary_up_bytes_per_second", &cuda::DeviceRates::ordinary_up},
    DeviceRateRow{"ordinary_down_bytes_per_second", &cuda::DeviceRates::ordinary_down},
    DeviceRateRow{"copy_bytes_per_second", &cuda::DeviceRates::copy},
};

/// A number that some GPU has, now or in some years: plans are laid out by it.
std::int64_t count_from(const Json& json, std::int64_t most) {
  if (!json.is_number_integer() || json.get<std::int64_t>() < 1 || json.get<std::int64_t>() > most)
    throw InvalidInput(fmt::format(
        "read the properties of a GPU: {} is not a number from 1 to {}; make the plan again",
        text_of(json), most));
  return json.get<std::int64_t>();
}

}  // namespace

Json json_of(const MachineRates& r) {
  return {{"cores", r.cores},
          {"memory_bytes_per_second", r.memory_bytes_per_second},
          {"disk_read_bytes_per_second", r.disk_read_bytes_per_second},
          {"disk_write_bytes_per_second", r.disk_write_bytes_per_second},
          {"line_factor", r.line_factor}};
}

MachineRates rates_from(const Json& json) {
  MachineRates r;
  r.cores = cores_from(json.at("cores"));
  r.memory_bytes_per_second = rate_from(json.at("memory_bytes_per_second"));
  r.disk_read_bytes_per_second = rate_from(json.at("disk_read_bytes_per_second"));
  r.disk_write_bytes_per_second = rate_from(json.at("disk_write_bytes_per_second"));
  const auto& factors = json.at("line_factor");
  for (std::size_t i = 0; i < r.line_factor.size(); ++i)
    r.line_factor[i] = rate_from(factors.at(i));
  return r;
}

Json json_of(const cuda::DeviceRates& rates) {
  Json json = Json::object();
  for (const DeviceRateRow& row : kDeviceRateRows) json[row.key] = rates.*row.rate;
  return json;
}

cuda::DeviceRates device_rates_from(const Json& json) {
  cuda::DeviceRates rates;
  for (const DeviceRateRow& row : kDeviceRateRows) rates.*row.rate = rate_from(json.at(row.key));
  return rates;
}

Json json_of(const Gpu& gpu) {
  return {{"name", gpu.name},
          {"capability", gpu.capability},
          {"shared_bytes", gpu.limits.shared_bytes},
          {"threads", gpu.limits.threads},
          {"registers", gpu.limits.registers},
          {"memory_bytes", gpu.memory_bytes},
          {"rates", json_of(gpu.rates)}};
}

Gpu gpu_from(const Json& json) {
  Gpu gpu;
  gpu.name = json.at("name").get<std::string>();
  gpu.capability = static_cast<int>(count_from(json.at("capability"), 10000));
  gpu.limits = {count_from(json.at("shared_bytes"), 1 << 20),
                static_cast<int>(count_from(json.at("threads"), 1024)),
                static_cast<int>(count_from(json.at("registers"), 1 << 20))};
  gpu.memory_bytes = count_from(json.at("memory_bytes"), std::int64_t{1} << 60);
  gpu.rates = device_rates_from(json.at("rates"));
  return gpu;
}

}  // namespace synthoscope::fftconv
