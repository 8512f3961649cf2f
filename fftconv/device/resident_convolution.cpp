// SPDX-License-Identifier: MIT
#include "fftconv/device/resident_convolution.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <limits>
#include "core/base/error.hpp"
#include "core/cuda/memory/memory.hpp"
#include "core/run/host_buffer.hpp"
#include "fftconv/plan/cuts/candidates.hpp"
#include "fftconv/plan/gpu/cost.hpp"
#include "fftconv/plan/gpu/site.hpp"

namespace synthoscope::fftconv::device {
namespace {

/// Of a plan that cuts nothing.
Layout uncut_layout(const Plan& plan) {
  return layout_of_tile(make_layout(plan.work, plan.transform, plan.cut), plan.work, plan.cut,
                        tiles_of(plan.work, plan.cut).front());
}

/// Where the transfer function is kept, image and result take turns in one memory, and all rows are
/// transformed as those that are changed: radices decide where a frequency is stored.
DeviceLayout resident_sizes(const Plan& plan, const Layout& layout,
                            const cuda::DeviceInfo& device) {
  DeviceLayout sizes =
      make_device_layout(plan.work, plan.transform, plan.cut, block_limits(device));
  if (!plan.cut.keep_transfer) return sizes;
  sizes.rows = changing_row_shape(layout.half, block_limits(device));
  sizes.fused = {};  // voxels are changed row by row
  sizes.keeps_transfer = true;
  sizes.ring_planes = layout.ring_planes;
  // Rows of results that are loaded
  sizes.table_bytes += 2 * layout.transform.y * std::int64_t{sizeof(PlacedRow)};
  return sizes;
}

Extent3 extent_of(const Layout& l, Side side) {
  if (side == Side::image) return {l.z.loaded, l.y.loaded, l.x.loaded};
  return {l.z.wanted, l.y.wanted, l.x.wanted};
}

/// Voxels of an image are loaded as they lie in memory: none is repeated, and none lies outside.
void require_volumes_as_they_are(const Problem& problem) {
  if (problem.shape == Shape::valid) return;
  throw InvalidSpec(fmt::format(
      "convolve {} with {} in the memory of a GPU: the shape must be valid there, but it "
      "is {}, with the boundary {}; extend the image by its boundary, or give "
      "plan_convolution a machine with a GPU",
      problem.image, problem.kernel, name_of(problem.shape), name_of(problem.boundary)));
}

/// Bytes of a kernel's planes that are sent at once, at most.
constexpr std::int64_t kSentAtOnce = std::int64_t{64} << 20;

Plan plan_without_transform(const Problem& problem, const cuda::DeviceInfo& device) {
  require_valid(problem);
  require_volumes_as_they_are(problem);
  Plan plan;
  plan.problem = problem;
  plan.work = work_problem(problem);
  plan.where = Place::gpu;
  plan.machine.gpu = Gpu{device.name, device.capability, block_limits(device), device.memory_bytes};
  plan.cut = {.result = wanted_extent(plan.work), .keep_transfer = true, .batch_planes = 1};
  return plan;
}

}  // namespace

double resident_seconds(const Plan& plan) {
  const Layout layout = uncut_layout(plan);
  const GpuWork work = gpu_work(layout, plan.work, plan.cut, sizes_of(plan.work, layout, plan.cut),
                                *plan.machine.gpu);
  return work.forward + work.columns + work.back;
}

Plan resident_plan(const Problem& problem, const cuda::DeviceInfo& device) {
  Plan plan = plan_without_transform(problem, device);
  double least = std::numeric_limits<double>::infinity();
  for (const Candidate& one : in_core_candidates(plan.work, GpuSite{plan.machine})) {
    if (one.cut.direct_z) continue;  // the transfer function is kept
    Plan other = plan;
    other.transform = one.transform;
    const double seconds = resident_seconds(other);
    if (seconds >= least) continue;
    least = seconds;
    plan.transform = one.transform;
  }
  if (plan.transform.z == 0)
    throw PlanError(
        fmt::format("convolve {} with {} in the memory of a GPU: its lines are longer than the GPU "
                    "transforms; use a strategy that cuts them",
                    problem.image, problem.kernel));
  plan.device_memory = resident_memory(plan, device);
  return plan;
}

Plan resident_plan(const Problem& problem, const cuda::DeviceInfo& device,
                   const Extent3& transform) {
  Plan plan = plan_without_transform(problem, device);
  plan.transform = transform;
  plan.device_memory = resident_memory(plan, device);
  return plan;
}

std::vector<MemoryItem> resident_memory(const Plan& plan, const cuda::DeviceInfo& device) {
  const Layout layout = uncut_layout(plan);
  const DeviceLayout sizes = resident_sizes(plan, layout, device);
  const std::int64_t plane = sizes.plane_values * kValueBytes;
  const std::int64_t kernel_plane =
      layout.y.kernel_count * layout.x.kernel_count * plan.problem.kernel_voxel_bytes;
  return {{"image spectra", sizes.ring_planes * plane},
          {"result spectra", sizes.result_planes * plane},
          {"transfer function", sizes.transfer_planes * plane},
          {"kernel voxels on the GPU",
           std::min(layout.z.kernel_count * kernel_plane, std::max(kSentAtOnce, kernel_plane))},
          {"factors and tables",
           sizes.factor_floats * std::int64_t{sizeof(float)} + sizes.table_bytes}};
}

std::int64_t spectrum_row_bytes(const Plan& plan, const cuda::DeviceInfo& device) {
  return resident_sizes(plan, uncut_layout(plan), device).pitch * kValueBytes;
}

ResidentConvolution::ResidentConvolution(const cuda::DeviceInfo& device,
                                         MemoryBudget& device_memory, const Plan& plan,
                                         const Term& term, PixelType stored)
    : device_{device.id},
      axes_{plan},
      layout_{uncut_layout(plan)},
      sizes_{resident_sizes(plan, layout_, device)},
      result_bytes_{size_of(stored)},
      spectra_{device, device_memory, layout_, sizes_, false, stored},
      kernel_{spectra_.describe(kernel_input(layout_, term.kernel))},
      image_{spectra_.describe(image_input(layout_, axes_, term, 0))},
      turn_{spectra_.describe(ring_turns_of(layout_).front())} {
  if (!plan.cut.keep_transfer) {
    spectra_.describe_planes(image_);
    return;
  }
  require_volumes_as_they_are(plan.problem);
  result_ = spectra_.describe_front(extent(Side::result), PixelType::float32);
  static_cast<void>(spectra_.describe_front(extent(Side::image), PixelType::float32));
  spectra_.describe_correlation();
}

void ResidentConvolution::prepare(cuda::Stream& stream, TaskPool& pool) {
  spectra_.prepare(stream, pool);
}

namespace {

/// Calls `each` for planes that follow each other in the source, at once.
template <class Each>
void for_each_stretch(const Loading& loading, const std::byte* voxels, Each&& each) {
  const auto& planes = loading.input.plane_source;
  const std::int64_t plane_bytes = loading.y.count * loading.x.count * size_of(loading.rows.type);
  const auto count = static_cast<std::int64_t>(planes.size());
  const auto plane = [&](std::int64_t i) { return planes[static_cast<std::size_t>(i)]; };
  for (std::int64_t first = 0, next = 0; first < count; first = next) {
    for (next = first + 1; next < count && plane(next) == plane(next - 1) + 1;) ++next;
    each(voxels + plane(first) * plane_bytes, Interval{first, next - first});
  }
}

}  // namespace

void ResidentConvolution::take_kernel(const cuda::Stream& stream, const std::byte* voxels) {
  for_each_stretch(kernel_, voxels, [&](const std::byte* from, const Interval& planes) {
    spectra_.take_kernel(stream, kernel_, from, planes);
  });
  spectra_.finish_kernel(stream);
}

void ResidentConvolution::read_kernel(const cuda::Stream& stream, MemoryBudget& device_memory,
                                      const RunContext& context) {
  const std::int64_t plane = kernel_.y.count * kernel_.x.count * size_of(kernel_.rows.type);
  const auto count = static_cast<std::int64_t>(kernel_.input.plane_source.size());
  const std::int64_t together = std::clamp<std::int64_t>(kSentAtOnce / plane, 1, count);
  const cuda::DeviceBuffer<std::byte> there{device_, device_memory, together * plane,
                                            "kernel voxels on the GPU"};
  for (std::int64_t first = 0; first < count; first += together)
    read_planes(stream, there, {first, std::min(together, count - first)}, context);
  spectra_.finish_kernel(stream);
  stream.finish();
}

void ResidentConvolution::read_planes(const cuda::Stream& stream,
                                      const cuda::DeviceBuffer<std::byte>& there,
                                      const Interval& planes, const RunContext& context) {
  const auto& from = kernel_.input.plane_source;
  const PixelType type = kernel_.rows.type;
  const std::int64_t plane = kernel_.y.count * kernel_.x.count * size_of(type);
  const HostBuffer<std::byte> here{context.memory, planes.count * plane, "planes of the kernel"};
  for (std::int64_t i = 0; i < planes.count; ++i) {
    context.stop.check();
    const std::int64_t z = from[static_cast<std::size_t>(planes.first + i)];
    const Box3 box = axes_.to_volume(
        Box3{{z, kernel_.y.begin, kernel_.x.begin}, {1, kernel_.y.count, kernel_.x.count}});
    kernel_.input.source->read(box, {here.data() + i * plane, type, box.size});
  }
  cuda::enqueue_copy(stream, there.data(), here.data(), planes.count * plane);
  spectra_.take_kernel(stream, kernel_, there.data(), planes);
}

void ResidentConvolution::load(const cuda::Stream& stream, Side side, const std::byte* voxels) {
  if (side == Side::result)
    return spectra_.take_image(stream, result_, voxels, {0, layout_.z.wanted});
  for_each_stretch(image_, voxels, [&](const std::byte* from, const Interval& planes) {
    spectra_.take_image(stream, image_, from, planes);
  });
}

void ResidentConvolution::load_image(const cuda::Stream& stream, const Interval& planes,
                                     const std::byte* voxels) {
  spectra_.take_image(stream, image_, voxels, planes);
}

void ResidentConvolution::run(const cuda::Stream& stream, const std::byte* image, std::byte* result,
                              unsigned long long* counts) {
  if (!spectra_.convolves_planes()) {
    load(stream, Side::image, image);
    convolve(stream);
    return give(stream, Side::result, result, counts);
  }
  const Extent3 e = extent(Side::result);
  const std::int64_t plane_bytes = e.y * e.x * result_bytes_;
  for_each_stretch(image_, image, [&](const std::byte* from, const Interval& planes) {
    spectra_.convolve_planes(stream, image_, from, planes, e.y, e.x,
                             result + planes.first * plane_bytes, counts);
  });
}

void ResidentConvolution::convolve(const cuda::Stream& stream) {
  spectra_.convolve(stream, turn_);
}

void ResidentConvolution::correlate(const cuda::Stream& stream) {
  spectra_.correlate(stream);
}

void ResidentConvolution::give(const cuda::Stream& stream, Side side, std::byte* voxels,
                               unsigned long long* counts) {
  const Extent3 e = extent(side);
  spectra_.give(stream, {0, e.z}, e.y, e.x, voxels, counts);
}

void ResidentConvolution::change(const cuda::Stream& stream, Side side, const ChangeRows& change) {
  this->change(stream, side, {0, extent(side).z}, change);
}

void ResidentConvolution::change(const cuda::Stream& stream, Side side, const Interval& planes,
                                 const ChangeRows& change) {
  spectra_.change(stream, planes, extent(side).y, change);
}

void ResidentConvolution::make_rows(const cuda::Stream& stream, Side side, const Interval& planes) {
  spectra_.make_rows(stream, planes, extent(side).y);
}

void ResidentConvolution::change_rows(const cuda::Stream& stream, Side side, const Interval& planes,
                                      const ChangeRows& change) {
  spectra_.change_rows(stream, planes, extent(side).y, change);
}

Extent3 ResidentConvolution::extent(Side side) const {
  return extent_of(layout_, side);
}

std::int64_t ResidentConvolution::convolve_bytes() const {
  const std::int64_t planes = layout_.z.loaded + sizes_.transfer_planes + layout_.z.wanted;
  return planes * sizes_.plane_values * kValueBytes;
}

std::int64_t ResidentConvolution::change_bytes(Side side) const {
  const Extent3 e = extent(side);
  const std::int64_t rows = e.z * e.y * sizes_.pitch, planes = e.z * sizes_.plane_values;
  const std::int64_t along_y = is_one_row(sizes_.columns_y) ? 0 : 2 * (planes + rows);
  return (along_y + 2 * rows) * kValueBytes;
}

}  // namespace synthoscope::fftconv::device
