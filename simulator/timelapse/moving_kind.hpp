// SPDX-License-Identifier: MIT
// simulator/timelapse/moving_kind.hpp — what moving nuclei and cells have in common.
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>
#include "core/math/random.hpp"
#include "simulator/phantom/nuclei/nucleus.hpp"
#include "simulator/phantom/phantom_spec.hpp"
#include "simulator/timelapse/lineage.hpp"

namespace synthoscope::simulator {

/// Bodies of one kind, known by their surfaces.
struct MovingKind {
  std::string_view table;            ///< table of the scene, and the word for the bodies
  NucleiSpec surfaces;               ///< for drawing and placing surfaces
  RandomStage drawn, lives, motion;  ///< stages of their random draws
  bool is_chromatin = false;         ///< nuclei, not cells

  /// Returns the surface of body `number`, from 0, centred at the origin; depends only on
  /// arguments.
  [[nodiscard]] Nucleus draw(std::uint64_t seed, std::int64_t number) const;

  /// Returns whether bodies divide as nuclei do: by mitosis.hpp. Nuclei of several lobes do not.
  [[nodiscard]] bool shows_mitosis(const TimeSpec& time) const {
    return is_chromatin && time.division && time.mitosis && surfaces.most_lobes == 1;
  }

  /// Returns whether bodies stay in their planes as they move.
  [[nodiscard]] bool stays_in_plane(const TimeSpec& time) const {
    return time.in_plane.value_or(surfaces.orientation == Orientation::flat);
  }

  /// Returns the random draws for placing surfaces.
  [[nodiscard]] RandomStream stream(std::uint64_t seed) const { return {seed, drawn}; }

  /// Returns the life of each body and its mother. @throws InvalidSpec  as lineage_of.
  [[nodiscard]] std::vector<Life> lineage(const TimeSpec& time, const Grid& grid,
                                          std::int64_t frames, std::uint64_t seed) const;
};

/// Returns the kind of [nuclei].
MovingKind moving_nuclei(const PhantomSpec& spec);
/// Returns the kind of [cells]: as many as `spec` has in `grid`, none if it names none.
MovingKind moving_cells(const PhantomSpec& spec, const Grid& grid);

}  // namespace synthoscope::simulator
