// SPDX-License-Identifier: MIT
#include "simulator/data_set/annotations.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <limits>
#include <span>
#include <tuple>
#include "core/base/version.hpp"
#include "imageio/output/partial_file.hpp"
#include "simulator/data_set/mask_boxes.hpp"
#include "simulator/phantom/kinds.hpp"
#include "simulator/timelapse/timelapse.hpp"

namespace synthoscope::simulator {
namespace {

/// A text file that is written while it is made, and holds little of it in memory.
class GrowingText {
 public:
  static constexpr std::size_t kHeld = 1 << 16;

  explicit GrowingText(const std::filesystem::path& path) : file_{path, false} {}

  template <class... Values>
  void add(fmt::format_string<Values...> format, Values&&... values) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Values>(values)...);
    if (text_.size() > kHeld) write();
  }
  void finish() {
    write();
    file_.commit();
  }

 private:
  void write() {
    file_.write_at(written_, std::as_bytes(std::span{text_}));
    written_ += std::ssize(text_);
    text_.clear();
  }

  imageio::PartialFile file_;
  std::string text_;
  std::int64_t written_ = 0;
};

/// An object in a frame.
struct SeenObject {
  std::int64_t frame, id;
  std::size_t class_place;  ///< in object_classes
  Point3 um;                ///< counted centroid, from the grid's corner
};

/// Takes the text up to `end`, and `end`, from the front of `text`.
std::string_view taken_until(char end, std::string_view& text) {
  const std::size_t length = std::min(text.find(end), text.size());
  const std::string_view taken = text.substr(0, length);
  text.remove_prefix(std::min(length + 1, text.size()));
  return taken;
}

/// The cells of a line of objects.csv by the names of its columns.
class ObjectCells {
 public:
  explicit ObjectCells(std::string_view names) { split(names, names_); }

  void read(std::string_view line) { split(line, cells_); }
  [[nodiscard]] std::string_view text(std::string_view name) const {
    const auto place = std::find(names_.begin(), names_.end(), name) - names_.begin();
    return place < std::ssize(cells_) ? cells_[static_cast<std::size_t>(place)] : "";
  }
  template <class Number>
  [[nodiscard]] Number number(std::string_view name) const {
    const std::string_view cell = text(name);
    Number value{};
    const auto [end, failure] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
    if (failure != std::errc{} || end != cell.data() + cell.size())
      throw InvalidInput(fmt::format(
          "read objects.csv: \"{}\" in column {} is no number; simulate the data set again", cell,
          name));
    return value;
  }

 private:
  static void split(std::string_view line, std::vector<std::string_view>& cells) {
    cells.clear();
    while (!line.empty()) cells.push_back(taken_until(',', line));
  }
  std::vector<std::string_view> names_, cells_;
};

/// Returns the objects with a pixel, frame by frame.
std::vector<SeenObject> seen_objects(std::string_view csv,
                                     const std::vector<std::string>& classes) {
  ObjectCells cells{taken_until('\n', csv)};
  std::vector<SeenObject> seen;
  seen.reserve(static_cast<std::size_t>(std::count(csv.begin(), csv.end(), '\n')));
  while (!csv.empty()) {
    cells.read(taken_until('\n', csv));
    if (cells.number<std::int64_t>("voxels") == 0) continue;
    const auto its = std::find(classes.begin(), classes.end(), cells.text("class"));
    if (its == classes.end())
      throw InvalidInput(fmt::format(
          "read objects.csv: the scene has no objects of class {}; simulate the data set again",
          cells.text("class")));
    seen.push_back({cells.number<std::int64_t>("frame"),
                    cells.number<std::int64_t>("id"),
                    static_cast<std::size_t>(its - classes.begin()),
                    {cells.number<double>("counted_centroid_z_um"),
                     cells.number<double>("counted_centroid_y_um"),
                     cells.number<double>("counted_centroid_x_um")}});
  }
  return seen;
}

/// Calls `visit(frame, masks, boxes, its)` for the masks of every frame, which have one plane, with
/// the boxes of all labels and the objects of the frame.
template <class Visit>
void for_each_plane(const DataSet& files, std::span<const SeenObject> objects,
                    const RunContext& context, Visit&& visit) {
  std::vector<std::uint16_t> plane;
  const FrameRange& frames = files.layout().frames();
  for (std::int64_t frame = frames.first; frame <= frames.last; ++frame) {
    context.stop.check();
    const auto stack = files.open_stack("labels", frame);
    plane.resize(static_cast<std::size_t>(volume(stack->extent())));
    const HostView3<std::uint16_t> masks{plane.data(), stack->extent()};
    stack->read({{0, 0, 0}, stack->extent()}, masks);
    const auto later = std::find_if(objects.begin(), objects.end(),
                                    [&](const SeenObject& one) { return one.frame != frame; });
    const auto count = static_cast<std::size_t>(later - objects.begin());
    visit(frame, HostView3<const std::uint16_t>{masks}, mask_boxes(masks), objects.first(count));
    objects = objects.subspan(count);
  }
}

/// Begins a line for a member of a list in JSON, after a comma unless it is the first.
void separate(GrowingText& out, bool& is_first) {
  out.add("{}", is_first ? "\n" : ",\n");
  is_first = false;
}

void begin_coco(GrowingText& out, const std::vector<std::string>& classes, const DataSet& files) {
  out.add("{{\"info\": {{\"description\": \"simulated by synthoscope {}\"}},\n", kVersion);
  out.add("\"licenses\": [],\n\"categories\": [");
  bool is_first = true;
  for (std::size_t i = 0; i < classes.size(); ++i) {
    separate(out, is_first);
    out.add("{{\"id\": {}, \"name\": \"{}\", \"supercategory\": \"object\"}}", i + 1, classes[i]);
  }
  out.add("],\n\"images\": [");
  const Extent3 image = files.camera_grid().extent;
  const FrameRange& frames = files.layout().frames();
  is_first = true;
  for (std::int64_t frame = frames.first; frame <= frames.last; ++frame) {
    separate(out, is_first);
    out.add("{{\"id\": {}, \"file_name\": \"{}\", \"width\": {}, \"height\": {}}}", frame + 1,
            files.layout().image(frame), image.x, image.y);
  }
  out.add("],\n\"annotations\": [");
}

void write_coco(const std::vector<SeenObject>& objects, const std::vector<std::string>& classes,
                const DataSet& files, const RunContext& context) {
  GrowingText out{files.path_of(kCocoTable)};
  begin_coco(out, classes, files);
  std::int64_t number = 0;
  bool is_first = true;
  for_each_plane(
      files, objects, context,
      [&](std::int64_t frame, auto masks, const auto& boxes, std::span<const SeenObject> its) {
        for (const SeenObject& one : its) {
          const MaskBox& box = boxes.at(static_cast<std::size_t>(one.id));
          separate(out, is_first);
          out.add("{{\"id\": {}, \"image_id\": {}, \"category_id\": {}, \"label\": {}, ", ++number,
                  frame + 1, one.class_place + 1, one.id);
          out.add("\"bbox\": [{}, {}, {}, {}], \"area\": {}, \"iscrowd\": 0, ", box.first_x,
                  box.first_y, box.width(), box.height(), box.pixels);
          out.add("\"segmentation\": {{\"size\": [{}, {}], \"counts\": [", masks.extent().y,
                  masks.extent().x);
          const char* before = "";
          for_each_coco_count(masks, static_cast<std::uint16_t>(one.id), box,
                              [&](std::int64_t count) {
                                out.add("{}{}", before, count);
                                before = ",";
                              });
          out.add("]}}}}");
        }
      });
  out.add("]}}\n");
  out.finish();
}

void write_yolo(const std::vector<SeenObject>& objects, const std::vector<std::string>& classes,
                const DataSet& files, const RunContext& context) {
  GrowingText names{files.path_of(kYoloClasses)};
  names.add("train: images\nval: images\nnames:\n");
  for (std::size_t i = 0; i < classes.size(); ++i) names.add("  {}: {}\n", i, classes[i]);
  names.finish();
  for_each_plane(
      files, objects, context,
      [&](std::int64_t frame, auto masks, const auto& boxes, std::span<const SeenObject> its) {
        const auto height = static_cast<double>(masks.extent().y);
        const auto width = static_cast<double>(masks.extent().x);
        const auto middle = [](std::int64_t first, std::int64_t last) {
          return static_cast<double>(first + last + 1) / 2;
        };
        GrowingText out{files.path_of(files.layout().boxes(frame))};
        for (const SeenObject& one : its) {
          const MaskBox& box = boxes.at(static_cast<std::size_t>(one.id));
          out.add("{} {:.8f} {:.8f} {:.8f} {:.8f}\n", one.class_place,
                  middle(box.first_x, box.last_x) / width, middle(box.first_y, box.last_y) / height,
                  static_cast<double>(box.width()) / width,
                  static_cast<double>(box.height()) / height);
        }
        out.finish();
      });
}

/// Returns a position along an axis in pixels, where the centre of the first pixel is 0.
double in_pixels(double um, double pitch_um) {
  return um / pitch_um - 0.5;
}

void write_points(const std::vector<SeenObject>& objects, const std::vector<std::string>& classes,
                  const DataSet& files) {
  const auto& [extent, pitch] = files.camera_grid();
  const FrameRange& frames = files.layout().frames();
  const bool has_frames = frames.count() > 1, has_planes = extent.z > 1;
  GrowingText out{files.path_of(kNapariPoints)};
  out.add("index");
  for (int axis = 0; axis < 2 + int{has_frames} + int{has_planes}; ++axis)
    out.add(",axis-{}", axis);
  out.add(",id,class\n");
  for (std::size_t i = 0; i < objects.size(); ++i) {
    const SeenObject& one = objects[i];
    out.add("{}", i);
    if (has_frames) out.add(",{}", one.frame - frames.first);
    if (has_planes) out.add(",{:.4f}", in_pixels(one.um.z_um, pitch.z_um));
    out.add(",{:.4f},{:.4f},{},{}\n", in_pixels(one.um.y_um, pitch.y_um),
            in_pixels(one.um.x_um, pitch.x_um), one.id, classes[one.class_place]);
  }
  out.finish();
}

void write_tracks(std::vector<SeenObject> objects, const DataSet& files) {
  std::sort(objects.begin(), objects.end(), [](const SeenObject& a, const SeenObject& b) {
    return std::tie(a.id, a.frame) < std::tie(b.id, b.frame);
  });
  const auto& [extent, pitch] = files.camera_grid();
  const bool has_planes = extent.z > 1;
  GrowingText out{files.path_of(kNapariTracks)};
  out.add("{}", has_planes ? "ID,T,Z,Y,X\n" : "ID,T,Y,X\n");
  for (const SeenObject& one : objects) {
    out.add("{},{}", one.id, one.frame - files.layout().frames().first);
    if (has_planes) out.add(",{:.4f}", in_pixels(one.um.z_um, pitch.z_um));
    out.add(",{:.4f},{:.4f}\n", in_pixels(one.um.y_um, pitch.y_um),
            in_pixels(one.um.x_um, pitch.x_um));
  }
  out.finish();
}

/// Returns the class of the members of a target; empty without a target.
std::string_view class_of(const TargetSpec& spec) {
  switch (spec.kind) {
    case TargetKind::none:
      return "";
    case TargetKind::points:
      return PointTarget::kClass;
    case TargetKind::lines:
      return LineTarget::kClass;
    case TargetKind::shells:
      return ShellTarget::kClass;
    case TargetKind::star:
      return StarTarget::kClass;
  }
  return "";
}

/// Returns the class of the objects of a kind.
template <class Kind>
std::string_view class_of_kind(const PhantomSpec& all) {
  using Bodies = std::remove_cvref_t<decltype(Kind::bodies(std::declval<Phantom&>()))>;
  if constexpr (requires { typename Bodies::value_type; })
    return Bodies::value_type::kClass;
  else
    return class_of(Kind::part(all));
}

}  // namespace

std::vector<std::string> object_classes(const SceneSpec& scene) {
  const PhantomSpec phantom = phantom_of(scene);
  const Grid grid = sample_grid(scene);
  std::vector<std::string> classes;
  Kinds::for_each([&]<class Kind>(Kind) {
    if (number_of_kind<Kind>(phantom, grid) == 0) return;
    const auto name = class_of_kind<Kind>(phantom);
    const bool is_known = std::find(classes.begin(), classes.end(), name) != classes.end();
    if (!is_known) classes.emplace_back(name);
  });
  return classes;
}

std::int64_t annotation_bytes(const SceneSpec& scene, TruthLayout layout) {
  const bool has_boxes = layout == TruthLayout::coco || layout == TruthLayout::yolo;
  if (!has_boxes && layout != TruthLayout::napari) return 0;
  constexpr std::int64_t kTexts = 4 * std::int64_t{GrowingText::kHeld};  // two, grown by doubling
  constexpr std::int64_t kLabels = std::numeric_limits<std::uint16_t>::max() + std::int64_t{1};
  const std::int64_t objects =
      2 * headcounts_of(scene).all.rows * std::int64_t{sizeof(SeenObject)};  // and in tracks' order
  const std::int64_t masks = volume(scene.grid.extent) * size_of(PixelType::uint16) +
                             kLabels * std::int64_t{sizeof(MaskBox)};
  return kTexts + objects + (has_boxes ? masks : 0);
}

void write_annotations(const SceneSpec& scene, std::string_view objects, const DataSet& files,
                       const RunContext& context) {
  const TruthLayout layout = files.layout().kind();
  if (files.layout().annotations().empty()) return;
  const auto reserved = context.memory.reserve(annotation_bytes(scene, layout), "tables");
  const auto classes = object_classes(scene);
  const auto seen = seen_objects(objects, classes);
  if (layout == TruthLayout::coco) write_coco(seen, classes, files, context);
  if (layout == TruthLayout::yolo) write_yolo(seen, classes, files, context);
  if (layout != TruthLayout::napari) return;
  write_points(seen, classes, files);
  if (files.layout().extras().movie) write_tracks(seen, files);
}

}  // namespace synthoscope::simulator
