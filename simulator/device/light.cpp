// SPDX-License-Identifier: MIT
#include <optional>
#include <utility>
#include <vector>
#include "core/cuda/memory/buffer.hpp"
#include "simulator/device/programs.hpp"
#include "simulator/light/device_light.hpp"
#include "simulator/light/light_arguments.hpp"
#include "simulator/light/weighted_source.hpp"

namespace synthoscope::simulator::device {
namespace {

/// Counts light for a ledger.
class LightSums {
 public:
  explicit LightSums(LightLedger& ledger) : ledger_{ledger} {}

  void prepare(const cuda::DeviceContext& gpu, const cuda::Stream& stream) {
    kernel_ = device_library().kernel(gpu.device, "light.cuh", "sum_rows");
    planes_ = {gpu.device.id, gpu.memory, ledger_.extent().z, "sums of light"};
    cuda::enqueue_zeros(stream, planes_.data(), planes_.bytes());
  }

  void enqueue(const cuda::Stream& stream, const Box3& box, const float* voxels) {
    for (const LightLedger::NewRows& rows : ledger_.claim(box)) {
      const RowSums sums{voxels,
                         box.size.x,
                         rows.first,
                         rows.count,
                         rows.begin,
                         rows.end - rows.begin,
                         box.size.y,
                         LightLedger::kResolution,
                         LightLedger::kMax,
                         planes_.data() + box.origin.z};
      kernel_->launch(stream, {{(rows.count + kSumRows - 1) / kSumRows}, {32, kSumWarps}, 0}, sums);
    }
  }

  /// Adds the sums to the ledger. Waits.
  void finish(const cuda::Stream& stream) {
    std::vector<PlaneSum> sums(static_cast<std::size_t>(planes_.count()));
    cuda::enqueue_copy(stream, sums.data(), planes_.data(), planes_.bytes());
    stream.finish();
    for (std::size_t z = 0; z < sums.size(); ++z)
      ledger_.add(static_cast<std::int64_t>(z), sums[z]);
  }

 private:
  LightLedger& ledger_;
  std::optional<cuda::GpuKernel> kernel_;
  cuda::DeviceBuffer<PlaneSum> planes_;
};

class CountedDeviceSource final : public cuda::DeviceSource {
 public:
  CountedDeviceSource(std::unique_ptr<cuda::DeviceSource> inner, LightLedger& ledger)
      : inner_{std::move(inner)}, sums_{ledger} {}
  void prepare(const cuda::DeviceContext& gpu, const cuda::Stream& stream) override {
    inner_->prepare(gpu, stream);
    sums_.prepare(gpu, stream);
  }
  void enqueue_read(const cuda::Stream& stream, const Box3& box, std::byte* out) override {
    inner_->enqueue_read(stream, box, out);
    sums_.enqueue(stream, box, reinterpret_cast<const float*>(out));
  }
  void finish(const cuda::Stream& stream) override {
    inner_->finish(stream);
    sums_.finish(stream);
  }

 private:
  std::unique_ptr<cuda::DeviceSource> inner_;
  LightSums sums_;
};

class StripedDeviceSource final : public cuda::DeviceSource {
 public:
  StripedDeviceSource(std::unique_ptr<cuda::DeviceSource> inner, const Stripes& stripes)
      : inner_{std::move(inner)}, stripes_{stripes} {}
  void prepare(const cuda::DeviceContext& gpu, const cuda::Stream& stream) override {
    inner_->prepare(gpu, stream);
    kernel_ = device_library().kernel(gpu.device, "light.cuh", "light_in_stripes");
    const auto& values = stripes_.values();
    there_ = {gpu.device.id, gpu.memory, static_cast<std::int64_t>(values.size()),
              "stripes of light"};
    cuda::enqueue_copy(stream, there_.data(), values.data(), there_.bytes());
  }
  void enqueue_read(const cuda::Stream& stream, const Box3& box, std::byte* out) override {
    inner_->enqueue_read(stream, box, out);
    const StripedLight striped{reinterpret_cast<float*>(out),
                               box.size.z,
                               box.size.y,
                               box.size.x,
                               box.origin.y,
                               box.origin.x,
                               stripes_.plain_of(there_.data())};
    const std::int64_t blocks = (volume(box.size) + kPhotonThreads - 1) / kPhotonThreads;
    if (blocks > 0) kernel_->launch(stream, {{blocks}, {kPhotonThreads}, 0}, striped);
  }
  void finish(const cuda::Stream& stream) override { inner_->finish(stream); }

 private:
  std::unique_ptr<cuda::DeviceSource> inner_;
  const Stripes& stripes_;
  std::optional<cuda::GpuKernel> kernel_;
  cuda::DeviceBuffer<double> there_;
};

class CountedDeviceEpilogue final : public cuda::DeviceEpilogue {
 public:
  CountedDeviceEpilogue(std::unique_ptr<cuda::DeviceEpilogue> inner, LightLedger& ledger)
      : inner_{std::move(inner)}, sums_{ledger} {}
  void prepare(const cuda::DeviceContext& gpu, const cuda::Stream& stream) override {
    inner_->prepare(gpu, stream);
    sums_.prepare(gpu, stream);
  }
  void enqueue_apply(const cuda::Stream& stream, const Box3& core, const float* in,
                     std::byte* out) override {
    sums_.enqueue(stream, core, in);
    inner_->enqueue_apply(stream, core, in, out);
  }
  void finish(const cuda::Stream& stream) override {
    inner_->finish(stream);
    sums_.finish(stream);
  }

 private:
  std::unique_ptr<cuda::DeviceEpilogue> inner_;
  LightSums sums_;
};

class WeightedDeviceSource final : public cuda::DeviceSource {
 public:
  WeightedDeviceSource(std::unique_ptr<cuda::DeviceSource> inner, const VoxelWeights& weights)
      : inner_{std::move(inner)}, weights_{weights} {}

  void prepare(const cuda::DeviceContext& gpu, const cuda::Stream& stream) override {
    inner_->prepare(gpu, stream);
    kernel_ = device_library().kernel(gpu.device, "light.cuh", "weigh");
    for (const auto& [axis, there] :
         {std::pair{&weights_.z, &z_}, {&weights_.y, &y_}, {&weights_.x, &x_}}) {
      if (axis->empty()) continue;
      *there = {gpu.device.id, gpu.memory, static_cast<std::int64_t>(axis->size()),
                "weights of light"};
      cuda::enqueue_copy(stream, there->data(), axis->data(), there->bytes());
    }
  }

  void enqueue_read(const cuda::Stream& stream, const Box3& box, std::byte* out) override {
    const auto [first, count] = weighted_planes(weights_, box);
    const std::int64_t plane = box.size.y * box.size.x;
    auto* const voxels = reinterpret_cast<float*>(out);
    darken(stream, voxels, first * plane);
    darken(stream, voxels + (first + count) * plane, (box.size.z - first - count) * plane);
    if (count * plane == 0) return;
    const Box3 lit{{box.origin.z + first, box.origin.y, box.origin.x},
                   {count, box.size.y, box.size.x}};
    inner_->enqueue_read(stream, lit, reinterpret_cast<std::byte*>(voxels + first * plane));
    const LightWeights weights{
        voxels + first * plane, count,        lit.size.y, lit.size.x, lit.origin.z,
        lit.origin.y,           lit.origin.x, z_.data(),  y_.data(),  x_.data()};
    const std::int64_t blocks = (volume(lit.size) + kPhotonThreads - 1) / kPhotonThreads;
    kernel_->launch(stream, {{blocks}, {kPhotonThreads}, 0}, weights);
  }
  void finish(const cuda::Stream& stream) override { inner_->finish(stream); }

 private:
  static void darken(const cuda::Stream& stream, float* voxels, std::int64_t count) {
    if (count > 0) cuda::enqueue_zeros(stream, voxels, count * std::int64_t{sizeof(float)});
  }

  std::unique_ptr<cuda::DeviceSource> inner_;
  const VoxelWeights& weights_;
  std::optional<cuda::GpuKernel> kernel_;
  cuda::DeviceBuffer<double> z_, y_, x_;
};

class DevicePhotons final : public cuda::DeviceEpilogue {
 public:
  DevicePhotons(const Background& background, const Illumination& illumination)
      : background_{background}, illumination_{illumination}, field_{illumination.field()} {}

  void prepare(const cuda::DeviceContext& gpu, const cuda::Stream& stream) override {
    kernel_ = device_library().kernel(gpu.device, "light.cuh", "finish_photons");
    if (const auto& values = background_.values(); !values.empty()) {
      tables_ = {gpu.device.id, gpu.memory, static_cast<std::int64_t>(values.size()),
                 "the background"};
      cuda::enqueue_copy(stream, tables_.data(), values.data(), tables_.bytes());
    }
    if (illumination_.is_even()) return;
    std::vector<double> field;
    field.reserve(static_cast<std::size_t>(field_.y * field_.x));
    for (std::int64_t y = 0; y < field_.y; ++y)
      for (std::int64_t x = 0; x < field_.x; ++x) field.push_back(illumination_.at(y, x));
    there_ = {gpu.device.id, gpu.memory, field_.y * field_.x, "the illumination"};
    cuda::enqueue_copy(stream, there_.data(), field.data(), there_.bytes());
    stream.finish();  // `field` is freed on return
  }

  void enqueue_apply(const cuda::Stream& stream, const Box3& core, const float* in,
                     std::byte* out) override {
    const PhotonsFinish finish{in,
                               reinterpret_cast<float*>(out),
                               core.size.z,
                               core.size.y,
                               core.size.x,
                               core.origin.z,
                               core.origin.y,
                               core.origin.x,
                               background_.plain_of(tables_.data()),
                               there_.data(),
                               field_.x};
    const std::int64_t blocks = (volume(core.size) + kPhotonThreads - 1) / kPhotonThreads;
    if (blocks > 0) kernel_->launch(stream, {{blocks}, {kPhotonThreads}, 0}, finish);
  }

  void finish(const cuda::Stream& stream) override { stream.finish(); }

 private:
  const Background& background_;
  const Illumination& illumination_;
  Extent3 field_;
  std::optional<cuda::GpuKernel> kernel_;
  cuda::DeviceBuffer<double> there_, tables_;
};

}  // namespace

std::unique_ptr<cuda::DeviceSource> make_counted_light(std::unique_ptr<cuda::DeviceSource> inner,
                                                       LightLedger& ledger) {
  return std::make_unique<CountedDeviceSource>(std::move(inner), ledger);
}

std::unique_ptr<cuda::DeviceSource> make_striped_light(std::unique_ptr<cuda::DeviceSource> inner,
                                                       const Stripes& stripes) {
  return std::make_unique<StripedDeviceSource>(std::move(inner), stripes);
}

std::unique_ptr<cuda::DeviceEpilogue> make_counted_finish(
    std::unique_ptr<cuda::DeviceEpilogue> inner, LightLedger& ledger) {
  return std::make_unique<CountedDeviceEpilogue>(std::move(inner), ledger);
}

std::unique_ptr<cuda::DeviceSource> make_weighted_light(std::unique_ptr<cuda::DeviceSource> inner,
                                                        const VoxelWeights& weights) {
  return std::make_unique<WeightedDeviceSource>(std::move(inner), weights);
}

std::unique_ptr<cuda::DeviceEpilogue> make_device_photons(const Background& background,
                                                          const Illumination& illumination) {
  return std::make_unique<DevicePhotons>(background, illumination);
}

}  // namespace synthoscope::simulator::device
