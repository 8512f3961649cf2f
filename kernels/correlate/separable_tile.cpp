// SPDX-License-Identifier: MIT
#include "kernels/correlate/separable_tile.hpp"
#include <algorithm>
#include <utility>
#include "core/base/round_up.hpp"
#include "kernels/operation/copied_rows.hpp"

namespace synthoscope::kernels {
namespace {

// Floats that the last vectors of passes read and write beyond a row
constexpr std::int64_t kBeyondRow = 4 * kMaxLanes;

}  // namespace

SeparablePasses::SeparablePasses(const SeparableStencil& stencil) {
  const bool is_one = stencil.terms.size() == 1 && stencil.terms[0].planes.size() == 1;
  for (const auto& term : stencil.terms) {
    TermPasses made{axis_weights(term.z, {}), {}};
    for (const auto& plane : term.planes)
      made.planes.push_back({axis_weights(plane.y, {.folded = false, .box = is_one}),
                             axis_weights(plane.x, {.folded = true, .box = is_one})});
    terms.push_back(std::move(made));
  }
  goes_along_z = std::ranges::any_of(
      terms, [](const TermPasses& term) { return term.z.form != AxisForm::none; });
  const auto is_box = [](const AxisWeights& w) {
    return w.form == AxisForm::box || w.form == AxisForm::none;
  };
  if (is_one && !goes_along_z && is_box(terms[0].planes[0].y) && is_box(terms[0].planes[0].x)) {
    const auto& [y, x] = terms[0].planes[0];
    integer_box = {y.size(), x.size(), y.values[0] * x.values[0]};
  }
}

SeparableLayout::SeparableLayout(const SeparablePasses& passes, const Extent3& reach,
                                 const Extent3& tile)
    : around_pitch{row_pitch(tile.x + reach.x - 1 + kBeyondRow)},
      result_pitch{row_pitch(tile.x + kBeyondRow)},
      around_rows{tile.y + reach.y - 1},
      sums{std::max(around_pitch, round_up(around_rows * kBoxColumns, std::int64_t{kMaxLanes}))},
      ring_planes{passes.goes_along_z ? std::min<std::int64_t>(tile.z, kTogether) + reach.z - 1
                                      : 0},
      ring_rows{ring_planes * tile.y * static_cast<std::int64_t>(passes.terms.size())} {
  if (passes.integer_box) sums = std::max(sums, kIntegerBoxRows * around_pitch);
}

SeparableTile::SeparableTile(const NeighbourhoodSetting& setting, const SeparablePasses& passes,
                             const SeparableLayout& layout, const Window& in, const Extent3& size,
                             const Box3& around, float* scratch)
    : setting_{setting}, passes_{passes}, layout_{layout}, in_{in}, size_{size}, around_{around} {
  const auto take = [&](std::int64_t rows, std::int64_t pitch) {
    return RowsAt{std::exchange(scratch, scratch + rows * pitch), pitch};
  };
  plane_ = take(layout_.around_rows, layout_.around_pitch);
  sums_ = take(1, layout_.sums);
  between_ = take(kTogether, layout_.around_pitch);
  ring_ = take(layout_.ring_rows, layout_.result_pitch);
  results_ = take(kTogether, layout_.result_pitch);
  const std::int64_t most = std::max(around.size.z - size.z, around.size.y - size.y) + 1;
  under_.resize(static_cast<std::size_t>(most + kTogether));
}

void SeparableTile::make(ResultRows& rows) {
  if (passes_.goes_along_z)
    make_volume(rows);
  else if (passes_.has_integer_box(in_.voxels.type()))
    make_integer_boxes(rows);
  else
    make_planes(rows);
}

/// Makes a pass across the count + size - 1 rows of `under_`.
void SeparableTile::across(const AxisWeights& weights, Give give, std::int64_t count,
                           std::int64_t width, float* const* out) const {
  // Rows of results share loaded rows if there are enough results and weights
  const bool shares = count == kTogether && weights.size() >= kTogether;
  const float* const* const under = under_.data();
  with_lanes(setting_.level, [&](auto lanes) SYNTHOSCOPE_INLINE {
    constexpr int kLanes = decltype(lanes)::value;
    if (shares) return pass_across<kLanes, kTogether, 2>(weights, give, under, width, out);
    for (std::int64_t r = 0; r < count; ++r)
      pass_across<kLanes, 1, 4>(weights, give, under + r, width, out + r);
  });
}

/// Makes a pass along a row that includes the voxels around.
void SeparableTile::along(const AxisWeights& weights, Give give, const float* row,
                          float* out) const {
  with_lanes(setting_.level, [&](auto lanes) SYNTHOSCOPE_INLINE {
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

/// Makes `count` rows of results of a product in the plane, from row y on.
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

/// Applies the passes across and along rows to plane `z` of those around the tile.
/// @param out   out(t, y, r) is the destination of row y of term t, number r of those made
///              together; the next terms may have the same.
/// @param done  done(y, count) is called when these rows are complete.
template <class Out, class Done>
void SeparableTile::make_plane(std::int64_t z, Out&& out, Done&& done) {
  const CopiedRows copied{in_, setting_.boundary, around_, plane_.first, plane_.pitch, 0};
  std::int64_t rows = 0;
  const auto copy_to = [&](std::int64_t last) {
    copied.copy(z, rows, last, 0);
    rows = std::max(rows, last);
  };
  const auto& terms = passes_.terms;
  if (passes_.has_box_across()) {
    const AxisWeights& box = terms[0].planes[0].y;
    copy_to(around_.size.y);
    with_lanes(setting_.level, [&](auto lanes) SYNTHOSCOPE_INLINE {
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
    weigh_boxes(in_, setting_.boundary, *passes_.integer_box, plane, setting_.level,
                [&](std::int64_t y, const float* row) { rows.store(z, y, row); });
}

void SeparableTile::make_volume(ResultRows& rows) {
  const auto& terms = passes_.terms;
  const std::int64_t size = around_.size.z - size_.z + 1;
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

}  // namespace synthoscope::kernels
