// SPDX-License-Identifier: MIT
// simulator/run/memory_stacks.hpp — stacks of one frame at a time, in the caller's memory.
#pragma once
#include <optional>
#include <vector>
#include "core/run/host_buffer.hpp"
#include "simulator/imaging/stacks.hpp"
#include "simulator/run/additional_memory.hpp"
#include "simulator/run/frame_maker.hpp"

namespace synthoscope::simulator {

/// Stacks in buffers that the caller lends for a frame. PSFs and photons that are read again are
/// kept here if no lent buffer holds them.
class MemoryStacks final : public Stacks {
 public:
  /// @param lends_photons  whether every frame brings a buffer for its photons
  /// @throws PlanError  the budget has no space for what it keeps: see bytes.
  MemoryStacks(const std::vector<PlannedChannel>& channels, bool lends_photons,
               const RunContext& context);

  /// Returns the bytes that it keeps for a channel.
  static std::int64_t bytes(const PlannedChannel& channel, bool lends_photons);

  /// Lends buffers until the next call. The caller keeps the memory of the views alive.
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
  /// Returns the system's folder for temporary files.
  [[nodiscard]] std::filesystem::path scratch_folder() const override;

 private:
  /// What is kept for a channel.
  struct Kept {
    Extent3 grid, psf;
    HostBuffer<float> photons;            ///< if they are binned and no buffer is lent
    std::vector<HostBuffer<float>> psfs;  ///< of references
  };
  [[nodiscard]] std::optional<VoxelView> photons_of(std::size_t channel) const;

  std::vector<Kept> kept_;
  std::optional<FrameVoxels> lent_;
};

}  // namespace synthoscope::simulator
