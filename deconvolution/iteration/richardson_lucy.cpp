// SPDX-License-Identifier: MIT
#include "deconvolution/iteration/richardson_lucy.hpp"
#include <utility>
#include <vector>
#include "core/base/assert.hpp"
#include "core/base/error.hpp"
#include "core/stream/carry.hpp"
#include "core/stream/store_as.hpp"
#include "core/volume/boundary.hpp"

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

/// Gives each voxel that takes part the light above the background of the nearest voxel of the
/// image, at least `least`: what is 0 would stay so.
void fill_with_image(ScratchVolume& estimate, const SeenShare& share, Source& image,
                     const Box3& field, double background, double least,
                     const RunContext& context) {
  const Extent3 e = estimate.extent();
  const auto nearest = [](std::int64_t at, std::int64_t begin, std::int64_t size) {
    return mapped_index(Boundary::nearest, at - begin, size);
  };
  context.pool.for_each(e.z, [&](std::int64_t z) {
    std::vector<float> row(static_cast<std::size_t>(e.x)),
        of_image(static_cast<std::size_t>(field.size.x));
    for (std::int64_t y = 0; y < e.y; ++y) {
      const Extent3 in_row{1, 1, field.size.x};
      image.read(
          {{nearest(z, field.origin.z, field.size.z), nearest(y, field.origin.y, field.size.y), 0},
           in_row},
          HostView3<float>{of_image.data(), in_row});
      share.fill_row(z, y, 0, row);
      for (std::int64_t x = 0; x < e.x; ++x) {
        float& voxel = row[static_cast<std::size_t>(x)];
        const auto at = static_cast<std::size_t>(nearest(x, field.origin.x, field.size.x));
        const double light = static_cast<double>(of_image[at]) - background;
        voxel = voxel > 0 ? static_cast<float>(std::max(light, least)) : 0;
      }
      estimate.write({{z, y, 0}, {1, 1, e.x}}, HostView3<const float>{row.data(), {1, 1, e.x}});
    }
  });
}

std::optional<TotalVariation> variation_of(const Model& model, const WorkingVolumes& volumes,
                                           const SeenShare& share, const ImageLight& light) {
  if (!model.variation) return std::nullopt;
  SYNTHOSCOPE_ASSERT((volumes.copy != nullptr), ==, true);
  return TotalVariation{*model.variation, *volumes.copy, share, model.geometry.edge,
                        light.typical() / share.whole()};
}

std::vector<WeightedPsf> psfs_of(const Model& model) {
  return model.depths.empty() ? std::vector{WeightedPsf{model.kernel}} : model.depths;
}

BackKernel back_kernel_of(const Model& model) {
  return model.back ? BackKernel::unmatched : BackKernel::matched;
}

}  // namespace

StepPlans plan_steps(const Geometry& geometry, const fftconv::Machine& machine,
                     fftconv::Strategy wanted) {
  return {plan_convolution(blur_problem(geometry), machine, wanted),
          plan_convolution(adjoint_problem(geometry), machine, wanted)};
}

void blur_light(const Model& model, const fftconv::Plan& blur, Source& light, Epilogue& epilogue,
                ScratchVolume& field, fftconv::Executor& executor, const RunContext& context) {
  if (model.depths.empty()) {
    const fftconv::Term term{&light, model.kernel, {}};
    executor.run(blur, {&term, 1}, epilogue, field, context);
    return;
  }
  DepthConvolution{model.depths, executor, context}.blur(blur, light, field);
  carry("field", field, epilogue, field, context);
}

RichardsonLucy::RichardsonLucy(const Model& model, Source& image, const WorkingVolumes& volumes,
                               StepPlans plans, fftconv::Executor& executor,
                               const RunContext& context)
    : model_{model},
      volumes_{volumes},
      executor_{executor},
      context_{context},
      light_{light_of(image, model.background, context)},
      share_{model.geometry, psfs_of(model), context},
      even_{even_light(light_, share_, context)},
      variation_{variation_of(model, volumes, share_, light_)},
      image_{image},
      to_residual_{image, model.background, light_.least()},
      to_estimate_{volumes.estimate, share_, volumes.last, back_kernel_of(model),
                   variation_ ? &*variation_ : nullptr},
      plans_{std::move(plans)} {
  if (model.back && volumes.last)
    throw InvalidSpec(
        "deconvolve: a back projector makes steps that momentum would drive too far; give one of "
        "both");
  if (model.back && !model.depths.empty())
    throw InvalidSpec(
        "deconvolve: a back projector is made for one PSF, but the PSF varies with depth; give one "
        "of both");
  if (model.back && model.variation)
    throw InvalidSpec(
        "deconvolve: a back projector has no likelihood that a penalty could be compared with; "
        "give one of both");
}

void RichardsonLucy::begin() {
  iterations_ = 0;
  if (model_.back) {
    constexpr double kDark = 1e-2;  // of the mean light
    const double mean = light_.sum / static_cast<double>(volume(model_.geometry.field));
    fill_with_image(volumes_.estimate, share_, image_, field_in_estimate(model_.geometry),
                    model_.background, kDark * mean, context_);
    return;
  }
  fill_evenly(volumes_.estimate, share_, even_, context_);
  if (volumes_.last) fill_evenly(*volumes_.last, share_, even_, context_);
}

double RichardsonLucy::iterate() {
  ++iterations_;
  to_estimate_.set_momentum(momentum_after(iterations_), kLeastBeyond * even_);
  if (variation_) {
    StoreAs copied{PixelType::float32};
    carry("copy the estimate", volumes_.estimate, copied, *volumes_.copy, context_);
  }
  blur_light(model_, plans_.blur, volumes_.estimate, to_residual_, volumes_.residual, executor_,
             context_);
  update_estimate();
  return to_residual_.take_log_likelihood();
}

void RichardsonLucy::update_estimate() {
  if (model_.depths.empty()) {
    const fftconv::Term term{&volumes_.residual, model_.back.value_or(model_.kernel), {}};
    executor_.run(plans_.adjoint, {&term, 1}, to_estimate_, volumes_.estimate, context_);
    return;
  }
  DepthConvolution{model_.depths, executor_, context_}.adjoint(plans_.adjoint, volumes_.residual,
                                                               *volumes_.sum);
  carry("estimate", *volumes_.sum, to_estimate_, volumes_.estimate, context_);
}

}  // namespace synthoscope::deconvolution
