// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <algorithm>
#include "core/base/round_up.hpp"
#include "kernels/device/banks/responses.hpp"
#include "kernels/device/code/programs.hpp"
#include "kernels/device/visual_words/word_map_arguments.hpp"
#include "kernels/visual_words/centred_words.hpp"
#include "kernels/visual_words/device_word_map.hpp"

namespace synthoscope::kernels::device {
namespace {

class DeviceWordMap final : public DeviceOperation {
 public:
  DeviceWordMap(const BankTiles& bank, const ResponseScale& scale, const Dictionary& dictionary,
                PixelType type)
      : responses_{bank}, scale_{scale}, dictionary_{dictionary}, words_{dictionary}, type_{type} {}

  [[nodiscard]] std::int64_t working_bytes(const Extent3& box) const override {
    return responses_.working_bytes(responses_.slab_of(box)) +
           table_floats() * std::int64_t{sizeof(float)};
  }

  [[nodiscard]] std::vector<cuda::KernelName> kernels(const cuda::DeviceInfo& device,
                                                      PixelType type,
                                                      const Extent3& box) const override {
    auto all = responses_.kernels(device, type, responses_.slab_of(box));
    all.push_back(nearest_kernel());
    return all;
  }

  void prepare(const cuda::DeviceContext& gpu, PixelType type, const Extent3& box,
               const cuda::Stream& stream) override {
    table_ = {};  // frees what a failed run left
    responses_.prepare(gpu, type, responses_.slab_of(box), stream);
    table_ = {gpu.device.id, gpu.memory, table_floats(), "words"};
    float* to = table_.data();
    for (const auto* part :
         {&words_.middle, &words_.words, &words_.halves, &dictionary_.centroids}) {
      cuda::enqueue_copy(stream, to, part->data(),
                         static_cast<std::int64_t>(part->size() * sizeof(float)));
      to += part->size();
    }
    nearest_ = device_library().kernel(gpu.device, nearest_kernel());
  }

  void enqueue_apply(const cuda::Stream& stream, const DeviceWindow& in, const Box3& box,
                     std::span<std::byte* const> out) override {
    const Extent3 slab = responses_.slab_of(box.size);
    const std::int64_t count = volume(slab);
    const std::int64_t together =
        std::int64_t{kWordThreads} * word_voxels(static_cast<int>(dictionary_.features));
    WordMapArguments a;
    a.count = count;
    a.scale = scale_;
    a.middle = table_.data();
    a.words = a.middle + words_.middle.size();
    a.halves = a.words + words_.words.size();
    a.centroids = a.halves + words_.halves.size();
    a.size = static_cast<int>(dictionary_.size());
    a.largest = words_.largest;
    for (std::int64_t z = 0; z < box.size.z; z += slab.z) {
      const Box3 here{{box.origin.z + z, box.origin.y, box.origin.x}, slab};
      a.responses = responses_.enqueue(stream, in, here, {0, dictionary_.features});
      a.out = out[0] + z * slab.y * slab.x * size_of(type_);
      nearest_->launch(stream, {{parts_of(count, together)}, {kWordThreads}, 0}, a);
    }
  }

  void finish(const cuda::Stream& stream) override {
    responses_.finish(stream);
    table_ = {};
  }

 private:
  [[nodiscard]] cuda::KernelName nearest_kernel() const {
    return {"visual_words/word_map.cuh",
            fmt::format("nearest_word<{}, {}>", cuda_name(type_), dictionary_.features)};
  }
  [[nodiscard]] std::int64_t table_floats() const {
    return static_cast<std::int64_t>(words_.middle.size() + 2 * words_.words.size() +
                                     words_.halves.size());
  }

  DeviceResponses responses_;
  ResponseScale scale_;
  Dictionary dictionary_;
  CentredWords words_;
  PixelType type_;
  std::optional<cuda::GpuKernel> nearest_;
  cuda::DeviceBuffer<float> table_;
};

}  // namespace

std::unique_ptr<DeviceOperation> make_device_word_map(const BankTiles& bank,
                                                      const ResponseScale& scale,
                                                      const Dictionary& dictionary,
                                                      PixelType type) {
  if (!DeviceResponses::are_possible(bank)) return nullptr;
  return std::make_unique<DeviceWordMap>(bank, scale, dictionary, type);
}

}  // namespace synthoscope::kernels::device
