// SPDX-License-Identifier: MIT
#include "fftconv/device/passes/cufft_passes.hpp"
#include <fmt/format.h>
#include <algorithm>
#include "core/base/error.hpp"
#include "fftconv/device/code/programs.hpp"

namespace synthoscope::fftconv::device {
namespace {

std::vector<WantedKernel> kernels_of(const PassList& list) {
  std::vector<WantedKernel> wanted{{store_rows_name(list.stored), 0}};
  for (const PlaneLoading& how : list.planes) wanted.push_back({place_rows_name(how.rows), 0});
  if (!list.columns_z.empty())
    for (const char* name : {kGatherStripName, kMultiplyStripName, kScatterStripName})
      wanted.push_back({name, 0});
  if (list.sums_planes) wanted.push_back({sum_planes_name(1), 0});
  std::sort(wanted.begin(), wanted.end());
  wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
  return wanted;
}

float2* values_at(float2* values, std::int64_t index) {
  // float2 is known to CUDA's compiler alone
  return reinterpret_cast<float2*>(reinterpret_cast<float*>(values) + 2 * index);
}

}  // namespace

CufftPasses::CufftPasses(const cuda::DeviceInfo& device, const Layout& layout,
                         const DeviceLayout& sizes, const PassList& list,
                         const cuda::Stream& stream, MemoryBudget& device_memory, TaskPool& pool)
    : sizes_{sizes},
      stored_{list.stored},
      half_{layout.half},
      length_z_{layout.transform.z},
      gpu_kernels_{device_library().kernels(device, kPlainProgram, kernels_of(list), pool)},
      half_shift_{device.id, device_memory, sizes.factor_floats, "factors"},
      strip_{device.id, device_memory, 2 * sizes.strip_values, "strips of columns"},
      workspace_{device.id, device_memory, sizes.workspace_bytes, "cuFFT's workspace"} {
  require_here(FftLibrary::cufft, "transform with cuFFT");
  const auto shift = half_shift_of(static_cast<int>(half_));
  cuda::enqueue_copy(stream, half_shift_.data(), shift.data(), half_shift_.bytes());
  plan_planes(layout);
  if (sizes_.strip_columns > 0) plan_strips(layout);
}

/// Gives the workspace to a plan. @throws PlanError  it is too small.
CufftPlan CufftPasses::planned(const CufftLines& lines) const {
  CufftPlan plan{lines};
  if (plan.workspace_bytes() > workspace_.bytes())
    throw PlanError(fmt::format(
        "transform with cuFFT: it wants {} of workspace, and the plan has {}; use --fft own",
        print_bytes(plan.workspace_bytes()), print_bytes(workspace_.bytes())));
  plan.set_workspace(workspace_.data());
  return plan;
}

/// Axes of one element are left out: there is nothing to transform.
void CufftPasses::plan_planes(const Layout& layout) {
  const std::int64_t rows = layout.transform.y;
  CufftLines lines;
  if (rows > 1) {
    lines.lengths.push_back(rows);
    lines.embedded.push_back(rows);
  }
  if (half_ > 1 || rows == 1) {
    lines.lengths.push_back(half_);
    lines.embedded.push_back(sizes_.pitch);
  } else {
    lines.stride = sizes_.pitch;
  }
  lines.apart = sizes_.plane_values;
  one_plane_ = planned(lines);
  for (planes_at_once_ = sizes_.library_planes; planes_at_once_ > 1; planes_at_once_ /= 2) {
    lines.count = planes_at_once_;
    CufftPlan plan{lines};
    if (plan.workspace_bytes() > workspace_.bytes()) continue;
    plan.set_workspace(workspace_.data());
    planes_ = std::move(plan);
    return;
  }
}

void CufftPasses::plan_strips(const Layout& layout) {
  const auto strip_of = [&](std::int64_t columns) {
    CufftLines lines;
    lines.lengths = lines.embedded = {layout.transform.z};
    lines.stride = lines.count = columns;
    return lines;
  };
  strips_ = planned(strip_of(sizes_.strip_columns));
  if (const std::int64_t rest = sizes_.plane_values % sizes_.strip_columns; rest > 0)
    last_strip_ = planned(strip_of(rest));
}

void CufftPasses::load_planes(const cuda::Stream& stream, const PlaneLoading& how,
                              const PlanesToLoad& planes, std::int64_t count) const {
  RowsForward a = planes.rows;
  a.half_shift = reinterpret_cast<const float2*>(half_shift_.data());
  a.spectrum_row = sizes_.pitch;
  a.spectrum_plane = sizes_.plane_values;
  a.planes = static_cast<int>(count);
  // Rows without voxels are transformed too
  cuda::enqueue_zeros(stream, a.spectra, count * sizes_.plane_values * kValueBytes);
  gpu_kernels_.at(place_rows_name(how.rows))
      .launch(stream, {{count * a.row_count}, {kPlainThreads}, 0}, a, static_cast<int>(half_));
  Columns along_y;
  along_y.in = along_y.out = a.spectra;
  columns_y(stream, how.columns, along_y, count);
}

void CufftPasses::store_planes(const cuda::Stream& stream, const ColumnPass& along_y, RowsBack a,
                               std::int64_t planes) const {
  Columns columns;
  columns.in = columns.out = a.spectra;
  columns_y(stream, along_y, columns, planes);
  a.half_shift = reinterpret_cast<const float2*>(half_shift_.data());
  a.spectrum_row = sizes_.pitch;
  a.spectrum_plane = sizes_.plane_values;
  a.planes = static_cast<int>(planes);
  gpu_kernels_.at(store_rows_name(stored_))
      .launch(stream, {{planes * a.row_count}, {kPlainThreads}, 0}, a, static_cast<int>(half_));
}

void CufftPasses::columns_y(const cuda::Stream& stream, const ColumnPass& how, Columns a,
                            std::int64_t planes) const {
  const int direction = how.pass == Pass::forward ? Cufft::kForward : Cufft::kInverse;
  for (std::int64_t first = 0, next = 0; first < planes; first = next) {
    const bool many = planes_.is_made() && first + planes_at_once_ <= planes;
    next = first + (many ? planes_at_once_ : 1);
    (many ? planes_ : one_plane_)
        .run(stream, values_at(a.out, first * sizes_.plane_values), direction);
  }
}

void CufftPasses::columns_z(const cuda::Stream& stream, const ColumnPass& how, Columns a) const {
  a.apart = sizes_.plane_values;
  StripOfColumns strip;
  strip.columns = a;
  strip.strip = reinterpret_cast<float2*>(strip_.data());
  strip.length = static_cast<int>(length_z_);
  strip.loaded = how.loaded;
  strip.stored = how.stored;
  strip.adds = how.adds;
  strip.conjugates = how.pass == Pass::correlate;
  for (std::int64_t first = 0; first < sizes_.plane_values; first += sizes_.strip_columns) {
    const std::int64_t width = std::min(sizes_.strip_columns, sizes_.plane_values - first);
    strip.first = first;
    strip.width = static_cast<int>(width);
    convolve_strip(stream, width == sizes_.strip_columns ? strips_ : last_strip_, how.pass, strip);
  }
}

void CufftPasses::convolve_strip(const cuda::Stream& stream, const CufftPlan& plan, Pass pass,
                                 const StripOfColumns& strip) const {
  launch_strip(kGatherStripName, stream, strip);
  if (pass != Pass::inverse) plan.run(stream, strip.strip, Cufft::kForward);
  if (pass == Pass::convolve || pass == Pass::correlate)
    launch_strip(kMultiplyStripName, stream, strip);
  if (pass != Pass::forward) plan.run(stream, strip.strip, Cufft::kInverse);
  launch_strip(kScatterStripName, stream, strip);
}

void CufftPasses::launch_strip(const char* name, const cuda::Stream& stream,
                               const StripOfColumns& strip) const {
  gpu_kernels_.at(name).launch(
      stream,
      {{(strip.width + kPlainThreads - 1) / kPlainThreads, strip.length}, {kPlainThreads}, 0},
      strip);
}

SpectrumRows CufftPasses::rows_to_change() const {
  throw CudaError(
      "change voxels between two transforms by cuFFT: it stores and loads them in passes of its "
      "own; "
      "use --fft own");
}

void CufftPasses::prepare_kernel_planes(const cuda::Stream& /*stream*/,
                                        const PlaneSums& /*arguments*/,
                                        std::int64_t /*planes*/) const {}

void CufftPasses::sum_planes(const cuda::Stream& stream, const PlaneSums& a,
                             std::int64_t results) const {
  launch_sums(gpu_kernels_.at(sum_planes_name(1)), stream, a, results);
}

}  // namespace synthoscope::fftconv::device
