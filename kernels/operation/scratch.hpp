// SPDX-License-Identifier: MIT
// kernels/operation/scratch.hpp — working memory of floats, which working_bytes has counted.
#pragma once
#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>
#include "core/run/host_buffer.hpp"
#include "core/run/task_pool.hpp"

namespace synthoscope::kernels {

/// Aligned memory that is allocated when it is first used; by one thread at a time.
class Scratch {
 public:
  explicit Scratch(std::int64_t floats) : bytes_{floats * std::int64_t{sizeof(float)}} {}
  ~Scratch() {
    if (data_) free_aligned(data_, bytes_);
  }
  Scratch(Scratch&& other) noexcept
      : bytes_{other.bytes_}, data_{std::exchange(other.data_, nullptr)} {}
  Scratch& operator=(Scratch&&) = delete;

  [[nodiscard]] bool is_taken() const { return data_ != nullptr; }

  /// @throws std::bad_alloc
  float* data() {
    if (!data_) data_ = allocate_aligned(bytes_);
    return static_cast<float*>(data_);
  }

 private:
  std::int64_t bytes_;
  void* data_ = nullptr;
};

/// Separate scratch for every thread of a pool, with zeros at first: sums of whole vectors include
/// values next to rows, and denormals left there would take twenty times as long.
class ThreadScratch {
 public:
  /// @param floats  for each thread
  ThreadScratch(std::int64_t floats, const TaskPool& pool) : floats_{floats} {
    for (int i = 0; i < pool.threads(); ++i) scratch_.emplace_back(floats);
  }

  /// Returns the scratch of the calling thread, the same from task to task.
  /// @throws std::bad_alloc
  float* mine() {
    Scratch& own = scratch_[static_cast<std::size_t>(TaskPool::slot())];
    const bool is_new = !own.is_taken();
    float* const floats = own.data();
    if (is_new) std::fill_n(floats, floats_, 0.0F);
    return floats;
  }

 private:
  std::int64_t floats_;
  std::vector<Scratch> scratch_;
};

}  // namespace synthoscope::kernels
