// SPDX-License-Identifier: MIT
#include "core/stream/carry.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <optional>
#include <vector>
#include "core/base/error.hpp"
#include "core/cuda/memory/buffer.hpp"
#include "core/cuda/runtime/slot_events.hpp"
#include "core/run/host_buffer.hpp"
#include "core/run/overlap.hpp"
#include "core/stream/device_stream.hpp"
#include "fftconv/plan.hpp"
#include "simulator/base/carry_on_device.hpp"

namespace synthoscope::simulator::device {
namespace {

/// Larger batches do not use the link better.
constexpr std::int64_t kLargestBatchBytes = std::int64_t{64} << 20;

std::int64_t bytes_of(const Extent3& plane, PixelType type) {
  return plane.y * plane.x * size_of(type);
}

/// The work of carrying a volume. A batch is a range of planes; each is a separate step.
class Carrying final : BatchWork {
 public:
  Carrying(Source& source, Epilogue& epilogue, Sink& sink, const DeviceWorkspace& room,
           const RunContext& context)
      : source_{source},
        sink_{sink},
        context_{context},
        extent_{source.extent()},
        made_{epilogue.format(extent_)},
        compute_{room.device.id},
        up_{room.device.id},
        maker_{source.make_on_device()},
        finisher_{maker_ ? nullptr : epilogue.make_on_device()} {
    SYNTHOSCOPE_ASSERT(made_.extent.z, ==, extent_.z);
    SYNTHOSCOPE_ASSERT(sink.extent(), ==, made_.extent);
    SYNTHOSCOPE_ASSERT(maker_ || finisher_, ==, true);
    if (maker_) SYNTHOSCOPE_ASSERT(name_of(made_.type), ==, name_of(source.pixel_type()));
    const cuda::DeviceContext gpu{room.device, room.memory, context.pool};
    if (maker_) maker_->prepare(gpu, compute_);
    if (finisher_) finisher_->prepare(gpu, compute_);
    count_planes(room);
    take_room(room);
  }

  void run(std::string_view stage) {
    context_.progress.begin(stage, extent_.z);
    std::vector<PipelineStep> steps;
    for (std::int64_t z = 0; z < extent_.z; z += planes_) {
      const Batch batch{0, {z, std::min(planes_, extent_.z - z)}};
      steps.push_back({{batch}, {batch}});
    }
    try {
      run_overlapped(steps, kBatches, true, *this);
      if (maker_) maker_->finish(compute_);
      if (finisher_) finisher_->finish(compute_);
    } catch (...) {
      // Copies may still use memory that is about to be freed
      up_.drain();
      compute_.drain();
      throw;
    }
  }

 private:
  void count_planes(const DeviceWorkspace& room) {
    const CarriedPlane plane = carried_plane(source_, made_);
    const auto left = [](const MemoryBudget& memory) { return memory.limit() - memory.used(); };
    planes_ = std::clamp<std::int64_t>(
        std::min({left(room.memory) / plane.device, left(context_.memory) / plane.host,
                  kLargestBatchBytes / std::max(plane.device, plane.host)}),
        1, std::min(extent_.z, fftconv::kMaxBatchPlanes));
  }

  /// Allocates batches, with fewer planes if the device has less memory than the budget: the result
  /// is the same.
  void take_room(const DeviceWorkspace& room) {
    for (;;) try {
        return take_batches(room);
      } catch (const OutOfDeviceMemory& failure) {
        if (planes_ == 1) throw;
        planes_ /= 2;
        context_.log.warn(
            fmt::format("{}; {} planes are transferred at once instead, and the result is the same",
                        failure.what(), planes_));
        read_ = {};
        came_here_ = {};
        native_ = {};
        made_there_ = {};
        went_ = {};
      }
  }

  void take_batches(const DeviceWorkspace& room) {
    const cuda::DeviceId id = room.device.id;
    const std::int64_t floats = maker_ ? 0 : kBatches * planes_ * extent_.y * extent_.x;
    read_ = {id, context_.memory, floats, "planes to the device"};
    came_here_ = {id, room.memory, floats, "input planes on the GPU"};
    native_ = {context_.memory, is_converted() ? planes_ * native_bytes() : 0, "planes as read"};
    made_there_ = {id, room.memory, planes_ * made_bytes(), "result planes on the GPU"};
    went_ = {id, context_.memory, kBatches * planes_ * made_bytes(), "planes from the device"};
    came_ = cuda::slot_events(id);
    used_ = cuda::slot_events(id);
    gone_ = cuda::slot_events(id);
  }

  [[nodiscard]] bool is_converted() const {
    return !maker_ && source_.pixel_type() != PixelType::float32;
  }
  [[nodiscard]] std::int64_t native_bytes() const {
    return bytes_of(extent_, source_.pixel_type());
  }
  [[nodiscard]] std::int64_t made_bytes() const { return bytes_of(made_.extent, made_.type); }
  [[nodiscard]] std::int64_t first_float(int slot) const {
    return slot * planes_ * extent_.y * extent_.x;
  }
  [[nodiscard]] Box3 box_of(const Batch& batch) const {
    return {{batch.planes.first, 0, 0}, {batch.planes.count, extent_.y, extent_.x}};
  }

  void load(const Batch& batch, int slot) override {
    context_.stop.check();
    if (maker_) return;
    const auto s = static_cast<std::size_t>(slot);
    float* const to = read_.data() + first_float(slot);
    const std::int64_t plane_floats = extent_.y * extent_.x;
    context_.pool.for_each(batch.planes.count, [&](std::int64_t i) {
      const Box3 box = plane(extent_, batch.planes.first + i);
      float* const floats = to + i * plane_floats;
      if (!is_converted())
        return source_.read(box,
                            {reinterpret_cast<std::byte*>(floats), PixelType::float32, box.size});
      const VoxelView native{native_.data() + i * native_bytes(), source_.pixel_type(), box.size};
      source_.read(box, native);
      to_float32(native, floats);
    });
    up_.wait_for(used_[s]);
    cuda::enqueue_copy(up_, came_here_.data() + first_float(slot), to,
                       batch.planes.count * plane_floats * std::int64_t{sizeof(float)});
    came_[s].record(up_);
  }

  void receive(const Batch&, int slot) override {
    if (!maker_) came_[static_cast<std::size_t>(slot)].finish();
  }

  void take(const Batch& batch, int slot) override {
    if (maker_) return maker_->enqueue_read(compute_, box_of(batch), made_there_.data());
    finisher_->enqueue_apply(compute_, box_of(batch), came_here_.data() + first_float(slot),
                             made_there_.data());
    used_[static_cast<std::size_t>(slot)].record(compute_);
  }

  void compute(std::size_t) override {}

  /// Copies results; enqueued after the work that made them and before the work that overwrites
  /// them.
  void give(const Batch& batch, int slot) override {
    cuda::enqueue_copy(compute_, slot_of(slot), made_there_.data(),
                       batch.planes.count * made_bytes());
    gone_[static_cast<std::size_t>(slot)].record(compute_);
  }

  void store(const Batch& batch, int slot) override {
    context_.stop.check();
    gone_[static_cast<std::size_t>(slot)].finish();
    const Extent3 one{1, made_.extent.y, made_.extent.x};
    const auto write = [&](std::int64_t i) {
      sink_.write(plane(made_.extent, batch.planes.first + i),
                  {slot_of(slot) + i * made_bytes(), made_.type, one});
    };
    if (sink_.accepts() == BoxOrder::any)
      context_.pool.for_each(batch.planes.count, write);
    else
      for (std::int64_t i = 0; i < batch.planes.count; ++i) write(i);
    context_.progress.advance(batch.planes.count);
  }

  void finish(std::size_t) override {}

  [[nodiscard]] std::byte* slot_of(int slot) const {
    return went_.data() + slot * planes_ * made_bytes();
  }

  Source& source_;
  Sink& sink_;
  const RunContext& context_;
  Extent3 extent_;
  StreamFormat made_;
  cuda::Stream compute_, up_;
  std::unique_ptr<cuda::DeviceSource> maker_;
  std::unique_ptr<cuda::DeviceEpilogue> finisher_;
  std::int64_t planes_ = 1;  ///< of a batch
  cuda::PinnedBuffer<float> read_;
  cuda::DeviceBuffer<float> came_here_;
  HostBuffer<std::byte> native_;  ///< of a batch, before it is converted
  cuda::DeviceBuffer<std::byte> made_there_;
  cuda::PinnedBuffer<std::byte> went_;
  std::vector<cuda::Event> came_, used_, gone_;  ///< one per slot
};

}  // namespace

CarriedPlane carried_plane(Source& source, const StreamFormat& made) {
  const Extent3 read = source.extent();
  const std::int64_t made_bytes = bytes_of(made.extent, made.type);
  if (source.make_on_device()) return {made_bytes, kBatches * made_bytes};
  const std::int64_t floats = kBatches * bytes_of(read, PixelType::float32);
  const std::int64_t native =
      source.pixel_type() == PixelType::float32 ? 0 : bytes_of(read, source.pixel_type());
  return {floats + made_bytes, floats + native + kBatches * made_bytes};
}

void carry_on_device(std::string_view stage, Source& source, Epilogue& epilogue, Sink& sink,
                     const DeviceWorkspace& room, const RunContext& context) {
  Carrying{source, epilogue, sink, room, context}.run(stage);
}

}  // namespace synthoscope::simulator::device
