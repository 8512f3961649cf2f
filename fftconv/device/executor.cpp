// SPDX-License-Identifier: MIT
#include "fftconv/device/executor.hpp"
#include <fmt/format.h>
#include "core/base/error.hpp"
#include "core/cuda/memory/pinned_memory.hpp"
#include "fftconv/device/parts/run.hpp"
#include "fftconv/device/run.hpp"
#include "fftconv/plan/cuts/sums.hpp"
#include "fftconv/plan/gpu/layout.hpp"
#include "fftconv/plan/gpu/scaling.hpp"
#include "fftconv/planes/run_checked.hpp"

namespace synthoscope::fftconv::device {
namespace {

void require_room(std::string_view what, std::int64_t bytes, std::int64_t room) {
  if (bytes > room)
    throw PlanError(
        fmt::format("run the plan on the GPU: its buffers hold voxels of {} bytes, but voxels of "
                    "the {} have {}; make a new plan",
                    room, what, bytes));
}

}  // namespace

void require_made_for(const Plan& plan, const cuda::DeviceInfo& device, std::span<const Term> terms,
                      const Sink& sink) {
  if (plan.where != Place::gpu)
    throw PlanError("run the plan on the GPU: it was made for the host; make a new plan");
  const Gpu& gpu = *plan.machine.gpu;
  if (gpu.capability != device.capability || !(gpu.limits == block_limits(device)))
    throw CudaError(fmt::format(
        "run the plan on the GPU: it was made for {} (sm_{}), this is {} (sm_{}); make a new plan",
        gpu.name, gpu.capability, device.name, device.capability));
  const Problem& p = plan.problem;
  for (const Term& term : terms) {
    require_room("image", size_of(term.image->pixel_type()), p.source_voxel_bytes);
    require_room("kernel", size_of(term.kernel.voxels->pixel_type()), p.kernel_voxel_bytes);
  }
  require_room("result", size_of(sink.pixel_type()), p.sink_voxel_bytes);
}

}  // namespace synthoscope::fftconv::device

namespace synthoscope::fftconv {
namespace {

class DeviceExecutor final : public Executor {
 public:
  DeviceExecutor(const cuda::DeviceInfo& device, std::int64_t device_bytes, const Machine& machine,
                 std::filesystem::path scratch_folder)
      : device_{device},
        device_memory_{device_bytes, 0, "--gpu-memory"},
        machine_{machine},
        scratch_folder_{std::move(scratch_folder)} {}
  [[nodiscard]] Machine machine() const override { return machine_; }

  RunReport run(const Plan& plan, std::span<const Term> terms, Epilogue& epilogue, Sink& sink,
                const RunContext& context) override {
    device::require_made_for(plan, device_, terms, sink);
    return run_checked(plan, terms, epilogue, sink, scratch_folder_, context,
                       [&](Sink& any_order, const RunContext& recorded) {
                         return run_plan(plan, terms, epilogue, any_order, recorded);
                       });
  }

 private:
  /// With smaller batches where the device has less memory than it had when the plan was made: they
  /// give the same result. All memory is taken before anything is written.
  RunReport run_plan(Plan plan, std::span<const Term> terms, Epilogue& epilogue, Sink& sink,
                     const RunContext& context) {
    if (!is_by_sums(plan.strategy) &&
        device::is_resident(device_.id, plan, terms, epilogue, sink, context)) {
      RunReport report = device::run_resident(device_, device_memory_, plan, terms.front(),
                                              epilogue, sink, context);
      report.peak_device_bytes = device_memory_.peak();
      return report;
    }
    if (is_by_sums(plan.strategy)) {
      RunReport report = device::run_sums_on_device(device_, device_memory_, plan, terms.front(),
                                                    epilogue, sink, context);
      report.peak_device_bytes = device_memory_.peak();
      return report;
    }
    plan = device::with_batches_for(1, std::move(plan), terms, sink);
    for (;;) try {
        RunReport report = run_placed(plan, terms, epilogue, sink, context);
        report.peak_device_bytes = device_memory_.peak();
        return report;
      } catch (const OutOfDeviceMemory& failure) {
        std::int64_t& planes = plan.cut.batch_planes;
        if (planes == 1)
          throw OutOfDeviceMemory(fmt::format(
              "{}, with the smallest batch; give a smaller --gpu-memory, or --gpus none",
              failure.what()));
        planes /= 2;
        context.log.warn(
            fmt::format("{}; {} planes are transferred at once instead, and the result is the same",
                        failure.what(), planes));
      }
  }

  RunReport run_placed(const Plan& plan, std::span<const Term> terms, Epilogue& epilogue,
                       Sink& sink, const RunContext& context) {
    return plan.strategy == Strategy::parts
               ? device::run_parts_on_device(device_, device_memory_, plan, terms.front(), epilogue,
                                             sink, scratch_folder_, context)
               : device::run_on_device(device_, device_memory_, plan, terms, epilogue, sink,
                                       context);
  }

  cuda::KeepPinnedMemory keep_;
  cuda::DeviceInfo device_;
  MemoryBudget device_memory_;
  Machine machine_;
  std::filesystem::path scratch_folder_;
};

}  // namespace

std::unique_ptr<Executor> make_device_executor(const cuda::DeviceInfo& device,
                                               std::int64_t device_bytes, const Machine& machine,
                                               const std::filesystem::path& scratch_folder) {
  return std::make_unique<DeviceExecutor>(
      device, device_bytes, machine,
      scratch_folder.empty() ? std::filesystem::temp_directory_path() : scratch_folder);
}

}  // namespace synthoscope::fftconv
