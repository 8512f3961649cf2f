// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <algorithm>
#include "core/base/round_up.hpp"
#include "kernels/banks/device_filter_bank.hpp"
#include "kernels/device/banks/bank_arguments.hpp"
#include "kernels/device/banks/responses.hpp"
#include "kernels/device/code/counted.hpp"
#include "kernels/device/code/programs.hpp"

namespace synthoscope::kernels::device {
namespace {

class DeviceFilterBank final : public DeviceOperation {
 public:
  DeviceFilterBank(const BankTiles& bank, PixelType type, const ResponseScale& scale,
                   TellCounts tell)
      : bank_{bank}, made_{bank}, type_{type}, scale_{scale}, tell_{std::move(tell)} {}

  [[nodiscard]] std::int64_t working_bytes(const Extent3& box) const override {
    return DeviceCounts::kBytes + made_.working_bytes(slab_of(box));
  }

  [[nodiscard]] std::vector<cuda::KernelName> kernels(const cuda::DeviceInfo& device,
                                                      PixelType type,
                                                      const Extent3& box) const override {
    auto all = made_.kernels(device, type, slab_of(box));
    all.push_back(store_kernel());
    return all;
  }

  void prepare(const cuda::DeviceContext& gpu, PixelType type, const Extent3& box,
               const cuda::Stream& stream) override {
    made_.prepare(gpu, type, slab_of(box), stream);
    counts_.prepare(gpu, stream);
    store_ = device_library().kernel(gpu.device, store_kernel());
  }

  void enqueue_apply(const cuda::Stream& stream, const DeviceWindow& in, const Box3& box,
                     std::span<std::byte* const> out) override {
    const Box3 planes = planes_of_responses(bank_, box);
    const Extent3 slab = made_.slab_of(planes.size);
    for (std::int64_t z = 0; z < planes.size.z; z += slab.z) {
      const Box3 here{{planes.origin.z + z, planes.origin.y, planes.origin.x}, slab};
      const ResponseRange wanted = scale_.normalises_contrast ? ResponseRange{0, bank_.responses()}
                                                              : responses_wanted(bank_, here, box);
      const float* const responses = made_.enqueue(stream, in, here, wanted);
      StoredResponses a;
      a.responses = responses;
      a.pitch = volume(slab);
      a.plane = slab.y * slab.x;
      a.planes = slab.z;
      a.first = static_cast<int>(wanted.first);
      a.made = static_cast<int>(wanted.last - wanted.first);
      a.all = static_cast<int>(bank_.responses());
      a.skipped = box.origin.z - here.origin.z * bank_.responses();
      a.stored = box.size.z;
      a.scale = scale_;
      a.out = out[0];
      a.counts = counts_.data();
      store_->launch(stream, {{parts_of<std::int64_t>(a.pitch, kBankThreads)}, {kBankThreads}, 0},
                     a);
    }
  }

  void finish(const cuda::Stream& stream) override {
    made_.finish(stream);
    tell_(counts_.finish(stream));
  }

 private:
  [[nodiscard]] cuda::KernelName store_kernel() const {
    return {"banks/bank.cuh", fmt::format("store_responses<{}>", cuda_name(type_))};
  }
  /// Returns the slab to prepare for `box` planes of responses.
  [[nodiscard]] Extent3 slab_of(const Extent3& box) const {
    return made_.slab_of({most_planes(bank_, box.z), box.y, box.x});
  }

  const BankTiles& bank_;
  DeviceResponses made_;
  PixelType type_;
  ResponseScale scale_;
  TellCounts tell_;
  std::optional<cuda::GpuKernel> store_;
  DeviceCounts counts_;
};

}  // namespace

std::unique_ptr<DeviceOperation> make_device_filter_bank(const BankTiles& bank, PixelType type,
                                                         const ResponseScale& scale,
                                                         TellCounts tell) {
  if (!DeviceResponses::are_possible(bank)) return nullptr;
  return std::make_unique<DeviceFilterBank>(bank, type, scale, std::move(tell));
}

}  // namespace synthoscope::kernels::device
