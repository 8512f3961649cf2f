// SPDX-License-Identifier: MIT
#include "fftconv/kernel/image_convolution.hpp"
#include <fmt/format.h>
#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "core/base/version.hpp"
#include "fftconv/plan/cuts/sums.hpp"

namespace synthoscope::fftconv {
namespace {

/// Of an extent or an index.
template <class Triple>
Json zyx(const Triple& triple) {
  return {triple.z, triple.y, triple.x};
}

}  // namespace

PixelType output_type(const ImageConvolution& asked, PixelType image) {
  if (asked.output_type == OutputType::same) return image;
  if (asked.output_type != OutputType::automatic)
    return *pixel_type_named(name_in(kOutputTypeNames, asked.output_type));
  if (asked.precision == Precision::float64) return PixelType::float64;
  const bool keeps_scale = asked.kernel.normalization == KernelNormalization::sum;
  return is_floating(image) || !keeps_scale ? PixelType::float32 : image;
}

Problem problem_of(const ImageConvolution& asked, const Extent3& image, PixelType type,
                   const ExaminedKernel& kernel, BoxOrder stored) {
  Problem problem;
  problem.image = image;
  problem.kernel = kernel.summary.extent;
  problem.center = kernel.center;
  problem.boundary = asked.boundary;
  problem.shape = asked.shape;
  problem.correlate = asked.kernel.correlate;
  problem.precision = asked.precision;
  problem.remove_mean = nearly_cancels(kernel.summary);
  problem.may_sum = true;
  problem.is_product = kernel.is_product;
  problem.order = stored;
  problem.image_voxel_bytes = size_of(type);
  problem.result_voxel_bytes = size_of(output_type(asked, type));
  problem.source_voxel_bytes = problem.image_voxel_bytes;
  problem.sink_voxel_bytes = problem.result_voxel_bytes;
  return problem;
}

Json json_of(const ImageConvolution& asked, const ExaminedKernel& kernel) {
  return {{"program", "synthoscope"},
          {"version", kVersion},
          {"command", "convolve"},
          {"boundary", name_of(asked.boundary)},
          {"shape", name_of(asked.shape)},
          {"correlate", asked.kernel.correlate},
          {"precision", name_of(asked.precision)},
          {"kernel_center", zyx(kernel.center)},
          {"kernel_background", kernel.kernel.background},
          {"kernel_scale", kernel.kernel.scale},
          {"nan", name_in(kNonFiniteNames, asked.non_finite)}};
}

Json json_of(const ImageConvolution& asked, const ExaminedKernel& kernel, const Plan& plan) {
  Json record = json_of(asked, kernel);
  record["strategy"] = name_of(plan.strategy);
  record["where"] = name_of(plan.where);
  record["transform"] = zyx(plan.transform);
  if (!is_by_sums(plan.strategy)) record["fft"] = version_of(plan.cut.fft);
  return record;
}

void require_finite_result(const ImageConvolution& asked, std::string_view image,
                           std::int64_t non_finite) {
  if (non_finite > 0 && asked.non_finite != NonFinite::propagate)
    throw InvalidInput(
        fmt::format("convolve {}: {} voxels of the result exceed the range of {} precision; {}",
                    image, non_finite, name_of(asked.precision),
                    asked.precision == Precision::float32 ? "use --precision double"
                                                          : "scale the image or kernel"));
}

}  // namespace synthoscope::fftconv
