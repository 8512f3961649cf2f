// SPDX-License-Identifier: MIT
// core/cuda/runtime/stream.hpp — CUDA's streams and events.
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
  /// Keeps the stream for the next Stream of the device.
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

  /// Waits until all enqueued work is done. @throws CudaError  also if any of the work failed
  void finish() const;

  /// As `finish`, for use after a failure: ignores work that failed.
  void drain() const noexcept;

 private:
  UniqueHandle<StreamTraits> handle_;
};

/// Waits for all work of this process on the device, including that of other libraries.
/// @throws CudaError  also if any of the work failed
void finish_all(DeviceId device);

/// How a host thread waits for an event: it sleeps, or it spins, which is some microseconds faster.
enum class Waiting { blocking, spinning };

/// A mark in a stream, which has passed when all work that was enqueued before it is done.
class Event {
 public:
  /// @throws CudaError
  explicit Event(DeviceId device, Waiting waiting = Waiting::spinning);

  [[nodiscard]] EventHandle handle() const { return handle_.get(); }
  [[nodiscard]] DeviceId device() const { return handle_.device(); }

  /// Moves the mark to the present end of `stream`, which is of the same device.
  void record(const Stream& stream);

  /// Waits until the mark has passed; returns at once if it was never recorded. @throws CudaError
  /// also if any of the work failed
  void finish() const;

 private:
  UniqueHandle<EventTraits> handle_;
};

/// Returns the seconds on the device from one mark to another, with a resolution of about a
/// microsecond. Waits for both, which must be recorded.
double seconds_between(const Event& from, const Event& to);

}  // namespace synthoscope::cuda
