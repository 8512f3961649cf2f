// SPDX-License-Identifier: MIT
#include "deconvolution/richardson_lucy.hpp"
#include <utility>
#include <vector>

namespace synthoscope::deconvolution {
namespace {

/// Gives all voxels that take part one value, and all others 0.
void fill_evenly(ScratchVolume& estimate, const SeenShare& share, float value,
                 const RunContext& context) {
  const Extent3 e = estimate.extent();
  context.pool.for_each(e.z, [&](std::int64_t z) {
    std::vector<float> row(static_cast<std::size_t>(e.x));
    for (std::int64_t y = 0; y < e.y; ++y) {
      share.fill_row(z, y, 0, row);
      for (float& voxel : row) voxel = voxel > 0 ? value : 0;
      estimate.write({{z, y, 0}, {1, 1, e.x}}, HostView3<const float>{row.data(), {1, 1, e.x}});
    }
  });
}

}  // namespace

StepPlans plan_steps(const Geometry& geometry, const fftconv::Machine& machine,
                     fftconv::Strategy wanted) {
  return {plan_convolution(blur_problem(geometry), machine, wanted),
          plan_convolution(adjoint_problem(geometry), machine, wanted)};
}

RichardsonLucy::RichardsonLucy(const Model& model, const Recorded& recorded,
                               const WorkingVolumes& volumes, StepPlans plans,
                               fftconv::Executor& executor, const RunContext& context)
    : model_{model},
      volumes_{volumes},
      executor_{executor},
      context_{context},
      light_{light_of(recorded.image, model.background, context)},
      share_{model.geometry, model.kernel, context},
      to_ratio_{recorded.image, model.background, light_.least(), recorded.held_out},
      to_estimate_{volumes.estimate, share_, volumes.last},
      plans_{std::move(plans)} {}

void RichardsonLucy::begin() {
  iterations_ = 0;
  const float even = even_light(light_, share_, context_);
  fill_evenly(volumes_.estimate, share_, even, context_);
  if (volumes_.last) fill_evenly(*volumes_.last, share_, even, context_);
}

double RichardsonLucy::iterate() {
  ++iterations_;
  to_estimate_.set_momentum(momentum_after(iterations_));
  const std::vector<fftconv::Term> of_estimate{{&volumes_.estimate, model_.kernel, {}}},
      of_ratio{{&volumes_.ratio, model_.kernel, {}}};
  executor_.run(plans_.blur, of_estimate, to_ratio_, volumes_.ratio, context_);
  executor_.run(plans_.adjoint, of_ratio, to_estimate_, volumes_.estimate, context_);
  return to_ratio_.take_log_likelihood();
}

}  // namespace synthoscope::deconvolution
