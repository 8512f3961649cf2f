// SPDX-License-Identifier: MIT
#include "fftconv/plan/cuts/layout.hpp"
#include <algorithm>
#include <utility>
#include "core/base/round_up.hpp"

namespace synthoscope::fftconv {
namespace {

constexpr std::int64_t kSlabBytes = std::int64_t{8} << 20;
constexpr std::int64_t kRowsTogether = 64;  // fill the lanes several times over
constexpr std::int64_t kMinRows = 16;       // one per lane
constexpr std::int64_t kMinUnfolded = 64;   // voxels: smaller pieces would be read by the byte

Problem rows_as_planes(const Problem& problem) {
  Problem work = problem;
  std::swap(work.image.z, work.image.y);
  std::swap(work.kernel.z, work.kernel.y);
  std::swap(work.center.z, work.center.y);
  std::swap(work.part.origin.z, work.part.origin.y);
  std::swap(work.part.size.z, work.part.size.y);
  return work;
}

}  // namespace

Problem work_problem(const Problem& problem) {
  const bool is_flat = problem.image.z == 1 && problem.kernel.z == 1;
  return is_flat ? rows_as_planes(problem) : problem;
}

Problem work_problem(const Problem& problem, const Cut& cut) {
  return cut.along_y ? rows_as_planes(problem) : work_problem(problem);
}

Extent3 wanted_extent(const Problem& work) {
  return {axis_geometry(work, kAlongZ).wanted, axis_geometry(work, kAlongY).wanted,
          axis_geometry(work, kAlongX).wanted};
}

bool cuts_planes(const Problem& work, const Cut& cut) {
  const Extent3 wanted = wanted_extent(work);
  return cut.parts > 0 || cut.result.y < wanted.y || cut.result.x < wanted.x;
}

bool finishes_in_order(const Plan& plan) {
  // A flat image is one plane, whose rows play planes: in order only if all come at once
  if (!(plan.work == plan.problem))
    return plan.cut.parts == 0 && plan.cut.result == wanted_extent(plan.work);
  return !cuts_planes(plan.work, plan.cut);
}

std::vector<Tile> tiles_of(const Extent3& planes, std::int64_t rows, std::int64_t columns) {
  std::vector<Tile> tiles;
  for (std::int64_t y = 0; y < planes.y; y += rows)
    for (std::int64_t x = 0; x < planes.x; x += columns)
      tiles.push_back({y, std::min(rows, planes.y - y), x, std::min(columns, planes.x - x)});
  return tiles;
}

std::vector<Tile> tiles_of(const Problem& work, const Cut& cut) {
  return tiles_of(wanted_extent(work), cut.result.y, cut.result.x);
}

Layout make_layout(const Problem& work, const Extent3& transform) {
  return make_layout(work, transform, {wanted_extent(work), false});
}

Layout make_layout(const Problem& work, const Extent3& transform, const Cut& cut) {
  Layout l;
  l.z = axis_geometry(work, kAlongZ);
  l.transform = transform;
  l.half = transform.x / 2;
  l.real_bytes = work.precision == Precision::float32 ? 4 : 8;
  l.row_reals = 2 * round_up(l.half, kLaneBytes / l.real_bytes);
  l.column_reals = transform.y * l.row_reals;
  const std::int64_t element = 2 * kLaneBytes / l.real_bytes;
  l.plane_reals = l.column_reals / element % 2 == 1 ? l.column_reals : l.column_reals + element;

  l.turn_planes = std::min(cut.result.z, l.z.wanted);
  const bool one_turn = l.turn_planes == l.z.wanted;
  if (one_turn && !cut.direct_z && cut.parts == 0) l.z = fitted(l.z, transform.z);
  const bool reused = one_turn && work.terms == 1;
  l.ring_planes = reused ? std::max(l.z.loaded, l.z.wanted) : one_turn ? l.z.loaded : transform.z;
  l.result_planes = reused ? 0 : l.turn_planes;
  l.kernel_planes = l.z.kernel_count;
  l.transfer_reals = cut.keep_transfer ? transform.z * l.column_reals : 0;
  if (cut.direct_z) {
    l.direct_z = true;
    l.ring_planes = std::min(l.turn_planes + l.z.kernel_count - 1, l.z.loaded);
    l.result_planes = l.turn_planes;
  }
  if (cut.parts > 0) {
    l.parts = cut.parts;
    l.along_y = cut.along_y;
    l.parts_on_disk = cut.parts_on_disk;
    l.ring_planes = 2 * transform.z;
    l.result_planes = l.transfer_reals = 0;
    l.kernel_planes = 2 * std::min(transform.z, l.z.kernel_count);
  }
  const Extent3 wanted = wanted_extent(work);
  return layout_of_tile(l, work, cut,
                        {0, std::min(cut.result.y, wanted.y), 0, std::min(cut.result.x, wanted.x)});
}

Layout layout_of_tile(const Layout& layout, const Problem& work, const Cut& cut, const Tile& tile) {
  Layout l = layout;
  l.y = axis_geometry(work, kAlongY);
  l.x = axis_geometry(work, kAlongX);
  l.y = cut.result.y < l.y.wanted ? part_of(l.y, tile.y, tile.rows) : fitted(l.y, l.transform.y);
  if (cut.result.x < l.x.wanted) l.x = part_of(l.x, tile.x, tile.columns);
  return l;
}

Decimation decimation_of(const Layout& layout) {
  return {layout.parts, layout.transform.z};
}

std::int64_t kept_parts_voxels(const Layout& l) {
  return volume({l.parts * l.ring_planes, l.y.wanted, l.x.wanted});
}

Layout layout_of_part(const Layout& layout) {
  Layout part = layout;
  part.z = {};
  part.z.image = part.z.loaded = part.z.wanted = layout.ring_planes;
  part.z.kernel = part.z.kernel_count = layout.kernel_planes;
  return part;
}

std::int64_t row_pitch(const Layout& l) {
  return 2 * l.half + 2 * kLaneBytes / l.real_bytes;
}

Slabs slabs_for(std::int64_t planes, std::int64_t rows, std::int64_t row_bytes) {
  const std::int64_t fitting = kSlabBytes / std::max<std::int64_t>(row_bytes, 1);
  const std::int64_t most = std::max(fitting / kMinRows * kMinRows, kMinRows);
  const std::int64_t together = std::min(kRowsTogether, most) / rows;
  if (together > 1) return {std::min(planes, together), rows};
  return {1, std::min(rows, most)};
}

std::int64_t slab_voxels(std::int64_t planes, std::int64_t rows, std::int64_t columns) {
  const std::int64_t held = std::min(planes * rows, std::max(rows, kRowsTogether)) * columns;
  return std::min(held, std::max(kSlabBytes / kMaxVoxelBytes, kMinRows * columns));
}

std::int64_t unfold_bytes(const Decimation& decimation, std::int64_t voxels,
                          std::int64_t real_bytes) {
  return voxels * ((2 + decimation.slabs()) * real_bytes + kMaxVoxelBytes);
}

ScratchSizes scratch_sizes(const Layout& l, const Problem& work) {
  // Parts are pairs of planes, made from one input plane at a time
  const std::int64_t together = l.parts > 0 ? 2 : 1;
  const std::int64_t planes = l.parts > 0 ? l.transform.z : l.z.loaded;
  const std::int64_t lanes = kLaneBytes / l.real_bytes;
  const std::int64_t out =
      slab_voxels(l.parts > 0 ? l.ring_planes : l.z.wanted, l.y.wanted, l.x.wanted);
  // A tile reads the stretch of a row that it needs; one at both ends where the image wraps
  const bool wraps = work.boundary == Boundary::wrap;
  const std::int64_t columns = wraps ? work.image.x : std::min(work.image.x, l.x.loaded);
  const std::int64_t in =
      std::max(slab_voxels(planes, together * l.y.loaded, columns),
               slab_voxels(l.kernel_planes / together, together * l.y.kernel_count, work.kernel.x));
  const std::int64_t longest = std::max({l.half, l.transform.y, together * l.transform.z});
  return {std::max(in, out) * kMaxVoxelBytes, out * l.real_bytes,
          lanes * row_pitch(l) * l.real_bytes, longest * 2 * kLaneBytes,
          l.parts > 0 ? in / 2 * kMaxVoxelBytes : 0};
}

std::int64_t thread_bytes(const Layout& l, const Problem& work) {
  const std::int64_t scratch = scratch_sizes(l, work).total();
  if (l.parts == 0) return scratch;
  // Unfolding follows when all other memory is free; it uses what there is, but at least this
  const std::int64_t voxels = std::min(l.x.wanted, kMinUnfolded);
  return std::max(scratch, unfold_bytes(decimation_of(l), voxels, l.real_bytes));
}

std::int64_t box_sum_entries(const Problem& work) {
  if (work.boundary != Boundary::zero) return 1;
  return volume({work.kernel.z + 1, work.kernel.y + 1, work.kernel.x + 1});
}

std::int64_t waiting_planes(const Layout& l, bool rows_as_planes, int threads) {
  if (rows_as_planes) return l.z.wanted;
  const Slabs slabs = slabs_for(l.z.wanted, l.y.wanted, l.x.wanted * kMaxVoxelBytes);
  return std::min<std::int64_t>(l.turn_planes, 2 * slabs.planes * threads);
}

std::vector<MemoryItem> common_memory(const Layout& l, const Problem& work,
                                      std::int64_t waiting_planes) {
  std::vector<MemoryItem> items;
  if (work.remove_mean)
    items.push_back(
        {"kernel box sums", box_sum_entries(work) * static_cast<std::int64_t>(sizeof(double))});
  if (work.order == BoxOrder::planes_in_order) {
    const Extent3 wanted = wanted_extent(work);
    // Pieces of planes wait in a file, from where plane after plane is handed on
    const bool in_pieces = l.parts > 0 || l.y.wanted < wanted.y || l.x.wanted < wanted.x;
    const std::int64_t planes = in_pieces ? 1 : waiting_planes;
    const std::int64_t rows = l.along_y ? wanted.z : wanted.y;  // of a plane of the volume
    if (planes > 0)
      items.push_back({"planes waiting to be written", planes * rows * wanted.x * kMaxVoxelBytes});
  }
  return items;
}

std::vector<MemoryItem> memory_of(const Layout& l, const Problem& work) {
  const std::int64_t plane_bytes = l.plane_reals * l.real_bytes;
  std::vector<MemoryItem> items{{"image spectra", l.ring_planes * plane_bytes},
                                {"kernel spectra", l.kernel_planes * plane_bytes}};
  if (l.parts > 0 && !l.parts_on_disk)
    items.push_back({"parts", kept_parts_voxels(l) * l.real_bytes});
  if (l.result_planes > 0) items.push_back({"result spectra", l.result_planes * plane_bytes});
  if (l.transfer_reals > 0) items.push_back({"transfer function", l.transfer_reals * l.real_bytes});
  const bool may_be_flat = work.image.y == 1 && work.kernel.y == 1;
  for (MemoryItem& item : common_memory(l, work, waiting_planes(l, may_be_flat, 1)))
    items.push_back(std::move(item));
  items.push_back({std::string{kThreadScratch}, thread_bytes(l, work)});
  return items;
}

}  // namespace synthoscope::fftconv
