// SPDX-License-Identifier: MIT
#include "python/arrays/convolution_request.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>
#include "core/base/error.hpp"
#include "fftconv/plan/cuts/sums.hpp"

namespace synthoscope::python {

Method method_of(const std::string& name) {
  if (name == "direct") return Method::direct;
  if (name == "fft") return Method::fft;
  if (name == "auto") return Method::automatic;
  throw InvalidSpec(fmt::format("convolve: the method is '{}'; use auto, direct or fft", name));
}

fftconv::Shape shape_of(const std::string& name) {
  if (const auto shape = fftconv::shape_named(name)) return *shape;
  throw InvalidSpec(fmt::format("convolve: the shape is '{}'; use full, same or valid", name));
}

fftconv::Problem problem_of(const ConstVoxelView& image, const ConstVoxelView& kernel,
                            PixelType result, fftconv::Shape shape) {
  fftconv::Problem problem;
  problem.image = image.extent();
  problem.kernel = kernel.extent();
  problem.center = {(problem.kernel.z - 1) / 2, (problem.kernel.y - 1) / 2,
                    (problem.kernel.x - 1) / 2};
  problem.shape = shape;
  problem.precision =
      result == PixelType::float64 ? fftconv::Precision::float64 : fftconv::Precision::float32;
  problem.image_voxel_bytes = 0, problem.result_voxel_bytes = 0;  // no disk has a part in it
  problem.source_voxel_bytes = size_of(image.type());
  problem.kernel_voxel_bytes = size_of(kernel.type());
  problem.sink_voxel_bytes = size_of(result);
  return problem;
}

fftconv::Strategy examine_kernel_for(Source& kernel, Method method, fftconv::Problem& problem) {
  problem.may_sum = problem.is_product = false;
  if (method == Method::fft || volume(kernel.extent()) > fftconv::kMaxSummed)
    return fftconv::Strategy::automatic;
  std::vector<double> weights = fftconv::weights_of({&kernel, 0, 1}, StopFlag{});
  problem.may_sum = std::ranges::all_of(weights, [](double w) { return std::isfinite(w); });
  problem.is_product = problem.may_sum && fftconv::is_product(kernel.extent(), std::move(weights));
  return method == Method::direct && problem.may_sum ? fftconv::Strategy::direct
                                                     : fftconv::Strategy::automatic;
}

}  // namespace synthoscope::python
