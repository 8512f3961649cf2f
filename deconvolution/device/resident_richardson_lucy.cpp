// SPDX-License-Identifier: MIT
#include "deconvolution/device/resident_richardson_lucy.hpp"
#include <array>
#include <map>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include "core/cuda/memory/buffer.hpp"
#include "core/run/host_buffer.hpp"
#include "deconvolution/device/code/arguments.hpp"
#include "deconvolution/device/code/programs.hpp"
#include "deconvolution/device/packaged_kernels.hpp"
#include "deconvolution/device/plane_passes.hpp"
#include "fftconv/device/resident_convolution.hpp"

namespace synthoscope::deconvolution {
namespace {

using device::Count;
using device::Passing;
using device::pinned_voxels;
using device::PlanePasses;
using device::ShareAxis;
using device::SlotSize;
using device::WorkedVolume;
using fftconv::device::ResidentConvolution;
using fftconv::device::Side;
using fftconv::device::SpectrumRows;

constexpr std::int64_t kFloat = sizeof(float), kDouble = sizeof(double);

/// Returns the number of classes of shares.
std::int64_t classes_of(const Geometry& geometry) {
  const Extent3 &f = geometry.field, &k = geometry.kernel;
  return ShareClasses{f.z, k.z}.count * ShareClasses{f.y, k.y}.count * ShareClasses{f.x, k.x}.count;
}

/// Returns whether planes of the plan are planes of the volumes.
fftconv::WorkAxes axes_of(const Geometry& geometry) {
  fftconv::Plan plan;
  plan.problem = blur_problem(geometry);
  plan.work = work_problem(plan.problem);
  return fftconv::WorkAxes{plan};
}

SlotSize slot_size(const Geometry& geometry, bool has_momentum, const VolumesOnHost& on_host) {
  const fftconv::WorkAxes axes = axes_of(geometry);
  SlotSize size{.planes_bytes = on_host.planes_bytes};
  if (on_host.image) size.hold(axes.to_volume(geometry.field), 1);
  if (on_host.estimates) size.hold(axes.to_volume(estimate_extent(geometry)), has_momentum ? 2 : 1);
  return size;
}

/// A volume of the host, or else one in the GPU's memory.
WorkedVolume make_volume(ScratchVolume* host, const cuda::DeviceInfo& gpu, MemoryBudget& memory,
                         const Extent3& extent, std::string_view what) {
  if (host) return WorkedVolume{*host, host};
  return WorkedVolume{gpu.id, memory, extent, what};
}

bool is_staged(const HostVolumes& host, const Source& image) {
  return (host.which.image && !pinned_voxels(image)) ||
         (host.which.estimates && !pinned_voxels(*host.estimate)) ||
         (host.last && !pinned_voxels(*host.last));
}

}  // namespace

LinkBytes link_bytes(const Geometry& geometry, bool has_momentum, const VolumesOnHost& on_host) {
  const std::int64_t image = on_host.image ? kFloat * volume(geometry.field) : 0,
                     estimate = on_host.estimates ? kFloat * volume(estimate_extent(geometry)) : 0;
  return {image + (has_momentum ? 2 : 1) * estimate, estimate};
}

std::int64_t staged_bytes(const Geometry& geometry, bool has_momentum,
                          const VolumesOnHost& on_host) {
  return PlanePasses::kSlots * kFloat * slot_size(geometry, has_momentum, on_host).voxels;
}

std::int64_t resident_bytes(const Geometry& geometry, bool has_momentum,
                            const cuda::DeviceInfo& gpu, const VolumesOnHost& on_host) {
  const fftconv::Plan plan = fftconv::device::resident_plan(blur_problem(geometry), gpu);
  const std::int64_t estimates = on_host.estimates ? 0
                                 : has_momentum    ? 2
                                                   : 1,
                     images = on_host.image ? 0 : 1, rows = geometry.field.z * geometry.field.y;
  return fftconv::sum_of(plan.device_memory) +
         kFloat * (estimates * volume(estimate_extent(geometry)) + images * volume(geometry.field) +
                   classes_of(geometry)) +
         staged_bytes(geometry, has_momentum, on_host) + kDouble * (rows + device::kSumPieces);
}

class ResidentRichardsonLucy::Run {
 public:
  Run(const Model& model, Source& image, bool has_momentum, const cuda::DeviceInfo& gpu,
      MemoryBudget& device_memory, const RunContext& context, const HostVolumes& host)
      : context_{context},
        stream_{gpu.id},
        plan_{fftconv::device::resident_plan(blur_problem(model.geometry), gpu)},
        has_momentum_{has_momentum},
        background_{static_cast<float>(model.background)},
        image_light_{light_of(image, model.background, context)},
        estimate_{make_volume(host.estimate, gpu, device_memory, estimate_extent(model.geometry),
                              "the estimate on the GPU")},
        image_{host.which.image ? WorkedVolume{image, nullptr}
                                : WorkedVolume{gpu.id, device_memory, model.geometry.field,
                                               "the image on the GPU"}},
        inverse_{gpu.id, device_memory, classes_of(model.geometry), "shares on the GPU"},
        of_rows_{gpu.id, device_memory, model.geometry.field.z * model.geometry.field.y,
                 "likelihoods of rows"},
        of_pieces_{gpu.id, device_memory, device::kSumPieces, "likelihoods"},
        pieces_{gpu.id, context.memory, device::kSumPieces, "likelihoods from the GPU"},
        summed_{gpu.id},
        convolution_{gpu, device_memory, plan_, {&estimate_.source(), model.kernel, {}}},
        passes_{gpu.id, fftconv::WorkAxes{plan_}, slots_for(model.geometry, image, host),
                device_memory, context} {
    if (has_momentum)
      last_ = make_volume(host.last, gpu, device_memory, estimate_extent(model.geometry),
                          "the last estimate on the GPU");
    begin_at(0);
    convolution_.prepare(stream_, context.pool);
    load_kernels(gpu);
    convolution_.read_kernel(stream_, device_memory, context);
    if (image_.on_device()) image_.fill(image, stream_, context);
    send_shares(model);
  }
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;
  ~Run() {
    stream_.drain();
    passes_.drain();
  }

  void begin() {
    begin_at(0);
    pass_estimates({.is_read = false, .is_written = true},
                   [this](const Interval& planes, std::span<float* const> estimates) {
                     for (float* const estimate : estimates) fill_evenly(planes, estimate);
                     load(planes, estimates[0]);
                   });
  }

  void go_on_after(int iterations, Source& estimate, Source* before) {
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

  double iterate() {
    ++iterations_;
    convolution_.convolve(stream_);
    const std::array<Passing, 1> image{{{&image_}}};
    passes_.run(stream_, image, convolution_.extent(Side::result),
                [this](const Interval& planes, std::span<float* const> voxels) {
                  change(Side::result, planes,
                         [&](const SpectrumRows& rows) { find_residual(rows, planes, voxels[0]); });
                });
    sum_likelihoods();
    convolution_.correlate(stream_);
    pass_estimates({.is_written = true},
                   [this](const Interval& planes, std::span<float* const> estimates) {
                     change(Side::image, planes,
                            [&](const SpectrumRows& rows) { update(rows, planes, estimates); });
                   });
    if (before_) std::swap(light_, before_);
    summed_.finish();
    return std::accumulate(pieces_.data(), pieces_.data() + pieces_.count(), 0.0);
  }

  [[nodiscard]] int iterations() const { return iterations_; }

  Source& result() {
    wait();
    return light_->source();
  }
  Source* before() {
    wait();
    return before_ ? &before_->source() : nullptr;
  }
  [[nodiscard]] LinkBytes copied() const { return passes_.copied(); }

  [[nodiscard]] std::int64_t iteration_bytes() const {
    const std::int64_t estimates = before_ ? 3 : 2;
    return 2 * convolution_.convolve_bytes() + convolution_.change_bytes(Side::result) +
           convolution_.change_bytes(Side::image) +
           kFloat * (estimates * volume(convolution_.extent(Side::image)) +
                     volume(convolution_.extent(Side::result)) + inverse_.count()) +
           2 * kDouble * of_rows_.count();
  }

 private:
  [[nodiscard]] SlotSize slots_for(const Geometry& geometry, const Source& image,
                                   const HostVolumes& host) const {
    SlotSize size = slot_size(geometry, has_momentum_, host.which);
    size.is_staged = is_staged(host, image);
    return size;
  }

  void wait() const {
    stream_.finish();
    passes_.finish();
  }

  void begin_at(int iterations) {
    iterations_ = iterations;
    light_ = &estimate_;
    before_ = has_momentum_ ? &last_ : nullptr;
  }

  /// Passes the estimate and, with momentum, the one before. What replaces the last one of these is
  /// written; where none is read, all are.
  void pass_estimates(const Passing& how, const PlanePasses::Work& work) {
    const bool is_light_written = how.is_written && (!how.is_read || !before_);
    std::vector<Passing> volumes{{light_, how.is_read, is_light_written}};
    if (before_) volumes.push_back({before_, how.is_read, how.is_written});
    passes_.run(stream_, volumes, convolution_.extent(Side::image), work);
  }

  void change(Side side, const Interval& planes,
              const std::function<void(const SpectrumRows&)>& work) {
    convolution_.change(
        stream_, side, planes,
        [&](const cuda::Stream&, const SpectrumRows& rows, std::int64_t) { work(rows); });
  }

  void load(const Interval& planes, const float* voxels) {
    convolution_.load_image(stream_, planes, reinterpret_cast<const std::byte*>(voxels));
  }

  void fill_evenly(const Interval& planes, float* light) const {
    const Extent3 e = convolution_.extent(Side::image);
    const device::EvenLight even{light,
                                 shares_,
                                 static_cast<int>(planes.first),
                                 static_cast<int>(e.y),
                                 static_cast<int>(e.x),
                                 even_};
    at(device::kFillEvenlyName).launch(stream_, {{planes.count * e.y}, {256}, 0}, even);
  }

  /// Puts the point beyond an estimate in the place of the one before.
  void go_beyond(const Interval& planes, const float* light, float* before) const {
    const Extent3 e = convolution_.extent(Side::image);
    const Count count = planes.count * e.y * e.x;
    const device::BeyondLight beyond{light, before, count, momentum(iterations_), least_beyond()};
    at(device::kGoBeyondName).launch(stream_, {{(count + 255) / 256}, {256}, 0}, beyond);
  }

  void load_kernels(const cuda::DeviceInfo& gpu) {
    const auto& rows = convolution_.changing_rows();
    residual_name_ = device::residual_rows_name(rows);
    update_name_ = device::update_rows_name(rows, has_momentum_);
    kernels_ = device::device_library().kernels(gpu, device::kStepsProgram,
                                                {{residual_name_, rows.shared_bytes},
                                                 {update_name_, rows.shared_bytes},
                                                 {device::kFillEvenlyName, 0},
                                                 {device::kGoBeyondName, 0},
                                                 {device::kSumRowsName, 0}},
                                                context_.pool);
  }

  [[nodiscard]] const cuda::GpuKernel& at(const std::string& name) const {
    return kernels_.at(name);
  }

  /// Sends 1 / (H^T 1) of all classes; rows of a flat image play planes.
  void send_shares(const Model& model) {
    const SeenShare share{model.geometry, model.kernel, context_};
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
    const bool flat = !(plan_.work == plan_.problem);
    shares_ = {inverse_.data(),
               axis_of(flat ? y : z),
               axis_of(flat ? z : y),
               axis_of(x),
               static_cast<int>(flat ? z.count : y.count),
               static_cast<int>(x.count)};
    even_ = even_light(image_light_, share, context_);
  }

  /// The weight of the step that led beyond the estimate of an iteration.
  [[nodiscard]] float least_beyond() const { return kLeastBeyond * even_; }

  static float momentum(int iteration) { return static_cast<float>(momentum_after(iteration)); }

  [[nodiscard]] cuda::LaunchShape shape_for(const SpectrumRows& rows) const {
    const fftconv::device::BlockShape& s = convolution_.changing_rows();
    const std::int64_t count = std::int64_t{rows.row_count} * rows.planes;
    return {{(count + s.lines - 1) / s.lines}, {s.threads()}, s.shared_bytes};
  }

  void find_residual(const SpectrumRows& rows, const Interval& planes, const float* image) const {
    const Extent3 e = convolution_.extent(Side::result);
    device::ResidualRows a;
    a.rows = rows;
    a.image = image;
    a.likelihoods = of_rows_.data() + planes.first * e.y;
    a.width = static_cast<int>(e.x);
    a.background = background_;
    a.least = static_cast<float>(image_light_.least());
    at(residual_name_).launch(stream_, shape_for(rows), a);
  }

  void update(const SpectrumRows& rows, const Interval& planes,
              std::span<float* const> estimates) const {
    device::UpdateRows a;
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
  void sum_likelihoods() {
    const device::SumOfRows sums{of_rows_.data(), of_pieces_.data(),
                                 static_cast<Count>(of_rows_.count())};
    at(device::kSumRowsName)
        .launch(stream_, {{device::kSumPieces}, {device::kSumThreads}, 0}, sums);
    cuda::enqueue_copy(stream_, pieces_.data(), of_pieces_.data(), of_pieces_.bytes());
    summed_.record(stream_);
  }

  const RunContext& context_;
  cuda::Stream stream_;
  fftconv::Plan plan_;
  bool has_momentum_;
  float background_, even_ = 0;
  ImageLight image_light_;
  WorkedVolume estimate_, last_, image_;
  cuda::DeviceBuffer<float> inverse_;
  cuda::DeviceBuffer<double> of_rows_, of_pieces_;
  cuda::PinnedBuffer<double> pieces_;
  cuda::Event summed_;
  ResidentConvolution convolution_;
  PlanePasses passes_;
  WorkedVolume *light_ = nullptr,
               *before_ = nullptr;  ///< the present estimate and the one before: they take turns
  device::Shares shares_;
  std::string residual_name_, update_name_;
  std::map<std::string, cuda::GpuKernel> kernels_;
  int iterations_ = 0;
};

ResidentRichardsonLucy::ResidentRichardsonLucy(const Model& model, Source& image, bool has_momentum,
                                               const cuda::DeviceInfo& gpu,
                                               MemoryBudget& device_memory,
                                               const RunContext& context, const HostVolumes& host)
    : run_{std::make_unique<Run>(model, image, has_momentum, gpu, device_memory, context, host)} {}

ResidentRichardsonLucy::~ResidentRichardsonLucy() = default;

void ResidentRichardsonLucy::begin() {
  run_->begin();
}

void ResidentRichardsonLucy::go_on_after(int iterations, Source& estimate, Source* before) {
  run_->go_on_after(iterations, estimate, before);
}

double ResidentRichardsonLucy::iterate() {
  return run_->iterate();
}

int ResidentRichardsonLucy::iterations() const {
  return run_->iterations();
}

Source& ResidentRichardsonLucy::result() {
  return run_->result();
}

Source* ResidentRichardsonLucy::before() {
  return run_->before();
}

LinkBytes ResidentRichardsonLucy::copied() const {
  return run_->copied();
}

std::int64_t ResidentRichardsonLucy::iteration_bytes() const {
  return run_->iteration_bytes();
}

}  // namespace synthoscope::deconvolution
