// SPDX-License-Identifier: MIT
#include "jobs/deconvolve/regularization.hpp"
#include <fmt/format.h>
#include <charconv>
#include <cmath>
#include "core/base/error.hpp"

namespace synthoscope::jobs {

Regularization parse_regularization(std::string_view text) {
  constexpr std::string_view kVariation = "tv:";
  if (text == "none") return {};
  double weight = 0;
  const bool is_variation = text.starts_with(kVariation);
  const char *const begin = text.data() + (is_variation ? kVariation.size() : 0), *const end =
                                                                                      text.data() +
                                                                                      text.size();
  const auto [last, error] = std::from_chars(begin, end, weight);
  const bool is_number = error == std::errc{} && last == end;
  if (!is_variation || !is_number || !(weight > 0 && weight <= kMostVariation))
    throw InvalidSpec(fmt::format(
        "'{}' is not accepted; give none, or tv:L with L above 0 and at most {}, such as tv:0.01",
        text, kMostVariation));
  return {weight};
}

std::string print(const Regularization& regularization) {
  return regularization.variation ? fmt::format("tv:{}", *regularization.variation) : "none";
}

std::optional<deconvolution::VariationSpec> variation_of(const Regularization& regularization,
                                                         const imageio::ImageInfo& image,
                                                         const imageio::ImageInfo& psf, Log& log) {
  if (!regularization.variation) return std::nullopt;
  deconvolution::VariationSpec spec{*regularization.variation};
  const bool is_plane = image.extent.z == 1;
  const auto known = [&](std::optional<double> imageio::ImageInfo::*side) {
    const auto um = image.*side ? image.*side : psf.*side;
    return um && *um > 0 ? *um : 0;
  };
  const double z = known(&imageio::ImageInfo::z_um), y = known(&imageio::ImageInfo::y_um),
               x = known(&imageio::ImageInfo::x_um);
  if (x > 0 && y > 0 && (z > 0 || is_plane))
    spec.pitch = {is_plane ? x : z, y, x};
  else
    log.note(
        "the voxel size of the image is not known, so that voxels count as cubes for the total "
        "variation");
  return spec;
}

}  // namespace synthoscope::jobs
