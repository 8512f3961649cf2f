// SPDX-License-Identifier: MIT
// fftconv/plan/gpu/run_memory.hpp — everything a run holds at its peak, on the host and on a GPU.
#pragma once
#include <vector>
#include "fftconv/plan/cuts/layout.hpp"
#include "fftconv/plan/gpu/layout.hpp"
#include "fftconv/plan/gpu/parts_layout.hpp"

namespace synthoscope::fftconv {

struct RunMemory {
  std::vector<MemoryItem> host, device;
};

/// Of a run on the host with one thread.
RunMemory host_run_memory(const Problem& work, const Layout& layout);

/// Of a run on a GPU: there, and what is pinned on the host.
RunMemory gpu_run_memory(const Problem& work, const Layout& layout,
                         const device::DeviceLayout& sizes);

/// The same in frequency parts.
RunMemory gpu_parts_memory(const Problem& work, const Layout& layout,
                           const device::PartsLayout& parts);

/// Of a run of `plan`, where it says.
RunMemory run_memory_of(const Plan& plan);

}  // namespace synthoscope::fftconv
