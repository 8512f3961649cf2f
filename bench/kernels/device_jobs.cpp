// SPDX-License-Identifier: MIT
#include "bench/kernels/device_jobs.hpp"
#include <fmt/format.h>
#include <optional>
#include "core/base/error.hpp"
#include "core/cuda/memory/buffer.hpp"
#include "kernels/correlate/device_correlation.hpp"
#include "kernels/device/splines/prefilter.hpp"

namespace synthoscope::kernels {
namespace {

/// The coefficients alone, of a whole image.
class DeviceSplineFilter final : public DeviceOperation {
 public:
  explicit DeviceSplineFilter(const Extent3& image) : image_{image}, axes_{image.z > 1, true} {}

  [[nodiscard]] std::int64_t working_bytes(const Extent3&) const override {
    return floats() * std::int64_t{sizeof(float)};
  }
  void prepare(const cuda::DeviceContext& gpu, PixelType type, const Extent3&,
               const cuda::Stream&) override {
    spline_.emplace(gpu.device, type, kBoundary, axes_);
    // Many are prepared before one is measured
    id_ = gpu.device.id;
    memory_ = &gpu.memory;
  }
  void enqueue_apply(const cuda::Stream& stream, const DeviceWindow& in, const Box3& box,
                     std::span<std::byte* const> out) override {
    if (working_.count() < floats()) working_ = {id_, *memory_, floats(), "planes"};
    spline_->enqueue(stream, in, box, 0, reinterpret_cast<float*>(out.front()), working_.data());
  }
  void finish(const cuda::Stream& stream) override {
    stream.finish();
    working_ = {};
  }

 private:
  static constexpr Boundary kBoundary = Boundary::mirror;
  [[nodiscard]] std::int64_t floats() const {
    return device::DeviceSpline::working_floats(kBoundary, axes_, whole(image_), image_);
  }

  Extent3 image_;
  SplineAxes axes_;
  std::optional<device::DeviceSpline> spline_;
  cuda::DeviceId id_;
  MemoryBudget* memory_ = nullptr;
  cuda::DeviceBuffer<float> working_;
};

}  // namespace

DeviceJob device_job(const Job& job) {
  DeviceJob made{operation_of(job), nullptr, nullptr, {}, {}};
  made.extent = made.operation->extent();
  made.types = made.operation->types();
  const std::string strategy = job.words.value("strategy", "");
  const auto ignore_counts = [](const StoredCounts&) {};
  if (job.words.at("operation") == "spline_filter") {
    made.alone = std::make_unique<DeviceSplineFilter>(job.extent);
  } else if (strategy.empty() || job.words.at("operation") == "affine") {
    // Operations that know strategies of their own have heard of theirs
    made.there = made.operation->on_device();
  } else if (strategy == "fused" || strategy == "plain") {
    made.alone = device::make_device_separable(
        setting_of(job), separable_stencil_of(job),
        strategy == "fused" ? device::SeparableStrategy::fused : device::SeparableStrategy::plain,
        ignore_counts);
  } else {
    const auto direct = device::direct_strategy_named(strategy);
    if (!direct) throw InvalidSpec(fmt::format("measure strategy {}: there is none", strategy));
    const Stencil stencil = stencil_of(job);
    if (!device::has_room_for(*direct, stencil.extent))
      throw InvalidSpec("there is no room for so many weights");
    made.alone = device::make_device_correlation(setting_of(job), stencil, *direct, ignore_counts);
  }
  if (made.alone) made.there = made.alone.get();
  return made;
}

}  // namespace synthoscope::kernels
