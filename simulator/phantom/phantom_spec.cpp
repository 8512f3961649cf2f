// SPDX-License-Identifier: MIT
#include "simulator/phantom/phantom_spec.hpp"
#include <fmt/format.h>
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include "core/base/error.hpp"
#include "simulator/phantom/geometry/population.hpp"

namespace synthoscope::simulator {
namespace {

constexpr std::int64_t kMostPieces = 100'000'000;  // their numbers have 31 bits

/// Returns the number of objects of every kind, by the name of its table.
std::array<std::pair<std::string_view, std::int64_t>, 7> numbers_of(const PhantomSpec& spec,
                                                                    const Grid& grid) {
  return {{{"nuclei", number_of(spec.nuclei, grid)},
           {"cells", number_of(spec.cells, grid)},
           {"beads", number_of(spec.beads, grid)},
           {"target", number_of(spec.target, grid)},
           {"volume", number_of(spec.volume)},
           {"tissue", number_of(spec.tissue, grid)},
           {"neuron", number_of(spec.neuron)}}};
}

}  // namespace

std::int64_t number_of(const PhantomSpec& spec, const Grid& grid) {
  std::int64_t all = 0;
  for (const auto& [kind, number] : numbers_of(spec, grid)) all += number;
  return all;
}

StrandCount strands_of(const PhantomSpec& spec, const Grid& grid) {
  StrandCount all{number_of(spec.neuron), std::ssize(points_of(spec.neuron))};
  if (const std::int64_t cells = number_of(spec.cells, grid); cells > 0) {
    const StrandCount each = strands_of_cell(spec.cells);
    all.strands += cells * each.strands;
    all.pieces += cells * each.pieces;
  }
  return all;
}

void require_valid(const PhantomSpec& spec, const Grid& grid) {
  require_valid(spec.nuclei);
  require_valid(spec.cells);
  require_valid(spec.beads);
  require_valid(spec.target, grid);
  require_valid(spec.volume);
  require_valid(spec.tissue);
  require_valid(spec.neuron);
  if (const auto [strands, pieces] = strands_of(spec, grid); pieces > kMostPieces)
    throw InvalidSpec(fmt::format(
        "check the scene: what is in cells consists of up to {} pieces, {} are accepted; ask for "
        "fewer in cells.count, cells.microtubules, cells.actin_fibres, cells.mitochondria or "
        "cells.mitochondria_length_um",
        pieces, kMostPieces));
  const std::int64_t all = number_of(spec, grid);
  if (all <= kMostObjects) return;
  std::string kinds;
  for (const auto& [kind, number] : numbers_of(spec, grid))
    if (number > 0) kinds += fmt::format("{}{} {}", kinds.empty() ? "" : ", ", kind, number);
  throw InvalidSpec(
      fmt::format("check the scene: it has {} objects ({}), but labels can number only {}; ask for "
                  "fewer of them in a "
                  "count or a density, or for a wider target.spacing_um",
                  all, kinds, kMostObjects));
}

}  // namespace synthoscope::simulator
