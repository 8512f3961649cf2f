// SPDX-License-Identifier: MIT
#include "core/cuda/runtime/stream.hpp"
#include <cuda_runtime_api.h>
#include <map>
#include <mutex>
#include <new>
#include <vector>
#include "core/cuda/runtime/check.hpp"
#include "core/cuda/runtime/scoped_device.hpp"

namespace synthoscope::cuda {
namespace {

/// Streams that are not in use. Making a new one takes up to 0.1 ms.
class IdleStreams {
 public:
  /// Returns a stream of a device, or null if there is none.
  StreamHandle take(DeviceId device) {
    const std::scoped_lock lock{mutex_};
    std::vector<StreamHandle>& streams = of_devices_[device.index];
    if (streams.empty()) return nullptr;
    const StreamHandle taken = streams.back();
    streams.pop_back();
    return taken;
  }

  /// Returns false if there is no memory to note it.
  bool keep(StreamHandle stream, DeviceId device) noexcept {
    try {
      const std::scoped_lock lock{mutex_};
      of_devices_[device.index].push_back(stream);
      return true;
    } catch (const std::bad_alloc&) {
      return false;
    }
  }

 private:
  std::mutex mutex_;
  std::map<int, std::vector<StreamHandle>> of_devices_;
};

IdleStreams& idle_streams() {
  // Never destroyed: CUDA may have ended before the process does
  static auto* const streams = new IdleStreams;
  return *streams;
}

UniqueHandle<StreamTraits> make_stream(DeviceId device) {
  if (const StreamHandle idle = idle_streams().take(device)) return {idle, device};
  const ScopedDevice on{device};
  cudaStream_t raw = nullptr;
  check(cudaStreamCreateWithFlags(&raw, cudaStreamNonBlocking), "make a stream");
  return {raw, device};
}

UniqueHandle<EventTraits> make_event(DeviceId device, Waiting waiting) {
  const ScopedDevice on{device};
  cudaEvent_t raw = nullptr;
  const unsigned flags = waiting == Waiting::blocking ? cudaEventBlockingSync : cudaEventDefault;
  check(cudaEventCreateWithFlags(&raw, flags), "create an event");
  return {raw, device};
}

}  // namespace

void StreamTraits::release(Raw raw, DeviceId device) noexcept {
  if (idle_streams().keep(raw, device)) return;
  const ScopedDevice on{device, std::nothrow};
  cudaStreamDestroy(raw);
}

void EventTraits::release(Raw raw, DeviceId device) noexcept {
  const ScopedDevice on{device, std::nothrow};
  cudaEventDestroy(raw);
}

Stream::Stream(DeviceId device) : handle_{make_stream(device)} {}

void Stream::wait_for(const Event& event) {
  const ScopedDevice on{device()};
  check(cudaStreamWaitEvent(handle(), event.handle(), 0), "let a stream wait for an event");
}

void Stream::finish() const {
  const ScopedDevice on{device()};
  check(cudaStreamSynchronize(handle()), "wait for the work of a GPU");
}

void Stream::drain() const noexcept {
  const ScopedDevice on{device(), std::nothrow};
  cudaStreamSynchronize(handle());
}

void finish_all(DeviceId device) {
  const ScopedDevice on{device};
  check(cudaDeviceSynchronize(), "wait for the work of a GPU");
}

Event::Event(DeviceId device, Waiting waiting) : handle_{make_event(device, waiting)} {}

void Event::record(const Stream& stream) {
  const ScopedDevice on{stream.device()};
  check(cudaEventRecord(handle(), stream.handle()), "mark the end of a stream");
}

void Event::finish() const {
  const ScopedDevice on{device()};
  check(cudaEventSynchronize(handle()), "wait for the work of a GPU");
}

double seconds_between(const Event& from, const Event& to) {
  from.finish();
  to.finish();
  const ScopedDevice on{from.device()};
  float milliseconds = 0;
  check(cudaEventElapsedTime(&milliseconds, from.handle(), to.handle()), "time the work of a GPU");
  return 1e-3 * static_cast<double>(milliseconds);
}

}  // namespace synthoscope::cuda
