// SPDX-License-Identifier: MIT
// fftconv/device/link/timeline.hpp — when each batch of a run was loaded, copied, computed and
// stored.
#pragma once
#include <chrono>
#include <deque>
#include <mutex>
#include <optional>
#include <string_view>
#include <vector>
#include "core/cuda/runtime/stream.hpp"

namespace synthoscope::fftconv::device {

/// Collects what is noted; several threads may note at once. Events in streams cost microseconds.
class Timeline {
 public:
  /// The clock starts. Waits for the device. @throws CudaError
  explicit Timeline(cuda::DeviceId device);

  /// Seconds since the start; `what` as it was noted, in a slot.
  struct Span {
    std::string_view what;
    int slot = 0;
    double from = 0, to = 0;
  };

  /// All that was noted. Waits for what is still on its way. @throws CudaError
  [[nodiscard]] std::vector<Span> spans() const;

 private:
  friend class Noted;
  struct Marks {
    std::string_view what;
    int slot;
    cuda::Event from, to;
  };
  [[nodiscard]] double now() const;
  Marks& begin(std::string_view what, int slot, const cuda::Stream& stream);
  void add(const Span& span);

  cuda::Stream stream_;
  cuda::Event start_;
  std::chrono::steady_clock::time_point clock_start_;
  mutable std::mutex mutex_;
  std::deque<Marks> marks_;
  std::vector<Span> spans_;
};

/// Notes what lasts as long as this does: on the host, or of a stream what is enqueued meanwhile.
/// Does nothing without a timeline. `what` outlives the timeline.
class Noted {
 public:
  Noted(Timeline* timeline, std::string_view what, int slot);
  Noted(Timeline* timeline, std::string_view what, int slot, const cuda::Stream& stream);
  Noted(const Noted&) = delete;
  Noted& operator=(const Noted&) = delete;
  ~Noted();

 private:
  Timeline* timeline_;
  Timeline::Span span_;
  const cuda::Stream* stream_ = nullptr;
  Timeline::Marks* marks_ = nullptr;
};

}  // namespace synthoscope::fftconv::device
