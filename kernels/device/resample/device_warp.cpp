// SPDX-License-Identifier: MIT
#include "kernels/device/resample/device_warp.hpp"
#include <algorithm>
#include "core/cuda/memory/buffer.hpp"
#include "kernels/coordinates/warp.hpp"
#include "kernels/device/resample/arguments.hpp"

namespace synthoscope::kernels::device {
namespace {

class DeviceProjective final : public DeviceWarp {
 public:
  explicit DeviceProjective(const ProjectiveMap& map) : map_{map} {}
  [[nodiscard]] std::string_view name() const override { return "Projective"; }
  void launch(const cuda::GpuKernel& kernel, const cuda::Stream& stream,
              const cuda::LaunchShape& shape, const ResampleArguments& a,
              const std::byte*) const override {
    kernel.launch(stream, shape, WarpArguments<Projective>{a, map_.body()});
  }

 private:
  const ProjectiveMap& map_;
};

/// A thin-plate warp, whose landmarks are all on the device during a run.
class DeviceThinPlate final : public DeviceWarp {
 public:
  explicit DeviceThinPlate(const ThinPlateMap& map) : map_{map} {}
  [[nodiscard]] std::string_view name() const override { return "ThinPlate"; }
  [[nodiscard]] std::int64_t working_bytes() const override {
    return map_.body().count * std::int64_t{sizeof(ThinPlateTerm)};
  }
  void prepare(const cuda::DeviceContext& gpu, const cuda::Stream& stream) override {
    release();  // frees what a failed run left
    const ThinPlate& plate = map_.body();
    terms_ = {gpu.device.id, gpu.memory, plate.count, "landmarks"};
    cuda::enqueue_copy(stream, terms_.data(), plate.terms, terms_.bytes());
  }
  void release() override { terms_ = {}; }
  void launch(const cuda::GpuKernel& kernel, const cuda::Stream& stream,
              const cuda::LaunchShape& shape, const ResampleArguments& a,
              const std::byte*) const override {
    ThinPlate there = map_.body();
    there.terms = terms_.data();
    kernel.launch(stream, shape, WarpArguments<ThinPlate>{a, there});
  }

 private:
  const ThinPlateMap& map_;
  cuda::DeviceBuffer<ThinPlateTerm> terms_;
};

/// A displacement field, which stays on the host: the box of a result is sent, one axis after
/// another.
class DeviceDisplacement final : public DeviceWarp {
 public:
  explicit DeviceDisplacement(const DisplacementMap& map) : map_{map} {}
  [[nodiscard]] std::string_view name() const override { return "DisplacementBox"; }
  [[nodiscard]] std::int64_t travelling_bytes(const Extent3& box) const override {
    return axes() * volume(box) * std::int64_t{sizeof(float)};
  }
  void write_travelling(const Box3& box, std::byte* to, TaskPool& pool) const override {
    auto* const floats = reinterpret_cast<float*>(to);
    const Index3& o = box.origin;
    const Extent3& size = box.size;
    const std::int64_t rows = size.z * size.y, first = 3 - axes();
    pool.for_each(axes() * rows, [&](std::int64_t i) {
      const auto& field = map_.fields()[static_cast<std::size_t>(first + i / rows)];
      const std::int64_t z = i % rows / size.y, y = i % size.y;
      std::copy_n(field.row(o.z + z, o.y + y) + o.x, size.x, floats + i * size.x);
    });
  }
  void launch(const cuda::GpuKernel& kernel, const cuda::Stream& stream,
              const cuda::LaunchShape& shape, const ResampleArguments& a,
              const std::byte* travelled) const override {
    const auto* const floats = reinterpret_cast<const float*>(travelled);
    const std::int64_t each = a.out.planes * a.out.rows * a.out.columns;
    const DisplacementBox box{axes() == 3 ? floats : nullptr, floats + (axes() - 2) * each,
                              floats + (axes() - 1) * each};
    kernel.launch(stream, shape, WarpArguments<DisplacementBox>{a, box});
  }

 private:
  [[nodiscard]] std::int64_t axes() const { return map_.whole_axes().z ? 2 : 3; }
  const DisplacementMap& map_;
};

}  // namespace

std::unique_ptr<DeviceWarp> make_device_warp(const CoordinateMap& map) {
  if (const auto* const projective = dynamic_cast<const ProjectiveMap*>(&map))
    return std::make_unique<DeviceProjective>(*projective);
  if (const auto* const plate = dynamic_cast<const ThinPlateMap*>(&map))
    return std::make_unique<DeviceThinPlate>(*plate);
  if (const auto* const field = dynamic_cast<const DisplacementMap*>(&map))
    return std::make_unique<DeviceDisplacement>(*field);
  return nullptr;
}

}  // namespace synthoscope::kernels::device
