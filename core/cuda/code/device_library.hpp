// SPDX-License-Identifier: MIT
// core/cuda/code/device_library.hpp — device code of a library: its programs are found in the
// package or compiled for a device when they are wanted, and loaded once per process.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>
#include "core/cuda/code/kernel_name.hpp"
#include "core/cuda/code/module.hpp"
#include "core/run/task_pool.hpp"

namespace synthoscope::cuda {

/// A kernel's name, and the shared memory that its blocks ask for.
struct WantedKernel {
  std::string name;
  std::int64_t shared_bytes = 0;
  friend auto operator<=>(const WantedKernel&, const WantedKernel&) = default;
};

/// synthoscope_device_code (cmake/SynthoscopeCuda.cmake) makes one for each library, and defines
/// the function device_library() that returns it. Sources and kernels have names within it:
/// "camera.cuh" is simulator/device/camera.cuh, and "record<float>" is in namespace
/// synthoscope::simulator::device. Thread-safe.
class DeviceLibrary {
 public:
  /// @param name     "simulator"
  /// @param sources  the device code, with all files that it includes except headers of the
  ///                 standard library, which are core/cuda/code/standard.cuh
  /// @param options  of NVRTC
  DeviceLibrary(std::string name, std::vector<SourceText> sources,
                std::vector<std::string> options);

  /// Returns the program that consists of one source, to be compiled for `kernels`. A broken
  /// promise (SYNTHOSCOPE_ASSERT) is not noticed on a device.
  [[nodiscard]] CompileRequest program(const std::string& source,
                                       const std::vector<std::string>& kernels,
                                       int capability) const;

  /// Returns the program that consists of one kernel, as kernel() looks for it and compiles it.
  [[nodiscard]] CompileRequest program(const KernelName& kernel, int capability) const {
    return program(kernel.source, {kernel.name}, capability);
  }

  /// Returns a kernel, loaded on first use: from the archive that came with the program
  /// (packaged_code_folder), else from the user's code cache, else compiled. It stays loaded, so
  /// that a series of runs of milliseconds loads its code once. @throws CudaError
  [[nodiscard]] GpuKernel kernel(const DeviceInfo& device, const std::string& source,
                                 const std::string& name) const;
  [[nodiscard]] GpuKernel kernel(const DeviceInfo& device, const KernelName& of) const {
    return kernel(device, of.source, of.name);
  }

  /// Returns whether kernel() can load it: it is loaded, packaged or kept, or can be compiled here.
  [[nodiscard]] bool can_load(const DeviceInfo& device, const KernelName& of) const;

  /// Loads kernels that are not loaded yet, those that must be compiled at the same time.
  /// @throws CudaError
  void load(const DeviceInfo& device, const std::vector<KernelName>& wanted, TaskPool& pool) const;

  /// Returns kernels of one source by their names, with the shared memory that they want. Those
  /// that are not loaded are compiled at the same time, each by itself, so that one that was
  /// compiled before, for another plan, is found again. @throws CudaError
  [[nodiscard]] std::map<std::string, GpuKernel> kernels(const DeviceInfo& device,
                                                         const std::string& source,
                                                         const std::vector<WantedKernel>& wanted,
                                                         TaskPool& pool) const;

 private:
  [[nodiscard]] GpuKernel load_one(const DeviceInfo& device, const std::string& source,
                                   const WantedKernel& wanted) const;

  std::string name_;
  std::vector<SourceText> headers_;
  std::vector<std::string> options_;
};

}  // namespace synthoscope::cuda
