// SPDX-License-Identifier: MIT
#include "multigpu/make_executor.hpp"
#include "core/base/error.hpp"
#include "fftconv/device/executor.hpp"
#include "fftconv/host/executor.hpp"
#include "multigpu/executor_of_many.hpp"

namespace synthoscope::multigpu {
namespace {

using fftconv::Executor;
using fftconv::Machine;
using fftconv::Place;
using fftconv::Plan;
using fftconv::RunReport;
using fftconv::Term;

class PlacedExecutor final : public Executor {
 public:
  PlacedExecutor(const Machine& machine, const std::vector<cuda::DeviceInfo>& devices,
                 const std::filesystem::path& scratch_folder, fftconv::Team* team)
      : devices_{devices},
        scratch_folder_{scratch_folder},
        host_{fftconv::make_host_executor(machine, scratch_folder, team)} {}
  [[nodiscard]] Machine machine() const override { return host_->machine(); }
  [[nodiscard]] std::vector<Executor*> at_once(const Plan& plan) override {
    return executor_of(plan).at_once(plan);
  }

  RunReport run(const Plan& plan, std::span<const Term> terms, Epilogue& epilogue, Sink& sink,
                const RunContext& context) override {
    return executor_of(plan).run(plan, terms, epilogue, sink, context);
  }

 private:
  Executor& executor_of(const Plan& plan) {
    return plan.where == Place::host ? *host_ : on_gpu(plan);
  }

  /// The executors are made for the first plan that runs there: its GPU memory is the budget of all
  /// runs.
  Executor& on_gpu(const Plan& plan) {
    if (devices_.empty())
      throw CudaError("run the plan: it is for a GPU, and none is used; give --gpus all");
    if (!gpus_) {
      std::vector<std::unique_ptr<Executor>> members;
      for (const cuda::DeviceInfo& device : devices_)
        members.push_back(fftconv::make_device_executor(device, plan.machine.gpu->memory_bytes,
                                                        machine(), scratch_folder_));
      gpus_ = make_executor_of_many(std::move(members),
                                    make_parts_of_many(devices_, plan.machine.gpu->memory_bytes));
    }
    return *gpus_;
  }

  std::vector<cuda::DeviceInfo> devices_;
  std::filesystem::path scratch_folder_;
  std::unique_ptr<Executor> host_, gpus_;
};

}  // namespace

std::unique_ptr<Executor> make_executor(const Machine& machine,
                                        const std::vector<cuda::DeviceInfo>& devices,
                                        const std::filesystem::path& scratch_folder,
                                        fftconv::Team* team) {
  return std::make_unique<PlacedExecutor>(machine, devices, scratch_folder, team);
}

}  // namespace synthoscope::multigpu
