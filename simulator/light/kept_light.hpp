// SPDX-License-Identifier: MIT
// simulator/light/kept_light.hpp — light that is rendered once, for a blur that reads it several
// times.
#pragma once
#include <cstdint>
#include <filesystem>
#include "core/run/run_context.hpp"
#include "core/stream/scratch_volume.hpp"

namespace synthoscope::simulator {

/// What a blur reads.
enum class LightKeeping {
  nowhere,    ///< light that is rendered whenever it is read
  in_memory,  ///< light that was rendered before
  in_file,    ///< the same, in a scratch file
};

/// Light of one image, in float32. Threads may read at once.
class KeptLight final : public Source {
 public:
  /// In memory. @throws PlanError  beyond the budget
  KeptLight(const Extent3& extent, MemoryBudget& memory);

  /// In a file of `folder`, whose space is taken at once.
  /// @param by_rows  the blur reads the same row of all planes, row by row, so rows are stored in
  ///                 this order
  /// @throws IoError  the folder takes no file, or the disk is full.
  KeptLight(const Extent3& extent, const std::filesystem::path& folder, bool by_rows);

  /// Returns the bytes of memory or of the file.
  static std::int64_t bytes(const Extent3& extent);

  /// Renders all of `light`, in place of what was kept before. @throws what `light` throws, IoError
  void render(Source& light, const RunContext& context);

  [[nodiscard]] Extent3 extent() const override { return extent_; }
  [[nodiscard]] PixelType pixel_type() const override { return PixelType::float32; }
  void read(const Box3& box, VoxelView out) override;

 private:
  class Writing;

  Extent3 extent_;
  bool by_rows_ = false;
  ScratchVolume kept_;  ///< with z and y swapped if `by_rows_`
};

}  // namespace synthoscope::simulator
