// SPDX-License-Identifier: MIT
#include "core/base/names.hpp"
#include "kernels/correlate/device_correlation.hpp"
#include "kernels/device/correlate/correlate_arguments.hpp"

namespace synthoscope::kernels::device {
namespace {

constexpr NameTable<DirectStrategy, 4> kDirectNames{{{DirectStrategy::automatic, "auto"},
                                                     {DirectStrategy::global, "global"},
                                                     {DirectStrategy::shared, "shared"},
                                                     {DirectStrategy::registers, "register"}}};

constexpr std::int64_t kSharedBytes = 48 << 10;  ///< that a block can have on every device

}  // namespace

std::string_view name_of(DirectStrategy strategy) {
  return name_in(kDirectNames, strategy);
}

std::optional<DirectStrategy> direct_strategy_named(std::string_view name) {
  return named_in(kDirectNames, name);
}

std::int64_t shared_tile_bytes(const Extent3& weights) {
  const std::int64_t rows = kSharedHeight + weights.y - 1;
  const std::int64_t pitch = shared_pitch(static_cast<int>(weights.x));
  return (rows * pitch + rows + kSharedWidth + weights.x - 1) * std::int64_t{sizeof(float)};
}

bool has_room_for(DirectStrategy strategy, const Extent3& weights) {
  switch (strategy) {
    case DirectStrategy::automatic:
    case DirectStrategy::global:
      return true;
    case DirectStrategy::shared:
      return weights.x <= 128 && shared_tile_bytes(weights) <= kSharedBytes;
    case DirectStrategy::registers:
      break;
  }
  const bool along_z = weights.z > 1;
  return volume(weights) <= kMaxWeights && weights.x <= 31 &&
         (along_z ? weights.z <= 15 && weights.y <= 15 : weights.y <= 31);
}

DirectStrategy fastest_for(const Extent3& weights) {
  for (const DirectStrategy strategy : {DirectStrategy::registers, DirectStrategy::shared})
    if (has_room_for(strategy, weights)) return strategy;
  return DirectStrategy::global;
}

}  // namespace synthoscope::kernels::device
