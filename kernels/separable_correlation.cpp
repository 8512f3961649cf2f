// SPDX-License-Identifier: MIT
#include "kernels/separable_correlation.hpp"
#include <algorithm>
#include <array>
#include <optional>
#include "core/round_up.hpp"
#include "kernels/copied_rows.hpp"
#include "kernels/integer_box.hpp"
#include "kernels/separable_rows.hpp"

namespace synthoscope::kernels {
namespace {

// Floats of a plane of a tile with the voxels around it, and of a ring of such planes: half of a
// second-level cache of 512 KiB
constexpr std::int64_t kCachedFloats = 65536;
constexpr std::int64_t kCachedPlane = 98304;  // without a ring beside it
constexpr std::int64_t kLongestRow = 512;
constexpr std::int64_t kLongestColumn = 64;  // along z: planes around a tile are made once more
constexpr std::int64_t kTallestTile = 128;
constexpr int kTogether = 4;  // rows that a pass across makes at most
// What passes read and write beyond a row: their last vectors
constexpr std::int64_t kBeyondRow = 4 * kMostLanes;

/// Weights of a term, in the forms of their passes.
struct PlanePasses {
  AxisWeights y, x;
};
struct TermPasses {
  AxisWeights z;
  std::vector<PlanePasses> planes;
};

/// Rows of floats that lie below each other.
struct RowsAt {
  float* first = nullptr;
  std::int64_t pitch = 0;
  [[nodiscard]] float* row(std::int64_t y) const { return first + y * pitch; }
};

/// How many rows a tile has of each kind in its scratch.
struct SeparableLayout {
  std::int64_t around_pitch, result_pitch;  ///< of rows with the voxels around, and of results
  std::int64_t around_rows;                 ///< of a plane of the image
  std::int64_t sums;                        ///< floats that boxes need
  std::int64_t ring_planes;                 ///< of each term, none without a pass along z
  std::int64_t ring_rows;                   ///< of all terms together

  [[nodiscard]] std::int64_t plane_floats() const { return around_pitch * around_rows; }
  [[nodiscard]] std::int64_t ring_floats() const { return result_pitch * ring_rows; }
  /// Beside planes there are rows between passes, and rows on their way to be stored.
  [[nodiscard]] std::int64_t floats() const {
    return plane_floats() + sums + ring_floats() + kTogether * (around_pitch + result_pitch);
  }
};

class SeparableCorrelation final : public TiledOperation {
 public:
  SeparableCorrelation(const NeighbourhoodSetting& setting, const SeparableStencil& stencil);
  [[nodiscard]] std::string_view stage() const override { return "filter"; }

 private:
  friend class SeparableTile;
  [[nodiscard]] Extent3 tile_of(const Extent3& box) const override;
  [[nodiscard]] std::int64_t scratch_floats(const Extent3& tile) const override {
    return layout(tile).floats();
  }
  void make_tile(const Window& in, const Box3& tile, float* scratch,
                 ResultRows& rows) const override;
  [[nodiscard]] SeparableLayout layout(const Extent3& tile) const;
  [[nodiscard]] bool has_integer_box(PixelType type) const {
    return integer_box_ && integer_box_->is_exact(type);
  }
  [[nodiscard]] bool has_box_across() const { return terms_[0].planes[0].y.form == AxisForm::box; }

  std::vector<TermPasses> terms_;
  bool goes_along_z_;
  std::optional<IntegerBox> integer_box_;  ///< which all passes together are
};

/// The making of a tile.
class SeparableTile {
 public:
  SeparableTile(const SeparableCorrelation& operation, const Window& in, const Box3& tile,
                float* scratch);
  void make(ResultRows& rows);

 private:
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

  const SeparableCorrelation& operation_;
  const Window& in_;
  Extent3 size_;
  Box3 around_;
  SeparableLayout layout_;
  RowsAt plane_, sums_, between_, ring_, results_;
  std::vector<const float*> under_;  ///< the rows that a pass across goes over
};

SeparableCorrelation::SeparableCorrelation(const NeighbourhoodSetting& setting,
                                           const SeparableStencil& stencil)
    : TiledOperation{setting, {stencil.extent, stencil.centre}} {
  const bool is_one = stencil.terms.size() == 1 && stencil.terms[0].planes.size() == 1;
  for (const auto& term : stencil.terms) {
    TermPasses passes{axis_weights(term.z, {}), {}};
    for (const auto& plane : term.planes)
      passes.planes.push_back({axis_weights(plane.y, {.folded = false, .box = is_one}),
                               axis_weights(plane.x, {.folded = true, .box = is_one})});
    terms_.push_back(std::move(passes));
  }
  goes_along_z_ = std::ranges::any_of(
      terms_, [](const TermPasses& term) { return term.z.form != AxisForm::none; });
  const auto is_box = [](const AxisWeights& w) {
    return w.form == AxisForm::box || w.form == AxisForm::none;
  };
  if (is_one && !goes_along_z_ && is_box(terms_[0].planes[0].y) && is_box(terms_[0].planes[0].x)) {
    const auto& [y, x] = terms_[0].planes[0];
    integer_box_ = {y.size(), x.size(), y.values[0] * x.values[0]};
  }
}

SeparableLayout SeparableCorrelation::layout(const Extent3& tile) const {
  const Extent3& k = reach().extent;
  SeparableLayout l{};
  l.around_pitch = row_pitch(tile.x + k.x - 1 + kBeyondRow);
  l.result_pitch = row_pitch(tile.x + kBeyondRow);
  l.around_rows = tile.y + k.y - 1;
  l.sums =
      std::max(l.around_pitch, round_up(l.around_rows * kBoxColumns, std::int64_t{kMostLanes}));
  if (integer_box_) l.sums = std::max(l.sums, kIntegerBoxRows * l.around_pitch);
  l.ring_planes = goes_along_z_ ? std::min<std::int64_t>(tile.z, kTogether) + k.z - 1 : 0;
  l.ring_rows = l.ring_planes * tile.y * static_cast<std::int64_t>(terms_.size());
  return l;
}

Extent3 SeparableCorrelation::tile_of(const Extent3& box) const {
  const Extent3& k = reach().extent;
  Extent3 tile{1, std::min<std::int64_t>(box.y, kTogether), std::min(box.x, kLongestRow)};
  if (goes_along_z_)
    tile = {std::min(box.z, kLongestColumn + k.z), tile.y, std::min(box.x, kLongestRow / 2)};
  while (tile.y < std::min(box.y, kTallestTile)) {
    const Extent3 larger{tile.z, std::min(2 * tile.y, box.y), tile.x};
    const SeparableLayout l = layout(larger);
    // Where caches are too small, at least as many rows as are copied once more
    const std::int64_t cached = goes_along_z_ ? kCachedFloats : kCachedPlane;
    if (std::max(l.plane_floats(), l.ring_floats()) > cached && tile.y >= k.y) break;
    tile = larger;
  }
  return tile;
}

void SeparableCorrelation::make_tile(const Window& in, const Box3& tile, float* scratch,
                                     ResultRows& rows) const {
  SeparableTile{*this, in, tile, scratch}.make(rows);
}

SeparableTile::SeparableTile(const SeparableCorrelation& operation, const Window& in,
                             const Box3& tile, float* scratch)
    : operation_{operation},
      in_{in},
      size_{tile.size},
      around_{operation.around(tile)},
      layout_{operation.layout(tile.size)} {
  const auto take = [&](std::int64_t rows, std::int64_t pitch) {
    return RowsAt{std::exchange(scratch, scratch + rows * pitch), pitch};
  };
  plane_ = take(layout_.around_rows, layout_.around_pitch);
  sums_ = take(1, layout_.sums);
  between_ = take(kTogether, layout_.around_pitch);
  ring_ = take(layout_.ring_rows, layout_.result_pitch);
  results_ = take(kTogether, layout_.result_pitch);
  const Extent3& k = operation.reach().extent;
  under_.resize(static_cast<std::size_t>(std::max(k.z, k.y) + kTogether));
}

void SeparableTile::make(ResultRows& rows) {
  if (operation_.goes_along_z_)
    make_volume(rows);
  else if (operation_.has_integer_box(in_.voxels.type()))
    make_integer_boxes(rows);
  else
    make_planes(rows);
}

/// A pass across the rows `under_`, of which there are count + size - 1.
void SeparableTile::across(const AxisWeights& weights, Give give, std::int64_t count,
                           std::int64_t width, float* const* out) const {
  // Rows share what they are made of where there are enough of them, and of weights
  const bool shares = count == kTogether && weights.size() >= kTogether;
  const float* const* const under = under_.data();
  with_lanes(operation_.setting().level, [&](auto lanes) SYNTHOSCOPE_INLINE {
    constexpr int kLanes = decltype(lanes)::value;
    if (shares) return pass_across<kLanes, kTogether, 2>(weights, give, under, width, out);
    for (std::int64_t r = 0; r < count; ++r)
      pass_across<kLanes, 1, 4>(weights, give, under + r, width, out + r);
  });
}

/// A pass along a row with the voxels around.
void SeparableTile::along(const AxisWeights& weights, Give give, const float* row,
                          float* out) const {
  with_lanes(operation_.setting().level, [&](auto lanes) SYNTHOSCOPE_INLINE {
    constexpr int kLanes = decltype(lanes)::value;
    if (weights.form == AxisForm::none)
      pass_nowhere<kLanes>(give, row, size_.x, out);
    else if (weights.form == AxisForm::box)
      box_along<kLanes>(box_parts(weights.size()), weights.values[0], row, size_.x, sums_.first,
                        out);
    else
      pass_along<kLanes>(weights, give, row, size_.x, out);
  });
}

/// `count` rows of results of a product in the plane, from row y on.
void SeparableTile::make_rows(const PlanePasses& passes, Give give, std::int64_t y,
                              std::int64_t count, float* const* out) {
  if (passes.y.form == AxisForm::none || passes.y.form == AxisForm::box) {
    for (std::int64_t r = 0; r < count; ++r) along(passes.x, give, plane_.row(y + r), out[r]);
    return;
  }
  for (std::int64_t i = 0; i < count + passes.y.size() - 1; ++i)
    under_[static_cast<std::size_t>(i)] = plane_.row(y + i);
  if (passes.x.form == AxisForm::none) return across(passes.y, give, count, size_.x, out);
  float* between[kTogether];
  for (std::int64_t r = 0; r < count; ++r) between[r] = between_.row(r);
  across(passes.y, Give::set, count, around_.size.x, between);
  for (std::int64_t r = 0; r < count; ++r) along(passes.x, give, between[r], out[r]);
}

/// What the passes across and along rows make of plane `z` of those around the tile.
/// @param out   out(t, y) is where row y of term t goes; that of the next terms may be the same.
/// @param done  done(y, count) is called when these rows are there.
template <class Out, class Done>
void SeparableTile::make_plane(std::int64_t z, Out&& out, Done&& done) {
  const CopiedRows copied{in_, operation_.setting().boundary, around_, plane_.first, plane_.pitch,
                          0};
  std::int64_t rows = 0;
  const auto copy_to = [&](std::int64_t last) {
    copied.copy(z, rows, last, 0);
    rows = std::max(rows, last);
  };
  const auto& terms = operation_.terms_;
  if (operation_.has_box_across()) {
    const AxisWeights& box = terms[0].planes[0].y;
    copy_to(around_.size.y);
    with_lanes(operation_.setting().level, [&](auto lanes) SYNTHOSCOPE_INLINE {
      box_across<decltype(lanes)::value>(box_parts(box.size()), box.values[0], plane_.first,
                                         plane_.pitch, size_.y, around_.size.x, sums_.first);
    });
  }
  for (std::int64_t y = 0; y < size_.y; y += kTogether) {
    const std::int64_t count = std::min<std::int64_t>(kTogether, size_.y - y);
    copy_to(y + count + around_.size.y - size_.y);
    const float* written = nullptr;
    for (std::size_t t = 0; t < terms.size(); ++t) {
      float* to[kTogether];
      for (std::int64_t r = 0; r < count; ++r) to[r] = out(t, y + r, r);
      for (const PlanePasses& passes : terms[t].planes)
        make_rows(passes, std::exchange(written, to[0]) == to[0] ? Give::add : Give::set, y, count,
                  to);
    }
    done(y, count);
  }
}

void SeparableTile::make_planes(ResultRows& rows) {
  for (std::int64_t z = 0; z < size_.z; ++z)
    make_plane(
        z, [&](std::size_t, std::int64_t, std::int64_t r) { return results_.row(r); },
        [&](std::int64_t y, std::int64_t count) {
          for (std::int64_t r = 0; r < count; ++r) rows.store(z, y + r, results_.row(r));
        });
}

void SeparableTile::make_integer_boxes(ResultRows& rows) {
  IntegerPlane plane{around_, plane_.first, plane_.pitch, sums_.first};
  plane.around.size.z = 1;
  for (std::int64_t z = 0; z < size_.z; ++z, ++plane.around.origin.z)
    weigh_boxes(in_, operation_.setting().boundary, *operation_.integer_box_, plane,
                operation_.setting().level,
                [&](std::int64_t y, const float* row) { rows.store(z, y, row); });
}

void SeparableTile::make_volume(ResultRows& rows) {
  const auto& terms = operation_.terms_;
  const std::int64_t size = operation_.reach().extent.z;
  const auto ring_row = [&](std::size_t t, std::int64_t z, std::int64_t y) {
    const std::int64_t plane =
        static_cast<std::int64_t>(t) * layout_.ring_planes + z % layout_.ring_planes;
    return ring_.row(plane * size_.y + y);
  };
  float* results[kTogether];
  for (std::int64_t r = 0; r < kTogether; ++r) results[r] = results_.row(r);
  std::int64_t made = 0;
  for (std::int64_t z = 0; z < size_.z; z += kTogether) {
    const std::int64_t count = std::min<std::int64_t>(kTogether, size_.z - z);
    for (; made < z + count + size - 1; ++made)
      make_plane(
          made, [&](std::size_t t, std::int64_t y, std::int64_t) { return ring_row(t, made, y); },
          [](std::int64_t, std::int64_t) {});
    for (std::int64_t y = 0; y < size_.y; ++y) {
      for (std::size_t t = 0; t < terms.size(); ++t) {
        for (std::int64_t i = 0; i < count + size - 1; ++i)
          under_[static_cast<std::size_t>(i)] = ring_row(t, z + i, y);
        across(terms[t].z, t == 0 ? Give::set : Give::add, count, size_.x, results);
      }
      for (std::int64_t r = 0; r < count; ++r) rows.store(z + r, y, results[r]);
    }
  }
}

}  // namespace

std::unique_ptr<TiledOperation> make_separable_correlation(const NeighbourhoodSetting& setting,
                                                           const SeparableStencil& stencil) {
  require_usable(stencil);
  return std::make_unique<SeparableCorrelation>(setting, stencil);
}

}  // namespace synthoscope::kernels
