// SPDX-License-Identifier: MIT
#include "tools/options/filter.hpp"
#include <fmt/format.h>
#include <cmath>
#include "core/base/json.hpp"
#include "tools/options/rows.hpp"

namespace synthoscope::tools {
namespace {

using fftconv::KernelNormalization;
using kernels::FilterKernel;
using kernels::PerAxis;

constexpr NameTable<NamedFilter, 7> kNamedFilters{{
    {NamedFilter::sobel, "sobel"},
    {NamedFilter::prewitt, "prewitt"},
    {NamedFilter::scharr, "scharr"},
    {NamedFilter::laplacian, "laplacian"},
    {NamedFilter::log, "log"},
    {NamedFilter::dog, "dog"},
    {NamedFilter::gabor, "gabor"},
}};
constexpr NameTable<SlopeAxis, 3> kSlopeAxes{
    {{SlopeAxis::z, "z"}, {SlopeAxis::y, "y"}, {SlopeAxis::x, "x"}}};

/// One number or three with commas between them. @throws InvalidSpec
std::vector<double> one_or_three(std::string_view text, bool is_whole) {
  std::vector<double> numbers;
  for (const std::string_view part : split_at_commas(text))
    numbers.push_back(is_whole ? static_cast<double>(parse_whole(part, 0)) : parse_real(part));
  if (numbers.size() != 1 && numbers.size() != 3)
    throw InvalidSpec(
        fmt::format("'{}' has {} numbers; write Z,Y,X, or one for all axes longer than 1", text,
                    numbers.size()));
  return numbers;
}

Option numbers_row(std::string name, std::string value, std::string unit,
                   std::vector<double>& target, bool is_whole, std::string help) {
  return {std::move(name),
          std::move(value),
          "",
          std::move(unit),
          std::move(help),
          [&target, is_whole](std::string_view text) { target = one_or_three(text, is_whole); }};
}

PerAxis<bool> longer_than_one(const Extent3& e) {
  return {e.z > 1, e.y > 1, e.x > 1};
}

/// The number of each axis; where one is given, `none` for an axis of one voxel.
template <class T>
PerAxis<T> per_axis(const std::vector<double>& numbers, const Extent3& extent, T none) {
  const PerAxis<bool> active = longer_than_one(extent);
  PerAxis<T> result;
  for (std::size_t axis = 0; axis < 3; ++axis)
    result[axis] = numbers.size() == 3 ? static_cast<T>(numbers[axis])
                   : active[axis]      ? static_cast<T>(numbers[0])
                                       : none;
  return result;
}

bool is_slope(NamedFilter filter) {
  return filter == NamedFilter::sobel || filter == NamedFilter::prewitt ||
         filter == NamedFilter::scharr;
}

kernels::SlopeFilter slope_of(NamedFilter filter) {
  if (filter == NamedFilter::sobel) return kernels::SlopeFilter::sobel;
  return filter == NamedFilter::prewitt ? kernels::SlopeFilter::prewitt
                                        : kernels::SlopeFilter::scharr;
}

}  // namespace

void FilterOptions::describe(OptionTable& table) {
  table.group("Kernel, one of");
  table.add(path_row("kernel", "FILE", kernel, "weights from an image file of any size"));
  table.add(numbers_row("gaussian", "S|Z,Y,X", "voxels", gaussian, false,
                        "a Gaussian of this standard deviation; one number applies to all axes "
                        "longer than 1, and 0 does not smooth an axis"));
  table.add(numbers_row(
      "box", "N|Z,Y,X", "voxels", box, true,
      "the mean of this number of voxels; one number applies to all axes longer than 1"));
  table.add(
      {"named", "sobel|prewitt|scharr|laplacian|log|dog|gabor", "", "",
       "sobel, prewitt and scharr: slope along --axis, smoothed along the others; laplacian: sum "
       "of second differences; log: Laplacian of a Gaussian; dog: difference of Gaussians; gabor: "
       "wave times a Gaussian, plane by plane",
       [this](std::string_view text) {
         named = named_in(kNamedFilters, text);
         if (!named)
           throw InvalidSpec(fmt::format(
               "'{}' is not a filter; write sobel, prewitt, scharr, laplacian, log, dog or gabor",
               text));
       }});
  table.add(
      {"bank", "lm|schmid|mr8|invariants", "", "",
       "a set of texture filters: Leung and Malik's 48, Schmid's 13, or the 8 strongest responses "
       "of Varma and Zisserman, all 49 x 49; or invariants, which do not depend on rotation, at "
       "scales of 1, 2 and 4 voxels: differences of Gaussians, gradients and the Hessian's "
       "eigenvalues, 11 in a plane and 14 in a volume, which use the voxel size if the file has "
       "one; plane p x N + n of the result is response n of N to plane p",
       [this](std::string_view text) {
         bank = kernels::filter_bank_named(text);
         if (!bank)
           throw InvalidSpec(
               fmt::format("'{}' is not a bank; write lm, schmid, mr8 or invariants", text));
       }});
  describe_details(table);
}

void FilterOptions::describe_details(OptionTable& table) {
  const auto of_kernel = [&](Option row) {
    table.add(only(
        "with --kernel", [this] { return !kernel.empty(); }, std::move(row)));
  };
  const auto of_gabor = [&](Option row) {
    table.add(only(
        "with --named gabor", [this] { return named == NamedFilter::gabor; }, std::move(row)));
  };
  table.group("Kernel");
  of_kernel(switch_row("correlate", correlate,
                       "correlate with --kernel instead of convolving: do not flip it"));
  of_kernel(
      choice_row("normalize-kernel", normalization,
                 {KernelNormalization::none, KernelNormalization::sum, KernelNormalization::peak},
                 "number by which the weights of --kernel are divided"));
  table.add(only(
      "with --gaussian or --named log, dog or gabor",
      [this] { return !gaussian.empty() || is_sized(); },
      real_row("truncate", "T", truncate, "standard deviations",
               "distance at which Gaussians are cut off, rounded to whole voxels")));
  table.add(only(
      "with --gaussian", [this] { return !gaussian.empty(); },
      numbers_row(
          "order", "N|Z,Y,X", "", order, true,
          "order of the derivative of --gaussian, along z, y, x: 0 smooths, 1 is the slope")));
  table.add(only(
      "with --named sobel, prewitt or scharr", [this] { return named && is_slope(*named); },
      choice_row("axis", axis, kSlopeAxes, "axis of the slope of sobel, prewitt and scharr")));
  table.add(only(
      "with --named log, dog or gabor", [this] { return is_sized(); },
      numbers_row("sigma", "S|Z,Y,X", "voxels", sigma, false,
                  "standard deviation of log and dog, and of gabor (one number)")));
  table.add(only(
      "with --named dog", [this] { return named == NamedFilter::dog; },
      real_row("ratio", "R", ratio, "",
               "width of the second Gaussian of dog, relative to the first")));
  of_gabor(real_row("wavelength", "W", gabor.wavelength, "voxels", "wavelength of gabor's wave"));
  of_gabor(real_row("orientation", "ANGLE", gabor.orientation_degrees, "degrees",
                    "orientation of gabor's wave, from x to y"));
  of_gabor(real_row("phase", "ANGLE", gabor.phase_degrees, "degrees", "phase of gabor's wave"));
  of_gabor(
      real_row("aspect", "A", gabor.aspect, "",
               "width of gabor's Gaussian along the wave divided by its width along the crests"));
}

bool FilterOptions::is_sized() const {
  return named == NamedFilter::log || named == NamedFilter::dog || named == NamedFilter::gabor;
}

void FilterOptions::require_consistent() const {
  const int given = int{!kernel.empty()} + int{!gaussian.empty()} + int{!box.empty()} +
                    int{named.has_value()} + int{bank.has_value()};
  if (given != 1)
    throw InvalidSpec(fmt::format(
        "filter: {} of --kernel, --gaussian, --box, --named and --bank are given; give one of them",
        given == 0 ? "none" : fmt::format("{}", given)));
  if (is_sized() && sigma.empty())
    throw InvalidSpec(
        fmt::format("filter: --named {} has no width; give one by --sigma, such as --sigma 2",
                    name_in(kNamedFilters, *named)));
  if (named == NamedFilter::gabor && sigma.size() != 1)
    throw InvalidSpec("filter: --named gabor has one standard deviation; give --sigma S");
}

FilterKernel FilterOptions::kernel_for(const Extent3& extent,
                                       const std::optional<kernels::Stencil>& weights) const {
  const PerAxis<bool> active = longer_than_one(extent);
  if (weights) return correlate ? *weights : flipped(*weights);
  if (!gaussian.empty()) {
    const auto orders =
        order.empty() ? PerAxis<std::int64_t>{} : per_axis<std::int64_t>(order, extent, 0);
    return kernels::gaussian(per_axis(gaussian, extent, 0.0), truncate, orders);
  }
  if (!box.empty()) return kernels::box(per_axis<std::int64_t>(box, extent, 1));
  if (is_slope(*named)) {
    const auto along = static_cast<std::size_t>(axis);
    if (!active[along])
      throw InvalidSpec(fmt::format(
          "filter: the image has one voxel along {}, so there is no slope; choose another --axis",
          name_in(kSlopeAxes, axis)));
    return kernels::slope(slope_of(*named), along, active);
  }
  switch (*named) {
    case NamedFilter::log:
      return kernels::laplacian_of_gaussian(per_axis(sigma, extent, 0.0), truncate);
    case NamedFilter::dog:
      return kernels::difference_of_gaussians(per_axis(sigma, extent, 0.0), ratio, truncate);
    case NamedFilter::gabor: {
      kernels::GaborSpec spec = gabor;
      spec.sigma = sigma[0];
      return kernels::gabor(spec, truncate);
    }
    default:
      return kernels::laplacian(active);
  }
}

bool FilterOptions::keeps_scale() const {
  if (!gaussian.empty())
    return std::all_of(order.begin(), order.end(), [](double n) { return n == 0; });
  return !box.empty() || normalization == KernelNormalization::sum;
}

Json FilterOptions::asked() const {
  if (!kernel.empty())
    return {{"kernel", kernel.filename().string()},
            {"correlate", correlate},
            {"normalize_kernel", name_of(normalization)}};
  if (!gaussian.empty()) return {{"gaussian", gaussian}, {"truncate", truncate}, {"order", order}};
  if (!box.empty()) return {{"box", box}};
  if (bank) return {{"bank", name_of(*bank)}};
  Json record{{"named", name_in(kNamedFilters, *named)}};
  if (is_slope(*named)) record["axis"] = name_in(kSlopeAxes, axis);
  if (!sigma.empty()) {
    record["sigma"] = sigma;
    record["truncate"] = truncate;
  }
  if (*named == NamedFilter::dog) record["ratio"] = ratio;
  if (*named == NamedFilter::gabor) {
    record["wavelength"] = gabor.wavelength;
    record["orientation_degrees"] = gabor.orientation_degrees;
    record["phase_degrees"] = gabor.phase_degrees;
    record["aspect"] = gabor.aspect;
  }
  return record;
}

}  // namespace synthoscope::tools
