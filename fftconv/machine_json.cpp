// SPDX-License-Identifier: MIT
#include "fftconv/machine_json.hpp"
#include <fmt/format.h>
#include "core/error.hpp"
#include "core/json.hpp"

namespace synthoscope::fftconv {
namespace {

/// A positive number that is no nonsense: predictions divide by it.
double rate_from(const Json& json) {
  const auto rate = json.get<double>();
  if (!(rate >= 1e-6 && rate <= 1e18))
    throw InvalidInput(
        fmt::format("read the rates of a machine: {} is none; measure it again", text_of(json)));
  return rate;
}

/// A number of cores: rates are divided among them.
std::int64_t cores_from(const Json& json) {
  if (!json.is_number_integer() || json.get<std::int64_t>() < 1)
    throw InvalidInput(
        fmt::format("read the rates of a machine: {} is no number of cores from 1; measure it "
                    "again",
                    text_of(json)));
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

}  // namespace synthoscope::fftconv
