// SPDX-License-Identifier: MIT
// core/cuda/code/device_program.hpp — programs of a library's device code, which shares bodies with
// the host.
#pragma once
#include <string>
#include <vector>
#include "core/cuda/code/module.hpp"

namespace synthoscope::cuda {

/// Device code of a library as text.
struct DeviceCode {
  std::string library;              ///< "simulator": files of simulator/device/ are its programs
  std::vector<SourceText> sources;  ///< with all files that they include, such as standard.cuh
  std::vector<std::string> options;
};

/// The program that consists of one of the files, "camera.cuh". Headers of the standard library are
/// core/cuda/code/standard.cuh, and a broken promise is not noticed on a device.
/// @param kernels  as CompileRequest names them, without synthoscope::library::device
CompileRequest program_of(const DeviceCode& code, const std::string& source,
                          const std::vector<std::string>& kernels, int capability);

/// Compiles, or finds what was compiled before, and loads. @throws CudaError
Kernel compile_kernel(const DeviceInfo& device, const CompileRequest& program);

}  // namespace synthoscope::cuda
