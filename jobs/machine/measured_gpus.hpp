// SPDX-License-Identifier: MIT
// jobs/machine/measured_gpus.hpp — how fast the GPUs of this machine were when they were measured.
#pragma once
#include <string>
#include <vector>
#include "core/base/json_fwd.hpp"
#include "core/cuda/memory/device_rates.hpp"
#include "core/run/run_context.hpp"

namespace synthoscope::jobs {

struct MeasuredGpu {
  std::string uuid;
  cuda::DeviceRates rates;
  friend bool operator==(const MeasuredGpu&, const MeasuredGpu&) = default;
};

/// One that fails is left out, with a warning.
/// @throws PlanError    the memory has no cuda::kDeviceMeasuringBytes.
/// @throws Interrupted  context.stop was set.
std::vector<MeasuredGpu> measure_gpus(const cuda::DeviceList& list, const RunContext& context);

Json json_of(const std::vector<MeasuredGpu>& gpus);

/// Reads what json_of returned; none if `json` is anything else.
std::vector<MeasuredGpu> gpus_from(const Json& json);

/// What each GPU is, and its rates where it was measured.
Json devices_json(const cuda::DeviceList& list, const std::vector<MeasuredGpu>& measured);

/// The same in lines, or why there is none.
std::string devices_text(const cuda::DeviceList& list, const std::vector<MeasuredGpu>& measured);

}  // namespace synthoscope::jobs
