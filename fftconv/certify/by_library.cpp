// SPDX-License-Identifier: MIT
#include "fftconv/certify/by_library.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <atomic>
#include <cmath>
#include <vector>
#include "core/base/error.hpp"
#include "core/run/host_buffer.hpp"
#include "fftconv/axis.hpp"
#include "fftconv/certify/tolerance.hpp"
#include "fftconv/device/volume_convolution.hpp"
#include "fftconv/fft/fftw_volume.hpp"
#include "fftconv/fft/padded_rows.hpp"
#include "fftconv/plan/cuts/cost.hpp"
#include "fftconv/row_reading.hpp"

namespace synthoscope::fftconv {
namespace {

/// One axis of the definition: result r is the sum over k of line[r + taps - 1 - k] kernel[k],
/// where the line is the image from position `first` on, extended by its boundary.
struct DefinedAxis {
  DefinedAxis(const Problem& p, const VolumeAxis& along)
      : taps{p.kernel.*along.size}, is_flipped{p.correlate} {
    const AxisGeometry axis = axis_geometry(p, along);
    wanted = axis.wanted;
    const std::int64_t first = axis.result_begin + axis.center - (taps - 1);
    for (std::int64_t i = 0; i < wanted + taps - 1; ++i)
      line.push_back(mapped_index(p.boundary, first + i, axis.image));
    length = candidate_lengths(static_cast<std::int64_t>(line.size())).front();
  }
  [[nodiscard]] std::int64_t kernel_index(std::int64_t k) const {
    return is_flipped ? taps - 1 - k : k;
  }

  std::int64_t taps, wanted = 1;
  bool is_flipped;
  std::vector<std::int64_t> line;  ///< image index of every position; kOutside where zero
  std::int64_t length = 1;         ///< of the cyclic transform, which wraps onto no result
};

struct DefinedAxes {
  explicit DefinedAxes(const Problem& p) : z{p, kAlongZ}, y{p, kAlongY}, x{p, kAlongX} {}
  [[nodiscard]] Extent3 transform() const { return {z.length, y.length, x.length}; }
  DefinedAxis z, y, x;
};

/// A volume to transform in place.
class PaddedVolume {
 public:
  PaddedVolume(const Extent3& extent, MemoryBudget& memory)
      : extent_{extent}, data_{memory, padded_volume(extent), "a volume to certify with"} {}

  [[nodiscard]] double* data() const { return data_.data(); }
  [[nodiscard]] double* row(std::int64_t z, std::int64_t y) const {
    return data_.data() + (z * extent_.y + y) * padded_row(extent_.x);
  }
  [[nodiscard]] const Extent3& extent() const { return extent_; }
  void clear_plane(std::int64_t z) const {
    std::fill_n(row(z, 0), extent_.y * padded_row(extent_.x), 0.0);
  }

 private:
  Extent3 extent_;
  HostBuffer<double> data_;
};

/// What `threads` threads read at once (row_reading.hpp).
std::int64_t window_bytes(const Problem& p, int threads) {
  const std::int64_t widest = std::max({p.image.x, p.kernel.x, output_extent(p).x});
  return threads * std::max(kWindowBytes, widest * kMaxVoxelBytes);
}

/// The definition by cyclic convolution of whole volumes.
class WholeConvolution {
 public:
  WholeConvolution(const Recomputer& by, const Problem& problem, const Term& term,
                   const RunContext& context)
      : by_{by},
        term_{term},
        context_{context},
        axes_{problem},
        image_{axes_.transform(), context.memory},
        kernel_{axes_.transform(), context.memory} {}

  /// Computes the result, or with `absolute` the sum of |image| |kernel|.
  void compute(bool absolute) {
    context_.progress.begin("certify", 2);
    fill_image(absolute);
    fill_kernel(absolute);
    context_.progress.advance(1);
    if (by_.fft == FftLibrary::cufft)
      compute_on_gpu();
    else
      fftw::convolve_volumes(image_.extent(), image_.data(), kernel_.data(), context_);
    context_.progress.advance(1);
  }

  /// Result voxels (z, y, 0), (z, y, 1), ...
  [[nodiscard]] const double* row(std::int64_t z, std::int64_t y) const {
    return image_.row(z + axes_.z.taps - 1, y + axes_.y.taps - 1) + axes_.x.taps - 1;
  }
  /// Whether an image or kernel voxel was negative, so that sums differ from absolute sums.
  [[nodiscard]] bool met_negative() const { return met_negative_; }

 private:
  void compute_on_gpu() {
    MemoryBudget device_memory{by_.gpu->memory_bytes, 0, "--gpu-memory"};
    device::convolve_volumes(by_.gpu->device, device_memory, image_.extent(), image_.data(),
                             kernel_.data(), context_);
  }

  double prepared(double value, bool absolute) {
    if (value < 0) met_negative_ = true;
    return absolute ? std::abs(value) : value;
  }

  void fill_image(bool absolute) {
    // Several positions along y may hold the same row of the image
    std::vector<std::vector<std::int64_t>> positions(
        static_cast<std::size_t>(term_.image->extent().y));
    for (std::size_t y = 0; y < axes_.y.line.size(); ++y)
      if (axes_.y.line[y] != kOutside)
        positions[static_cast<std::size_t>(axes_.y.line[y])].push_back(
            static_cast<std::int64_t>(y));
    context_.pool.for_each(image_.extent().z, [&](std::int64_t z) {
      image_.clear_plane(z);
      if (z >= static_cast<std::int64_t>(axes_.z.line.size())) return;
      const std::int64_t from = axes_.z.line[static_cast<std::size_t>(z)];
      if (from == kOutside) return;
      const double weight =
          term_.weight_z.empty() ? 1 : term_.weight_z[static_cast<std::size_t>(from)];
      for_each_row(*term_.image, plane(term_.image->extent(), from), context_.stop,
                   [&](std::int64_t, std::int64_t y, const auto* voxels) {
                     for (const std::int64_t at : positions[static_cast<std::size_t>(y)])
                       fill_row(voxels, weight, absolute, image_.row(z, at));
                   });
    });
  }

  template <class Native>
  void fill_row(const Native* voxels, double weight, bool absolute, double* to) {
    for (std::size_t x = 0; x < axes_.x.line.size(); ++x)
      if (const std::int64_t from = axes_.x.line[x]; from != kOutside)
        to[x] = prepared(weight * static_cast<double>(voxels[from]), absolute);
  }

  void fill_kernel(bool absolute) {
    context_.pool.for_each(kernel_.extent().z, [&](std::int64_t z) { kernel_.clear_plane(z); });
    const Kernel& kernel = term_.kernel;
    for_each_row(
        *kernel.voxels, context_.stop, [&](std::int64_t z, std::int64_t y, const auto* voxels) {
          double* const to = kernel_.row(axes_.z.kernel_index(z), axes_.y.kernel_index(y));
          for (std::int64_t x = 0; x < axes_.x.taps; ++x)
            to[axes_.x.kernel_index(x)] = prepared(
                kernel.scale * (static_cast<double>(voxels[x]) - kernel.background), absolute);
        });
  }

  const Recomputer& by_;
  const Term& term_;
  const RunContext& context_;
  DefinedAxes axes_;
  PaddedVolume image_, kernel_;
  std::atomic<bool> met_negative_ = false;
};

/// The largest difference of a plane.
struct Difference {
  double error = -1;
  Index3 at;
  double stored = 0, recomputed = 0;
};

/// Compares plane by plane.
Difference largest_difference(const WholeConvolution& whole, Source& result,
                              const RunContext& context) {
  const Extent3 e = result.extent();
  std::vector<Difference> planes(static_cast<std::size_t>(e.z));
  context.pool.for_each(e.z, [&](std::int64_t index) {
    Difference& worst = planes[static_cast<std::size_t>(index)];
    for_each_row(result, plane(e, index), context.stop,
                 [&](std::int64_t z, std::int64_t y, const auto* stored) {
                   const double* const recomputed = whole.row(z, y);
                   for (std::int64_t x = 0; x < e.x; ++x) {
                     const auto value = static_cast<double>(stored[x]);
                     double error =
                         std::abs(value - clipped_to(result.pixel_type(), recomputed[x]));
                     if (std::isnan(error)) error = INFINITY;  // never a small difference
                     if (error > worst.error) worst = {error, {z, y, x}, value, recomputed[x]};
                   }
                 });
  });
  return *std::max_element(planes.begin(), planes.end(),
                           [](const auto& a, const auto& b) { return a.error < b.error; });
}

double largest_of(const WholeConvolution& whole, const Extent3& e, TaskPool& pool) {
  std::vector<double> planes(static_cast<std::size_t>(e.z));
  pool.for_each(e.z, [&](std::int64_t z) {
    double& largest = planes[static_cast<std::size_t>(z)];
    for (std::int64_t y = 0; y < e.y; ++y)
      largest = std::max(largest, *std::max_element(whole.row(z, y), whole.row(z, y) + e.x));
  });
  return *std::max_element(planes.begin(), planes.end());
}

}  // namespace

std::int64_t certify_by_library_bytes(const Problem& problem, int threads) {
  return 2 * padded_volume(DefinedAxes{problem}.transform()) * std::int64_t{sizeof(double)} +
         window_bytes(problem, threads);
}

void require_memory(const CertifyingGpu& gpu, const Problem& problem) {
  const std::int64_t bytes =
      device::volume_convolution_bytes(gpu.device, DefinedAxes{problem}.transform());
  if (bytes > gpu.memory_bytes)
    throw OutOfDeviceMemory(fmt::format(
        "certify by cuFFT: it needs {} of the GPU's memory, its budget is {}; give --gpu-memory {} "
        "or more, or --certify-by fftw or --certify N",
        print_bytes(bytes), print_bytes(gpu.memory_bytes), size_of_at_least(bytes)));
}

Certificate certify_by_library(const Recomputer& by, const Problem& problem, const Term& term,
                               Source& result, const RunContext& context) {
  require_here(by.fft, "certify by another library", "--certify N");
  const Extent3 e = result.extent();
  if (!(e == output_extent(problem)))
    throw InvalidSpec(
        fmt::format("certify a result of {}: give the result of this request, which has {}", e,
                    output_extent(problem)));
  const Reservation windows =
      context.memory.reserve(window_bytes(problem, context.pool.threads()), "certifying");
  WholeConvolution whole{by, problem, term, context};
  whole.compute(/*absolute=*/false);
  const Difference worst = largest_difference(whole, result, context);
  if (whole.met_negative()) whole.compute(/*absolute=*/true);

  Certificate certificate;
  certificate.by = version_of(by.fft);
  certificate.voxels = volume(e);
  certificate.largest_error = worst.error;
  certificate.worst = worst.at;
  certificate.stored = worst.stored;
  certificate.recomputed = worst.recomputed;
  certificate.peak = largest_of(whole, e, context.pool);
  certificate.tolerance =
      certified_tolerance(Certified::all, problem.precision, result.pixel_type(), certificate.peak);
  return certificate;
}

}  // namespace synthoscope::fftconv
