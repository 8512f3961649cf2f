// SPDX-License-Identifier: MIT
#include "core/cuda/code/runtime_compiler.hpp"
#include <fmt/format.h>
#include <memory>
#include <string_view>
#include "core/base/error.hpp"
#include "core/cuda/code/nvrtc.hpp"

namespace synthoscope::cuda {
namespace {

struct DestroyProgram {
  void operator()(nvrtcProgram program) const { nvrtc().destroy(&program); }
};
using Program = std::unique_ptr<std::remove_pointer_t<nvrtcProgram>, DestroyProgram>;

const Nvrtc& found_nvrtc(std::string_view step) {
  if (!nvrtc().why_absent.empty()) throw CudaError(fmt::format("{}: {}", step, nvrtc().why_absent));
  return nvrtc();
}

void check_nvrtc(nvrtcResult result, std::string_view step, const std::string& log = {}) {
  if (result == NVRTC_SUCCESS) return;
  throw CudaError(fmt::format("{}: NVRTC reports {}{}{}", step, nvrtc().error_text(result),
                              log.empty() ? "" : ": ", log));
}

std::string log_of(nvrtcProgram program) {
  std::size_t size = 0;
  if (nvrtc().log_size(program, &size) != NVRTC_SUCCESS || size < 2) return {};
  std::string log(size, '\0');  // the end of a C string is counted
  if (nvrtc().log(program, log.data()) != NVRTC_SUCCESS) return {};
  log.resize(size - 1);
  return log;
}

std::vector<const char*> pointers_of(const std::vector<std::string>& texts) {
  std::vector<const char*> pointers;
  for (const auto& text : texts) pointers.push_back(text.c_str());
  return pointers;
}

Program create(const CompileRequest& request, std::string_view step) {
  std::vector<const char*> names, texts;
  for (const SourceText& header : request.headers) {
    names.push_back(header.name.c_str());
    texts.push_back(header.text.c_str());
  }
  nvrtcProgram raw = nullptr;
  check_nvrtc(nvrtc().create(&raw, request.program.text.c_str(), request.program.name.c_str(),
                             static_cast<int>(names.size()), texts.data(), names.data()),
              step);
  return Program{raw};
}

}  // namespace

bool can_compile() {
  return nvrtc().why_absent.empty();
}

std::string compiler_version() {
  int major = 0, minor = 0;
  check_nvrtc(found_nvrtc("read the version of NVRTC").version(&major, &minor),
              "read the version of NVRTC");
  return fmt::format("{}.{}", major, minor);
}

CompiledCode compile(const CompileRequest& request) {
  const std::string step =
      fmt::format("compile {} for sm_{}", request.program.name, request.capability);
  const Nvrtc& nvrtc = found_nvrtc(step);
  const Program program = create(request, step);
  for (const auto& kernel : request.kernels)
    check_nvrtc(nvrtc.add_name(program.get(), kernel.c_str()), step);

  std::vector<std::string> options{fmt::format("--gpu-architecture=sm_{}", request.capability),
                                   "--std=c++20"};
  options.insert(options.end(), request.options.begin(), request.options.end());
  const auto arguments = pointers_of(options);
  const nvrtcResult result =
      nvrtc.compile(program.get(), static_cast<int>(arguments.size()), arguments.data());
  if (result != NVRTC_SUCCESS) check_nvrtc(result, step, log_of(program.get()));

  CompiledCode code;
  std::size_t size = 0;
  check_nvrtc(nvrtc.cubin_size(program.get(), &size), step);
  code.cubin.resize(size);
  check_nvrtc(nvrtc.cubin(program.get(), reinterpret_cast<char*>(code.cubin.data())), step);
  for (const auto& kernel : request.kernels) {
    const char* name = nullptr;
    check_nvrtc(nvrtc.lowered_name(program.get(), kernel.c_str(), &name), step);
    code.kernels.emplace_back(name);
  }
  return code;
}

}  // namespace synthoscope::cuda
