// SPDX-License-Identifier: MIT
// simulator/timelapse/moving_kind.hpp — what nuclei and cells have in common where they move.
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>
#include "core/math/random.hpp"
#include "simulator/phantom/nucleus.hpp"
#include "simulator/phantom/phantom_spec.hpp"
#include "simulator/timelapse/lineage.hpp"

namespace synthoscope::simulator {

/// Bodies of one kind, known by their surfaces.
struct MovingKind {
  std::string_view table;            ///< of the scene, and the word for them
  NucleiSpec surfaces;               ///< what surfaces are drawn and placed by
  RandomStage drawn, lives, motion;  ///< of their draws

  /// The surface of body `number`, from 0, centred at the origin: a function of the arguments.
  [[nodiscard]] Nucleus draw(std::uint64_t seed, std::int64_t number) const;

  /// The draws that surfaces are placed by.
  [[nodiscard]] RandomStream stream(std::uint64_t seed) const { return {seed, drawn}; }

  /// Who lives, from when to when, and whose daughter it is. @throws InvalidSpec  as lineage_of.
  [[nodiscard]] std::vector<Life> lineage(const TimeSpec& time, const Grid& grid,
                                          std::int64_t frames, std::uint64_t seed) const;
};

/// Those of [nuclei].
MovingKind moving_nuclei(const PhantomSpec& spec);
/// Those of [cells]: as many as `spec` has in `grid`, none where it names none.
MovingKind moving_cells(const PhantomSpec& spec, const Grid& grid);

}  // namespace synthoscope::simulator
