// SPDX-License-Identifier: MIT
#include "tools/show/drawing.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <utility>
#include "simulator/pictures/projections.hpp"

namespace synthoscope::tools {
namespace {

using simulator::Brightness;
using simulator::OrthogonalView;
using simulator::PanelSize;
using simulator::Slices;

constexpr std::size_t kMostChannels = 6;

std::string in_capitals(std::string text) {
  for (char& c : text)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  return text;
}

/// Labels of an image without objects.
Slices no_labels() {
  const simulator::Slice none{1, 1, 1, 1, {0}};
  return {none, none, none};
}

/// One plane of a stack.
class OnePlane final : public Source {
 public:
  OnePlane(Source& stack, std::int64_t plane) : stack_{stack}, plane_{plane} {}
  [[nodiscard]] Extent3 extent() const override {
    return {1, stack_.extent().y, stack_.extent().x};
  }
  [[nodiscard]] PixelType pixel_type() const override { return stack_.pixel_type(); }
  void read(const Box3& box, VoxelView out) override {
    stack_.read({{plane_, box.origin.y, box.origin.x}, box.size}, out);
  }

 private:
  Source& stack_;
  std::int64_t plane_;
};

/// Panels in rows, so that the picture is about one and a half times as wide as high.
std::int64_t columns_for(const PanelSize& size, std::int64_t panels) {
  if (panels <= 3) return panels;
  const double ratio =
      static_cast<double>(size.panel_height()) / static_cast<double>(size.panel_width());
  const double best = std::sqrt(1.5 * ratio * static_cast<double>(panels));
  const std::int64_t columns = std::clamp<std::int64_t>(std::llround(best), 1, panels);
  const std::int64_t rows = (panels + columns - 1) / columns;
  return (panels + rows - 1) / rows;
}

/// Pixels of the longest edge for which a row of panels fits a screen.
double edge_for(const PanelSize& size, std::int64_t columns) {
  constexpr double kWidth = 1300, kLargest = 800, kSmallest = 200;
  const auto width = static_cast<double>(columns * size.panel_width());
  return std::clamp(PanelSize::kLongestSide * kWidth / width, kSmallest, kLargest);
}

}  // namespace

struct Drawing::Panel {
  std::string title;
  std::vector<simulator::ColouredSlices> stacks;  ///< several are drawn on top of each other
  Slices labels;
  bool is_outlined = false;
};

std::vector<Sight> Drawing::sights() const {
  if (settings_.plane || stacks_.grid.extent.z == 1) return {Sight::slice};
  if (settings_.sight != Sight::automatic) return {settings_.sight};
  const bool has_one = stacks_.channels.size() == 1 && stacks_.frames == 1;
  return has_one ? std::vector{Sight::slice, Sight::projection} : std::vector{Sight::projection};
}

Slices Drawing::read(Source& source, Sight sight) const {
  const VoxelSize& pitch = stacks_.grid.pitch;
  if (sight == Sight::projection) return simulator::read_projections(source, pitch, context_);
  const Extent3 e = source.extent();
  const std::int64_t plane = e.z == 1 ? 0 : settings_.plane.value_or(e.z / 2);
  return simulator::read_slices(source, pitch, {plane, e.y / 2, e.x / 2}, context_.pool);
}

/// Returns the panels of a frame. With `plane`, they show only this plane.
std::vector<Drawing::Panel> Drawing::panels_of(std::int64_t frame, Sight sight,
                                               std::optional<std::int64_t> plane) {
  const auto seen = [&](Source& stack) {
    OnePlane one{stack, plane.value_or(0)};
    return read(plane ? one : stack, sight);
  };
  const std::size_t shown = std::min(stacks_.channels.size(), kMostChannels);
  const std::string of_frame = stacks_.frames > 1 ? fmt::format(" T{}", frame)
                               : plane            ? fmt::format(" Z{}", *plane)
                                                  : "";
  std::vector<Panel> panels;
  Panel together{"TOGETHER", {}, no_labels(), false};
  for (std::size_t i = 0; i < shown; ++i) {
    const ShownChannel& channel = stacks_.channels[i];
    const std::string name = channel.name.empty() ? fmt::format("C{}", i) : channel.name;
    const std::string what = sight == Sight::slice ? "SLICE" : "MAXIMUM";
    simulator::ColouredSlices stack{
        seen(*channel.open(frame).source), {1, 1, 1}, settings_.contrast};
    if (!fixed_.empty()) stack.brightness = fixed_[i];
    if (shown > 1) together.stacks.push_back(stack);
    if (shown > 1) together.stacks.back().colour = channel.colour;
    panels.push_back({(shown > 1 ? in_capitals(name) : what) + of_frame,
                      {std::move(stack)},
                      no_labels(),
                      false});
  }
  if (shown > 1) panels.push_back(std::move(together));
  if (stacks_.labels && shown == 1)
    panels.push_back({"LABELS", panels.front().stacks, seen(*stacks_.labels(frame).source), true});
  return panels;
}

simulator::Canvas Drawing::drawn(const simulator::Grid& grid,
                                 const std::vector<Panel>& panels) const {
  const auto count = std::ssize(panels);
  const PanelSize usual{grid};
  const std::int64_t columns = columns_for(usual, count);
  const PanelSize size{
      grid, settings_.size ? static_cast<double>(*settings_.size) : edge_for(usual, columns)};
  const auto counted =
      context_.memory.reserve(OrthogonalView::bytes(size, count, columns), "the picture");
  OrthogonalView view{size, count, columns};
  for (std::int64_t i = 0; i < count; ++i) {
    const Panel& panel = panels[static_cast<std::size_t>(i)];
    const simulator::ColouredSlices& first = panel.stacks.front();
    if (panel.stacks.size() > 1)
      view.draw_together(i, panel.stacks, panel.title, context_.pool);
    else
      view.draw(i, first.slices, panel.labels,
                {panel.title, simulator::grey, panel.is_outlined ? 0.9 : 0}, first.brightness,
                context_.pool);
  }
  if (stacks_.has_voxel_size) view.scale_bar();
  return view.canvas();
}

Reservation Drawing::reserved(std::int64_t pictures) const {
  const Extent3& extent = stacks_.grid.extent;
  const auto stacks = static_cast<std::int64_t>(2 * stacks_.channels.size() + 2);
  return context_.memory.reserve(
      pictures * stacks * simulator::slices_bytes(extent) +
          simulator::slices_reading_bytes(extent, context_.pool.threads()),
      "slices");
}

simulator::Canvas Drawing::draw(const std::vector<std::int64_t>& frames) {
  const std::vector<Sight> all = sights();
  const Reservation held = reserved(std::ssize(frames) * std::ssize(all));
  std::vector<Panel> panels;
  for (const std::int64_t frame : frames)
    for (const Sight sight : all)
      for (Panel& panel : panels_of(frame, sight, {})) panels.push_back(std::move(panel));
  return drawn(stacks_.grid, panels);
}

simulator::Canvas Drawing::draw_plane(std::int64_t frame, std::int64_t plane) {
  const Reservation held = reserved(1);
  const Extent3& e = stacks_.grid.extent;
  return drawn({{1, e.y, e.x}, stacks_.grid.pitch}, panels_of(frame, Sight::slice, plane));
}

void Drawing::fix_brightness(const std::vector<std::int64_t>& frames) {
  const Reservation held = reserved(1);
  fixed_.clear();
  std::vector<Brightness> most;
  for (const std::int64_t frame : frames) {
    const std::vector<Panel> panels = panels_of(frame, sights().back(), {});
    const std::size_t shown = std::min(stacks_.channels.size(), kMostChannels);
    for (std::size_t i = 0; i < shown; ++i) {
      const Brightness& here = panels[i].stacks.front().brightness;
      if (most.size() == i) most.push_back(here);
      most[i] = {std::min(most[i].low, here.low), std::max(most[i].high, here.high)};
    }
  }
  fixed_ = std::move(most);
}

}  // namespace synthoscope::tools
