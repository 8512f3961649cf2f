// SPDX-License-Identifier: MIT
// core/cuda/runtime/device.hpp — the GPUs of this machine. No GPU, and a build without CUDA, is an
// empty list.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace synthoscope::cuda {

/// Position among the GPUs that the driver shows to this process, from 0.
struct DeviceId {
  int index = 0;
  friend constexpr bool operator==(DeviceId, DeviceId) = default;
};

/// What a GPU is; nothing that changes while it is used.
struct DeviceInfo {
  DeviceId id;
  std::string name;               ///< "NVIDIA H200"
  std::string uuid;               ///< "GPU-" and 32 hexadecimal digits in groups
  int capability = 0;             ///< of its instructions, 10 major + minor: 90 is sm_90
  std::int64_t memory_bytes = 0;  ///< all there is, also what others hold
  int multiprocessors = 0;        ///< each runs its own blocks of threads
  std::int64_t l2_bytes = 0;      ///< of the cache that they share
  std::int64_t shared_bytes = 0;  ///< that one block of threads may ask for
  std::int64_t shared_bytes_per_multiprocessor = 0;
  int registers_per_multiprocessor = 0;  ///< of 32 bits
  friend bool operator==(const DeviceInfo&, const DeviceInfo&) = default;
};

struct DeviceList {
  std::vector<DeviceInfo> devices;
  std::string why_none;  ///< a sentence where there are none, else empty
};

/// Asks the driver, and takes no memory of any device.
/// @throws CudaError  the driver is there and fails.
DeviceList list_devices();

/// Devices of the list that `choice` names, in its order: "all", "none", or positions and uuids (or
/// how these begin) with commas between them, such as "0,2" or "GPU-5c2".
/// @throws InvalidSpec  one is not there, is named twice, or its beginning fits several.
std::vector<DeviceInfo> choose_devices(const DeviceList& list, std::string_view choice);

}  // namespace synthoscope::cuda
