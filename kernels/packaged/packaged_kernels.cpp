// SPDX-License-Identifier: MIT
#include "kernels/packaged/packaged_kernels.hpp"
#include <array>
#include <memory>
#include <set>
#include "kernels/banks/filter_banks.hpp"
#include "kernels/coordinates/resampling_grid.hpp"
#include "kernels/filters/named_filters.hpp"
#include "kernels/operation/device_operation.hpp"
#include "kernels/resample/resample.hpp"
#include "kernels/variance/local_variance.hpp"

namespace synthoscope::kernels {
namespace {

constexpr std::array kTypes{PixelType::uint8, PixelType::uint16, PixelType::float32};
/// Images of usual extents. Kernels do not depend on them beyond their number of axes.
constexpr std::array kImages{Extent3{1, 2048, 2048}, Extent3{64, 1024, 1024}};

constexpr std::array kSigmas{0.5, 0.7, 1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0};
constexpr double kTruncate = 4;
constexpr std::array<std::int64_t, 8> kSides{3, 5, 7, 9, 11, 15, 21, 31};
constexpr std::array<std::int64_t, 4> kStencilSides{2, 3, 5, 7};

/// Collects the kernels of operations.
class Collected {
 public:
  explicit Collected(const cuda::DeviceInfo& device) : device_{device} {}

  void add(Operation& operation, PixelType image_type) {
    DeviceOperation* const there = operation.on_device();
    if (there == nullptr) return;
    for (auto& kernel : there->kernels(device_, image_type, operation.extent()))
      found_.insert(std::move(kernel));
  }

  void add_filter(const Extent3& image, const FilterKernel& kernel) {
    for (const PixelType type : kTypes)
      for (const PixelType result : std::set{type, PixelType::float32}) {
        NeighbourhoodSetting setting;
        setting.image = image;
        setting.type = result;
        add(*make_filter(setting, kernel).operation, type);
      }
  }

  [[nodiscard]] std::vector<cuda::KernelName> all() const { return {found_.begin(), found_.end()}; }

 private:
  const cuda::DeviceInfo& device_;
  std::set<cuda::KernelName> found_;
};

void add_filters(Collected& to) {
  for (const Extent3& image : kImages) {
    const bool deep = image.z > 1;
    const PerAxis<bool> active{deep, true, true};
    for (const double sigma : kSigmas) {
      const PerAxis<double> sigmas{deep ? sigma : 0, sigma, sigma};
      to.add_filter(image, gaussian(sigmas, kTruncate));
      to.add_filter(image, laplacian_of_gaussian(sigmas, kTruncate));
      to.add_filter(image, difference_of_gaussians(sigmas, 1.6, kTruncate));
    }
    for (const std::int64_t side : kSides) to.add_filter(image, box({deep ? side : 1, side, side}));
    for (const SlopeFilter filter : {SlopeFilter::sobel, SlopeFilter::prewitt, SlopeFilter::scharr})
      for (std::size_t axis = deep ? 0 : 1; axis < 3; ++axis)
        to.add_filter(image, slope(filter, axis, active));
    to.add_filter(image, laplacian(active));
    for (const std::int64_t side : kStencilSides) {
      const Extent3 extent{deep ? side : 1, side, side};
      const std::vector<double> weights(static_cast<std::size_t>(volume(extent)), 1.0);
      to.add_filter(image, correlation_stencil(extent, weights));
    }
  }
}

/// Maps that change the axes each kernel is compiled for, and the width of its blocks, which
/// depends on the angle.
std::vector<Affine> maps_of(const Extent3& image) {
  std::vector<Affine> maps{Affine{}};
  for (const double step : {0.7, 2.9})  // enlarged, and shrunk: by different strategies
    for (const double step_z : {1.0, step}) maps.push_back(resizing({step_z, step, step}));
  for (const int axis : {0, 1, 2})
    for (const double degrees : {5.0, 35.0, 85.0})
      if (image.z > 1 || axis == 0)
        maps.push_back(rotation(axis, degrees, image, image, {1, 1, 1}));
  if (image.z == 1) return maps;
  maps.push_back({{{{0.8, 0, 0.6, 0}, {0.36, 0.8, -0.48, 0}, {-0.48, 0.6, 0.64, 0}}}});
  maps.push_back(deskewed(image, {}, 45).affine);
  return maps;
}

void add_resampling(Collected& to) {
  for (const Extent3& image : kImages)
    for (const Affine& map : maps_of(image))
      for (const Interpolation how : {Interpolation::nearest, Interpolation::linear,
                                      Interpolation::cubic, Interpolation::lanczos})
        for (const PixelType type : kTypes)
          for (const PixelType result : std::set{type, PixelType::float32}) {
            ResampleSpec spec;
            spec.result = image;
            spec.interpolation = how;
            spec.type = result;
            Resample resample{image, std::make_shared<AffineMap>(map), spec};
            to.add(resample, type);
          }
}

void add_statistics(Collected& to, const Extent3& image, const std::vector<LocalWindow>& windows) {
  for (const PixelType type : kTypes) {
    LocalVarianceSpec spec;
    spec.windows = windows;
    to.add(*local_variance(spec, image, type), type);
  }
}

void add_statistics(Collected& to) {
  for (const Extent3& image : kImages) {
    std::vector<LocalWindow> sweep;
    for (const double size : {2.0, 4.0, 8.0, 16.0, 32.0}) {
      add_statistics(to, image, {window_for(WindowShape::triangle, size, image)});
      sweep.push_back({WindowShape::triangle, 1, size, size});
      add_statistics(to, image, sweep);
    }
    for (const std::int64_t side : kSides)
      add_statistics(to, image, {window_for(WindowShape::box, static_cast<double>(side), image)});
    for (const double sigma : kSigmas)
      add_statistics(to, image, {window_for(WindowShape::gaussian, sigma, image)});
  }
}

void add_banks(Collected& to) {
  for (const FilterBank bank :
       {FilterBank::leung_malik, FilterBank::schmid, FilterBank::mr8, FilterBank::invariants})
    for (const Extent3& image : kImages)
      for (const PixelType type : kTypes) {
        FilterBankSpec spec;
        spec.bank = bank;
        NeighbourhoodSetting setting;
        setting.image = image;
        to.add(*make_filter_bank(setting, with_fields(spec)).operation, type);
      }
}

}  // namespace

std::vector<cuda::KernelName> packaged_kernels(const cuda::DeviceInfo& device) {
  Collected collected{device};
  add_filters(collected);
  add_resampling(collected);
  add_statistics(collected);
  add_banks(collected);
  return collected.all();
}

}  // namespace synthoscope::kernels
