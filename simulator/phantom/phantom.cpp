// SPDX-License-Identifier: MIT
#include "simulator/phantom/phantom.hpp"
#include <utility>
#include "simulator/phantom/kinds.hpp"
#include "simulator/phantom/neurons/swc.hpp"
#include "simulator/phantom/object_lights.hpp"
#include "simulator/phantom/strands/strand.hpp"

namespace synthoscope::simulator {
namespace {

template <class Kind>
concept IsObstacle = requires(const Phantom& phantom) {
  Kind::obstacles(phantom);
};

template <class Kind>
concept IsDrawn = requires(Phantom& phantom, const RunContext& context) {
  Kind::draw(phantom, std::uint64_t{}, context);
};

}  // namespace

std::int64_t Phantom::count() const {
  std::int64_t count = 0;
  for_each_kind(*this, [&](auto, const auto& bodies) { count += std::ssize(bodies); });
  return count;
}

std::int64_t phantom_bytes(const PhantomSpec& spec, const Grid& grid) {
  constexpr std::int64_t kIndexed = 2 * ObjectIndex::kBytesPerObject;  // for light and for labels
  const auto [strands, pieces] = strands_of(spec, grid);
  return Kinds::sum([&]<class Kind>(Kind) { return Kind::bytes(spec, grid); }) +
         number_of(spec, grid) * kIndexed + lights_bytes(spec, number_of(spec, grid)) +
         // Points of a file; kept segments, in lists that grow by doubling; and placed pieces, for
         // light, for labels and for structures, which have separate labels
         pieces * std::int64_t{2 * sizeof(SwcPoint) + 3 * sizeof(Segment)} +
         3 * strands * std::int64_t{sizeof(StainedStrand)} +
         3 * PlacedStrands::bytes(strands, pieces, grid.extent);
}

std::int64_t shared_bytes(const PhantomSpec& spec) {
  return Kinds::sum([&]<class Kind>(Kind) {
    if constexpr (requires { Kind::shared_bytes(Kind::part(spec)); })
      return Kind::shared_bytes(Kind::part(spec));
    return std::int64_t{0};
  });
}

Phantom make_phantom(const PhantomSpec& spec, const Grid& grid, std::uint64_t seed,
                     const RunContext& context) {
  require_valid(spec, grid);
  context.progress.begin("phantom", Kinds::sum([&]<class Kind>(Kind) {
                           return IsDrawn<Kind> ? number_of_kind<Kind>(spec, grid) : 0;
                         }));
  Phantom phantom{.grid = grid, .spec = spec};
  Kinds::for_each([&]<class Kind>(Kind) {
    if constexpr (IsDrawn<Kind>) Kind::draw(phantom, seed, context);
  });
  return completed_phantom(std::move(phantom), seed, context);
}

Phantom completed_phantom(Phantom given, std::uint64_t seed, const RunContext& context) {
  Kinds::for_each([&]<class Kind>(Kind) {
    if constexpr (requires { Kind::settle(given); }) Kind::settle(given);
  });
  const auto place = [&]<class Kind>(Kind) {
    if constexpr (!IsDrawn<Kind>) Kind::place(given, seed, context);
  };
  Kinds::for_each([&]<class Kind>(Kind kind) {
    if constexpr (IsObstacle<Kind>) place(kind);
  });
  Kinds::for_each([&]<class Kind>(Kind kind) {
    if constexpr (!IsObstacle<Kind>) place(kind);
  });
  draw_lights(given, seed);
  return given;
}

std::vector<Obstacles> obstacles_of(const Phantom& phantom) {
  std::vector<Obstacles> all;
  Kinds::for_each([&]<class Kind>(Kind) {
    if constexpr (IsObstacle<Kind>) all.push_back(Kind::obstacles(phantom));
  });
  return all;
}

Phantom on_grid(Phantom phantom, const Grid& grid, const Vector3& corner_um) {
  phantom.grid = grid;
  shift(phantom, -1 * corner_um);
  return phantom;
}

void shift(Phantom& phantom, const Vector3& way) {
  if (way == Vector3{}) return;
  const Bounds field{{}, size_um(phantom.grid)};
  for_each_kind(phantom, [&](auto, auto& bodies) {
    for (auto& body : bodies) move_by(body, way, field);
  });
  for (ObjectLight& light : phantom.lights) light.middle = light.middle + way;
  Kinds::for_each([&]<class Kind>(Kind) {
    if constexpr (requires { Kind::move_shared(phantom, way); }) Kind::move_shared(phantom, way);
  });
}

}  // namespace synthoscope::simulator
