// SPDX-License-Identifier: MIT
// simulator/memory_stacks.hpp — the stacks of one frame after the other, in memory of others.
#pragma once
#include <optional>
#include <vector>
#include "core/run/host_buffer.hpp"
#include "core/volume/view.hpp"
#include "simulator/companions.hpp"
#include "simulator/stacks.hpp"

namespace synthoscope::simulator {

/// Where a frame goes.
struct FrameVoxels {
  struct Image {
    VoxelView counts;                  ///< of the camera's type, on its grid
    std::optional<VoxelView> photons;  ///< float32; absent: nobody wants them
  };
  VoxelView labels;                     ///< uint16
  std::optional<VoxelView> structures;  ///< uint8; absent: nobody wants them
  std::vector<Image> images;            ///< channel by channel
};

/// Stacks that are lent for a frame, beside PSFs and photons of its own where they are read again.
class MemoryStacks final : public Stacks {
 public:
  /// @param lends_photons  whether every frame brings room for its photons
  /// @throws PlanError  the budget has no room for what it keeps: see bytes.
  MemoryStacks(const std::vector<PlannedChannel>& channels, bool lends_photons,
               const RunContext& context);

  /// What it keeps of a channel.
  static std::int64_t bytes(const PlannedChannel& channel, bool lends_photons);

  /// Until the next one. What the views show is kept alive by the caller.
  void lend(FrameVoxels voxels) { lent_ = std::move(voxels); }

  [[nodiscard]] std::unique_ptr<Sink> create_stack(std::string_view name, std::int64_t frame,
                                                   PixelType type,
                                                   std::size_t channel = 0) const override;
  [[nodiscard]] std::unique_ptr<Source> open_stack(std::string_view name, std::int64_t frame,
                                                   std::size_t channel = 0) const override;
  [[nodiscard]] std::unique_ptr<Sink> create_psf(const Extent3& extent, const Index3& centre,
                                                 std::size_t channel = 0,
                                                 std::size_t reference = 0) const override;
  [[nodiscard]] std::unique_ptr<Source> open_psf(std::size_t channel,
                                                 std::size_t reference) const override;
  /// The system's folder for temporary files.
  [[nodiscard]] std::filesystem::path scratch_folder() const override;

 private:
  /// What is kept of a channel.
  struct Kept {
    Extent3 grid, psf;
    HostBuffer<float> photons;            ///< where they are binned and nobody lends room
    std::vector<HostBuffer<float>> psfs;  ///< of references
  };
  [[nodiscard]] std::optional<VoxelView> photons_of(std::size_t channel) const;

  std::vector<Kept> kept_;
  std::optional<FrameVoxels> lent_;
};

}  // namespace synthoscope::simulator
