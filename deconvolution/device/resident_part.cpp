// SPDX-License-Identifier: MIT
#include "deconvolution/device/resident_part.hpp"
#include <algorithm>
#include <array>
#include <numeric>
#include <span>
#include <utility>
#include "core/run/host_buffer.hpp"
#include "deconvolution/device/code/programs.hpp"
#include "deconvolution/device/packaged_kernels.hpp"

namespace synthoscope::deconvolution::device {
namespace {

using fftconv::device::Side;

constexpr std::int64_t kVoxelBytes = sizeof(float), kSumBytes = sizeof(double);

/// Returns whether planes of the plan are planes of the volumes.
fftconv::WorkAxes axes_of(const Geometry& geometry) {
  fftconv::Plan plan;
  plan.problem = blur_problem(geometry);
  plan.work = work_problem(plan.problem);
  return fftconv::WorkAxes{plan};
}

bool is_staged(const HostVolumes& host, const Source& image) {
  return (host.which.image && !pinned_voxels(image)) ||
         (host.which.estimates && !pinned_voxels(*host.estimate)) ||
         (host.last && !pinned_voxels(*host.last));
}

SlotSize slots_for(const WholeField& whole, const Source& image, const HostVolumes& host) {
  SlotSize size = slot_size(whole.model.geometry, whole.has_momentum, host.which);
  size.is_staged = is_staged(host, image);
  return size;
}

/// A volume of the host, or else one in the GPU's memory.
WorkedVolume make_volume(ScratchVolume* host, const cuda::DeviceInfo& gpu, MemoryBudget& memory,
                         const Extent3& extent, std::string_view what) {
  if (host) return WorkedVolume{*host, host};
  return WorkedVolume{gpu.id, memory, extent, what};
}

float momentum(int iteration) {
  return static_cast<float>(momentum_after(iteration));
}

}  // namespace

std::int64_t classes_of(const Geometry& geometry) {
  const Extent3 &f = geometry.field, &k = geometry.kernel;
  return ShareClasses{f.z, k.z}.count * ShareClasses{f.y, k.y}.count * ShareClasses{f.x, k.x}.count;
}

SlotSize slot_size(const Geometry& geometry, bool has_momentum, const VolumesOnHost& on_host) {
  const fftconv::WorkAxes axes = axes_of(geometry);
  SlotSize size{.planes_bytes = on_host.planes_bytes};
  if (on_host.image) size.hold(axes.to_volume(geometry.field), 1);
  if (on_host.estimates) size.hold(axes.to_volume(estimate_extent(geometry)), has_momentum ? 2 : 1);
  return size;
}

ResidentPart::ResidentPart(const WholeField& whole, const SeenShare& share, const FieldPart& part,
                           Source& image, const fftconv::Plan& plan, const cuda::DeviceInfo& gpu,
                           std::int64_t device_bytes, const RunContext& context,
                           const HostVolumes& host)
    : whole_{whole},
      part_{part},
      context_{context},
      device_memory_{device_bytes, 0, "--gpu-memory"},
      stream_{gpu.id},
      axes_{plan},
      estimate_{make_volume(host.estimate, gpu, device_memory_, part.estimate.size,
                            "the estimate on the GPU")},
      image_{host.which.image
                 ? WorkedVolume{image, nullptr}
                 : WorkedVolume{gpu.id, device_memory_, part.field.size, "the image on the GPU"}},
      inverse_{gpu.id, device_memory_, classes_of(whole.model.geometry), "shares on the GPU"},
      of_rows_{gpu.id, device_memory_, part.field.size.z * part.field.size.y,
               "likelihoods of rows"},
      of_pieces_{gpu.id, device_memory_, kSumPieces, "likelihoods"},
      pieces_{gpu.id, context.memory, kSumPieces, "likelihoods from the GPU"},
      summed_{gpu.id},
      convolution_{gpu, device_memory_, plan, {&estimate_.source(), whole.model.kernel, {}}},
      passes_{gpu.id, axes_, slots_for(whole, image, host), device_memory_, context},
      neighbours_{part_, gpu.id, convolution_} {
  if (whole.has_momentum)
    last_ = make_volume(host.last, gpu, device_memory_, part.estimate.size,
                        "the last estimate on the GPU");
  begin_at(0);
  convolution_.prepare(stream_, context.pool);
  load_kernels(gpu);
  convolution_.read_kernel(stream_, device_memory_, context);
  if (image_.on_device()) image_.fill(image, stream_, context);
  send_shares(share);
}

void ResidentPart::meet(std::span<const std::unique_ptr<ResidentPart>> all) {
  for (const auto& other : all) neighbours_.meet(other->neighbours_, axes_, device_memory_);
}

void ResidentPart::begin() {
  begin_at(0);
  pass_estimates({.is_read = false, .is_written = true},
                 [this](const Interval& planes, std::span<float* const> estimates) {
                   for (float* const estimate : estimates) fill_evenly(planes, estimate);
                   load(planes, estimates[0]);
                 });
}

void ResidentPart::go_on_after(int iterations, Source& estimate, Source* before) {
  wait();
  begin_at(iterations);
  light_->fill(estimate, stream_, context_);
  if (before_) before_->fill(before ? *before : estimate, stream_, context_);
  pass_estimates({}, [&](const Interval& planes, std::span<float* const> estimates) {
    if (before_ && before) go_beyond(planes, estimates[0], estimates[1]);
    load(planes, estimates[before_ && before ? 1 : 0]);
  });
  wait();
  // In the GPU's memory, the point beyond has taken the place of the estimate before
  if (before_ && before && before_->on_device()) before_->fill(*before, stream_, context_);
}

void ResidentPart::begin_iteration() {
  ++iterations_;
  convolution_.convolve(stream_);
  const std::array<Passing, 1> image{{{&image_}}};
  passes_.run(stream_, image, convolution_.extent(Side::result),
              [this](const Interval& planes, std::span<float* const> voxels) {
                convolution_.change(stream_, Side::result, planes,
                                    [&](const cuda::Stream&, const SpectrumRows& rows,
                                        std::int64_t) { find_residual(rows, planes, voxels[0]); });
              });
  sum_likelihoods();
  convolution_.correlate(stream_);
  if (neighbours_.none()) return;
  neighbours_.send(stream_, [this](const Interval& planes) {
    convolution_.make_rows(stream_, Side::image, planes);
  });
}

void ResidentPart::end_iteration() {
  pass_estimates({.is_written = true},
                 [this](const Interval& planes, std::span<float* const> estimates) {
                   if (neighbours_.none()) {
                     convolution_.make_rows(stream_, Side::image, planes);
                     return update_planes(planes, estimates);
                   }
                   // All volumes lie on the GPU, so that these are all planes
                   const Extent3 e = convolution_.extent(Side::image);
                   neighbours_.receive(stream_, at(kAddRowsName), [&](const Interval& some) {
                     std::vector<float*> there{estimates.begin(), estimates.end()};
                     for (float*& voxels : there) voxels += some.first * e.y * e.x;
                     update_planes(some, there);
                   });
                 });
  if (before_) std::swap(light_, before_);
}

/// Makes the next estimate of planes whose rows of H^T d were made. Its voxels begin at
/// `estimates`.
void ResidentPart::update_planes(const Interval& planes, std::span<float* const> estimates) {
  convolution_.change_rows(stream_, Side::image, planes,
                           [&](const cuda::Stream&, const SpectrumRows& rows, std::int64_t) {
                             update(rows, planes, estimates);
                           });
}

double ResidentPart::likelihood() {
  summed_.finish();
  return std::accumulate(pieces_.data(), pieces_.data() + pieces_.count(), 0.0);
}

void ResidentPart::wait() const {
  stream_.finish();
  passes_.finish();
}

void ResidentPart::drain() const noexcept {
  stream_.drain();
  neighbours_.drain();
  passes_.drain();
}

std::int64_t ResidentPart::iteration_bytes() const {
  const std::int64_t estimates = before_ ? 3 : 2;
  return 2 * convolution_.convolve_bytes() + convolution_.change_bytes(Side::result) +
         convolution_.change_bytes(Side::image) +
         kVoxelBytes * (estimates * volume(convolution_.extent(Side::image)) +
                        volume(convolution_.extent(Side::result)) + inverse_.count()) +
         2 * kSumBytes * of_rows_.count();
}

void ResidentPart::begin_at(int iterations) {
  iterations_ = iterations;
  light_ = &estimate_;
  before_ = whole_.has_momentum ? &last_ : nullptr;
}

/// Passes the estimate and, with momentum, the one before. What replaces the last one of these is
/// written; where none is read, all are.
void ResidentPart::pass_estimates(const Passing& how, const PlanePasses::Work& work) {
  const bool is_light_written = how.is_written && (!how.is_read || !before_);
  std::vector<Passing> volumes{{light_, how.is_read, is_light_written}};
  if (before_) volumes.push_back({before_, how.is_read, how.is_written});
  passes_.run(stream_, volumes, convolution_.extent(Side::image), work);
}

void ResidentPart::load(const Interval& planes, const float* voxels) {
  convolution_.load_image(stream_, planes, reinterpret_cast<const std::byte*>(voxels));
}

void ResidentPart::fill_evenly(const Interval& planes, float* light) const {
  const Extent3 e = convolution_.extent(Side::image);
  const EvenLight even{light,
                       shares_,
                       static_cast<int>(planes.first),
                       static_cast<int>(e.y),
                       static_cast<int>(e.x),
                       whole_.even};
  at(kFillEvenlyName).launch(stream_, {{planes.count * e.y}, {256}, 0}, even);
}

/// Puts the point beyond an estimate in the place of the one before.
void ResidentPart::go_beyond(const Interval& planes, const float* light, float* before) const {
  const Extent3 e = convolution_.extent(Side::image);
  const Count count = planes.count * e.y * e.x;
  const BeyondLight beyond{light, before, count, momentum(iterations_), least_beyond()};
  at(kGoBeyondName).launch(stream_, {{(count + 255) / 256}, {256}, 0}, beyond);
}

void ResidentPart::load_kernels(const cuda::DeviceInfo& gpu) {
  const auto& rows = convolution_.changing_rows();
  residual_name_ = residual_rows_name(rows);
  update_name_ = update_rows_name(rows, whole_.has_momentum);
  std::vector<cuda::WantedKernel> wanted{{residual_name_, rows.shared_bytes},
                                         {update_name_, rows.shared_bytes}};
  for (const char* const name : kPlainKernelNames) wanted.push_back({name, 0});
  kernels_ = device_library().kernels(gpu, kStepsProgram, wanted, context_.pool);
}

/// Sends 1 / (H^T 1) of all classes; rows of a flat image play planes.
void ResidentPart::send_shares(const SeenShare& share) {
  const auto along = [&](const fftconv::VolumeAxis& axis) { return share.classes(axis); };
  const ShareClasses z = along(fftconv::kAlongZ), y = along(fftconv::kAlongY),
                     x = along(fftconv::kAlongX);
  const HostBuffer<float> here{context_.memory, inverse_.count(), "shares for the GPU"};
  context_.pool.for_each(z.count * y.count, [&](std::int64_t row) {
    const std::span<float> shares{here.data() + row * x.count, static_cast<std::size_t>(x.count)};
    share.fill_classes(row / y.count, row % y.count, shares);
    for (float& one : shares) one = one > 0 ? 1 / one : 0;
  });
  cuda::enqueue_copy(stream_, inverse_.data(), here.data(), inverse_.bytes());
  stream_.finish();
  const auto axis_of = [](const ShareClasses& classes) {
    return ShareAxis{static_cast<int>(classes.front), static_cast<int>(classes.back)};
  };
  const bool flat = axes_.rows_as_planes();
  const Index3 first = axes_.to_volume(part_.estimate).origin;
  shares_ = {inverse_.data(),
             axis_of(flat ? y : z),
             axis_of(flat ? z : y),
             axis_of(x),
             static_cast<int>(flat ? z.count : y.count),
             static_cast<int>(x.count),
             static_cast<int>(first.z),
             static_cast<int>(first.y)};
}

cuda::LaunchShape ResidentPart::shape_for(const SpectrumRows& rows) const {
  const fftconv::device::BlockShape& s = convolution_.changing_rows();
  const std::int64_t count = std::int64_t{rows.row_count} * rows.planes;
  return {{(count + s.lines - 1) / s.lines}, {s.threads()}, s.shared_bytes};
}

void ResidentPart::find_residual(const SpectrumRows& rows, const Interval& planes,
                                 const float* image) const {
  const Extent3 e = convolution_.extent(Side::result);
  ResidualRows a;
  a.rows = rows;
  a.image = image;
  a.likelihoods = of_rows_.data() + planes.first * e.y;
  a.width = static_cast<int>(e.x);
  a.background = static_cast<float>(whole_.model.background);
  a.least = static_cast<float>(whole_.light.least());
  at(residual_name_).launch(stream_, shape_for(rows), a);
}

void ResidentPart::update(const SpectrumRows& rows, const Interval& planes,
                          std::span<float* const> estimates) const {
  UpdateRows a;
  a.rows = rows;
  a.light = estimates[0];
  a.before = before_ ? estimates[1] : nullptr;
  a.shares = shares_;
  a.first_plane = static_cast<int>(planes.first);
  a.width = static_cast<int>(convolution_.extent(Side::image).x);
  a.momentum = momentum(iterations_ - 1);
  a.next_momentum = momentum(iterations_);
  a.least = least_beyond();
  at(update_name_).launch(stream_, shape_for(rows), a);
}

/// The copy is on its way while the estimate is updated.
void ResidentPart::sum_likelihoods() {
  const SumOfRows sums{of_rows_.data(), of_pieces_.data(), static_cast<Count>(of_rows_.count())};
  at(kSumRowsName).launch(stream_, {{kSumPieces}, {kSumThreads}, 0}, sums);
  cuda::enqueue_copy(stream_, pieces_.data(), of_pieces_.data(), of_pieces_.bytes());
  summed_.record(stream_);
}

}  // namespace synthoscope::deconvolution::device
