// SPDX-License-Identifier: MIT
#include "fftconv/make_executor.hpp"
#include "core/error.hpp"
#include "fftconv/device/device_executor.hpp"
#include "fftconv/host_executor.hpp"

namespace synthoscope::fftconv {
namespace {

class PlacedExecutor final : public Executor {
 public:
  PlacedExecutor(const Machine& machine, const std::optional<cuda::DeviceInfo>& device,
                 const std::filesystem::path& scratch_folder)
      : device_{device},
        scratch_folder_{scratch_folder},
        host_{make_host_executor(machine, scratch_folder)} {}
  [[nodiscard]] Machine machine() const override { return host_->machine(); }

  RunReport run(const Plan& plan, std::span<const Term> terms, Epilogue& epilogue, Sink& sink,
                const RunContext& context) override {
    Executor& executor = plan.where == Place::host ? *host_ : on_gpu(plan);
    return executor.run(plan, terms, epilogue, sink, context);
  }

 private:
  /// The one of the first plan that runs there: its GPU's memory is the budget of all.
  Executor& on_gpu(const Plan& plan) {
    if (!device_)
      throw CudaError("run the plan: it is for a GPU, and none is used; give --gpus all");
    if (!gpu_)
      gpu_ = make_device_executor(*device_, plan.machine.gpu->memory_bytes, machine(),
                                  scratch_folder_);
    return *gpu_;
  }

  std::optional<cuda::DeviceInfo> device_;
  std::filesystem::path scratch_folder_;
  std::unique_ptr<Executor> host_, gpu_;
};

}  // namespace

std::unique_ptr<Executor> make_executor(const Machine& machine,
                                        const std::optional<cuda::DeviceInfo>& device,
                                        const std::filesystem::path& scratch_folder) {
  return std::make_unique<PlacedExecutor>(machine, device, scratch_folder);
}

}  // namespace synthoscope::fftconv
