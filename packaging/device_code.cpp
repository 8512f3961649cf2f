// SPDX-License-Identifier: MIT
// packaging/device_code.cpp — compiles the device code that a package takes along: one archive for
// each kind of GPU. Needs NVRTC, and no GPU.
//
//   synthoscope_device_code FOLDER CAPABILITY...    such as: build/kernels 80 90
#include <fmt/format.h>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <string_view>
#include <vector>
#include "core/base/error.hpp"
#include "core/cuda/code/code_archive.hpp"
#include "core/cuda/runtime/described_device.hpp"
#include "core/run/memory_budget.hpp"
#include "core/run/task_pool.hpp"
#include "deconvolution/device/code/programs.hpp"
#include "deconvolution/device/packaged_kernels.hpp"
#include "fftconv/device/code/programs.hpp"
#include "fftconv/device/passes/packaged_kernels.hpp"
#include "imageio/output/atomic_file.hpp"
#include "kernels/device/code/programs.hpp"
#include "kernels/packaged/packaged_kernels.hpp"
#include "simulator/device/packaged_kernels.hpp"
#include "simulator/device/programs.hpp"

namespace {

using namespace synthoscope;

std::vector<cuda::CompileRequest> requests_for(const cuda::DeviceInfo& device) {
  std::vector<cuda::CompileRequest> requests;
  const auto add = [&](const cuda::DeviceLibrary& library,
                       const std::vector<cuda::KernelName>& kernels) {
    for (const cuda::KernelName& kernel : kernels)
      requests.push_back(library.program(kernel, device.capability));
  };
  add(simulator::device::device_library(), simulator::device::packaged_kernels());
  add(kernels::device::device_library(), kernels::packaged_kernels(device));
  add(fftconv::device::device_library(), fftconv::device::packaged_kernels(device));
  add(deconvolution::device::device_library(), deconvolution::device::packaged_kernels(device));
  return requests;
}

void write_archive(const std::filesystem::path& folder, int capability, TaskPool& pool) {
  const auto start = std::chrono::steady_clock::now();
  const auto requests = requests_for(cuda::described_device(capability));
  cuda::CodeArchiveWriter archive;
  pool.for_each(static_cast<std::int64_t>(requests.size()), [&](std::int64_t i) {
    const cuda::CompileRequest& request = requests[static_cast<std::size_t>(i)];
    archive.add(request, cuda::compile(request));
  });
  const std::string text = archive.text();
  const auto path = cuda::archive_path(folder, capability);
  imageio::write_file_atomically(path, text, /*overwrite=*/true);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  fmt::print("{}: {} kernels, {}, {:.0f} s\n", path.string(), requests.size(),
             print_bytes(static_cast<std::int64_t>(text.size())), seconds.count());
}

int capability_of(std::string_view text) {
  int capability = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), capability);
  if (failed != std::errc{} || end != text.data() + text.size())
    throw InvalidSpec(fmt::format(
        "read the compute capability {}: it is no whole number; give one such as 90 for sm_90",
        text));
  return capability;
}

}  // namespace

int main(int count, char** words) try {
  if (count < 3) {
    fmt::print(stderr, "usage: synthoscope_device_code FOLDER CAPABILITY...\n");
    return 2;
  }
  const std::filesystem::path folder{words[1]};
  std::filesystem::create_directories(folder);
  TaskPool pool{available_threads()};
  for (int i = 2; i < count; ++i) write_archive(folder, capability_of(words[i]), pool);
  return 0;
} catch (const std::exception& failure) {
  fmt::print(stderr, "{}\n", failure.what());
  return 1;
}
