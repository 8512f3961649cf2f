// SPDX-License-Identifier: MIT
#include "fftconv/host/stages/planes_back.hpp"
#include <algorithm>
#include <array>
#include <functional>
#include "core/run/stop.hpp"

namespace synthoscope::fftconv {
namespace {

/// The inverse transform of planes, by any thread.
template <class Real>
class InversePlanes {
 public:
  using Deliver = std::function<void(const Box3& work_box, ConstVoxelView voxels)>;

  InversePlanes(const PlaneOutput& output, const PlaneResult& result, const Layout& layout,
                const WorkAxes& axes, const Transforms<Real>& transforms)
      : output_{output},
        result_{result},
        layout_{layout},
        axes_{axes},
        transforms_{transforms},
        gather_(static_cast<std::size_t>(layout.transform.y)),
        scatter_(static_cast<std::size_t>(layout.transform.y), kOutside) {
    for (std::size_t y = 0; y < gather_.size(); ++y) {
      gather_[y] = static_cast<std::int64_t>(y) * layout.row_reals;
      if (static_cast<std::int64_t>(y) < layout.y.wanted) scatter_[y] = gather_[y];
    }
  }

  [[nodiscard]] Slabs slabs() const {
    return slabs_for(layout_.z.wanted, layout_.y.wanted, layout_.x.wanted * kMaxVoxelBytes);
  }

  /// Transforms planes [first, first + count) of `spectra`, and calls `deliver` with every finished
  /// slab and its box in the result.
  void transform(std::int64_t first, std::int64_t count, Scratch<Real>& scratch, Real* spectra,
                 const Deliver& deliver) const {
    if (layout_.transform.y > 1)
      for (std::int64_t p = first; p < first + count; ++p)
        transform_columns(spectra + p * layout_.plane_reals, scratch);
    const std::int64_t rows = layout_.y.wanted;
    const std::int64_t step = count > 1 ? rows : slabs().rows;
    for (std::int64_t y = 0; y < rows; y += step)
      finish({{first, y, 0}, {count, std::min(step, rows - y), layout_.x.wanted}}, scratch, spectra,
             deliver);
  }

 private:
  void transform_columns(Real* plane, Scratch<Real>& scratch) const {
    const std::int64_t element = 2 * transforms_.functions->lanes;
    for (std::int64_t at = 0; at < layout_.row_reals; at += element) {
      stop_point();
      transforms_.y->inverse({plane + at, gather_.data()}, {plane + at, scatter_.data()},
                             scratch.block.data());
    }
  }

  /// Transforms the rows of a box back along x, crops and converts them, and calls `deliver`.
  void finish(const Box3& box, Scratch<Real>& scratch, Real* spectra,
              const Deliver& deliver) const {
    constexpr std::size_t kMaxLanes = kLaneBytes / sizeof(Real);
    const LaneFunctions<Real>& k = *transforms_.functions;
    const std::int64_t pitch = row_pitch(layout_), total = box.size.z * box.size.y;
    for (std::int64_t group = 0; group < total; group += k.lanes) {
      stop_point();
      const std::int64_t lanes = std::min(k.lanes, total - group);
      std::array<const Real*, kMaxLanes> spectrum{};
      std::array<Real*, kMaxLanes> reals{};
      for (std::int64_t lane = 0; lane < lanes; ++lane) {
        const std::int64_t z = box.origin.z + (group + lane) / box.size.y;
        const std::int64_t y = box.origin.y + (group + lane) % box.size.y;
        spectrum[static_cast<std::size_t>(lane)] =
            spectra + z * layout_.plane_reals + y * layout_.row_reals;
        reals[static_cast<std::size_t>(lane)] = scratch.rows.data() + lane * pitch;
      }
      k.spectrum_to_lanes(spectrum.data(), layout_.half, scratch.block.data());
      transforms_.x->inverse({scratch.block.data()}, {scratch.block.data()}, scratch.block.data());
      k.unpack_rows(scratch.block.data(), layout_.half, transforms_.half_shift.data(),
                    reals.data());
      for (std::int64_t lane = 0; lane < lanes; ++lane)
        std::copy_n(reals[static_cast<std::size_t>(lane)], box.size.x,
                    scratch.computed.data() + (group + lane) * box.size.x);
    }
    const Box3 in_result{{result_.planes.first + box.origin.z, result_.tile_y + box.origin.y,
                          result_.tile_x + box.origin.x},
                         box.size};
    finish_box(output_, axes_, in_result, scratch.computed.data(), scratch.native.data(), deliver);
  }

  const PlaneOutput& output_;
  const PlaneResult& result_;
  const Layout& layout_;
  WorkAxes axes_;
  const Transforms<Real>& transforms_;
  std::vector<std::int64_t> gather_, scatter_;
};

/// Collects slabs of whole planes in memory, so that a sink gets them in order.
class SlabBatch {
 public:
  /// `bytes` has room for the planes of a batch.
  SlabBatch(std::byte* bytes, const Extent3& plane, PixelType type)
      : plane_{plane}, type_{type}, bytes_{bytes} {}

  /// Copies a slab to its place; slabs are whole rows, so each lies in one piece per plane.
  void put(const Box3& box, std::int64_t first_plane, ConstVoxelView voxels) {
    const std::int64_t row = plane_.x * size_of(type_), slab = box.size.y * row;
    for (std::int64_t z = 0; z < box.size.z; ++z)
      std::copy_n(voxels.data() + z * slab, slab,
                  bytes_ + ((box.origin.z - first_plane + z) * plane_.y + box.origin.y) * row);
  }

  [[nodiscard]] ConstVoxelView view(const Extent3& volume_extent) const {
    return {bytes_, type_, volume_extent};
  }

 private:
  Extent3 plane_;
  PixelType type_;
  std::byte* bytes_;
};

}  // namespace

std::int64_t waiting_bytes(const Layout& layout, const WorkAxes& axes, int threads,
                           const Sink& sink) {
  if (sink.accepts() == BoxOrder::any) return 0;
  return waiting_planes(layout, axes.rows_as_planes(), threads) * layout.y.wanted *
         layout.x.wanted * size_of(sink.pixel_type());
}

template <class Real>
void store_planes(const PlaneOutput& output, const PlaneResult& result, const Layout& layout,
                  const WorkAxes& axes, const Transforms<Real>& transforms,
                  std::span<Scratch<Real>> scratch, Real* spectra, const RunContext& context) {
  const InversePlanes<Real> worker{output, result, layout, axes, transforms};
  const std::int64_t planes = result.planes.count, together = worker.slabs().planes;
  const auto run = [&](std::int64_t first, std::int64_t count, const auto& deliver) {
    context.pool.for_ranges(count, together, [&](std::int64_t begin, std::int64_t end) {
      context.stop.check();
      worker.transform(first + begin, end - begin,
                       scratch[static_cast<std::size_t>(TaskPool::slot())], spectra, deliver);
      context.progress.advance(end - begin);
    });
  };

  if (output.sink->accepts() == BoxOrder::any) {
    run(0, planes, [&](const Box3& box, ConstVoxelView voxels) {
      output.sink->write(axes.to_volume(box), voxels);
    });
    return;
  }

  const std::int64_t at_once =
      waiting_planes(layout, axes.rows_as_planes(), context.pool.threads());
  const Extent3 one{1, layout.y.wanted, layout.x.wanted};
  SlabBatch batch{output.waiting, one, output.sink->pixel_type()};
  for (std::int64_t first = 0; first < planes; first += at_once) {
    const std::int64_t count = std::min(at_once, planes - first);
    const std::int64_t in_result = result.planes.first + first;
    run(first, count,
        [&](const Box3& box, ConstVoxelView voxels) { batch.put(box, in_result, voxels); });
    const Box3 box = axes.to_volume(Box3{{in_result, 0, 0}, {count, one.y, one.x}});
    output.sink->write(box, batch.view(box.size));
  }
}

template void store_planes(const PlaneOutput&, const PlaneResult&, const Layout&, const WorkAxes&,
                           const Transforms<float>&, std::span<Scratch<float>>, float*,
                           const RunContext&);
template void store_planes(const PlaneOutput&, const PlaneResult&, const Layout&, const WorkAxes&,
                           const Transforms<double>&, std::span<Scratch<double>>, double*,
                           const RunContext&);

}  // namespace synthoscope::fftconv
