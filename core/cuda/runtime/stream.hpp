// SPDX-License-Identifier: MIT
// core/cuda/runtime/stream.hpp — queues of work on a device, and marks in them that order and time
// it.
#pragma once
#include "core/cuda/runtime/unique_handle.hpp"

struct CUstream_st;
struct CUevent_st;

namespace synthoscope::cuda {

/// CUDA's cudaStream_t and cudaEvent_t.
using StreamHandle = CUstream_st*;
using EventHandle = CUevent_st*;

struct StreamTraits {
  using Raw = StreamHandle;
  static constexpr Raw null() { return nullptr; }
  static void release(Raw raw, DeviceId device) noexcept;
};

struct EventTraits {
  using Raw = EventHandle;
  static constexpr Raw null() { return nullptr; }
  static void release(Raw raw, DeviceId device) noexcept;
};

class Event;

/// Work in one stream runs in the order in which it was enqueued. Streams do not wait for each
/// other, nor for CUDA's default stream, unless an event makes them.
class Stream {
 public:
  /// @throws CudaError
  explicit Stream(DeviceId device);

  [[nodiscard]] StreamHandle handle() const { return handle_.get(); }
  [[nodiscard]] DeviceId device() const { return handle_.device(); }

  /// Makes all work that is enqueued from now on wait for `event`, which may belong to another
  /// device. Returns at once. An event that was never recorded delays nothing.
  void wait_for(const Event& event);

  /// Returns when all that was enqueued is done. @throws CudaError  also of work that failed.
  void finish() const;

  /// The same after a failure; does not report whether the work failed as well.
  void drain() const noexcept;

 private:
  UniqueHandle<StreamTraits> handle_;
};

/// Waits for all work of this process on the device, including that of other libraries.
/// @throws CudaError  also if any of the work failed
void finish_all(DeviceId device);

/// What a thread does that waits for the host's side of an event: nothing, or it looks again and
/// again, which sees the event some microseconds earlier.
enum class Waiting { blocking, spinning };

/// A mark in a stream. It has passed when all that was enqueued before it is done.
class Event {
 public:
  /// @throws CudaError
  explicit Event(DeviceId device, Waiting waiting = Waiting::spinning);

  [[nodiscard]] EventHandle handle() const { return handle_.get(); }
  [[nodiscard]] DeviceId device() const { return handle_.device(); }

  /// Marks the present end of `stream`, of the same device, instead of where the mark was before.
  void record(const Stream& stream);

  /// Returns when it has passed, at once if it was never recorded. @throws CudaError  also of work
  /// that failed.
  void finish() const;

 private:
  UniqueHandle<EventTraits> handle_;
};

/// Seconds on the device from one mark to another; waits for both, which must be recorded. About a
/// microsecond is their resolution.
double seconds_between(const Event& from, const Event& to);

}  // namespace synthoscope::cuda
