// SPDX-License-Identifier: MIT
#include "core/cuda/runtime/peers.hpp"
#include <cuda_runtime_api.h>
#include "core/cuda/runtime/check.hpp"
#include "core/cuda/runtime/scoped_device.hpp"

namespace synthoscope::cuda {

bool can_reach(DeviceId device, DeviceId other) {
  if (device == other) return true;
  int can = 0;
  check(cudaDeviceCanAccessPeer(&can, device.index, other.index),
        "check whether one GPU can access the memory of another");
  return can != 0;
}

bool enable_reach(DeviceId device, DeviceId other) {
  if (device == other) return true;
  if (!can_reach(device, other)) return false;
  const ScopedDevice on{device};
  const cudaError_t status = cudaDeviceEnablePeerAccess(other.index, 0);
  if (status == cudaErrorPeerAccessAlreadyEnabled)
    cudaGetLastError();  // it is kept as an error of the thread's
  else
    check(status, "give one GPU access to the memory of another");
  return true;
}

}  // namespace synthoscope::cuda
