// SPDX-License-Identifier: MIT
#include "kernels/filters/filter.hpp"
#include <array>
#include "core/base/names.hpp"
#include "core/base/recent.hpp"
#include "kernels/correlate/correlation.hpp"
#include "kernels/correlate/device_correlation.hpp"
#include "kernels/correlate/product.hpp"

namespace synthoscope::kernels {
namespace {

constexpr NameTable<FilterStrategy, 5> kFilterStrategyNames{{
    {FilterStrategy::automatic, "auto"},
    {FilterStrategy::global, "global"},
    {FilterStrategy::shared, "shared"},
    {FilterStrategy::registers, "register"},
    {FilterStrategy::separable, "separable"},
}};

// Measured with AVX2 on 4096 x 4096 voxels of float32, one thread (bench/kernels/kernels_bench)
constexpr double kProductSeconds = 0.04e-9;  // a product of direct sums
constexpr double kTapSeconds = 0.05e-9;      // a product of a pass along an axis
constexpr double kPassSeconds = 0.15e-9;     // a pass without its products

// Larger kernels are factored only on request: factoring takes longer than filtering
constexpr std::int64_t kMaxFactoredWeights = 1 << 16;

std::int64_t products_of(const SeparableStencil& stencil) {
  std::int64_t count = 0;
  for (const auto& term : stencil.terms) count += static_cast<std::int64_t>(term.planes.size());
  return count;
}

double seconds_of(const SeparableStencil& stencil) {
  return separable_seconds(stencil.extent, static_cast<std::int64_t>(stencil.terms.size()),
                           products_of(stencil));
}

/// The last few are remembered: loops filter many small images with the same weights, and factoring
/// them may take longer than a filter.
SeparableStencil factored(const Stencil& stencil, double tolerance) {
  if (auto product = as_product(stencil)) return std::move(*product);
  static Recent<std::pair<Stencil, double>, SeparableStencil> sums{4};
  return sums.get({stencil, tolerance}, [&] { return as_sum_of_products(stencil, tolerance); });
}

TellCounts counted_by(TiledOperation& operation) {
  return [&operation](const StoredCounts& counts) { operation.count(counts); };
}

device::DirectStrategy direct_on_device(FilterStrategy strategy) {
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

FilterStrategy filter_strategy(device::DirectStrategy strategy) {
  if (strategy == device::DirectStrategy::global) return FilterStrategy::global;
  return strategy == device::DirectStrategy::shared ? FilterStrategy::shared
                                                    : FilterStrategy::registers;
}

void set_direct_device(ChosenFilter& filter, const NeighbourhoodSetting& setting,
                       const Stencil& stencil, FilterStrategy wanted) {
  device::DirectStrategy strategy = direct_on_device(wanted);
  if (strategy == device::DirectStrategy::automatic ||
      !device::has_room_for(strategy, stencil.extent))
    strategy = device::fastest_for(stencil.extent);
  filter.on_device = filter_strategy(strategy);
  filter.operation->set_device(
      device::make_device_correlation(setting, stencil, strategy, counted_by(*filter.operation)));
}

void set_separable_device(ChosenFilter& filter, const NeighbourhoodSetting& setting,
                          const SeparableStencil& stencil) {
  filter.on_device = FilterStrategy::separable;
  filter.operation->set_device(device::make_device_separable(
      setting, stencil, device::SeparableStrategy::fused, counted_by(*filter.operation)));
}

/// Returns whether a device is faster with passes than with direct sums.
bool passes_on_device(const SeparableStencil& stencil) {
  const std::int64_t products = products_of(stencil);
  return products == 1 || device::device_separable_seconds(stencil.extent, products) <
                              device::device_direct_seconds(stencil.extent);
}

ChosenFilter separable_filter(const NeighbourhoodSetting& setting,
                              const SeparableStencil& stencil) {
  return {make_separable_correlation(setting, stencil), FilterStrategy::separable,
          products_of(stencil), seconds_of(stencil)};
}

ChosenFilter direct_filter(const NeighbourhoodSetting& setting, const Stencil& stencil,
                           FilterStrategy strategy) {
  return {strategy == FilterStrategy::global ? make_plain_correlation(setting, stencil)
                                             : make_direct_correlation(setting, stencil),
          strategy, 0, direct_seconds(stencil.extent)};
}

/// Makes a filter with `strategy`, a direct one, on the host and on a device.
ChosenFilter direct_everywhere(const NeighbourhoodSetting& setting, const Stencil& stencil,
                               FilterStrategy strategy) {
  ChosenFilter filter = direct_filter(setting, stencil, strategy);
  set_direct_device(filter, setting, stencil, strategy);
  return filter;
}

/// Makes a filter with passes on the host and on a device.
ChosenFilter separable_everywhere(const NeighbourhoodSetting& setting,
                                  const SeparableStencil& stencil) {
  ChosenFilter filter = separable_filter(setting, stencil);
  set_separable_device(filter, setting, stencil);
  return filter;
}

ChosenFilter cheapest_filter(const NeighbourhoodSetting& setting, const SeparableStencil& sum) {
  if (passes_on_device(sum)) return separable_everywhere(setting, sum);
  ChosenFilter filter = separable_filter(setting, sum);
  set_direct_device(filter, setting, product(sum), FilterStrategy::automatic);
  return filter;
}

ChosenFilter cheapest_filter(const NeighbourhoodSetting& setting, const Stencil& stencil,
                             double tolerance) {
  require_usable(stencil);
  if (volume(stencil.extent) > kMaxFactoredWeights)
    return direct_everywhere(setting, stencil, FilterStrategy::registers);
  const SeparableStencil sum = factored(stencil, tolerance);
  ChosenFilter filter = seconds_of(sum) < direct_seconds(stencil.extent)
                            ? separable_filter(setting, sum)
                            : direct_filter(setting, stencil, FilterStrategy::registers);
  if (passes_on_device(sum))
    set_separable_device(filter, setting, sum);
  else
    set_direct_device(filter, setting, stencil, FilterStrategy::automatic);
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
  const bool is_direct =
      strategy != FilterStrategy::automatic && strategy != FilterStrategy::separable;
  if (const auto* const given = std::get_if<SeparableStencil>(&kernel)) {
    if (strategy == FilterStrategy::automatic) return cheapest_filter(setting, *given);
    require_usable(*given);
    return is_direct ? direct_everywhere(setting, product(*given), strategy)
                     : separable_everywhere(setting, *given);
  }
  const Stencil& stencil = std::get<Stencil>(kernel);
  if (strategy == FilterStrategy::automatic) return cheapest_filter(setting, stencil, tolerance);
  return is_direct ? direct_everywhere(setting, stencil, strategy)
                   : separable_everywhere(setting, factored(stencil, tolerance));
}

}  // namespace synthoscope::kernels
