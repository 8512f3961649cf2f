// SPDX-License-Identifier: MIT
#include "fftconv/device/parts/spectra.hpp"
#include <algorithm>
#include "fftconv/device/code/programs.hpp"

namespace synthoscope::fftconv::device {
namespace {

constexpr ColumnPass kPartAlongZ{Pass::convolve, Choice::all, Choice::all, false};

}  // namespace

PartSpectra::PartSpectra(const cuda::DeviceInfo& device, MemoryBudget& device_memory,
                         const PartsLayout& parts)
    : device_{device},
      device_memory_{device_memory},
      parts_{parts},
      image_{device.id, device_memory, parts.decimation.planes * parts.plane_values * 2,
             "image part"},
      kernel_{device.id, device_memory, image_.count(), "kernel part"},
      x_factors_{tables_.add(factors_of(parts.rows.line))},
      y_factors_{tables_.add(factors_of(parts.columns_y.line))},
      z_factors_{tables_.add(factors_of(parts.columns_z.line))} {
  wanted_.push_back({part_rows_back_name(parts_.rows), parts_.rows.shared_bytes});
  want_columns_y(back_y());
  wanted_.push_back({columns_name(parts_.columns_z, kPartAlongZ), parts_.columns_z.shared_bytes});
}

PartLoading PartSpectra::describe(const SharedPlanes& shared, PixelType type, double background,
                                  const std::vector<IndexRun>& y_runs,
                                  std::vector<IndexRun> x_runs) {
  // Complex rows wrap without a change of sign
  for (IndexRun& run : x_runs) run.negative = false;
  PartLoading l;
  l.x = row_placing(x_runs, parts_.rows.line.length);
  l.y = plane_placing(y_runs, parts_.columns_y.line.length);
  l.rows = {type, l.x.placing};
  l.background = background;
  l.planes = static_cast<std::int64_t>(shared.begin.size()) - 1;
  l.entries = shared.entries();
  l.x_table = tables_.add(l.x.columns);
  l.y_rows = tables_.add(l.y.rows);
  if (l.y.loaded == Choice::listed) l.y_slots = tables_.add(l.y.slots);
  l.begin = tables_.add(shared.begin);
  l.sharing = tables_.add(shared.planes);
  l.rotations = tables_.add(shared.rotations);
  wanted_.push_back({fold_rows_name(parts_.rows, l.rows), parts_.rows.shared_bytes});
  want_columns_y({Pass::forward, l.y.loaded, Choice::all, false});
  return l;
}

void PartSpectra::want_columns_y(const ColumnPass& how) {
  if (!is_one_row(parts_.columns_y))
    wanted_.push_back({columns_name(parts_.columns_y, how), parts_.columns_y.shared_bytes});
}

PartUnfolding PartSpectra::describe(const SharedPlanes& shared) {
  wanted_.push_back({unfold_parts_name(parts_.decimation.parts), 0});
  return {shared.entries(), tables_.add(shared.begin), tables_.add(shared.rotations)};
}

void PartSpectra::place_kernel_planes(const std::vector<std::int64_t>& kept) {
  std::vector<int> slots(static_cast<std::size_t>(parts_.decimation.planes), -1);
  int slot = 0;
  for (const std::int64_t plane : kept) slots[static_cast<std::size_t>(plane)] = slot++;
  kernel_slots_ = tables_.add(slots);
  wanted_.push_back({columns_name(parts_.columns_z, kernel_z_), parts_.columns_z.shared_bytes});
}

void PartSpectra::prepare(cuda::Stream& stream, TaskPool& pool) {
  std::sort(wanted_.begin(), wanted_.end());
  wanted_.erase(std::unique(wanted_.begin(), wanted_.end()), wanted_.end());
  tables_.send(device_.id, device_memory_, parts_.table_bytes, stream);
  gpu_kernels_ = device_library().kernels(device_, kProgram, wanted_, pool);
  stream.finish();
}

void PartSpectra::take_image(const cuda::Stream& stream, const PartLoading& image,
                             std::int64_t part, const void* voxels, std::int64_t first,
                             const Interval& planes) {
  take(stream, image, part, voxels, first, planes, plane(image_, planes.first));
}

void PartSpectra::take_kernel(const cuda::Stream& stream, const PartLoading& kernel,
                              std::int64_t part, const void* voxels, std::int64_t first,
                              const Interval& planes) {
  take(stream, kernel, part, voxels, first, planes, plane(kernel_, planes.first));
}

void PartSpectra::take(const cuda::Stream& stream, const PartLoading& what, std::int64_t part,
                       const void* voxels, std::int64_t first, const Interval& planes, float2* to) {
  FoldRows rows;
  rows.voxels = voxels;
  rows.spectra = to;
  rows.factors = tables_.at<float2>(x_factors_);
  rows.sharing =
      sharing_of(what.begin, what.sharing, what.rotations, what.entries, part, planes.first, first);
  rows.rows = tables_.at<PlacedRow>(what.y_rows);
  rows.row_count = static_cast<int>(what.y.rows.size());
  rows.width = static_cast<int>(what.x.count);
  rows.columns = tables_.at<int>(what.x_table);
  rows.voxel_row = what.x.count;
  rows.voxel_plane = what.x.count * what.y.count;
  rows.spectrum_row = parts_.pitch;
  rows.spectrum_plane = parts_.plane_values;
  rows.background = what.background;
  launch(fold_rows_name(parts_.rows, what.rows), stream, parts_.rows,
         (rows.row_count + parts_.rows.lines - 1) / parts_.rows.lines, planes.count, rows);
  Columns along_y;
  along_y.in = along_y.out = to;
  along_y.loaded = {rows.row_count, tables_.at<int>(what.y_slots)};
  columns_y(stream, {Pass::forward, what.y.loaded, Choice::all, false}, along_y, planes.count);
}

void PartSpectra::convolve(const cuda::Stream& stream) {
  Columns kernel;
  kernel.in = kernel.out = plane(kernel_, 0);
  kernel.loaded.slots = tables_.at<int>(kernel_slots_);
  columns_z(stream, kernel_z_, kernel);
  Columns image;
  image.in = image.out = plane(image_, 0);
  image.transfer = kernel.out;
  columns_z(stream, kPartAlongZ, image);
}

void PartSpectra::give(const cuda::Stream& stream, const Interval& planes, const PairPlaces& places,
                       float* voxels) {
  Columns along_y;
  along_y.in = along_y.out = plane(image_, planes.first);
  along_y.stored.count = static_cast<int>(parts_.result.y);
  columns_y(stream, back_y(), along_y, planes.count);
  PartRowsBack back;
  back.spectra = along_y.in;
  back.voxels = voxels;
  back.factors = tables_.at<float2>(x_factors_);
  back.row_count = static_cast<int>(parts_.result.y);
  back.width = static_cast<int>(parts_.result.x);
  back.voxel_row = parts_.result.x;
  back.voxel_plane = places.next * parts_.result.y * parts_.result.x;
  back.imaginary = places.imaginary * parts_.result.y * parts_.result.x;
  back.spectrum_row = parts_.pitch;
  back.spectrum_plane = parts_.plane_values;
  launch(part_rows_back_name(parts_.rows), stream, parts_.rows,
         (back.row_count + parts_.rows.lines - 1) / parts_.rows.lines, planes.count, back);
}

void PartSpectra::unfold(const cuda::Stream& stream, const PartUnfolding& unfolding,
                         const Interval& planes, float* voxels, unsigned long long* counts) {
  if (planes.count == 0) return;
  const std::int64_t parts = parts_.decimation.parts;
  UnfoldParts a;
  a.planes = voxels;
  a.begin = tables_.at<int>(unfolding.begin) + planes.first;
  a.rotations = tables_.at<float2>(unfolding.rotations);
  a.entries = unfolding.entries;
  a.count = planes.count;
  a.plane = parts_.result.y * parts_.result.x;
  a.counts = counts;
  const std::int64_t together = unfolded_together(static_cast<int>(parts)) * kUnfoldThreads;
  gpu_kernels_.at(unfold_parts_name(parts))
      .launch(stream, {{(a.plane + together - 1) / together, planes.count}, {kUnfoldThreads}, 0},
              a);
}

Sharing PartSpectra::sharing_of(Tables::Offset begin, Tables::Offset sharing,
                                Tables::Offset rotations, std::int64_t entries, std::int64_t part,
                                std::int64_t plane, std::int64_t first) const {
  Sharing s;
  s.begin = tables_.at<int>(begin) + plane;
  s.planes = tables_.at<int>(sharing);
  // float2 is known to CUDA's compiler alone
  s.rotations = reinterpret_cast<const float2*>(tables_.at<float>(rotations) + 2 * entries * part);
  s.first = static_cast<int>(first);
  return s;
}

void PartSpectra::columns_y(const cuda::Stream& stream, const ColumnPass& how, Columns a,
                            std::int64_t planes) const {
  if (is_one_row(parts_.columns_y)) return;
  a.factors = tables_.at<float2>(y_factors_);
  a.apart = parts_.pitch;
  a.batch_apart = parts_.plane_values;
  const BlockShape& s = parts_.columns_y;
  launch(columns_name(s, how), stream, s, parts_.pitch / s.lines, planes, a);
}

void PartSpectra::columns_z(const cuda::Stream& stream, const ColumnPass& how, Columns a) const {
  a.factors = tables_.at<float2>(z_factors_);
  a.apart = parts_.plane_values;
  const BlockShape& s = parts_.columns_z;
  launch(columns_name(s, how), stream, s, parts_.plane_values / s.lines, 1, a);
}

template <class Arguments>
void PartSpectra::launch(const std::string& name, const cuda::Stream& stream,
                         const BlockShape& shape, std::int64_t blocks, std::int64_t batches,
                         const Arguments& arguments) const {
  gpu_kernels_.at(name).launch(stream, {{blocks, batches}, {shape.threads()}, shape.shared_bytes},
                               arguments);
}

float2* PartSpectra::plane(const cuda::DeviceBuffer<float>& planes, std::int64_t index) const {
  return reinterpret_cast<float2*>(planes.data() + 2 * index * parts_.plane_values);
}

ColumnPass PartSpectra::back_y() const {
  const bool all = parts_.result.y == parts_.columns_y.line.length;
  return {Pass::inverse, Choice::all, all ? Choice::all : Choice::front, false};
}

}  // namespace synthoscope::fftconv::device
