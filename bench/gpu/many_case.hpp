// SPDX-License-Identifier: MIT
// bench/gpu/many_case.hpp — volumes of the host and volumes of devices, for rings that devices
// share.
#pragma once
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include "bench/gpu/link_case.hpp"
#include "core/stream/resident_stream.hpp"

namespace synthoscope::bench {

/// A volume, where it lies, and how it grows with the devices.
struct ScalingCase {
  std::int64_t edge;
  std::string_view where;  ///< "pinned" or "ordinary", as the rooms are, or "resident" on devices
  bool grows = false;      ///< every device has edge^3 voxels: weak scaling

  [[nodiscard]] bool is_resident() const { return where == "resident"; }
  [[nodiscard]] Extent3 extent(std::size_t devices) const {
    return {grows ? edge * static_cast<std::int64_t>(devices) : edge, edge, edge};
  }
};

/// Where image and result are, for one number of devices.
class Volumes {
 public:
  /// In memory of the host.
  template <class T>
  Volumes(const Extent3& e, const LinkMemory& in, const LinkMemory& out, T)
      : image_{std::make_unique<MemorySource>(
            ConstVoxelView{HostView3<const T>{reinterpret_cast<const T*>(in.data()), e}},
            in.memory)},
        result_{std::make_unique<MemorySink>(
            VoxelView{HostView3<T>{reinterpret_cast<T*>(out.data()), e}}, out.memory)} {}

  /// In shares on the devices.
  Volumes(const Extent3& e, std::span<const cuda::DeviceInfo> devices, PixelType type) {
    const std::vector<MemoryBudget*> budgets(devices.size(), &there_);
    const std::int64_t bytes = volume(e) * size_of(type);
    in_.emplace(devices, budgets, bytes, "image");
    out_.emplace(devices, budgets, bytes, "result");
    image_ = std::make_unique<cuda::ResidentSource>(*in_, e, type);
    result_ = std::make_unique<cuda::ResidentSink>(*out_, e, type);
  }

  [[nodiscard]] Source& image() { return *image_; }
  [[nodiscard]] Sink& result() { return *result_; }

  /// Fills what is resident, and empties it again; elsewhere the host has all.
  void send(const std::byte* voxels) { copy(in_ ? in_->data() : nullptr, voxels); }
  void fetch(std::byte* voxels) { copy(voxels, out_ ? out_->data() : nullptr); }

 private:
  void copy(void* to, const void* from) {
    if (!to || !from) return;
    const cuda::Stream stream{in_->device()};
    cuda::enqueue_copy(stream, to, from, in_->bytes());
    stream.finish();
  }

  MemoryBudget there_{std::int64_t{1} << 50};
  std::optional<cuda::SpreadMemory> in_, out_;
  std::unique_ptr<Source> image_;
  std::unique_ptr<Sink> result_;
};

}  // namespace synthoscope::bench
