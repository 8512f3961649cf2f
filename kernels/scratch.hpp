// SPDX-License-Identifier: MIT
// kernels/scratch.hpp — floats to work in, which working_bytes has counted.
#pragma once
#include <cstdint>
#include <utility>
#include "core/host_buffer.hpp"

namespace synthoscope::kernels {

/// Aligned memory that is taken when it is first used.
class Scratch {
 public:
  explicit Scratch(std::int64_t floats) : bytes_{floats * std::int64_t{sizeof(float)}} {}
  ~Scratch() {
    if (data_) free_aligned(data_, bytes_);
  }
  Scratch(Scratch&& other) noexcept
      : bytes_{other.bytes_}, data_{std::exchange(other.data_, nullptr)} {}
  Scratch& operator=(Scratch&&) = delete;

  /// @throws std::bad_alloc
  float* data() {
    if (!data_) data_ = allocate_aligned(bytes_);
    return static_cast<float*>(data_);
  }

 private:
  std::int64_t bytes_;
  void* data_ = nullptr;
};

}  // namespace synthoscope::kernels
