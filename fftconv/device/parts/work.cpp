// SPDX-License-Identifier: MIT
#include "fftconv/device/parts/work.hpp"
#include <utility>

namespace synthoscope::fftconv::device {

PartsWork make_parts_work(const Plan& plan, const PartsLayout& parts, const Term& term,
                          Epilogue& epilogue, Sink& sink, const RunContext& context) {
  const WorkAxes axes{plan};
  const Layout layout = make_layout(plan.work, plan.transform, plan.cut);
  MeanRemoval mean = prepare_mean_removal(term, plan.work, axes, context);
  PlaneOutput output;
  output.epilogue = &epilogue;
  output.sink = &sink;
  output.mean = mean.mean;
  output.response = mean.response.get();
  FoldInput image = image_to_fold(layout, axes, term, mean.mean),
            kernel = kernel_to_fold(layout, term.kernel);
  // Transforms are unscaled, and unfolding takes 1/R
  kernel.scale /=
      static_cast<double>(parts.decimation.parts) * static_cast<double>(volume(layout.transform));
  auto kept = folded_planes(kernel, parts.decimation);
  return {plan, term, parts, axes, layout, std::move(mean), output, image, kernel, std::move(kept)};
}

PartLoading describe_image(const PartsWork& work, PartSpectra& spectra, const SharedPlanes& shared,
                           PixelType type, double background) {
  const Layout& l = work.layout;
  return spectra.describe(shared, type, background, image_runs(l.y), image_runs(l.x));
}

PartLoading describe_kernel(const PartsWork& work, PartSpectra& spectra, const SharedPlanes& shared,
                            PixelType type, double background) {
  const Layout& l = work.layout;
  return spectra.describe(shared, type, background, kernel_runs(l.y, l.transform.y),
                          kernel_runs(l.x, l.transform.x));
}

}  // namespace synthoscope::fftconv::device
