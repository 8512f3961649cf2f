// SPDX-License-Identifier: MIT
#include "simulator/phantom/phantom_spec.hpp"
#include <fmt/format.h>
#include <string>
#include "core/base/error.hpp"
#include "simulator/phantom/geometry/population.hpp"
#include "simulator/phantom/kinds.hpp"

namespace synthoscope::simulator {
namespace {

constexpr std::int64_t kMaxPieces = 100'000'000;  // their numbers have 31 bits

/// Returns how many objects of each kind there are: "nuclei 5, beads 70000".
std::string numbers_of(const PhantomSpec& spec, const Grid& grid) {
  std::string text;
  Kinds::for_each([&]<class Kind>(Kind) {
    if (const std::int64_t number = number_of_kind<Kind>(spec, grid); number > 0)
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", Kind::kName, number);
  });
  return text;
}

}  // namespace

std::int64_t number_of(const PhantomSpec& spec, const Grid& grid) {
  return Kinds::sum([&]<class Kind>(Kind) { return number_of_kind<Kind>(spec, grid); });
}

StrandCount strands_of(const PhantomSpec& spec, const Grid& grid) {
  StrandCount all;
  Kinds::for_each([&]<class Kind>(Kind) {
    if constexpr (requires { Kind::strands(spec, grid); }) {
      const auto [strands, pieces] = Kind::strands(spec, grid);
      all.strands += strands;
      all.pieces += pieces;
    }
  });
  return all;
}

bool has_structures(const PhantomSpec& spec, const Grid& grid) {
  return Kinds::any([&]<class Kind>(Kind) {
    if constexpr (requires { Kind::kHasStructures; }) return has_kind<Kind>(spec, grid);
    return false;
  });
}

void require_valid(const PhantomSpec& spec, const Grid& grid) {
  Kinds::for_each([&]<class Kind>(Kind) {
    if constexpr (requires { require_valid(Kind::part(spec), grid); })
      require_valid(Kind::part(spec), grid);
    else
      require_valid(Kind::part(spec));
  });
  if (const auto [strands, pieces] = strands_of(spec, grid); pieces > kMaxPieces)
    throw InvalidSpec(
        fmt::format("check the scene: the content of cells consists of up to {} pieces, but at "
                    "most {} are possible; lower cells.count, cells.microtubules, "
                    "cells.actin_fibres, cells.mitochondria or cells.mitochondria_length_um",
                    pieces, kMaxPieces));
  const std::int64_t all = number_of(spec, grid);
  if (all <= kMaxObjects) return;
  throw InvalidSpec(
      fmt::format("check the scene: it has {} objects ({}), but labels can number only {}; ask for "
                  "fewer of them in a count or a density, or for a wider target.spacing_um",
                  all, numbers_of(spec, grid), kMaxObjects));
}

}  // namespace synthoscope::simulator
