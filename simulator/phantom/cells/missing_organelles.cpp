// SPDX-License-Identifier: MIT
#include "simulator/phantom/cells/missing_organelles.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <cstdint>

namespace synthoscope::simulator {
namespace {

/// Counts the pieces that continue from none: each begins one organelle.
std::int64_t count_of(Structure structure, std::span<const Cell> cells) {
  std::int64_t count = 0;
  for (const Cell& cell : cells)
    for (const StainedStrand& stained : cell.strands()) {
      if (stained.structure != structure) continue;
      const auto& segments = stained.strand.segments();
      count += std::count_if(segments.begin(), segments.end(),
                             [](const Segment& segment) { return segment.before < 0; });
    }
  return count;
}

}  // namespace

std::vector<std::string> missing_organelles(const CellsSpec& spec, std::span<const Cell> cells) {
  struct Kind {
    const char* key;
    Structure structure;
    std::int64_t each;
    const char* remedy;
  };
  const Kind kinds[] = {
      {"mitochondria", Structure::mitochondrion, spec.mitochondria, "mitochondria_radius_um"},
      {"vesicles", Structure::vesicle, spec.vesicles, "vesicle_radius_um"},
      {"spots", Structure::spot, spec.spots, "spot_radius_um"},
  };
  std::vector<std::string> sentences;
  for (const Kind& kind : kinds) {
    const std::int64_t wanted = kind.each * std::ssize(cells);
    const std::int64_t found = count_of(kind.structure, cells);
    if (found < wanted)
      sentences.push_back(fmt::format(
          "cells.{}: {} of {} were placed; a smaller cells.{} or larger cells make room", kind.key,
          found, wanted, kind.remedy));
  }
  return sentences;
}

void warn_of_missing_organelles(const CellsSpec& spec, std::span<const Cell> cells, Log& log) {
  for (const std::string& sentence : missing_organelles(spec, cells)) log.warn(sentence);
}

}  // namespace synthoscope::simulator
