// SPDX-License-Identifier: MIT
// tests/unit/deconvolution/run_in_memory.hpp — a run of RichardsonLucy on volumes in memory.
#pragma once
#include "deconvolution/iteration/richardson_lucy.hpp"
#include "fftconv/host/executor.hpp"
#include "tests/support/machine_with.hpp"
#include "tests/support/test_context.hpp"
#include "tests/unit/deconvolution/blurred_field.hpp"

namespace synthoscope::deconvolution::test {

/// The strategy of both convolutions.
struct Steps {
  fftconv::Strategy blur = fftconv::Strategy::automatic, adjoint = fftconv::Strategy::automatic;
};

/// A run, and what it needs.
class RunInMemory {
 public:
  RunInMemory(const Geometry& geometry, const Volume<float>& image, const Volume<double>& kernel,
              double background = 0, const Steps& steps = {}, bool has_momentum = false)
      : image_{image},
        kernel_{kernel},
        estimate_{estimate_extent(geometry), PixelType::float32, test_.memory, "estimate"},
        residual_{geometry.field, PixelType::float32, test_.memory, "residual"},
        last_{estimate_extent(geometry), PixelType::float32, test_.memory, "last estimate"},
        lucy_{{geometry, {&kernel_source_, 0, 1}, background},
              {image_source_},
              {estimate_, residual_, has_momentum ? &last_ : nullptr},
              {plan_convolution(blur_problem(geometry), executor_->machine(), steps.blur),
               plan_convolution(adjoint_problem(geometry), executor_->machine(), steps.adjoint)},
              *executor_,
              test_.context} {
    lucy_.begin();
  }

  RichardsonLucy& lucy() { return lucy_; }
  Volume<float> estimate() { return read_all<float>(lucy_.result()); }
  void begin_with(const Volume<float>& light) {
    estimate_.write(whole(light.extent), ConstVoxelView{light.view()});
  }
  /// SeenShare of all voxels.
  std::vector<double> shares(const Geometry& geometry) {
    const SeenShare share{geometry, {&kernel_source_, 0, 1}, test_.context};
    const Extent3 e = estimate_extent(geometry);
    std::vector<float> row(static_cast<std::size_t>(e.x));
    std::vector<double> all;
    for (std::int64_t z = 0; z < e.z; ++z)
      for (std::int64_t y = 0; y < e.y; ++y) {
        share.fill_row(z, y, 0, row);
        all.insert(all.end(), row.begin(), row.end());
      }
    return all;
  }

 private:
  synthoscope::test::TestContext test_;
  Volume<float> image_;
  Volume<double> kernel_;
  MemorySource image_source_{ConstVoxelView{std::as_const(image_).view()}};
  MemorySource kernel_source_{ConstVoxelView{std::as_const(kernel_).view()}};
  std::unique_ptr<fftconv::Executor> executor_ =
      fftconv::make_host_executor(synthoscope::test::machine_with(std::int64_t{1} << 30));
  ScratchVolume estimate_, residual_, last_;
  RichardsonLucy lucy_;
};

}  // namespace synthoscope::deconvolution::test
