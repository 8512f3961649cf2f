// SPDX-License-Identifier: MIT
// core/cuda/code/runtime_compiler.hpp — compiles device code while the program runs, with NVRTC.
// Needs no device. NVRTC is looked for when it is first wanted, so that a program starts without
// it.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

namespace synthoscope::cuda {

/// A source text and its name: a program, or a header by the name that it is included by.
struct SourceText {
  std::string name, text;
};

struct CompileRequest {
  SourceText program;                ///< CUDA C++20
  std::vector<SourceText> headers;   ///< there are no others: NVRTC looks into no folder
  std::vector<std::string> kernels;  ///< as C++ names them: "run<1024, 8>", "device::scale<float>"
  std::vector<std::string> options;  ///< of NVRTC, beyond language and device: "-DLENGTH=1024"
  int capability = 0;                ///< of the device, as in DeviceInfo: 90 is sm_90
};

struct CompiledCode {
  std::vector<std::byte> cubin;      ///< machine code for the one capability
  std::vector<std::string> kernels;  ///< what the cubin calls the kernels asked for, in their order
  friend bool operator==(const CompiledCode&, const CompiledCode&) = default;
};

/// Whether NVRTC is there. Looks for it on first use.
bool can_compile();

/// NVRTC's version, such as "13.0". @throws CudaError  there is none.
std::string compiler_version();

/// Takes some tenths of a second to seconds. Several threads may compile at once.
/// @throws CudaError  there is no NVRTC, it does not know the capability, or the program does not
///                    compile; then the sentence ends with the compiler's log.
CompiledCode compile(const CompileRequest& request);

}  // namespace synthoscope::cuda
