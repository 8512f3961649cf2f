// SPDX-License-Identifier: MIT
#include "core/cuda/code/loaded_kernels.hpp"
#include <utility>
#include "core/base/memo.hpp"

namespace synthoscope::cuda {
namespace {

Memo<std::pair<int, std::string>, Kernel>& loaded() {
  // Never destroyed: CUDA may have ended before the process does
  static auto* const kernels = new Memo<std::pair<int, std::string>, Kernel>;
  return *kernels;
}

}  // namespace

Kernel loaded_once(DeviceId device, const std::string& name, const std::function<Kernel()>& load) {
  return loaded().get({device.index, name}, load);
}

std::optional<Kernel> loaded_before(DeviceId device, const std::string& name) {
  return loaded().known({device.index, name});
}

}  // namespace synthoscope::cuda
