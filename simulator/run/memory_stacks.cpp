// SPDX-License-Identifier: MIT
#include "simulator/run/memory_stacks.hpp"
#include "core/stream/memory_stream.hpp"

namespace synthoscope::simulator {
namespace {

/// A sink that discards all voxels.
class Nowhere final : public Sink {
 public:
  Nowhere(const Extent3& extent, PixelType type) : extent_{extent}, type_{type} {}
  [[nodiscard]] Extent3 extent() const override { return extent_; }
  [[nodiscard]] PixelType pixel_type() const override { return type_; }
  [[nodiscard]] BoxOrder accepts() const override { return BoxOrder::any; }
  void write(const Box3&, ConstVoxelView) override {}
  void close() override {}

 private:
  Extent3 extent_;
  PixelType type_;
};

/// Returns the number of photons to keep: if the camera bins, it records when all are there.
std::int64_t kept_photons(const PlannedChannel& planned, bool lends_photons) {
  const SceneSpec& scene = planned.channel.scene;
  return scene.camera.binning > 1 && !lends_photons ? volume(scene.grid.extent) : 0;
}

/// Returns the number of PSFs to keep; Lens keeps a single PSF.
std::int64_t kept_psfs(const PlannedChannel& planned) {
  return planned.references.vary() ? planned.references.count() : 0;
}

}  // namespace

MemoryStacks::MemoryStacks(const std::vector<PlannedChannel>& channels, bool lends_photons,
                           const RunContext& context) {
  for (const PlannedChannel& one : channels) {
    Kept& kept = kept_.emplace_back();
    kept.grid = one.channel.scene.grid.extent;
    kept.psf = one.additional.psf.size;
    if (const std::int64_t photons = kept_photons(one, lends_photons))
      kept.photons = HostBuffer<float>{context.memory, photons, "photons that are binned"};
    for (std::int64_t i = 0; i < kept_psfs(one); ++i)
      kept.psfs.emplace_back(context.memory, volume(kept.psf), "PSFs that vary");
  }
}

std::int64_t MemoryStacks::bytes(const PlannedChannel& channel, bool lends_photons) {
  return (kept_photons(channel, lends_photons) +
          kept_psfs(channel) * volume(channel.additional.psf.size)) *
         std::int64_t{sizeof(float)};
}

std::optional<VoxelView> MemoryStacks::photons_of(std::size_t channel) const {
  const Kept& kept = kept_[channel];
  if (kept.photons.count() > 0) return VoxelView{HostView3<float>{kept.photons.data(), kept.grid}};
  return lent_->images.at(channel).photons;
}

std::unique_ptr<Sink> MemoryStacks::create_stack(std::string_view name, std::int64_t,
                                                 PixelType type, std::size_t channel) const {
  std::optional<VoxelView> voxels;
  if (name == "labels") voxels = lent_->labels;
  if (name == "structures") voxels = lent_->structures;
  if (name == "photons") voxels = photons_of(channel);
  if (name == "image") voxels = lent_->images.at(channel).counts;
  if (!voxels) return std::make_unique<Nowhere>(kept_[channel].grid, type);
  return std::make_unique<MemorySink>(*voxels);
}

std::unique_ptr<Source> MemoryStacks::open_stack(std::string_view name, std::int64_t,
                                                 std::size_t channel) const {
  if (name == "labels") return std::make_unique<MemorySource>(lent_->labels);
  SYNTHOSCOPE_ASSERT(name, ==, std::string_view{"photons"});
  return std::make_unique<MemorySource>(*photons_of(channel));
}

std::unique_ptr<Sink> MemoryStacks::create_psf(const Extent3& extent, const Index3&,
                                               std::size_t channel, std::size_t reference) const {
  const Kept& kept = kept_[channel];
  if (kept.psfs.empty()) return std::make_unique<Nowhere>(extent, PixelType::float32);
  SYNTHOSCOPE_ASSERT(extent, ==, kept.psf);
  return std::make_unique<MemorySink>(HostView3<float>{kept.psfs.at(reference).data(), extent});
}

std::unique_ptr<Source> MemoryStacks::open_psf(std::size_t channel, std::size_t reference) const {
  const Kept& kept = kept_[channel];
  return std::make_unique<MemorySource>(
      HostView3<const float>{kept.psfs.at(reference).data(), kept.psf});
}

std::filesystem::path MemoryStacks::scratch_folder() const {
  return std::filesystem::temp_directory_path();
}

}  // namespace synthoscope::simulator
