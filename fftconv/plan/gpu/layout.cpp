// SPDX-License-Identifier: MIT
#include "fftconv/plan/gpu/layout.hpp"
#include <algorithm>
#include "core/base/round_up.hpp"
#include "fftconv/device/code/arguments.hpp"

namespace synthoscope::fftconv::device {
namespace {

constexpr std::int64_t kPitch = 16;
/// Of one device; more devices share it.
constexpr std::int64_t kStagedBatchBytes = std::int64_t{40} << 20;
constexpr std::int64_t kInt = sizeof(int), kFloat = sizeof(float);

/// Voxels of an axis of the image from the first that is read to the last.
std::int64_t read_of(const AxisGeometry& axis) {
  return axis.boundary == Boundary::wrap ? axis.image : std::min(axis.image, axis.loaded);
}

/// As many as factors_of gives, whatever the radices: a stage of blocks of n points in parts of m
/// has n - m factors, and the next one has blocks of m points.
std::int64_t factor_floats_of(std::int64_t length) {
  return 2 * (length - 1);
}

/// Memory for the tables of positions of voxels, rows and planes: at most what Spectra::describe
/// makes for every tile, kernel and turn.
std::int64_t table_bytes_of(const Problem& work, const Layout& l, const Cut& cut) {
  constexpr std::int64_t kAligned = 16;  // Tables
  const auto room = [](std::int64_t bytes) { return round_up(bytes, kAligned); };
  const Extent3& n = l.transform;
  const Extent3 wanted = wanted_extent(work);
  const auto pieces = [](std::int64_t whole, std::int64_t piece) {
    return (whole + piece - 1) / piece;
  };
  const std::int64_t tiles = pieces(wanted.y, cut.result.y) * pieces(wanted.x, cut.result.x);
  const std::int64_t input = room(n.x * kInt) + room(n.y * std::int64_t{sizeof(PlacedRow)}) +
                             2 * room(n.y * kInt) + room(l.z.loaded * kFloat);
  const std::int64_t turn =
      l.direct_z ? room(l.turn_planes * l.z.kernel_count * kInt) : 2 * room(n.z * kInt);
  return (tiles + 1) * work.terms * input + pieces(wanted.z, l.turn_planes) * turn +
         room(n.z * kInt);
}

/// Bytes of planes, or of columns along z, that a library transforms at once.
constexpr std::int64_t kLibraryBytes = std::int64_t{64} << 20;

/// Sizes for a library that works in place in planes, and in strips of columns along z. Its
/// workspace is rarely larger than what it transforms.
void set_library_sizes(const Layout& l, DeviceLayout& d) {
  const std::int64_t plane = d.plane_values * kValueBytes;
  const std::int64_t planes = std::max({l.z.loaded, l.z.kernel_count, l.z.wanted});
  d.library_planes = std::clamp<std::int64_t>(kLibraryBytes / plane, 1, planes);
  if (!l.direct_z) {
    d.strip_columns =
        std::clamp<std::int64_t>(kLibraryBytes / (l.transform.z * kValueBytes), 1, d.plane_values);
    d.strip_values = d.strip_columns * l.transform.z;
  }
  d.workspace_bytes =
      2 * std::max(d.library_planes * plane, d.strip_values * std::int64_t{kValueBytes});
  d.factor_floats = 2 * l.half;
}

/// A slot of the way down, and its counts.
std::int64_t down_bytes(const DeviceLayout& d) {
  const std::int64_t voxels = d.batch_planes * d.store_voxels;
  return voxels * kFloat + second_bytes(voxels, d.second_voxel_bytes) + kCountBytes;
}

}  // namespace

BlockLimits block_limits(const cuda::DeviceInfo& device) {
  return {device.shared_bytes, 1024, device.registers_per_multiprocessor,
          has_clusters(device.capability)};
}

DeviceLayout sizes_of(const Problem& work, const Layout& layout, const Cut& cut) {
  DeviceLayout d;
  d.pitch = round_up(layout.half, kPitch);
  d.plane_values = d.pitch * layout.transform.y;
  // One turn of one tile takes the kernel's room for results: of it there is enough, in the ring's
  // there would have to be more than the image needs where results are larger
  d.keeps_transfer = layout.result_planes > 0 || cuts_planes(work, cut);
  d.ring_planes = d.keeps_transfer ? layout.ring_planes : layout.z.loaded;
  d.result_planes = layout.result_planes;
  d.transfer_planes = layout.direct_z ? layout.kernel_planes : layout.transform.z;
  // Kernels are small compared with images: there is space for any type of voxel
  const std::int64_t kernel_bytes =
      round_up(layout.y.kernel_count * layout.x.kernel_count * kMaxVoxelBytes, kSlotAlignment);
  const std::int64_t image_bytes =
      round_up(read_of(layout.y) * read_of(layout.x) * work.source_voxel_bytes, kSlotAlignment);
  d.load_bytes = std::max(image_bytes, kernel_bytes);
  d.kernel_planes = layout.kernel_planes;
  d.kernel_bytes = kernel_bytes;
  d.copies_image = !work.image_made_on_gpu;
  d.store_voxels = layout.y.wanted * layout.x.wanted;
  d.stored_voxel_bytes = work.sink_voxel_bytes;
  d.second_voxel_bytes = work.second_voxel_bytes;
  d.batch_planes = cut.batch_planes;
  d.factor_floats = factor_floats_of(layout.half) + factor_floats_of(layout.transform.y) +
                    factor_floats_of(layout.transform.z) + 2 * layout.half;
  if (const PlaneSize plane{layout.transform.y, layout.half}; has_tuned_plane(plane))
    d.factor_floats += most_plane_factor_floats(plane) + kPlaneCounters;
  d.table_bytes = table_bytes_of(work, layout, cut);
  d.fft = cut.fft;
  if (cut.fft == FftLibrary::cufft) set_library_sizes(layout, d);
  return d;
}

PlanePasses plane_passes_for(const Layout& layout, const BlockLimits& limits) {
  // Fewer leave multiprocessors idle: a cluster has a class of a plane for itself
  constexpr std::int64_t kFewestClasses = 32;
  const PlaneSize plane{layout.transform.y, layout.half};
  PlanePasses passes;
  if (layout.direct_z && layout.kernel_planes == 1) passes = tuned_passes_alone(plane, limits);
  if (!passes.any())
    passes = tuned_plane_passes(plane, layout.direct_z ? 0 : layout.transform.z, limits);
  return layout.z.loaded * passes.planes.classes < kFewestClasses ? PlanePasses{} : passes;
}

DeviceLayout make_device_layout(const Problem& work, const Extent3& transform, const Cut& cut,
                                const BlockLimits& limits) {
  const Layout layout = make_layout(work, transform, cut);
  DeviceLayout d = sizes_of(work, layout, cut);
  d.rows = row_shape(transform.x / 2, limits);
  d.columns_y = column_shape(transform.y, limits, LineKind::column);
  d.columns_z = column_shape(transform.z, limits, LineKind::along_z);
  d.fused = plane_passes_for(layout, limits);
  return d;
}

std::int64_t kernel_batch_planes(const DeviceLayout& d) {
  const std::int64_t fit = d.batch_planes * d.load_bytes / d.kernel_bytes;  // at least batch_planes
  return std::clamp((d.kernel_planes + kBatches - 1) / kBatches, d.batch_planes, fit);
}

std::vector<MemoryItem> device_memory_of(const DeviceLayout& d) {
  const std::int64_t plane = d.plane_values * kValueBytes;
  const std::int64_t down = down_bytes(d);
  std::vector<MemoryItem> items{
      {"image spectra", d.ring_planes * plane},
      {"result spectra", d.result_planes * plane},
      {"transfer function", d.transfer_planes * plane},
      {"input voxels on the GPU", kBatches * d.batch_planes * d.load_bytes},
      {"result voxels on the GPU", kBatches * down},
      {"factors and tables", d.factor_floats * kFloat + d.table_bytes}};
  if (d.fft != FftLibrary::own)
    items.push_back({"cuFFT's strips and workspace",
                     d.strip_values * std::int64_t{kValueBytes} + d.workspace_bytes});
  return items;
}

std::vector<MemoryItem> pinned_memory_of(const DeviceLayout& d) {
  const std::int64_t down = down_bytes(d);
  const std::int64_t up =
      d.copies_image ? d.batch_planes * d.load_bytes : kernel_batch_planes(d) * d.kernel_bytes;
  return {{"voxels to the device", kBatches * up},
          {"voxels from the device", kBatches * down},
          {"voxels to be stored", d.batch_planes * d.store_voxels * d.stored_voxel_bytes}};
}

std::int64_t second_bytes(std::int64_t voxels, std::int64_t second_voxel_bytes) {
  return round_up(voxels * second_voxel_bytes, kSlotAlignment);
}

std::int64_t travelling_bytes(const DeviceLayout& d) {
  return std::max(d.load_bytes, d.store_voxels * (kFloat + d.second_voxel_bytes));
}

std::int64_t most_batch_planes(const DeviceLayout& d, std::int64_t devices) {
  const std::int64_t stored = d.store_voxels * (d.stored_voxel_bytes + d.second_voxel_bytes);
  const std::int64_t plane = std::max({d.load_bytes, stored, std::int64_t{1}});
  return std::clamp<std::int64_t>(kStagedBatchBytes / (plane * devices), 1, kMaxBatchPlanes);
}

}  // namespace synthoscope::fftconv::device
