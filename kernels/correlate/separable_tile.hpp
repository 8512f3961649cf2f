// SPDX-License-Identifier: MIT
// kernels/correlate/separable_tile.hpp — a tile of a separable correlation: passes along and across
// rows of floats in the caches of a core, or exact sums if all passes together are a box of
// integers.
#pragma once
#include <optional>
#include <vector>
#include "kernels/correlate/axis_weights.hpp"
#include "kernels/correlate/integer_box.hpp"
#include "kernels/correlate/separable_rows.hpp"
#include "kernels/correlate/stencil.hpp"
#include "kernels/operation/tiled_operation.hpp"

namespace synthoscope::kernels {

/// Weights of a term, in the forms of their passes.
struct PlanePasses {
  AxisWeights y, x;
};
struct TermPasses {
  AxisWeights z;
  std::vector<PlanePasses> planes;
};

/// The passes of every tile.
struct SeparablePasses {
  explicit SeparablePasses(const SeparableStencil& stencil);

  std::vector<TermPasses> terms;
  bool goes_along_z = false;
  std::optional<IntegerBox> integer_box;  ///< equals all passes together

  [[nodiscard]] bool has_integer_box(PixelType type) const {
    return integer_box && integer_box->is_exact(type);
  }
  [[nodiscard]] bool has_box_across() const { return terms[0].planes[0].y.form == AxisForm::box; }
};

/// The number of rows of each kind that a tile has in its scratch.
struct SeparableLayout {
  /// @param reach  of the stencil, in voxels along each axis
  SeparableLayout(const SeparablePasses& passes, const Extent3& reach, const Extent3& tile);

  static constexpr int kTogether = 4;  ///< most rows that a pass across makes at once

  std::int64_t around_pitch, result_pitch;  ///< of rows with the voxels around, and of results
  std::int64_t around_rows;                 ///< of a plane of the image
  std::int64_t sums;                        ///< floats that boxes need
  std::int64_t ring_planes;                 ///< of each term, 0 without a pass along z
  std::int64_t ring_rows;                   ///< of all terms in total

  [[nodiscard]] std::int64_t plane_floats() const { return around_pitch * around_rows; }
  [[nodiscard]] std::int64_t ring_floats() const { return result_pitch * ring_rows; }
  /// Returns all floats: in addition to planes, rows between passes and rows that wait to be
  /// stored.
  [[nodiscard]] std::int64_t floats() const {
    return plane_floats() + sums + ring_floats() + kTogether * (around_pitch + result_pitch);
  }
};

/// The computation of a tile.
class SeparableTile {
 public:
  /// @param around   the tile and what its voxels reach
  /// @param scratch  space for the floats of `layout`
  SeparableTile(const NeighbourhoodSetting& setting, const SeparablePasses& passes,
                const SeparableLayout& layout, const Window& in, const Extent3& size,
                const Box3& around, float* scratch);
  void make(ResultRows& rows);

 private:
  static constexpr int kTogether = SeparableLayout::kTogether;

  /// Rows of floats, `pitch` apart.
  struct RowsAt {
    float* first = nullptr;
    std::int64_t pitch = 0;
    [[nodiscard]] float* row(std::int64_t y) const { return first + y * pitch; }
  };

  void make_planes(ResultRows& rows);
  void make_integer_boxes(ResultRows& rows);
  void make_volume(ResultRows& rows);
  template <class Out, class Done>
  void make_plane(std::int64_t z, Out&& out, Done&& done);
  void make_rows(const PlanePasses& passes, Give give, std::int64_t y, std::int64_t count,
                 float* const* out);
  void across(const AxisWeights& weights, Give give, std::int64_t count, std::int64_t width,
              float* const* out) const;
  void along(const AxisWeights& weights, Give give, const float* row, float* out) const;

  const NeighbourhoodSetting& setting_;
  const SeparablePasses& passes_;
  const SeparableLayout& layout_;
  const Window& in_;
  Extent3 size_;
  Box3 around_;
  RowsAt plane_, sums_, between_, ring_, results_;
  std::vector<const float*> under_;  ///< the rows that a pass across reads
};

}  // namespace synthoscope::kernels
