// SPDX-License-Identifier: MIT
#include "fftconv/plan/gpu/parts_layout.hpp"
#include <algorithm>
#include "core/base/round_up.hpp"
#include "fftconv/device/code/parts_arguments.hpp"

namespace synthoscope::fftconv::device {
namespace {

constexpr std::int64_t kPartsPitch = 16;
constexpr std::int64_t kFoldVoxels = 4096;  // of a piece: its planes stay in the nearest cache
constexpr std::int64_t kAheadBytes = 1
                                     << 19;  // of pieces of all parts: they stay in a core's cache
constexpr std::int64_t kUnfoldedAtLeast = 64;  // voxels at once
/// What folding a voxel into one of all parts takes, over what it takes alone: it is read and
/// converted once for all (docs/benchmarks/gpu-parts.md).
constexpr double kAhead = 0.5;
/// Threads of the largest GPUs at once: CUDA allocates device memory for what they cannot keep in
/// registers.
constexpr std::int64_t kThreadsOfGpu = 192 * 2048;
constexpr std::int64_t kFloatBytes = sizeof(float), kIntBytes = sizeof(int),
                       kAligned = 16;  // Tables

Box3 box_of(const std::vector<IndexRun>& z, const std::vector<IndexRun>& y,
            const std::vector<IndexRun>& x) {
  const SourceRange rz = range_of(z), ry = range_of(y), rx = range_of(x);
  return {{rz.begin, ry.begin, rx.begin},
          {rz.end - rz.begin, ry.end - ry.begin, rx.end - rx.begin}};
}

/// Returns the bytes of a SharedPlanes table with `entries` entries
/// (fftconv/device/parts/tables.hpp).
std::int64_t sharing_bytes(const Decimation& d, std::int64_t planes, std::int64_t entries) {
  return round_up((planes + 1) * kIntBytes, kAligned) + round_up(entries * kIntBytes, kAligned) +
         round_up(d.parts * entries * kValueBytes, kAligned);
}

/// Returns the bytes of the factors of a line (factors_of), which do not depend on the radices.
std::int64_t factor_bytes(std::int64_t length) {
  return round_up((length - 1) * kValueBytes, kAligned);
}

/// Returns the bytes of the tables and factors that PartSpectra::describe makes if all positions
/// are filled.
std::int64_t table_bytes_of(const PartsLayout& p, const Layout& l) {
  const Extent3& n = l.transform;
  const auto placed = [&](std::int64_t rows) {
    return round_up(rows * std::int64_t{sizeof(PlacedRow)}, kAligned) +
           round_up(n.y * kIntBytes, kAligned) + round_up(n.x * kIntBytes, kAligned);
  };
  const Decimation in_pairs{1, n.z};
  const std::int64_t shared =
      p.device_folds ? sharing_bytes(p.decimation, n.z, l.z.loaded) +
                           sharing_bytes(p.decimation, p.kernel_planes, l.z.kernel_count) +
                           sharing_bytes(p.decimation, n.z, p.result.z)
                     : sharing_bytes(in_pairs, n.z, 2 * n.z) +
                           sharing_bytes(in_pairs, p.kernel_planes, 2 * p.kernel_planes);
  return shared + placed(l.y.loaded) + placed(l.y.kernel_count) +
         round_up(n.z * kIntBytes, kAligned) + factor_bytes(n.x) + factor_bytes(n.y) +
         factor_bytes(n.z);
}

std::int64_t plane_voxels(const Extent3& e) {
  return e.y * e.x;
}

std::int64_t fold_bytes(const Extent3& planes, std::int64_t voxel_bytes) {
  return fold_piece_rows(planes) * planes.x * voxel_bytes;
}

double of(std::int64_t count) {
  return static_cast<double>(count);
}

}  // namespace

PartsLayout parts_sizes_of(const Problem& work, const Layout& layout, const Cut& cut) {
  const Extent3& n = layout.transform;
  PartsLayout p;
  p.decimation = decimation_of(layout);
  p.device_folds = cut.fold_on_device;
  p.pitch = round_up(n.x, kPartsPitch);
  p.plane_values = p.pitch * n.y;
  p.kernel_planes = layout.kernel_planes / 2;
  p.image_box = box_of(image_runs(layout.z), image_runs(layout.y), image_runs(layout.x));
  p.kernel_box =
      box_of(kernel_runs(layout.z, n.z), kernel_runs(layout.y, n.y), kernel_runs(layout.x, n.x));
  p.result = {layout.z.wanted, layout.y.wanted, layout.x.wanted};
  p.image_voxel_bytes = work.source_voxel_bytes;
  p.kernel_voxel_bytes = work.kernel_voxel_bytes;
  p.stored_voxel_bytes = work.sink_voxel_bytes;

  const std::int64_t image = plane_voxels(p.image_box.size),
                     kernel = plane_voxels(p.kernel_box.size), result = plane_voxels(p.result);
  p.up_planes = p.down_planes = n.z;
  if (p.device_folds) {
    p.up_bytes = std::max(image * p.image_voxel_bytes, kernel * p.kernel_voxel_bytes);
    p.down_bytes = result * kFloatBytes;
    p.up_planes = std::max(p.image_box.size.z, p.kernel_box.size.z);
    p.down_planes = p.result.z;
  } else {
    p.up_bytes = std::max(image, kernel) * kValueBytes;
    p.down_bytes = result * kValueBytes;
  }
  // Then every voxel is read once, but parts are written, and read when they leave. They wait where
  // results will, and need the same room
  const std::int64_t read = layout.z.loaded, written = p.decimation.length();
  p.folds_ahead = !p.device_folds && !cut.parts_on_disk && p.image_box.size.y == p.result.y &&
                  p.image_box.size.x == p.result.x &&
                  p.decimation.parts * read > read + 3 * written;
  set_batches(p, cut.batch_planes);
  p.table_bytes = table_bytes_of(p, layout);
  return p;
}

PartsLayout make_parts_layout(const Problem& work, const Extent3& transform, const Cut& cut,
                              const BlockLimits& limits) {
  PartsLayout p = parts_sizes_of(work, make_layout(work, transform, cut), cut);
  p.rows = row_shape(transform.x, limits);
  p.columns_y = column_shape(transform.y, limits, LineKind::column);
  p.columns_z = column_shape(transform.z, limits, LineKind::along_z);
  return p;
}

std::int64_t slot_up_bytes(const PartsLayout& p) {
  return round_up(p.batch_up * p.up_bytes, kSlotAlignment);
}

std::int64_t slot_down_bytes(const PartsLayout& p) {
  return round_up(p.batch_down * p.down_bytes, kSlotAlignment);
}

void set_batches(PartsLayout& p, std::int64_t planes) {
  p.batch_up = std::min(planes, p.up_planes);
  p.batch_down = std::min(planes, p.down_planes);
}

std::int64_t given_planes(const PartsLayout& p) {
  return std::min(p.decimation.planes, p.result.z);
}

std::vector<MemoryItem> device_memory_of(const PartsLayout& p) {
  const std::int64_t part_bytes = p.decimation.planes * p.plane_values * kValueBytes;
  std::vector<MemoryItem> items{{"image part", part_bytes}, {"kernel part", part_bytes}};
  if (p.device_folds) {
    items.push_back({"image", volume(p.image_box.size) * p.image_voxel_bytes});
    items.push_back({"kernel", volume(p.kernel_box.size) * p.kernel_voxel_bytes});
    items.push_back({"parts, then the result", p.decimation.slabs() * given_planes(p) *
                                                   plane_voxels(p.result) * kFloatBytes});
    items.push_back({"counts of voxels", kCountBytes});
    if (p.decimation.parts > kPartsInRegisters)
      items.push_back({"voxels of threads", p.decimation.parts * kValueBytes * kThreadsOfGpu});
  } else {
    items.push_back({"input planes on the GPU", kBatches * slot_up_bytes(p)});
    items.push_back({"result planes on the GPU", kBatches * slot_down_bytes(p)});
  }
  items.push_back({"factors and tables", p.table_bytes});
  return items;
}

std::vector<MemoryItem> pinned_memory_of(const PartsLayout& p) {
  return {{"planes to the device", kBatches * slot_up_bytes(p)},
          {"planes from the device", kBatches * slot_down_bytes(p)},
          {"counts of voxels", p.device_folds ? kCountBytes : 0}};
}

std::int64_t thread_bytes_of(const PartsLayout& p) {
  if (p.device_folds)
    return std::min(kRowsFinished, p.result.y) * p.result.x * p.stored_voxel_bytes;
  const std::int64_t ahead =
      ahead_piece_rows(p) * p.image_box.size.x * p.decimation.slabs() * kFloatBytes;
  return std::max(
      {p.folds_ahead ? ahead_pieces_at(p) + ahead : 0,
       fold_bytes(p.image_box.size, p.image_voxel_bytes),
       fold_bytes(p.kernel_box.size, p.kernel_voxel_bytes),
       unfold_bytes(p.decimation, std::min(p.result.x, kUnfoldedAtLeast), kFloatBytes)});
}

std::int64_t travelling_bytes(const PartsLayout& p) {
  return std::max(p.up_bytes, p.down_bytes);
}

std::int64_t fold_piece_rows(const Extent3& planes) {
  return std::clamp<std::int64_t>(kFoldVoxels / planes.x, 1, planes.y);
}

std::int64_t ahead_piece_rows(const PartsLayout& p) {
  const Extent3& e = p.image_box.size;
  return std::clamp<std::int64_t>(
      std::min(kAheadBytes / (p.decimation.slabs() * kFloatBytes), kFoldVoxels) / e.x, 1, e.y);
}

std::int64_t ahead_pieces_at(const PartsLayout& p) {
  constexpr std::int64_t kCacheLine = 64;
  return round_up(ahead_piece_rows(p) * p.image_box.size.x * p.image_voxel_bytes, kCacheLine);
}

PartsTraffic parts_traffic(const PartsLayout& p, const Layout& layout) {
  const double parts = of(p.decimation.parts), m = of(p.decimation.planes), value = kValueBytes;
  const double row = of(p.pitch) * value, plane = of(p.plane_values) * value;
  const double image_rows = m * of(layout.y.loaded) * row,
               kernel_rows = of(p.kernel_planes) * of(layout.y.kernel_count) * row,
               result_rows = m * of(p.result.y) * row;
  const double result_bytes = of(volume(p.result)) * kFloatBytes;
  // Rows are written once and read by columns, which write whole planes; along z the kernel is
  // transformed in place, then image and kernel are read and the product is written
  const double spectra = 2 * (image_rows + kernel_rows + result_rows) +
                         plane * (2 * m + of(p.kernel_planes) + m + 3 * m);
  PartsTraffic t;
  if (p.device_folds) {
    t.up = of(volume(p.image_box.size) * p.image_voxel_bytes) +
           of(volume(p.kernel_box.size) * p.kernel_voxel_bytes);
    t.down = result_bytes;
    const double waiting =
        2 * parts * of(given_planes(p)) * of(plane_voxels(p.result)) * of(kFloatBytes);
    t.device = t.up + t.down + parts * (spectra + t.up) + 2 * waiting + result_bytes;
    return t;
  }
  const double image = of(plane_voxels(p.image_box.size)),
               kernel = of(plane_voxels(p.kernel_box.size));
  t.up = parts * value * (m * image + of(p.kernel_planes) * kernel);
  t.down = parts * value * m * of(plane_voxels(p.result));
  t.device = parts * spectra + 2 * (t.up + t.down);
  t.folded = parts * ((p.folds_ahead ? kAhead : 1) * of(layout.z.loaded) * image +
                      of(layout.z.kernel_count) * kernel);
  const double once = of(volume(p.image_box.size) * p.image_voxel_bytes),
               kernel_once = of(volume(p.kernel_box.size) * p.kernel_voxel_bytes);
  t.fold_bytes =
      parts * kernel_once + (p.folds_ahead ? once + 3 * parts * value * m * image : parts * once);
  t.unfolded = parts * of(volume(p.result));
  return t;
}

}  // namespace synthoscope::fftconv::device
