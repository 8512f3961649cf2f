// SPDX-License-Identifier: MIT
#include "fftconv/host/stages/planes_forward.hpp"
#include <algorithm>
#include <array>
#include "core/run/stop.hpp"
#include "fftconv/planes/access.hpp"

namespace synthoscope::fftconv {
namespace {

/// For every row of the transform that holds something: its position and its source row.
struct PlacedRow {
  std::int64_t position, source;
};

std::vector<PlacedRow> placed_rows(const std::vector<IndexRun>& runs) {
  std::vector<PlacedRow> rows;
  for (const IndexRun& run : runs)
    for (std::int64_t i = 0; i < run.count; ++i)
      rows.push_back({run.position + i, run.source + i * run.step});
  return rows;
}

/// One row of voxels into its places along x, converted. `from` is the row's voxel `first`.
template <class Native, class Wide, class Real>
void place_row(const Native* from, std::int64_t first, const std::vector<IndexRun>& runs,
               VoxelScale<Wide, Real> scale, Real* to) {
  for (const IndexRun& run : runs) {
    auto convert = scale;
    if (run.negative) convert.scale = -convert.scale;
    const Native* voxel = from + (run.source - first);
    Real* out = to + run.position;
    if (run.step == 1)
      for (std::int64_t i = 0; i < run.count; ++i) out[i] = convert(voxel[i]);
    else
      for (std::int64_t i = 0; i < run.count; ++i) out[i] = convert(voxel[i * run.step]);
  }
}

/// The forward transform of planes, by any thread.
template <class Real>
class ForwardPlanes {
 public:
  ForwardPlanes(const PlaneInput& input, std::int64_t slots, const Layout& layout,
                const WorkAxes& axes, const Transforms<Real>& transforms)
      : input_{input},
        slots_{slots},
        layout_{layout},
        axes_{axes},
        transforms_{transforms},
        rows_{placed_rows(input.y_runs)},
        y_{range_of(input.y_runs)},
        x_{range_of(input.x_runs)},
        y_gather_(static_cast<std::size_t>(layout.transform.y), kOutside),
        y_scatter_(static_cast<std::size_t>(layout.transform.y)) {
    for (const PlacedRow& row : rows_)
      y_gather_[static_cast<std::size_t>(row.position)] = row.position * layout.row_reals;
    for (std::size_t y = 0; y < y_scatter_.size(); ++y)
      y_scatter_[y] = static_cast<std::int64_t>(y) * layout.row_reals;
  }

  [[nodiscard]] Slabs slabs() const {
    const auto planes = static_cast<std::int64_t>(input_.plane_source.size());
    const auto rows = static_cast<std::int64_t>(rows_.size());
    const std::int64_t row_bytes = (x_.end - x_.begin) * kMaxVoxelBytes;
    if (!input_.in_pairs) return slabs_for(planes, rows, row_bytes);
    const Slabs pairs = slabs_for(planes / 2, 2 * rows, row_bytes);
    return {2 * pairs.planes, pairs.rows / 2};
  }

  /// Transforms planes [first, first + count) of the input, whose rows share the lanes.
  void transform(std::int64_t first, std::int64_t count, Scratch<Real>& scratch,
                 Real* spectra) const {
    const auto row_count = static_cast<std::int64_t>(rows_.size());
    const std::int64_t step = slabs().rows;
    for (std::int64_t begin = 0; begin < row_count; begin += step)
      transform_rows(first, count, begin, std::min(begin + step, row_count), scratch, spectra);
    if (layout_.transform.y > 1)
      for (std::int64_t p = first; p < first + count; ++p)
        transform_columns(spectra + p % slots_ * layout_.plane_reals, scratch);
  }

 private:
  /// Reads placed rows [begin, end) of `count` planes, then packs them lane by lane.
  void transform_rows(std::int64_t first, std::int64_t count, std::int64_t begin, std::int64_t end,
                      Scratch<Real>& scratch, Real* spectra) const {
    std::int64_t low = rows_[static_cast<std::size_t>(begin)].source, high = low + 1;
    for (std::int64_t i = begin; i < end; ++i) {
      const std::int64_t source = rows_[static_cast<std::size_t>(i)].source;
      low = std::min(low, source), high = std::max(high, source + 1);
    }
    // A slab of a kernel that wraps can span the whole plane: read its halves apart
    if (high - low > end - begin && end - begin > 1) {
      const std::int64_t middle = split_of(begin, end);
      transform_rows(first, count, begin, middle, scratch, spectra);
      transform_rows(first, count, middle, end, scratch, spectra);
      return;
    }
    read(first, count, {low, high}, scratch);
    visit_pixel_type(input_.source->pixel_type(), [&](auto zero) {
      using Native = decltype(zero);
      if (holds_exactly<Native, Real>(input_.background))
        pack<Native, Real>(first, count, begin, end, {low, high}, scratch, spectra);
      else
        pack<Native, double>(first, count, begin, end, {low, high}, scratch, spectra);
    });
  }

  /// Where consecutive placed rows stop being neighbours in the source, or the middle.
  [[nodiscard]] std::int64_t split_of(std::int64_t begin, std::int64_t end) const {
    for (std::int64_t i = begin + 1; i < end; ++i) {
      const std::int64_t step =
          rows_[static_cast<std::size_t>(i)].source - rows_[static_cast<std::size_t>(i - 1)].source;
      if (step < -1 || step > 1) return i;
    }
    return (begin + end) / 2;
  }

  /// Source rows [rows.begin, rows.end) of `count` planes into scratch.native, planes back to back.
  void read(std::int64_t first, std::int64_t count, SourceRange rows,
            Scratch<Real>& scratch) const {
    const PixelType type = input_.source->pixel_type();
    const Extent3 one{1, rows.end - rows.begin, x_.end - x_.begin};
    const std::int64_t bytes = volume(one) * size_of(type);
    for (std::int64_t i = 0; i < count;) {
      // Neighbouring source planes are read at once: a flat image arrives in few large pieces
      const std::int64_t source = input_.plane_source[static_cast<std::size_t>(first + i)];
      std::int64_t together = 1;
      while (i + together < count &&
             input_.plane_source[static_cast<std::size_t>(first + i + together)] ==
                 source + together)
        ++together;
      const Box3 box{{source, rows.begin, x_.begin}, {together, one.y, one.x}};
      const Box3 real = axes_.to_volume(box);
      input_.source->read(real, VoxelView{scratch.native.data() + i * bytes, type, real.size});
      i += together;
    }
  }

  template <class Native, class Wide>
  void pack(std::int64_t first, std::int64_t count, std::int64_t begin, std::int64_t end,
            SourceRange source_rows, Scratch<Real>& scratch, Real* spectra) const {
    constexpr std::size_t kMaxLanes = kLaneBytes / sizeof(Real);
    const std::int64_t lanes = transforms_.functions->lanes, pitch = row_pitch(layout_);
    const std::int64_t width = x_.end - x_.begin, height = source_rows.end - source_rows.begin;
    const auto* native = reinterpret_cast<const Native*>(scratch.native.data());
    const std::int64_t per_plane = end - begin, total = count * per_plane;
    std::fill_n(scratch.rows.data(), scratch.rows.count(), Real{0});

    for (std::int64_t group = 0; group < total; group += lanes) {
      stop_point();
      std::array<const Real*, kMaxLanes> reals{};
      std::array<Real*, kMaxLanes> spectrum{};
      for (std::int64_t lane = 0; lane < std::min(lanes, total - group); ++lane) {
        const std::int64_t plane_index = (group + lane) / per_plane;
        const PlacedRow row = rows_[static_cast<std::size_t>(begin + (group + lane) % per_plane)];
        Real* to = scratch.rows.data() + lane * pitch;
        place_row(native + (plane_index * height + row.source - source_rows.begin) * width,
                  x_.begin, input_.x_runs, scale_of<Wide>(first + plane_index), to);
        const auto l = static_cast<std::size_t>(lane);
        reals[l] = to;
        spectrum[l] = spectra + (first + plane_index) % slots_ * layout_.plane_reals +
                      row.position * layout_.row_reals;
      }
      transform_lanes(reals.data(), spectrum.data(), scratch.block.data());
    }
  }

  void transform_lanes(const Real* const* reals, Real* const* spectrum, Real* block) const {
    const LaneFunctions<Real>& k = *transforms_.functions;
    k.pack_rows(reals, layout_.half, transforms_.half_shift.data(), block);
    transforms_.x->forward({block}, {block}, block);
    k.lanes_to_spectrum(block, layout_.half, spectrum);
  }

  void transform_columns(Real* plane, Scratch<Real>& scratch) const {
    const std::int64_t element = 2 * transforms_.functions->lanes;
    for (std::int64_t at = 0; at < layout_.row_reals; at += element) {
      stop_point();
      transforms_.y->forward({plane + at, y_gather_.data()}, {plane + at, y_scatter_.data()},
                             scratch.block.data());
    }
  }

  template <class Wide>
  [[nodiscard]] VoxelScale<Wide, Real> scale_of(std::int64_t plane_index) const {
    const double weight =
        input_.plane_scale.empty() ? 1 : input_.plane_scale[static_cast<std::size_t>(plane_index)];
    return {static_cast<Wide>(input_.scale * weight), static_cast<Wide>(input_.background)};
  }

  const PlaneInput& input_;
  std::int64_t slots_;
  const Layout& layout_;
  WorkAxes axes_;
  const Transforms<Real>& transforms_;
  std::vector<PlacedRow> rows_;
  SourceRange y_, x_;
  std::vector<std::int64_t> y_gather_, y_scatter_;
};

}  // namespace

PlaneInput image_input(const Layout& layout, const WorkAxes& axes, const Term& term, double mean) {
  PlaneInput input;
  input.source = term.image;
  input.plane_source = sources_of(image_runs(layout.z));
  input.y_runs = image_runs(layout.y);
  input.x_runs = image_runs(layout.x);
  input.background = mean;
  if (!term.weight_z.empty())
    for (const std::int64_t z : input.plane_source)
      // All rows of a flat image lie on its one plane
      input.plane_scale.push_back(
          term.weight_z[axes.rows_as_planes() ? 0 : static_cast<std::size_t>(z)]);
  return input;
}

PlaneInput kernel_input(const Layout& layout, const Kernel& kernel) {
  PlaneInput input;
  input.source = kernel.voxels;
  input.plane_source = sources_of(kernel_runs(layout.z, layout.transform.z));
  input.y_runs = kernel_runs(layout.y, layout.transform.y);
  input.x_runs = kernel_runs(layout.x, layout.transform.x);
  input.scale = kernel.scale;
  input.background = kernel.background;
  return input;
}

void expect_planes(const PlaneInput& input, const PlaneRange& range, const WorkAxes& axes,
                   TaskPool& pool) {
  const SourceRange y = range_of(input.y_runs), x = range_of(input.x_runs);
  pool.for_each(range.count, [&](std::int64_t i) {
    const std::int64_t z = input.plane_source[static_cast<std::size_t>(range.first + i)];
    input.source->expect(
        axes.to_volume(Box3{{z, y.begin, x.begin}, {1, y.end - y.begin, x.end - x.begin}}));
  });
}

template <class Real>
void transform_planes(const PlaneInput& input, const PlaneRange& range, const Layout& layout,
                      const WorkAxes& axes, const Transforms<Real>& transforms,
                      std::span<Scratch<Real>> scratch, Real* spectra, const RunContext& context) {
  const ForwardPlanes<Real> worker{input, range.slots, layout, axes, transforms};
  const std::int64_t together = worker.slabs().planes;
  context.pool.for_ranges(range.count, together, [&](std::int64_t begin, std::int64_t end) {
    context.stop.check();
    worker.transform(range.first + begin, end - begin,
                     scratch[static_cast<std::size_t>(TaskPool::slot())], spectra);
    context.progress.advance(end - begin);
  });
}

template void transform_planes(const PlaneInput&, const PlaneRange&, const Layout&, const WorkAxes&,
                               const Transforms<float>&, std::span<Scratch<float>>, float*,
                               const RunContext&);
template void transform_planes(const PlaneInput&, const PlaneRange&, const Layout&, const WorkAxes&,
                               const Transforms<double>&, std::span<Scratch<double>>, double*,
                               const RunContext&);

}  // namespace synthoscope::fftconv
