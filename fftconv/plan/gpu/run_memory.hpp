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

/// Memory of a run on the host with one thread.
RunMemory host_run_memory(const Problem& work, const Layout& layout);

/// Memory of a run on a GPU: on the device, and pinned on the host.
RunMemory gpu_run_memory(const Problem& work, const Layout& layout,
                         const device::DeviceLayout& sizes);

/// The same in frequency parts.
RunMemory gpu_parts_memory(const Problem& work, const Layout& layout,
                           const device::PartsLayout& parts);

/// Memory of a run of `plan` on the host or GPU that it is for.
RunMemory run_memory_of(const Plan& plan);

}  // namespace synthoscope::fftconv
