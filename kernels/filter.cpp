// SPDX-License-Identifier: MIT
#include "kernels/filter.hpp"
#include <array>
#include "core/names.hpp"
#include "kernels/correlation.hpp"
#include "kernels/device/device_correlation.hpp"
#include "kernels/product.hpp"
#include "kernels/separable_correlation.hpp"

namespace synthoscope::kernels {
namespace {

/// Sums of several products are direct sums on a device, where those of so many weights slide in
/// registers or lie in shared memory.
constexpr std::int64_t kMostMultipliedOut = 961;

constexpr NameTable<FilterStrategy, 5> kFilterStrategyNames{{
    {FilterStrategy::automatic, "auto"},
    {FilterStrategy::global, "global"},
    {FilterStrategy::shared, "shared"},
    {FilterStrategy::registers, "register"},
    {FilterStrategy::separable, "separable"},
}};

// Measured with AVX2 on 4096 x 4096 voxels of float32, one thread (bench/kernels_bench)
constexpr double kProductSeconds = 0.04e-9;  // a product of direct sums
constexpr double kTapSeconds = 0.05e-9;      // a product of a pass along an axis
constexpr double kPassSeconds = 0.15e-9;     // a pass beside its products

// Larger kernels are not factored unasked: it takes longer than filtering
constexpr std::int64_t kMostFactoredWeights = 1 << 16;

std::int64_t products_of(const SeparableStencil& stencil) {
  std::int64_t count = 0;
  for (const auto& term : stencil.terms) count += static_cast<std::int64_t>(term.planes.size());
  return count;
}

double seconds_of(const SeparableStencil& stencil) {
  return separable_seconds(stencil.extent, static_cast<std::int64_t>(stencil.terms.size()),
                           products_of(stencil));
}

SeparableStencil factored(const Stencil& stencil, double tolerance) {
  if (auto product = as_product(stencil)) return std::move(*product);
  return as_sum_of_products(stencil, tolerance);
}

TellCounts counted_by(TiledOperation& operation) {
  return [&operation](const StoredCounts& counts) { operation.count(counts); };
}

device::DirectStrategy on_device(FilterStrategy strategy) {
  switch (strategy) {
    case FilterStrategy::global:
      return device::DirectStrategy::global;
    case FilterStrategy::shared:
      return device::DirectStrategy::shared;
    case FilterStrategy::registers:
      return device::DirectStrategy::registers;
    case FilterStrategy::automatic:
    case FilterStrategy::separable:
      break;
  }
  return device::DirectStrategy::automatic;
}

void set_direct_device(ChosenFilter& filter, const NeighbourhoodSetting& setting,
                       const Stencil& stencil, device::DirectStrategy strategy) {
  if (!device::has_room_for(strategy, stencil.extent)) strategy = device::DirectStrategy::automatic;
  filter.operation->set_device(
      device::make_device_correlation(setting, stencil, strategy, counted_by(*filter.operation)));
}

ChosenFilter separable_filter(const NeighbourhoodSetting& setting,
                              const SeparableStencil& stencil) {
  ChosenFilter filter{make_separable_correlation(setting, stencil), FilterStrategy::separable,
                      products_of(stencil), seconds_of(stencil)};
  if (filter.products == 1)
    filter.operation->set_device(device::make_device_separable(
        setting, stencil, device::SeparableStrategy::fused, counted_by(*filter.operation)));
  else if (volume(stencil.extent) <= kMostMultipliedOut)
    set_direct_device(filter, setting, product(stencil), device::DirectStrategy::automatic);
  return filter;
}

ChosenFilter direct_filter(const NeighbourhoodSetting& setting, const Stencil& stencil,
                           FilterStrategy strategy) {
  ChosenFilter filter{strategy == FilterStrategy::global
                          ? make_plain_correlation(setting, stencil)
                          : make_direct_correlation(setting, stencil),
                      strategy, 0, direct_seconds(stencil.extent)};
  set_direct_device(filter, setting, stencil, on_device(strategy));
  return filter;
}

}  // namespace

std::string_view name_of(FilterStrategy strategy) {
  return name_in(kFilterStrategyNames, strategy);
}

double direct_seconds(const Extent3& weights) {
  return kProductSeconds * static_cast<double>(volume(weights));
}

double separable_seconds(const Extent3& weights, std::int64_t sums_along_z, std::int64_t products) {
  const auto pass = [](std::int64_t n) {
    return n > 1 ? kPassSeconds + kTapSeconds * static_cast<double>(n) : 0;
  };
  return static_cast<double>(sums_along_z) * pass(weights.z) +
         static_cast<double>(products) * (pass(weights.y) + pass(weights.x));
}

ChosenFilter make_filter(const NeighbourhoodSetting& setting, const FilterKernel& kernel,
                         FilterStrategy strategy, double tolerance) {
  require_tolerance(tolerance);
  const auto* const given = std::get_if<SeparableStencil>(&kernel);
  if (given) {
    if (strategy == FilterStrategy::automatic || strategy == FilterStrategy::separable)
      return separable_filter(setting, *given);
    require_usable(*given);
    return direct_filter(setting, product(*given), strategy);
  }
  const Stencil& stencil = std::get<Stencil>(kernel);
  if (strategy == FilterStrategy::separable)
    return separable_filter(setting, factored(stencil, tolerance));
  if (strategy != FilterStrategy::automatic) return direct_filter(setting, stencil, strategy);
  require_usable(stencil);
  if (volume(stencil.extent) <= kMostFactoredWeights) {
    const SeparableStencil sum = factored(stencil, tolerance);
    if (seconds_of(sum) < direct_seconds(stencil.extent)) return separable_filter(setting, sum);
  }
  return direct_filter(setting, stencil, FilterStrategy::registers);
}

}  // namespace synthoscope::kernels
