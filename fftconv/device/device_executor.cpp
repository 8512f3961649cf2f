// SPDX-License-Identifier: MIT
#include "fftconv/device/device_executor.hpp"
#include "fftconv/carry_out.hpp"
#include "fftconv/device/device_run.hpp"

namespace synthoscope::fftconv {
namespace {

void require_possible(const Plan& plan) {
  if (plan.problem.precision != Precision::float32)
    throw PlanError(
        "run the plan on the GPU: it is in double precision, the GPU computes in single; give "
        "--precision float32, or --gpus none");
  if (plan.strategy == Strategy::parts)
    throw PlanError(
        "run the plan on the GPU: it is in frequency parts, which only the host computes; choose "
        "another --strategy, or --gpus none");
}

class DeviceExecutor final : public Executor {
 public:
  DeviceExecutor(const cuda::DeviceInfo& device, std::int64_t device_bytes, const Machine& machine,
                 std::filesystem::path scratch_folder)
      : device_{device},
        device_memory_{device_bytes},
        machine_{machine},
        scratch_folder_{std::move(scratch_folder)} {}
  [[nodiscard]] Machine machine() const override { return machine_; }

  RunReport run(const Plan& plan, std::span<const Term> terms, Epilogue& epilogue, Sink& sink,
                const RunContext& context) override {
    require_possible(plan);
    return carry_out(plan, terms, epilogue, sink, scratch_folder_, context,
                     [&](Sink& any_order, const RunContext& recorded) {
                       return device::run_on_device(device_, device_memory_, plan, terms, epilogue,
                                                    any_order, recorded);
                     });
  }

 private:
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
