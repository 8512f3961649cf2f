// SPDX-License-Identifier: MIT
#include "fftconv/device/passes/fused_passes.hpp"
#include <utility>
#include "core/base/assert.hpp"
#include "fftconv/device/code/programs.hpp"

namespace synthoscope::fftconv::device {

FusedPasses::FusedPasses(const cuda::DeviceInfo& device, const Layout& layout,
                         const DeviceLayout& sizes, const PassList& list,
                         const cuda::Stream& stream, MemoryBudget& device_memory, TaskPool& pool)
    : sizes_{sizes},
      stored_{list.stored},
      half_{static_cast<int>(layout.half)},
      gpu_kernels_{device_library().kernels(device, kProgram, kernels_for(sizes, list), pool)} {
  const auto row = factors_of(sizes.rows.line), y = factors_of(sizes.columns_y.line),
             z = factors_of(sizes.columns_z.line), shift = half_shift_of(half_);
  std::vector<float> all;
  for (const auto* part : {&row, &y, &z, &shift}) all.insert(all.end(), part->begin(), part->end());
  factors_ = {device.id, device_memory, static_cast<std::int64_t>(all.size()), "factors"};
  cuda::enqueue_copy(stream, factors_.data(), all.data(), factors_.bytes());
  const auto* at = reinterpret_cast<const float2*>(factors_.data());
  const auto next = [&at](const std::vector<float>& part) {
    // float2 is CUDA's own; it has two floats
    return std::exchange(
        at, reinterpret_cast<const float2*>(reinterpret_cast<const float*>(at) + part.size()));
  };
  row_factors_ = next(row);
  y_factors_ = next(y);
  z_factors_ = next(z);
  half_shift_ = next(shift);
}

void FusedPasses::load_planes(const cuda::Stream& stream, const PlaneLoading& how,
                              const PlanesToLoad& planes, std::int64_t count) const {
  RowsForward a = planes.rows;
  a.factors = row_factors_;
  a.half_shift = half_shift_;
  a.spectrum_row = sizes_.pitch;
  a.spectrum_plane = sizes_.plane_values;
  a.planes = static_cast<int>(count);
  launch_rows(rows_forward_name(sizes_.rows, how.rows), stream, count * a.row_count, a);
  Columns along_y;
  along_y.in = along_y.out = a.spectra;
  along_y.loaded = planes.positions;
  columns_y(stream, how.columns, along_y, count);
}

void FusedPasses::store_planes(const cuda::Stream& stream, const ColumnPass& along_y, RowsBack a,
                               std::int64_t planes) const {
  Columns columns;
  columns.in = columns.out = a.spectra;
  columns.stored.count = a.row_count;
  columns_y(stream, along_y, columns, planes);
  a.factors = row_factors_;
  a.half_shift = half_shift_;
  a.spectrum_row = sizes_.pitch;
  a.spectrum_plane = sizes_.plane_values;
  a.planes = static_cast<int>(planes);
  launch_rows(rows_back_name(sizes_.rows, stored_), stream, planes * a.row_count, a);
}

void FusedPasses::columns_y(const cuda::Stream& stream, const ColumnPass& how, Columns a,
                            std::int64_t planes) const {
  if (is_one_row(sizes_.columns_y)) return;
  a.factors = y_factors_;
  a.apart = sizes_.pitch;
  a.batch_apart = sizes_.plane_values;
  const BlockShape& s = sizes_.columns_y;
  launch(columns_name(s, how), stream, s, sizes_.pitch / s.lines, planes, a);
}

void FusedPasses::columns_z(const cuda::Stream& stream, const ColumnPass& how, Columns a) const {
  a.factors = z_factors_;
  a.apart = sizes_.plane_values;
  const BlockShape& s = sizes_.columns_z;
  launch(columns_name(s, how), stream, s, sizes_.plane_values / s.lines, 1, a);
}

SpectrumRows FusedPasses::rows_to_change() const {
  SpectrumRows rows;
  rows.factors = row_factors_;
  rows.half_shift = half_shift_;
  rows.spectrum_row = sizes_.pitch;
  rows.spectrum_plane = sizes_.plane_values;
  return rows;
}

void FusedPasses::prepare_kernel_planes(const cuda::Stream& /*stream*/,
                                        const PlaneSums& /*arguments*/,
                                        std::int64_t /*planes*/) const {}

void FusedPasses::sum_planes(const cuda::Stream& stream, const PlaneSums& a,
                             std::int64_t results) const {
  launch_sums(gpu_kernels_.at(sum_planes_name(1)), stream, a, results);
}

template <class Arguments>
void FusedPasses::launch_rows(const std::string& name, const cuda::Stream& stream,
                              std::int64_t rows, const Arguments& arguments) const {
  const BlockShape& s = sizes_.rows;
  SYNTHOSCOPE_ASSERT(rows, <, std::int64_t{1} << 31);
  launch(name, stream, s, (rows + s.lines - 1) / s.lines, 1, arguments);
}

template <class Arguments>
void FusedPasses::launch(const std::string& name, const cuda::Stream& stream,
                         const BlockShape& shape, std::int64_t blocks, std::int64_t batches,
                         const Arguments& arguments) const {
  gpu_kernels_.at(name).launch(stream, {{blocks, batches}, {shape.threads()}, shape.shared_bytes},
                               arguments);
}

}  // namespace synthoscope::fftconv::device
