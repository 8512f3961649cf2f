// SPDX-License-Identifier: MIT
// Functions for builds without CUDA: runs throw, and makers return null.
#include "core/base/error.hpp"
#include "kernels/banks/device_filter_bank.hpp"
#include "kernels/correlate/device_correlation.hpp"
#include "kernels/device/bricks/device_bricks.hpp"
#include "kernels/device/bricks/resident.hpp"
#include "kernels/resample/device_resample.hpp"
#include "kernels/variance/device_variance.hpp"
#include "kernels/visual_words/device_word_map.hpp"

namespace synthoscope::kernels::device {

namespace {

[[noreturn]] void refuse() {
  throw CudaError(
      "work on a GPU: this program was built without CUDA; build it with SYNTHOSCOPE_CUDA=ON where "
      "CUDA is installed");
}

}  // namespace

void run_bricks_on_device(const BrickPlan&, Operation&, Source&, std::span<Sink* const>,
                          const cuda::DeviceInfo&, MemoryBudget&, const RunContext&) {
  refuse();
}

void run_resident(Operation&, const cuda::DeviceInfo&, const ConstVoxelView&,
                  std::span<const VoxelView>, MemoryBudget&, TaskPool&, const StopFlag&) {
  refuse();
}

std::unique_ptr<DeviceOperation> make_device_correlation(const NeighbourhoodSetting&,
                                                         const Stencil&, DirectStrategy,
                                                         TellCounts) {
  return nullptr;
}

std::unique_ptr<DeviceOperation> make_device_separable(const NeighbourhoodSetting&,
                                                       const SeparableStencil&, SeparableStrategy,
                                                       TellCounts) {
  return nullptr;
}

std::unique_ptr<DeviceOperation> make_device_filter_bank(const BankTiles&, PixelType,
                                                         const ResponseScale&, TellCounts) {
  return nullptr;
}

std::unique_ptr<DeviceOperation> make_device_word_map(const BankTiles&, const ResponseScale&,
                                                      const Dictionary&, PixelType) {
  return nullptr;
}

std::unique_ptr<DeviceOperation> make_device_resample(const Resample&, TellCounts) {
  return nullptr;
}

std::unique_ptr<DeviceOperation> make_device_variance(const LocalVarianceSpec&, TellCounts) {
  return nullptr;
}

std::unique_ptr<DeviceOperation> make_device_contrast(const ContrastSpec&, TellCounts) {
  return nullptr;
}

std::unique_ptr<DeviceOperation> make_device_direct_variance(const LocalVarianceSpec&, TellCounts) {
  return nullptr;
}

std::unique_ptr<DeviceOperation> make_device_integral_variance(const LocalVarianceSpec&,
                                                               TellCounts) {
  return nullptr;
}

}  // namespace synthoscope::kernels::device
