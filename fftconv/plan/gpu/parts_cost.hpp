// SPDX-License-Identifier: MIT
// fftconv/plan/gpu/parts_cost.hpp — how long a run in frequency parts takes with a GPU.
#pragma once
#include "fftconv/machine.hpp"
#include "fftconv/plan/cuts/cost.hpp"
#include "fftconv/plan/gpu/parts_layout.hpp"

namespace synthoscope::fftconv::device {

/// Predicted seconds of a run that moves `traffic` and, on disk, `bytes`. Where the device folds,
/// loading, parts and storing follow one another; else the host folds and puts parts aside while
/// others travel and are computed, and unfolds when all are there.
double gpu_parts_seconds(const PartsTraffic& traffic, const RunCost& bytes,
                         const PartsLayout& parts, const Machine& machine);

}  // namespace synthoscope::fftconv::device
