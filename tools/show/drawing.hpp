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
  std::optional<std::int64_t> plane;  ///< of slices along y and x; chosen by bright_point
  /// Absent: the usual percentiles. If given, labels are drawn in grey as well.
  std::optional<simulator::Contrast> contrast;
  std::optional<std::int64_t> size;  ///< pixels of the longest edge; as many as fit a screen
  bool together = true;              ///< several channels are also drawn on top of each other
};

/// Draws frames. What is seen of a frame stays in one row: its channels, all channels together, its
/// labels. An image whose voxels are numbers of objects (are_labels) has a colour for each.
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
  /// What panels show: one plane as if it were an image, or a stack from three sides.
  struct View {
    std::int64_t frame = 0;
    Sight sight = Sight::slice;
    std::optional<std::int64_t> plane = {};
  };

  [[nodiscard]] std::vector<Sight> sights() const;
  [[nodiscard]] std::size_t shown_channels() const;
  [[nodiscard]] std::vector<Panel> panels_of(const View& view);
  [[nodiscard]] simulator::Slices channel(std::size_t number, const View& view);
  [[nodiscard]] simulator::Slices labels(const View& view);
  [[nodiscard]] simulator::Slices read(Source& source, const View& view);
  /// Returns the largest values of a channel, and keeps them for the next call.
  [[nodiscard]] const simulator::Slices& maxima(std::size_t number, std::int64_t frame);
  /// Returns where slices meet; the same in all frames.
  [[nodiscard]] const Index3& meeting_point(std::int64_t frame);
  /// Returns whether the only channel holds numbers of objects; the same in all frames.
  [[nodiscard]] bool has_labels(const simulator::Slices& first);
  [[nodiscard]] std::string title(std::string name, const View& view);

  /// Counts the slices of so many pictures.
  [[nodiscard]] Reservation reserved(std::int64_t pictures) const;
  /// Counts a picture. @throws PlanError  names --size if it was given
  [[nodiscard]] Reservation reserved_for(const simulator::PanelSize& size, std::int64_t panels,
                                         std::int64_t columns) const;
  /// @param together  panels that stay in a row
  [[nodiscard]] simulator::Canvas drawn(const simulator::Grid& grid,
                                        const std::vector<Panel>& panels,
                                        std::int64_t together) const;

  struct Maxima {
    std::size_t channel;
    std::int64_t frame;
    simulator::Slices slices;
  };

  const ShownStacks& stacks_;
  DrawingSettings settings_;
  const RunContext& context_;
  std::vector<simulator::Brightness> fixed_;  ///< of each channel; empty: its own in each picture
  std::optional<Maxima> maxima_;              ///< that were read last
  std::optional<Index3> meeting_point_;
  std::optional<bool> has_labels_;
};

}  // namespace synthoscope::tools
