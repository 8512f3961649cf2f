// SPDX-License-Identifier: MIT
#include "fftconv/device/passes/spectra.hpp"
#include <algorithm>

namespace synthoscope::fftconv::device {
namespace {

/// Slots of planes from their offsets in Reals; negative where there is none.
std::vector<int> slots_of(const std::vector<std::int64_t>& offsets, std::int64_t plane) {
  std::vector<int> slots;
  for (const std::int64_t offset : offsets)
    slots.push_back(offset < 0 ? -1 : static_cast<int>(offset / plane));
  return slots;
}

/// Returns the address of a value of a spectrum. float2 is known to CUDA's compiler alone.
float2* value(float2* spectrum, std::int64_t index) {
  return reinterpret_cast<float2*>(reinterpret_cast<float*>(spectrum) + 2 * index);
}

RowsBack results_to(void* voxels, std::int64_t rows, std::int64_t columns,
                    unsigned long long* counts) {
  RowsBack back;
  back.voxels = voxels;
  back.counts = counts;
  back.row_count = static_cast<int>(rows);
  back.width = static_cast<int>(columns);
  back.voxel_row = columns;
  back.voxel_plane = rows * columns;
  return back;
}

constexpr ColumnPass kKernelAlongZ{Pass::forward, Choice::listed, Choice::all, false};
constexpr ColumnPass kCorrelateAlongZ{Pass::correlate, Choice::front, Choice::front, false};

}  // namespace

Spectra::Spectra(const cuda::DeviceInfo& device, MemoryBudget& device_memory, const Layout& layout,
                 const DeviceLayout& sizes, bool sums, PixelType stored)
    : device_{device},
      device_memory_{device_memory},
      layout_{layout},
      sizes_{sizes},
      sums_{sums},
      spectra_{device.id, device_memory,
               (sizes.ring_planes + sizes.result_planes + sizes.transfer_planes) * 2 *
                   sizes.plane_values,
               "spectra"} {
  if (!layout_.direct_z) {
    kernel_z_ = tables_.add(kernel_slots());
    list_.columns_z.push_back(kKernelAlongZ);
  }
  list_.columns_y.push_back(back_y(layout_.y.wanted));
  list_.stored = stored;
  list_.sums_planes = layout_.direct_z;
}

Loading Spectra::describe(PlaneInput input) {
  Loading l;
  l.x = row_placing(input.x_runs, layout_.transform.x);
  l.y = plane_placing(input.y_runs, layout_.transform.y);
  l.input = std::move(input);
  const PixelType type = l.input.source->pixel_type();
  return described(std::move(l), type);
}

Loading Spectra::describe_front(const Extent3& voxels, PixelType type) {
  Loading l;
  l.x = row_placing({{0, 0, voxels.x}}, layout_.transform.x);
  l.y = plane_placing({{0, 0, voxels.y}}, layout_.transform.y);
  list_.columns_y.push_back(back_y(voxels.y));
  return described(std::move(l), type);
}

void Spectra::describe_planes(const Loading& image) {
  const bool by_themselves = layout_.direct_z && layout_.z.kernel_count == 1 && !sums_;
  if (by_themselves) list_.convolved.push_back({image.rows, image.y.placed, image.columns});
}

void Spectra::describe_correlation() {
  list_.columns_z.push_back(kCorrelateAlongZ);
}

Loading Spectra::described(Loading l, PixelType type) {
  l.rows = {type, l.x.placing};
  l.columns = {Pass::forward, l.y.loaded, Choice::all, false};
  l.x_table = tables_.add(l.x.columns);
  l.y_rows = tables_.add(l.y.rows);
  if (l.y.loaded == Choice::listed) l.y_slots = tables_.add(l.y.slots);
  if (l.y.placed == Choice::listed) l.y_sources = tables_.add(l.y.sources);
  l.plane_scale =
      tables_.add(std::vector<float>(l.input.plane_scale.begin(), l.input.plane_scale.end()));
  list_.planes.push_back({l.rows, l.y.placed, l.columns});
  return l;
}

RingTurnTables Spectra::describe(const RingTurn& turn) {
  RingTurnTables t{turn, {}, {}, {}, {}};
  if (layout_.direct_z) {
    t.partners = tables_.add(slots_of(partner_offsets(layout_, turn), layout_.plane_reals));
    return t;
  }
  const bool at_once =
      turn.load == Interval{0, layout_.z.loaded} && turn.result == Interval{0, layout_.z.wanted};
  const Choice choice = at_once ? Choice::front : Choice::listed;
  t.columns = {Pass::convolve, choice, choice, sums_};
  if (!at_once) {
    t.loaded = tables_.add(slots_of(ring_offsets(layout_, turn), layout_.plane_reals));
    t.stored = tables_.add(slots_of(result_offsets(layout_, turn), layout_.plane_reals));
  }
  list_.columns_z.push_back(t.columns);
  return t;
}

void Spectra::prepare(cuda::Stream& stream, TaskPool& pool) {
  tables_.send(device_.id, device_memory_, sizes_.table_bytes, stream);
  passes_ = make_passes(device_, layout_, sizes_, list_, stream, device_memory_, pool);
  stream.finish();
}

void Spectra::take_image(const cuda::Stream& stream, const Loading& image, const void* voxels,
                         const Interval& planes) {
  PlanesToLoad loading = planes_of(image, voxels, planes, 1);
  loading.come_back = true;
  take(stream, image, loading, planes.count,
       plane(image_planes(), planes.first % sizes_.ring_planes));
}

void Spectra::take_kernel(const cuda::Stream& stream, const Loading& kernel, const void* voxels,
                          const Interval& planes) {
  // The transforms are unscaled; x contributes half, because it is a complex transform of half
  const Extent3 n = layout_.transform;
  const double scale =
      1 / (static_cast<double>(n.z) * static_cast<double>(n.y) * static_cast<double>(layout_.half));
  take(stream, kernel, planes_of(kernel, voxels, planes, scale), planes.count,
       plane(kernel_planes(), planes.first));
}

PlanesToLoad Spectra::planes_of(const Loading& what, const void* voxels, const Interval& planes,
                                double scale) const {
  RowsForward rows;
  rows.voxels = voxels;
  rows.rows = tables_.at<PlacedRow>(what.y_rows);
  rows.row_count = static_cast<int>(what.y.rows.size());
  rows.width = static_cast<int>(what.x.count);
  rows.columns = tables_.at<int>(what.x_table);
  rows.voxel_row = what.x.count;
  rows.voxel_plane = what.x.count * what.y.count;
  if (const auto* weights = tables_.at<float>(what.plane_scale))
    rows.plane_scale = weights + planes.first;
  rows.scale = what.input.scale * scale;
  rows.background = what.input.background;
  return {rows, {rows.row_count, tables_.at<int>(what.y_slots)}, tables_.at<int>(what.y_sources)};
}

void Spectra::take(const cuda::Stream& stream, const Loading& what, PlanesToLoad planes,
                   std::int64_t count, float2* to) {
  planes.rows.spectra = to;
  passes_->load_planes(stream, {what.rows, what.y.placed, what.columns}, planes, count);
}

void Spectra::convolve_planes(const cuda::Stream& stream, const Loading& image, const void* voxels,
                              const Interval& planes, std::int64_t rows, std::int64_t columns,
                              void* results, unsigned long long* counts) {
  passes_->convolve_planes(stream, {image.rows, image.y.placed, image.columns},
                           planes_of(image, voxels, planes, 1), kernel_planes(),
                           results_to(results, rows, columns, counts), planes.count);
}

void Spectra::finish_kernel(const cuda::Stream& stream) {
  if (layout_.direct_z) {
    PlaneSums planes;
    planes.result = kernel_planes();
    planes.plane = sizes_.plane_values;
    return passes_->prepare_kernel_planes(stream, planes, layout_.kernel_planes);
  }
  Columns along_z;
  along_z.in = along_z.out = kernel_planes();
  along_z.loaded.slots = tables_.at<int>(kernel_z_);
  passes_->columns_z(stream, kKernelAlongZ, along_z);
}

void Spectra::clear_result(const cuda::Stream& stream) {
  cuda::enqueue_zeros(stream, result_planes(),
                      sizes_.result_planes * sizes_.plane_values * kValueBytes);
}

void Spectra::convolve(const cuda::Stream& stream, const RingTurnTables& tables) {
  if (layout_.direct_z) {
    PlaneSums sums;
    sums.image = image_planes();
    sums.kernel = kernel_planes();
    sums.result = result_planes();
    sums.partners = tables_.at<int>(tables.partners);
    sums.taps = static_cast<int>(layout_.z.kernel_count);
    sums.plane = sizes_.plane_values;
    sums.adds = sums_;
    passes_->sum_planes(stream, sums, tables.turn.result.count);
    return;
  }
  Columns along_z;
  along_z.in = image_planes();
  along_z.out = result_planes();
  along_z.transfer = kernel_planes();
  along_z.loaded = {static_cast<int>(layout_.z.loaded), tables_.at<int>(tables.loaded)};
  along_z.stored = {static_cast<int>(layout_.z.wanted), tables_.at<int>(tables.stored)};
  passes_->columns_z(stream, tables.columns, along_z);
}

void Spectra::correlate(const cuda::Stream& stream) {
  Columns along_z;
  along_z.in = result_planes();
  along_z.out = image_planes();
  along_z.transfer = kernel_planes();
  along_z.loaded.count = static_cast<int>(layout_.z.wanted);
  along_z.stored.count = static_cast<int>(layout_.z.loaded);
  passes_->columns_z(stream, kCorrelateAlongZ, along_z);
}

void Spectra::change(const cuda::Stream& stream, const Interval& planes, std::int64_t rows,
                     const ChangeRows& change) {
  make_rows(stream, planes, rows);
  change_rows(stream, planes, rows, change);
}

void Spectra::make_rows(const cuda::Stream& stream, const Interval& planes, std::int64_t rows) {
  Columns along_y;
  along_y.in = along_y.out = plane(result_planes(), planes.first);
  along_y.stored.count = static_cast<int>(rows);
  passes_->columns_y(stream, back_y(rows), along_y, planes.count);
}

SpectrumRows Spectra::made_rows(const Interval& planes, const Interval& rows) const {
  SpectrumRows made = passes_->rows_to_change();
  made.spectra = value(plane(result_planes(), planes.first), rows.first * made.spectrum_row);
  made.row_count = static_cast<int>(rows.count);
  made.planes = static_cast<int>(planes.count);
  return made;
}

void Spectra::change_rows(const cuda::Stream& stream, const Interval& planes, std::int64_t rows,
                          const ChangeRows& change) {
  const SpectrumRows made = made_rows(planes, {0, rows});
  change(stream, made, planes.first);
  Columns along_y;
  along_y.in = along_y.out = made.spectra;
  along_y.loaded.count = made.row_count;
  passes_->columns_y(stream, {Pass::forward, choice_of(rows), Choice::all, false}, along_y,
                     planes.count);
}

void Spectra::give(const cuda::Stream& stream, const Interval& planes, std::int64_t rows,
                   std::int64_t columns, void* voxels, unsigned long long* counts) {
  store(stream, planes, rows, columns, voxels, counts);
}

float* Spectra::give_here(const cuda::Stream& stream, std::int64_t rows, std::int64_t columns) {
  const Interval all{0, layout_.z.wanted};
  // As many as fit before the first plane that is still a spectrum
  const std::int64_t plane_voxels = rows * columns, plane_floats = 2 * sizes_.plane_values;
  for (std::int64_t first = 0, next = 0; first < all.count; first = next) {
    next = std::min(all.count, (sizes_.ring_planes + first) * plane_floats / plane_voxels);
    store(stream, {first, next - first}, rows, columns, spectra_.data() + first * plane_voxels,
          nullptr);
  }
  return spectra_.data();
}

void Spectra::store(const cuda::Stream& stream, const Interval& planes, std::int64_t rows,
                    std::int64_t columns, void* voxels, unsigned long long* counts) {
  RowsBack back = results_to(voxels, rows, columns, counts);
  back.spectra = plane(result_planes(), planes.first);
  passes_->store_planes(stream, back_y(rows), back, planes.count);
}

std::int64_t Spectra::together(std::int64_t position, std::int64_t count) const {
  return std::min(count, sizes_.ring_planes - position % sizes_.ring_planes);
}

float2* Spectra::plane(float2* planes, std::int64_t index) const {
  return value(planes, index * sizes_.plane_values);
}

float2* Spectra::image_planes() const {
  return reinterpret_cast<float2*>(spectra_.data());
}

float2* Spectra::result_planes() const {
  const bool in_ring = sizes_.result_planes == 0 && sizes_.keeps_transfer;
  return in_ring ? image_planes() : plane(image_planes(), sizes_.ring_planes);
}

float2* Spectra::kernel_planes() const {
  return plane(image_planes(), sizes_.ring_planes + sizes_.result_planes);
}

Choice Spectra::choice_of(std::int64_t rows) const {
  return rows == layout_.transform.y ? Choice::all : Choice::front;
}

ColumnPass Spectra::back_y(std::int64_t rows) const {
  return {Pass::inverse, Choice::all, choice_of(rows), false};
}

/// Kernel planes are contiguous, in convolution order.
std::vector<int> Spectra::kernel_slots() const {
  std::vector<int> slots(static_cast<std::size_t>(layout_.transform.z), -1);
  int stored = 0;
  for (const IndexRun& run : kernel_runs(layout_.z, layout_.transform.z))
    for (std::int64_t i = 0; i < run.count; ++i)
      slots[static_cast<std::size_t>(run.position + i)] = stored++;
  return slots;
}

}  // namespace synthoscope::fftconv::device
