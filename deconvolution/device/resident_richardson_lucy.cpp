// SPDX-License-Identifier: MIT
#include "deconvolution/device/resident_richardson_lucy.hpp"
#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include "core/cuda/memory/buffer.hpp"
#include "core/cuda/memory/memory.hpp"
#include "core/run/host_buffer.hpp"
#include "core/stream/resident_stream.hpp"
#include "deconvolution/device/code/arguments.hpp"
#include "deconvolution/device/code/programs.hpp"
#include "deconvolution/device/packaged_kernels.hpp"
#include "fftconv/device/resident_convolution.hpp"

namespace synthoscope::deconvolution {
namespace {

using device::Count;
using device::ShareAxis;
using fftconv::device::ResidentConvolution;
using fftconv::device::Side;
using fftconv::device::SpectrumRows;

constexpr std::int64_t kFloat = sizeof(float), kDouble = sizeof(double);

/// Bytes of a volume that are read and copied at once, at least one plane.
constexpr std::int64_t kCopiedAtOnce = std::int64_t{64} << 20;

/// Returns the number of classes of shares.
std::int64_t classes_of(const Geometry& geometry) {
  const Extent3 &f = geometry.field, &k = geometry.kernel;
  return ShareClasses{f.z, k.z}.count * ShareClasses{f.y, k.y}.count * ShareClasses{f.x, k.x}.count;
}

/// Copies a float32 volume of the host to the device; waits.
void copy_up(Source& from, float* to, const cuda::Stream& stream, const RunContext& context) {
  const Extent3 e = from.extent();
  const std::int64_t plane_voxels = e.y * e.x;
  const std::int64_t together =
      std::clamp<std::int64_t>(kCopiedAtOnce / (plane_voxels * kFloat), 1, e.z);
  const HostBuffer<float> here{context.memory, together * plane_voxels, "planes for the GPU"};
  for (std::int64_t first = 0; first < e.z; first += together) {
    context.stop.check();
    const std::int64_t count = std::min(together, e.z - first);
    context.pool.for_each(count, [&](std::int64_t i) {
      from.read(plane(e, first + i),
                HostView3<float>{here.data() + i * plane_voxels, {1, e.y, e.x}});
    });
    cuda::enqueue_copy(stream, to + first * plane_voxels, here.data(),
                       count * plane_voxels * kFloat);
  }
  stream.finish();
}

}  // namespace

std::int64_t resident_bytes(const Geometry& geometry, bool has_momentum,
                            const cuda::DeviceInfo& gpu) {
  const fftconv::Plan plan = fftconv::device::resident_plan(blur_problem(geometry), gpu);
  const std::int64_t estimates = has_momentum ? 2 : 1, rows = geometry.field.z * geometry.field.y;
  return fftconv::sum_of(plan.device_memory) +
         kFloat * (estimates * volume(estimate_extent(geometry)) + volume(geometry.field) +
                   classes_of(geometry)) +
         kDouble * (rows + device::kSumPieces);
}

class ResidentRichardsonLucy::Run {
 public:
  Run(const Model& model, Source& image, bool has_momentum, const cuda::DeviceInfo& gpu,
      MemoryBudget& device_memory, const RunContext& context)
      : context_{context},
        stream_{gpu.id},
        plan_{fftconv::device::resident_plan(blur_problem(model.geometry), gpu)},
        field_{model.geometry.field},
        extent_{estimate_extent(model.geometry)},
        background_{static_cast<float>(model.background)},
        image_light_{light_of(image, model.background, context)},
        estimate_{gpu.id, device_memory, volume(extent_), "the estimate on the GPU"},
        last_{gpu.id, device_memory, has_momentum ? volume(extent_) : 0,
              "the last estimate on the GPU"},
        image_{gpu.id, device_memory, volume(field_), "the image on the GPU"},
        inverse_{gpu.id, device_memory, classes_of(model.geometry), "shares on the GPU"},
        of_rows_{gpu.id, device_memory, field_.z * field_.y, "likelihoods of rows"},
        of_pieces_{gpu.id, device_memory, device::kSumPieces, "likelihoods"},
        pieces_{gpu.id, context.memory, device::kSumPieces, "likelihoods from the GPU"},
        summed_{gpu.id},
        estimate_voxels_{view_of(estimate_)},
        convolution_{gpu, device_memory, plan_, {&estimate_voxels_, model.kernel, {}}},
        light_{estimate_.data()},
        before_{has_momentum ? last_.data() : nullptr} {
    convolution_.prepare(stream_, context.pool);
    load_kernels(gpu);
    convolution_.read_kernel(stream_, device_memory, context);
    copy_up(image, image_.data(), stream_, context);
    send_shares(model);
  }
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;
  ~Run() { stream_.drain(); }

  void begin() {
    iterations_ = 0;
    const Extent3 e = convolution_.extent(Side::image);
    const device::EvenLight even{light_, shares_, static_cast<int>(e.y), static_cast<int>(e.x),
                                 even_};
    at(device::kFillEvenlyName).launch(stream_, {{e.z * e.y}, {256}, 0}, even);
    if (before_) cuda::enqueue_copy(stream_, before_, light_, estimate_.bytes());
    load(light_);
  }

  void go_on_after(int iterations, Source& estimate, Source* before) {
    iterations_ = iterations;
    stream_.finish();
    copy_up(estimate, light_, stream_, context_);
    if (before_ && before) {
      // The point beyond takes the place of the estimate before until it is loaded
      copy_up(*before, before_, stream_, context_);
      const device::BeyondLight beyond{light_, before_, static_cast<Count>(volume(extent_)),
                                       momentum(iterations)};
      at(device::kGoBeyondName)
          .launch(stream_, {{(volume(extent_) + 255) / 256}, {256}, 0}, beyond);
      load(before_);
      stream_.finish();
      copy_up(*before, before_, stream_, context_);
    } else {
      if (before_) cuda::enqueue_copy(stream_, before_, light_, estimate_.bytes());
      load(light_);
    }
  }

  double iterate() {
    ++iterations_;
    convolution_.convolve(stream_);
    convolution_.change(stream_, Side::result,
                        [this](const cuda::Stream& stream, const SpectrumRows& rows,
                               std::int64_t first) { make_ratio(stream, rows, first); });
    sum_likelihoods();
    convolution_.correlate(stream_);
    convolution_.change(stream_, Side::image,
                        [this](const cuda::Stream& stream, const SpectrumRows& rows,
                               std::int64_t first) { update(stream, rows, first); });
    if (before_) std::swap(light_, before_);
    summed_.finish();
    return std::accumulate(pieces_.data(), pieces_.data() + pieces_.count(), 0.0);
  }

  [[nodiscard]] int iterations() const { return iterations_; }

  Source& result() { return source_of(light_, result_); }
  Source* before() { return before_ ? &source_of(before_, result_before_) : nullptr; }

  [[nodiscard]] std::int64_t iteration_bytes() const {
    const std::int64_t estimates = before_ ? 3 : 2;
    return 2 * convolution_.convolve_bytes() + convolution_.change_bytes(Side::result) +
           convolution_.change_bytes(Side::image) +
           kFloat * (estimates * volume(extent_) + volume(field_) + inverse_.count()) +
           2 * kDouble * of_rows_.count();
  }

 private:
  cuda::ResidentSource view_of(const cuda::DeviceBuffer<float>& voxels) {
    return {voxels.device(),
            {reinterpret_cast<const std::byte*>(voxels.data()), PixelType::float32, extent_}};
  }

  Source& source_of(const float* voxels, std::optional<cuda::ResidentSource>& source) {
    stream_.finish();
    source.emplace(stream_.device(), ConstVoxelView{reinterpret_cast<const std::byte*>(voxels),
                                                    PixelType::float32, extent_});
    return *source;
  }

  void load_kernels(const cuda::DeviceInfo& gpu) {
    const auto& rows = convolution_.changing_rows();
    ratio_name_ = device::ratio_rows_name(rows);
    update_name_ = device::update_rows_name(rows, before_ != nullptr);
    kernels_ = device::device_library().kernels(gpu, device::kStepsProgram,
                                                {{ratio_name_, rows.shared_bytes},
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

  void load(const float* voxels) {
    convolution_.load(stream_, Side::image, reinterpret_cast<const std::byte*>(voxels));
  }

  /// The weight of the step that led beyond the estimate of an iteration.
  static float momentum(int iteration) { return static_cast<float>(momentum_after(iteration)); }

  [[nodiscard]] cuda::LaunchShape shape_for(const SpectrumRows& rows) const {
    const fftconv::device::BlockShape& s = convolution_.changing_rows();
    const std::int64_t count = std::int64_t{rows.row_count} * rows.planes;
    return {{(count + s.lines - 1) / s.lines}, {s.threads()}, s.shared_bytes};
  }

  void make_ratio(const cuda::Stream& stream, const SpectrumRows& rows, std::int64_t first) const {
    const Extent3 e = convolution_.extent(Side::result);
    device::RatioRows a;
    a.rows = rows;
    a.image = image_.data() + first * e.y * e.x;
    a.likelihoods = of_rows_.data() + first * e.y;
    a.width = static_cast<int>(e.x);
    a.background = background_;
    a.least = static_cast<float>(image_light_.least());
    at(ratio_name_).launch(stream, shape_for(rows), a);
  }

  void update(const cuda::Stream& stream, const SpectrumRows& rows, std::int64_t first) const {
    const Extent3 e = convolution_.extent(Side::image);
    device::UpdateRows a;
    a.rows = rows;
    a.light = light_ + first * e.y * e.x;
    a.before = before_ ? before_ + first * e.y * e.x : nullptr;
    a.shares = shares_;
    a.first_plane = static_cast<int>(first);
    a.width = static_cast<int>(e.x);
    a.momentum = momentum(iterations_ - 1);
    a.next_momentum = momentum(iterations_);
    at(update_name_).launch(stream, shape_for(rows), a);
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
  Extent3 field_, extent_;
  float background_, even_ = 0;
  ImageLight image_light_;
  cuda::DeviceBuffer<float> estimate_, last_, image_, inverse_;
  cuda::DeviceBuffer<double> of_rows_, of_pieces_;
  cuda::PinnedBuffer<double> pieces_;
  cuda::Event summed_;
  cuda::ResidentSource estimate_voxels_;
  ResidentConvolution convolution_;
  float *light_, *before_;  ///< the present estimate and the one before: they take turns
  device::Shares shares_;
  std::string ratio_name_, update_name_;
  std::map<std::string, cuda::GpuKernel> kernels_;
  std::optional<cuda::ResidentSource> result_, result_before_;
  int iterations_ = 0;
};

ResidentRichardsonLucy::ResidentRichardsonLucy(const Model& model, Source& image, bool has_momentum,
                                               const cuda::DeviceInfo& gpu,
                                               MemoryBudget& device_memory,
                                               const RunContext& context)
    : run_{std::make_unique<Run>(model, image, has_momentum, gpu, device_memory, context)} {}

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

std::int64_t ResidentRichardsonLucy::iteration_bytes() const {
  return run_->iteration_bytes();
}

}  // namespace synthoscope::deconvolution
