// SPDX-License-Identifier: MIT
#include "fftconv/device/parts/link.hpp"
#include "fftconv/plan/gpu/layout.hpp"

namespace synthoscope::fftconv::device {
namespace {

std::vector<cuda::Event> batch_events(cuda::DeviceId device) {
  std::vector<cuda::Event> made;
  for (int i = 0; i < kBatches; ++i) made.emplace_back(device);
  return made;
}

std::size_t slot_of(std::int64_t batch) {
  return static_cast<std::size_t>(batch % kBatches);
}

}  // namespace

BatchesUp::BatchesUp(const cuda::DeviceInfo& device, std::int64_t bytes, bool lands,
                     MemoryBudget& device_memory, MemoryBudget& host_memory)
    : bytes_{bytes},
      stream_{device.id},
      host_{device.id, host_memory, kBatches * bytes, "planes to the device"},
      device_{device.id, device_memory, lands ? kBatches * bytes : 0, "input planes on the GPU"},
      came_{batch_events(device.id)},
      used_{batch_events(device.id)} {}

std::byte* BatchesUp::room() {
  const std::size_t slot = slot_of(sent_);
  came_[slot].finish();
  return host_.data() + static_cast<std::int64_t>(slot) * bytes_;
}

std::byte* BatchesUp::send(cuda::Stream& compute, std::int64_t bytes, std::byte* to) {
  const std::size_t slot = slot_of(sent_);
  const std::int64_t offset = static_cast<std::int64_t>(slot) * bytes_;
  if (!to) {
    stream_.wait_for(used_[slot]);
    to = device_.data() + offset;
  }
  cuda::enqueue_copy(stream_, to, host_.data() + offset, bytes);
  came_[slot].record(stream_);
  compute.wait_for(came_[slot]);
  return to;
}

void BatchesUp::taken(const cuda::Stream& compute) {
  used_[slot_of(sent_++)].record(compute);
}

BatchesDown::BatchesDown(const cuda::DeviceInfo& device, std::int64_t bytes, bool starts,
                         MemoryBudget& device_memory, MemoryBudget& host_memory)
    : bytes_{bytes},
      stream_{device.id},
      host_{device.id, host_memory, kBatches * bytes, "planes from the device"},
      device_{device.id, device_memory, starts ? kBatches * bytes : 0, "result planes on the GPU"},
      computed_{batch_events(device.id)},
      went_{batch_events(device.id)} {}

std::byte* BatchesDown::room(cuda::Stream& compute) {
  const std::size_t slot = slot_of(sent_);
  compute.wait_for(went_[slot]);
  return device_.data() + static_cast<std::int64_t>(slot) * bytes_;
}

void BatchesDown::send(const cuda::Stream& compute, const std::byte* from, std::int64_t bytes,
                       Finish finish) {
  // The oldest must be out before its slot is filled again
  while (waiting_.size() >= kBatches) finish_oldest();
  const std::size_t slot = slot_of(sent_++);
  computed_[slot].record(compute);
  stream_.wait_for(computed_[slot]);
  cuda::enqueue_copy(stream_, host_.data() + static_cast<std::int64_t>(slot) * bytes_, from, bytes);
  went_[slot].record(stream_);
  waiting_.push_back({slot, std::move(finish)});
}

void BatchesDown::finish_all() {
  while (!waiting_.empty()) finish_oldest();
}

void BatchesDown::finish_oldest() {
  const Batch batch = std::move(waiting_.front());
  waiting_.pop_front();
  went_[batch.slot].finish();
  batch.finish(host_.data() + static_cast<std::int64_t>(batch.slot) * bytes_);
}

}  // namespace synthoscope::fftconv::device
