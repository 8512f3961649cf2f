// SPDX-License-Identifier: MIT
#include "kernels/device/device_filter_bank.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <optional>
#include "kernels/device/counted.hpp"
#include "kernels/device/programs.hpp"
#include "kernels/device/strongest_arguments.hpp"

namespace synthoscope::kernels::device {
namespace {

Extent3 plane_of(const Extent3& box) {
  return {1, box.y, box.x};
}

class DeviceFilterBank final : public DeviceOperation {
 public:
  DeviceFilterBank(std::vector<DeviceResponse> responses, PixelType type, TellCounts tell)
      : responses_{std::move(responses)},
        type_{type},
        chooses_{std::ranges::any_of(
            responses_, [](const DeviceResponse& of) { return of.filters.size() > 1; })},
        tell_{std::move(tell)} {}

  [[nodiscard]] std::int64_t working_bytes(const Extent3& box) const override {
    std::int64_t bytes = DeviceCounts::kBytes;
    if (chooses_) bytes += 2 * volume(plane_of(box)) * std::int64_t{sizeof(float)};
    for (const DeviceResponse& response : responses_)
      for (const DeviceOperation* filter : response.filters)
        bytes += filter->working_bytes(plane_of(box));
    return bytes;
  }

  void prepare(const cuda::DeviceSetting& setting, PixelType type, const Extent3& box,
               const cuda::Stream& stream) override {
    release();  // what is left of a run that failed
    for (const DeviceResponse& response : responses_)
      for (DeviceOperation* filter : response.filters)
        filter->prepare(setting, type, plane_of(box), stream);
    counts_.prepare(setting, stream);
    if (!chooses_) return;
    for (cuda::DeviceBuffer<float>* plane : {&next_, &strongest_})
      *plane = {setting.device.id, setting.memory, volume(plane_of(box)), "responses to compare"};
    const auto compile = [&](bool is_last) {
      return compile_kernel(setting.device, "strongest.cuh",
                            fmt::format("keep_stronger<{}, {}>", cuda_name(type_), is_last));
    };
    keep_ = compile(false);
    store_ = compile(true);
  }

  void enqueue_apply(const cuda::Stream& stream, const DeviceWindow& in, const Box3& box,
                     std::span<std::byte* const> out) override {
    const auto count = static_cast<std::int64_t>(responses_.size());
    const Extent3 size = plane_of(box.size);
    for (std::int64_t z = 0; z < box.size.z; ++z) {
      const std::int64_t at = box.origin.z + z;
      const Box3 plane{{at / count, box.origin.y, box.origin.x}, size};
      std::byte* const to = out[0] + z * volume(size) * size_of(type_);
      const DeviceResponse& response = responses_[static_cast<std::size_t>(at % count)];
      if (response.filters.size() == 1)
        response.filters[0]->enqueue_apply(stream, in, plane, std::span{&to, 1});
      else
        enqueue_strongest(stream, response, in, plane, to);
    }
  }

  void finish(const cuda::Stream& stream) override {
    for (const DeviceResponse& response : responses_)
      for (DeviceOperation* filter : response.filters) filter->finish(stream);
    tell_(counts_.finish(stream));
    release();
  }

 private:
  void release() {
    next_ = {};
    strongest_ = {};
  }

  void enqueue_strongest(const cuda::Stream& stream, const DeviceResponse& response,
                         const DeviceWindow& in, const Box3& plane, std::byte* out) const {
    StrongestArguments a;
    a.next = next_.data();
    a.strongest = strongest_.data();
    a.count = volume(plane.size);
    a.takes_magnitudes = response.takes_magnitudes;
    a.out = out;
    a.counts = counts_.data();
    std::byte* const to = reinterpret_cast<std::byte*>(next_.data());
    for (DeviceOperation* filter : response.filters) {
      filter->enqueue_apply(stream, in, plane, std::span{&to, 1});
      a.is_first = filter == response.filters.front();
      const bool is_last = filter == response.filters.back();
      (is_last ? store_ : keep_)
          ->launch(
              stream,
              {{(a.count + kStrongestThreads - 1) / kStrongestThreads}, {kStrongestThreads}, 0}, a);
    }
  }

  std::vector<DeviceResponse> responses_;
  PixelType type_;
  bool chooses_;  ///< among several filters, for some responses
  TellCounts tell_;
  std::optional<cuda::Kernel> keep_, store_;
  cuda::DeviceBuffer<float> next_, strongest_;
  DeviceCounts counts_;
};

}  // namespace

std::unique_ptr<DeviceOperation> make_device_filter_bank(std::vector<DeviceResponse> responses,
                                                         PixelType type, TellCounts tell) {
  return std::make_unique<DeviceFilterBank>(std::move(responses), type, std::move(tell));
}

}  // namespace synthoscope::kernels::device
