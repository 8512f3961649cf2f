// SPDX-License-Identifier: MIT
#include <algorithm>
#include <bit>
#include <limits>
#include <optional>
#include <utility>
#include <vector>
#include "core/cuda/memory/buffer.hpp"
#include "simulator/detector/camera_arguments.hpp"
#include "simulator/detector/device_camera.hpp"
#include "simulator/device/programs.hpp"

namespace synthoscope::simulator::device {
namespace {

constexpr int kBlocksPerMultiprocessor = 16;

class DeviceCamera final : public cuda::DeviceEpilogue {
 public:
  explicit DeviceCamera(CameraEpilogue& camera) : camera_{camera} {}

  void prepare(const cuda::DeviceContext& gpu, const cuda::Stream& stream) override {
    const bool narrow = camera_.format({1, bin(), bin()}).type == PixelType::uint8;
    kernel_ = device_library().kernel(gpu.device, "camera.cuh",
                                      narrow ? "record<unsigned char>" : "record<unsigned short>");
    most_blocks_ = std::int64_t{kBlocksPerMultiprocessor} * gpu.device.multiprocessors;

    const CameraMaps& maps = camera_.maps();
    maps_ = {gpu.device.id, gpu.memory, maps.values(), "the camera's maps"};
    counters_ = {gpu.device.id, gpu.memory, 1, "what the camera counts"};
    float* to = maps_.data();
    const auto keep = [&](const std::vector<float>& map) {
      const auto count = static_cast<std::int64_t>(map.size());
      cuda::enqueue_copy(stream, to, map.data(), count * std::int64_t{sizeof(float)});
      return std::exchange(to, to + count);
    };
    kept_ = {keep(maps.offset_dn), keep(maps.gain_dn_per_electron), keep(maps.read_noise_electrons),
             maps.dark_current.empty() ? nullptr : keep(maps.dark_current)};
    const CameraCounters zero;
    cuda::enqueue_copy(stream, counters_.data(), &zero, sizeof zero);
  }

  void enqueue_apply(const cuda::Stream& stream, const Box3& core, const float* in,
                     std::byte* out) override {
    const std::int64_t count = volume(core.size) / (bin() * bin());
    CameraArguments a{.exposure = camera_.exposure(),
                      .maps = kept_,
                      .z = core.origin.z,
                      .y = core.origin.y / bin(),
                      .x = core.origin.x / bin(),
                      .planes = core.size.z,
                      .rows = core.size.y / bin(),
                      .columns = core.size.x / bin(),
                      .photons = in,
                      .counts = out,
                      .counters = counters_.data()};
    const std::int64_t blocks =
        std::min(most_blocks_, (count + kCameraThreads - 1) / kCameraThreads);
    if (blocks > 0) kernel_->launch(stream, {{blocks}, {kCameraThreads}, 0}, a);
    voxels_ += count;
  }

  void finish(const cuda::Stream& stream) override {
    CameraCounters seen;
    cuda::enqueue_copy(stream, &seen, counters_.data(), sizeof seen);
    stream.finish();
    if (seen.no_number != kAllNumbers) refuse(seen.no_number);
    const auto signed_of = [](unsigned long long count) {
      return static_cast<std::int64_t>(count);
    };
    camera_.add({voxels_, signed_of(seen.full_wells), signed_of(seen.full_counters),
                 signed_of(seen.clipped_low), signed_of(seen.clipped_high),
                 signed_of(seen.negative_photons), std::bit_cast<float>(seen.most_negative_bits)});
  }

 private:
  [[nodiscard]] std::int64_t bin() const { return camera_.exposure().binning; }

  [[noreturn]] void refuse(unsigned long long no_number) const {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    const auto what = static_cast<NoNumber>(no_number % 4);
    const Exposure& e = camera_.exposure();
    const auto voxel = static_cast<std::int64_t>(no_number / 4);
    refuse_photons(what == NoNumber::nan        ? std::numeric_limits<double>::quiet_NaN()
                   : what == NoNumber::infinity ? kInfinity
                                                : -kInfinity,
                   {voxel / (e.height * e.width), voxel / e.width % e.height, voxel % e.width});
  }

  CameraEpilogue& camera_;
  std::optional<cuda::GpuKernel> kernel_;
  std::int64_t most_blocks_ = 1, voxels_ = 0;
  cuda::DeviceBuffer<float> maps_;
  MapPointers kept_;  ///< in maps_
  cuda::DeviceBuffer<CameraCounters> counters_;
};

}  // namespace

std::unique_ptr<cuda::DeviceEpilogue> make_device_camera(CameraEpilogue& camera) {
  return std::make_unique<DeviceCamera>(camera);
}

}  // namespace synthoscope::simulator::device
