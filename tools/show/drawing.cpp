// SPDX-License-Identifier: MIT
#include "tools/show/drawing.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <utility>
#include "simulator/pictures/projections.hpp"
#include "tools/show/label_image.hpp"

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

/// Returns how many panels a row has, so that the picture is about one and a half times as wide as
/// high. `together` of them stay in a row.
std::int64_t columns_for(const PanelSize& size, std::int64_t panels, std::int64_t together) {
  if (panels <= 3) return panels;
  const double ratio =
      static_cast<double>(size.panel_height()) / static_cast<double>(size.panel_width());
  const double best =
      std::sqrt(1.5 * ratio * static_cast<double>(panels)) / static_cast<double>(together);
  const std::int64_t groups = panels / together;
  const std::int64_t in_row = std::clamp<std::int64_t>(std::llround(best), 1, groups);
  const std::int64_t rows = (groups + in_row - 1) / in_row;
  return together * ((groups + rows - 1) / rows);
}

/// Returns the pixels of the longest edge for which a row of panels fits a screen.
double edge_for(const PanelSize& size, std::int64_t columns) {
  constexpr double kWidth = 1300, kLargest = 800, kSmallest = 200;
  const auto width = static_cast<double>(columns * size.panel_width());
  return std::clamp(PanelSize::kLongestSide * kWidth / width, kSmallest, kLargest);
}

/// Sets every number of an object to 1, so that numbers do not count as brightness.
void mark_objects(Slices& labels) {
  for (simulator::Slice* const slice : {&labels.yx, &labels.zx, &labels.yz})
    for (float& value : slice->values) value = value != 0 ? 1 : 0;
}

}  // namespace

struct Drawing::Panel {
  enum class Kind { image, outlined, together, labels };
  std::string title;
  Kind kind = Kind::image;
  std::vector<simulator::ColouredSlices> stacks;  ///< several are drawn on top of each other
  Slices labels = no_labels();
};

std::vector<Sight> Drawing::sights() const {
  if (settings_.plane || stacks_.grid.extent.z == 1) return {Sight::slice};
  if (settings_.sight != Sight::automatic) return {settings_.sight};
  const bool has_one = stacks_.channels.size() == 1 && stacks_.frames == 1;
  return has_one ? std::vector{Sight::slice, Sight::projection} : std::vector{Sight::projection};
}

std::size_t Drawing::shown_channels() const {
  return std::min(stacks_.channels.size(), kMostChannels);
}

const Slices& Drawing::maxima(std::size_t number, std::int64_t frame) {
  if (!maxima_ || maxima_->channel != number || maxima_->frame != frame)
    maxima_ = {number, frame,
               simulator::read_projections(*stacks_.channels[number].open(frame).source,
                                           stacks_.grid.pitch, context_)};
  return maxima_->slices;
}

const Index3& Drawing::meeting_point(std::int64_t frame) {
  if (meeting_point_) return *meeting_point_;
  const Extent3& e = stacks_.grid.extent;
  if (settings_.plane || e.z == 1) {
    meeting_point_ = {settings_.plane.value_or(0), e.y / 2, e.x / 2};
  } else {
    Slices seen = maxima(0, frame);
    if (has_labels(seen)) mark_objects(seen);
    meeting_point_ = bright_point(seen, e);
  }
  return *meeting_point_;
}

Slices Drawing::read(Source& source, const View& view) {
  const VoxelSize& pitch = stacks_.grid.pitch;
  if (view.sight == Sight::projection) return simulator::read_projections(source, pitch, context_);
  if (!view.plane)
    return simulator::read_slices(source, pitch, meeting_point(view.frame), context_.pool);
  OnePlane one{source, *view.plane};
  const Extent3 e = one.extent();
  return simulator::read_slices(one, pitch, {0, e.y / 2, e.x / 2}, context_.pool);
}

Slices Drawing::channel(std::size_t number, const View& view) {
  if (view.sight == Sight::projection) return maxima(number, view.frame);
  return read(*stacks_.channels[number].open(view.frame).source, view);
}

Slices Drawing::labels(const View& view) {
  return read(*stacks_.labels(view.frame).source, view);
}

bool Drawing::has_labels(const Slices& first) {
  if (has_labels_) return *has_labels_;
  const bool may_have = stacks_.channels.size() == 1 && !stacks_.labels && !settings_.contrast;
  has_labels_ = may_have && are_labels(first.yx);
  if (*has_labels_)
    context_.log.note(
        "the voxels are numbers of objects, and each number is drawn in a colour; for grey give "
        "--contrast 0,100");
  return *has_labels_;
}

std::string Drawing::title(std::string name, const View& view) {
  const bool is_stack = stacks_.grid.extent.z > 1;
  if (name.empty() && !is_stack) name = "image";
  if (view.plane)
    name += fmt::format(" Z{}", *view.plane);
  else if (is_stack && view.sight == Sight::projection)
    name += " MAXIMUM";
  else if (is_stack)
    name += fmt::format(" SLICE Z{}", meeting_point(view.frame).z);
  if (stacks_.frames > 1) name += fmt::format(" T{}", view.frame);
  return in_capitals(name.substr(name.find_first_not_of(' ')));
}

std::vector<Drawing::Panel> Drawing::panels_of(const View& view) {
  const std::size_t shown = shown_channels();
  const bool draws_together = shown > 1 && settings_.together;
  std::vector<Panel> panels;
  Panel together{"TOGETHER", Panel::Kind::together, {}};
  for (std::size_t i = 0; i < shown; ++i) {
    const ShownChannel& its = stacks_.channels[i];
    Slices slices = channel(i, view);
    if (has_labels(slices)) {
      panels.push_back({title("labels", view), Panel::Kind::labels, {}, std::move(slices)});
      return panels;
    }
    simulator::ColouredSlices stack{
        std::move(slices), {1, 1, 1}, settings_.contrast.value_or(simulator::Contrast{})};
    if (!fixed_.empty()) stack.brightness = fixed_[i];
    if (draws_together) together.stacks.push_back(stack);
    if (draws_together) together.stacks.back().colour = its.colour;
    const std::string name = its.name.empty() ? fmt::format("C{}", i) : its.name;
    panels.push_back({title(shown > 1 ? name : "", view), Panel::Kind::image, {std::move(stack)}});
  }
  if (draws_together) panels.push_back(std::move(together));
  if (stacks_.labels && shown == 1)
    panels.push_back({"LABELS", Panel::Kind::outlined, panels.front().stacks, labels(view)});
  return panels;
}

Reservation Drawing::reserved_for(const PanelSize& size, std::int64_t panels,
                                  std::int64_t columns) const {
  const std::int64_t bytes = OrthogonalView::bytes(size, panels, columns);
  const std::int64_t left = context_.memory.limit() - context_.memory.used();
  if (settings_.size && bytes > left)
    throw PlanError(fmt::format(
        "show: a picture with --size {} needs {}, and {} of --memory are left; give a smaller "
        "--size or more --memory",
        *settings_.size, print_bytes(bytes), print_bytes(left)));
  return context_.memory.reserve(bytes, "the picture");
}

simulator::Canvas Drawing::drawn(const simulator::Grid& grid, const std::vector<Panel>& panels,
                                 std::int64_t together) const {
  const auto count = std::ssize(panels);
  const PanelSize usual{grid};
  const std::int64_t columns = columns_for(usual, count, together);
  const PanelSize size{
      grid, settings_.size ? static_cast<double>(*settings_.size) : edge_for(usual, columns)};
  const Reservation counted = reserved_for(size, count, columns);
  OrthogonalView view{size, count, columns};
  for (std::int64_t i = 0; i < count; ++i) {
    const Panel& panel = panels[static_cast<std::size_t>(i)];
    if (panel.kind == Panel::Kind::labels) {
      view.draw_labels(i, panel.labels, panel.title, context_.pool);
    } else if (panel.kind == Panel::Kind::together) {
      view.draw_together(i, panel.stacks, panel.title, context_.pool);
    } else {
      const double outline = panel.kind == Panel::Kind::outlined ? 0.9 : 0;
      view.draw(i, panel.stacks.front().slices, panel.labels,
                {panel.title, simulator::grey, outline}, panel.stacks.front().brightness,
                context_.pool);
    }
  }
  if (stacks_.has_voxel_size) view.scale_bar();
  return view.canvas();
}

Reservation Drawing::reserved(std::int64_t pictures) const {
  // Channels once more for all together, labels, copies for quantiles; and the maxima that are kept
  const Extent3& extent = stacks_.grid.extent;
  const auto stacks = static_cast<std::int64_t>(2 * stacks_.channels.size() + 2);
  return context_.memory.reserve(
      (pictures * stacks + 2) * simulator::slices_bytes(extent) +
          simulator::slices_reading_bytes(extent, context_.pool.threads()),
      "slices");
}

simulator::Canvas Drawing::draw(const std::vector<std::int64_t>& frames) {
  const std::vector<Sight> all = sights();
  const Reservation held = reserved(std::ssize(frames) * std::ssize(all));
  std::vector<Panel> panels;
  for (const std::int64_t frame : frames)
    for (const Sight sight : all)
      for (Panel& panel : panels_of({frame, sight})) panels.push_back(std::move(panel));
  return drawn(stacks_.grid, panels, std::ssize(panels) / (std::ssize(frames) * std::ssize(all)));
}

simulator::Canvas Drawing::draw_plane(std::int64_t frame, std::int64_t plane) {
  const Reservation held = reserved(1);
  const Extent3& e = stacks_.grid.extent;
  const std::vector<Panel> panels = panels_of({frame, Sight::slice, plane});
  return drawn({{1, e.y, e.x}, stacks_.grid.pitch}, panels, std::ssize(panels));
}

void Drawing::fix_brightness(const std::vector<std::int64_t>& frames) {
  const Reservation held = reserved(1);
  fixed_.clear();
  std::vector<Brightness> most;
  for (const std::int64_t frame : frames) {
    const std::vector<Panel> panels = panels_of({frame, sights().back()});
    for (std::size_t i = 0; i < shown_channels() && !panels[i].stacks.empty(); ++i) {
      const Brightness& here = panels[i].stacks.front().brightness;
      if (most.size() == i) most.push_back(here);
      most[i] = {std::min(most[i].low, here.low), std::max(most[i].high, here.high)};
    }
  }
  fixed_ = std::move(most);
}

}  // namespace synthoscope::tools
