// SPDX-License-Identifier: MIT
#include "kernels/device/bricks/device_bricks.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <vector>
#include "core/base/error.hpp"
#include "core/cuda/memory/buffer.hpp"
#include "core/cuda/runtime/slot_events.hpp"
#include "core/run/overlap.hpp"
#include "kernels/device/code/programs.hpp"
#include "kernels/operation/brick_results.hpp"
#include "kernels/operation/device_operation.hpp"
#include "kernels/operation/window_reader.hpp"

namespace synthoscope::kernels::device {
namespace {

std::size_t slot_index(int slot) {
  return static_cast<std::size_t>(slot);
}

/// The run of a plan. A brick is one batch and one step. Windows lie in the slot in which they
/// travel; results on the device use kBatches slots in rotation.
class DeviceBricks final : BatchWork {
 public:
  DeviceBricks(const BrickPlan& plan, Operation& operation, Source& source,
               std::span<Sink* const> sinks, const cuda::DeviceInfo& device,
               MemoryBudget& device_memory, const RunContext& context)
      : plan_{plan},
        operation_{operation},
        there_{*operation.on_device()},
        types_{operation.types()},
        source_{source},
        sinks_{sinks},
        context_{context},
        gpu_{device, device_memory, context.pool},
        compute_{device.id},
        up_{device.id},
        down_{device.id},
        came_{cuda::slot_events(device.id)},
        used_{cuda::slot_events(device.id)},
        made_{cuda::slot_events(device.id)},
        left_{cuda::slot_events(device.id)},
        gone_{cuda::slot_events(device.id)} {
    require_sinks(sinks, operation);
    take_room();
  }

  void run() {
    bricks_ = steps_to_do(context_, brick_count(plan_)).numbers();
    context_.progress.begin(operation_.stage(), voxels_of(plan_, bricks_));
    std::vector<PipelineStep> steps;
    for (std::size_t i = 0; i < bricks_.size(); ++i) steps.push_back({{{i, {}}}, {{i, {}}}});
    try {
      run_overlapped(steps, kBatches, true, *this);
      there_.finish(compute_);
    } catch (...) {
      // Copies may still use memory that is about to be freed
      for (const cuda::Stream* stream : {&up_, &compute_, &down_}) stream->drain();
      throw;
    }
  }

 private:
  /// Allocates all slots, with smaller bricks if the device has less memory than the budget: the
  /// result is the same.
  void take_room() {
    for (;;) try {
        return take_slots();
      } catch (const OutOfDeviceMemory& failure) {
        release();
        // All steps of a checkpoint belong to one plan
        if (context_.checkpoint || !halve()) throw;
        context_.log.warn(
            fmt::format("{}; bricks of {} are used instead, and the result is the same",
                        failure.what(), plan_.brick));
      }
  }

  /// Plans smaller bricks; false if there are none.
  bool halve() {
    const BoxOrder order = [&] {
      for (const Sink* sink : sinks_)
        if (sink->accepts() == BoxOrder::planes_in_order) return BoxOrder::planes_in_order;
      return BoxOrder::any;
    }();
    const DeviceBrickBytes bytes = device_bytes(plan_);
    try {
      plan_ = plan_bricks_on_device(operation_, source_.extent(), source_.pixel_type(), order,
                                    {bytes.device / 2, {bytes.host}});
      return true;
    } catch (const PlanError&) {
      return false;
    } catch (const OutOfDeviceMemory&) {
      return false;
    }
  }

  void take_slots() {
    const cuda::DeviceId id = gpu_.device.id;
    device_library().load(
        gpu_.device, there_.kernels(gpu_.device, source_.pixel_type(), plan_.brick), gpu_.pool);
    there_.prepare(gpu_, source_.pixel_type(), plan_.brick, compute_);
    windows_here_ = {id, gpu_.memory, kBatches * window_slot(), "windows on the device"};
    results_there_ = {id, gpu_.memory, kBatches * result_slot(), "results on the device"};
    windows_ = {id, context_.memory, kBatches * window_slot(), "windows of the image"};
    results_ = {id, context_.memory, kBatches * result_slot(), "results of bricks"};
  }
  void release() {
    windows_here_ = {};
    results_there_ = {};
    windows_ = {};
    results_ = {};
  }

  [[nodiscard]] std::int64_t window_slot() const {
    return slot_bytes(plan_.window_bytes) + slot_bytes(plan_.travelling_bytes);
  }
  [[nodiscard]] std::int64_t bytes_of(const Box3& window) const {
    return volume(window.size) * size_of(source_.pixel_type());
  }
  /// Returns the offset in its slot of what travels with a window.
  [[nodiscard]] std::int64_t travelling_at(const Box3& window) const {
    return slot_bytes(bytes_of(window));
  }
  [[nodiscard]] std::int64_t result_slot() const { return slot_bytes(plan_.result_bytes); }
  [[nodiscard]] Box3 box_of(const Batch& batch) const { return brick_at(plan_, bricks_[batch.of]); }
  [[nodiscard]] static int round(const Batch& batch) {
    return static_cast<int>(batch.of % std::size_t{kBatches});
  }
  [[nodiscard]] std::byte* result_room(const Batch& batch) const {
    return results_there_.data() + round(batch) * result_slot();
  }

  void load(const Batch& batch, int slot) override {
    context_.stop.check();
    const Box3 box = box_of(batch), window = operation_.needs(box);
    std::byte* const room = windows_.data() + slot * window_slot();
    WindowReader{source_, room}.read(window, context_.pool);
    std::int64_t bytes = bytes_of(window);
    if (const std::int64_t travelling = there_.travelling_bytes(box.size); travelling > 0) {
      there_.write_travelling(box, room + travelling_at(window), context_.pool);
      bytes = travelling_at(window) + travelling;
    }
    up_.wait_for(used_[slot_index(slot)]);
    cuda::enqueue_copy(up_, windows_here_.data() + slot * window_slot(), room, bytes);
    came_[slot_index(slot)].record(up_);
  }

  void receive(const Batch&, int slot) override { came_[slot_index(slot)].finish(); }

  void take(const Batch& batch, int slot) override {
    const Box3 box = box_of(batch);
    compute_.wait_for(left_[slot_index(round(batch))]);
    std::vector<std::byte*> out;
    for (const VoxelView& result : results_in(result_room(batch), box.size, types_))
      out.push_back(result.data());
    const Box3 window = operation_.needs(box);
    const std::byte* const here = windows_here_.data() + slot * window_slot();
    const std::byte* const travelled =
        there_.travelling_bytes(box.size) > 0 ? here + travelling_at(window) : nullptr;
    there_.enqueue_apply(
        compute_, {source_.extent(), window, source_.pixel_type(), here, travelled}, box, out);
    used_[slot_index(slot)].record(compute_);
    made_[slot_index(round(batch))].record(compute_);
  }

  void compute(std::size_t) override {}

  void give(const Batch& batch, int slot) override {
    std::int64_t bytes = 0;
    for (const PixelType type : types_) bytes += result_bytes(box_of(batch).size, type);
    down_.wait_for(made_[slot_index(round(batch))]);
    cuda::enqueue_copy(down_, results_.data() + slot * result_slot(), result_room(batch), bytes);
    left_[slot_index(round(batch))].record(down_);
    gone_[slot_index(slot)].record(down_);
  }

  void store(const Batch& batch, int slot) override {
    context_.stop.check();
    gone_[slot_index(slot)].finish();
    const Box3 box = box_of(batch);
    write_results(sinks_, box, results_in(results_.data() + slot * result_slot(), box.size, types_),
                  context_.pool);
    context_.progress.advance(volume(box.size));
  }

  void finish(std::size_t step) override { finish_step(context_, bricks_[step]); }

  BrickPlan plan_;
  Operation& operation_;
  DeviceOperation& there_;
  std::vector<PixelType> types_;
  Source& source_;
  std::span<Sink* const> sinks_;
  const RunContext& context_;
  cuda::DeviceContext gpu_;
  cuda::Stream compute_, up_, down_;
  cuda::PinnedBuffer<std::byte> windows_, results_;
  cuda::DeviceBuffer<std::byte> windows_here_, results_there_;
  std::vector<std::int64_t> bricks_;  ///< numbers of the bricks to make, in order; Batch::of is an
                                      ///< index here
  std::vector<cuda::Event> came_, used_;         ///< of a window's slot
  std::vector<cuda::Event> made_, left_, gone_;  ///< of a result's slot on the device; `gone_` on
                                                 ///< the host
};

}  // namespace

void run_bricks_on_device(const BrickPlan& plan, Operation& operation, Source& source,
                          std::span<Sink* const> sinks, const cuda::DeviceInfo& device,
                          MemoryBudget& device_memory, const RunContext& context) {
  SYNTHOSCOPE_ASSERT(operation.on_device() != nullptr, ==, true);
  DeviceBricks{plan, operation, source, sinks, device, device_memory, context}.run();
}

}  // namespace synthoscope::kernels::device
