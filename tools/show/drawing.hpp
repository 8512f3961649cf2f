// SPDX-License-Identifier: MIT
// tools/show/drawing.hpp — draws stacks: which panels a picture has, and what is in them.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>
#include "core/base/names.hpp"
#include "core/run/run_context.hpp"
#include "simulator/pictures/orthogonal_view.hpp"
#include "tools/show/stacks.hpp"

namespace synthoscope::tools {

/// What a picture shows of a stack.
enum class Sight { automatic, slice, projection };
inline constexpr NameTable<Sight, 3> kSightNames{{
    {Sight::automatic, "auto"},
    {Sight::slice, "slice"},
    {Sight::projection, "max"},
}};

struct DrawingSettings {
  Sight sight = Sight::automatic;  ///< automatic: both for one channel and frame, else projection
  std::optional<std::int64_t> plane;  ///< of slices along y and x; the middle one
  simulator::Contrast contrast;
  std::optional<std::int64_t> size;  ///< pixels of the longest edge; as many as fit a screen
};

/// Draws frames, each with its panels: channels, all channels together, labels.
class Drawing {
 public:
  /// All arguments outlive this.
  Drawing(const ShownStacks& stacks, const DrawingSettings& settings, const RunContext& context)
      : stacks_{stacks}, settings_{settings}, context_{context} {}

  /// Returns a picture of some frames.
  /// @throws PlanError  the memory has no room for it.  @throws what the stacks throw
  [[nodiscard]] simulator::Canvas draw(const std::vector<std::int64_t>& frames);

  /// Returns a picture of one plane of a frame.
  [[nodiscard]] simulator::Canvas draw_plane(std::int64_t frame, std::int64_t plane);

  /// From now on all pictures have the brightness of these frames, so that a movie does not
  /// flicker.
  void fix_brightness(const std::vector<std::int64_t>& frames);

 private:
  struct Panel;

  [[nodiscard]] std::vector<Sight> sights() const;
  [[nodiscard]] std::vector<Panel> panels_of(std::int64_t frame, Sight sight,
                                             std::optional<std::int64_t> plane);
  /// Counts the slices of so many pictures.
  [[nodiscard]] Reservation reserved(std::int64_t pictures) const;
  [[nodiscard]] simulator::Slices read(Source& source, Sight sight) const;
  [[nodiscard]] simulator::Canvas drawn(const simulator::Grid& grid,
                                        const std::vector<Panel>& panels) const;

  const ShownStacks& stacks_;
  DrawingSettings settings_;
  const RunContext& context_;
  std::vector<simulator::Brightness> fixed_;  ///< of each channel; empty: its own in each picture
};

}  // namespace synthoscope::tools
