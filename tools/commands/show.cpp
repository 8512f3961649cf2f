// SPDX-License-Identifier: MIT
// Draws an image, or a data set with its labels, as a picture, as a movie or in the terminal.
#include <fmt/format.h>
#include <algorithm>
#include "core/base/json.hpp"
#include "imageio/output/atomic_file.hpp"
#include "imageio/run/new_output.hpp"
#include "imageio/small/png_preview.hpp"
#include "tools/commands/commands.hpp"
#include "tools/jobs/sweep_sets.hpp"
#include "tools/options/image.hpp"
#include "tools/options/rows.hpp"
#include "tools/options/run.hpp"
#include "tools/show/drawing.hpp"
#include "tools/show/gif_movie.hpp"
#include "tools/show/half_blocks.hpp"
#include "tools/terminal/result.hpp"

namespace synthoscope::tools {
namespace {

class Show final : public Command {
 public:
  [[nodiscard]] std::string_view name() const override { return "show"; }
  [[nodiscard]] std::string_view summary() const override {
    return "Draws an image or a data set. The picture has slices, maximum projections, channels "
           "and labels in colour, and a scale bar. Without -o it is drawn in the terminal.";
  }
  void describe(OptionTable& table) override;

 private:
  void run(const Invocation& invocation) override;
  void name_files(imageio::RunFiles& files) const override;
  void take_contrast(std::string_view text);
  void require_output(bool has_terminal) const;
  [[nodiscard]] bool is_movie() const { return output_.extension() == ".gif"; }

  [[nodiscard]] ShownStacks opened(const RunContext& context);
  [[nodiscard]] std::vector<std::int64_t> frames_of(const ShownStacks& stacks) const;
  void write_picture(const simulator::Canvas& canvas, Console& console) const;
  void write_movie(const ShownStacks& stacks, Drawing& drawing, const RunContext& context,
                   Console& console) const;
  void print_made(const simulator::Canvas& canvas, std::int64_t frames, Console& console) const;

  std::filesystem::path file_, output_, labels_;
  DrawingSettings drawing_;
  double frames_per_second_ = 10;
  bool overwrite_ = false;
  InputOptions input_;
  RunOptions run_;
};

void Show::describe(OptionTable& table) {
  table.add_argument(
      required(path_row("FILE", "", file_, "image file, or folder of a data set, to show")));
  table.group("Result");
  table.add(lettered(
      'o', path_row("output", "PICTURE", output_,
                    "file to write: a PNG, or a GIF with all frames of a movie or all planes of a "
                    "stack; default: draw in the terminal")));
  table.add(choice_row("projection", drawing_.sight, kSightNames,
                       "what to show of a stack: max is the largest value along each axis, slice "
                       "is three planes that meet in its middle; auto shows both for one channel, "
                       "and max for several"));
  table.add(whole_row("plane", "N", drawing_.plane, 0,
                      "the middle one, or that of the brightest voxel if the middle one is dark",
                      "plane of the slice along y and x, from 0; shows slices"));
  table.add(path_row("labels", "FILE", labels_,
                     "labels, whose outlines are drawn over the image and left out beside it; "
                     "those of a data set are known"));
  table.add({"contrast", "LOW,HIGH", "1,99.9", "%",
             "percentiles of the values that are shown black and white; if given, labels are drawn "
             "in grey as well",
             [this](std::string_view text) { take_contrast(text); }});
  table.add({"size", "N", "as many as fit a screen", "",
             "pixels of the longest edge of the image, for each slice; 16 to 20000",
             [this](std::string_view text) { drawing_.size = parse_whole(text, 16, 20000); }});
  table.add(real_row("fps", "N", frames_per_second_, "", "frames of a GIF per second"));
  table.add(switch_row("overwrite", overwrite_, "replace a picture that exists"));
  input_.describe(table);
  run_.describe_for_one_stage(table);
}

void Show::name_files(imageio::RunFiles& files) const {
  files.add_reference("image", file_);
  if (!labels_.empty()) files.add_reference("labels", labels_);
  if (!output_.empty()) files.add_output_file("picture", output_);
}

void Show::take_contrast(std::string_view text) {
  const std::vector<double> percentiles = parse_reals(text);
  if (percentiles.size() != 2 || !(percentiles[0] >= 0) || !(percentiles[0] < percentiles[1]) ||
      !(percentiles[1] <= 100))
    throw InvalidSpec(fmt::format(
        "'{}' is no range of percentiles; write two from 0 to 100, such as 1,99.9", text));
  drawing_.contrast = simulator::Contrast{percentiles[0] / 100, percentiles[1] / 100};
}

void Show::require_output(bool has_terminal) const {
  if (output_.empty() && !has_terminal)
    throw InvalidSpec(
        "show: --output is missing, and standard output is no terminal to draw in; write -o "
        "PICTURE.png");
  if (!(frames_per_second_ > 0))
    throw InvalidSpec(fmt::format("show: --fps is {}; give more than 0", frames_per_second_));
  if (drawing_.plane && drawing_.sight == Sight::projection)
    throw InvalidSpec("show: --plane is for slices; leave it or --projection max out");
  if (output_.empty()) return;
  if (output_.extension() != ".png" && !is_movie())
    throw InvalidSpec(
        fmt::format("show: {} is neither the name of a PNG nor of a GIF; write -o "
                    "{}.png",
                    output_.string(), output_.stem().string()));
  imageio::require_new_output(output_, overwrite_);
}

ShownStacks Show::opened(const RunContext& context) {
  require_no_sweep(name(), file_);
  ShownStacks stacks = stacks_to_show(file_, input_.open_options(), context);
  if (!labels_.empty()) add_labels(stacks, labels_, input_.open_options(), context);
  add_inputs("image", stacks.files);
  const std::int64_t planes = stacks.grid.extent.z;
  if (drawing_.plane && *drawing_.plane >= planes)
    throw InvalidSpec(fmt::format("show {}: there is no plane {}; choose --plane 0 to {}",
                                  file_.string(), *drawing_.plane, planes - 1));
  if (input_.frame && *input_.frame >= stacks.frames)
    throw InvalidSpec(fmt::format("show {}: there is no frame {}; choose --frame 0 to {}",
                                  file_.string(), *input_.frame, stacks.frames - 1));
  if (!stacks.has_named_axes && planes > 1)
    context.log.note(
        fmt::format("{} does not name its axes, and its {} planes are drawn as those of a stack; "
                    "for a movie give --axes TYX",
                    file_.string(), planes));
  if (!stacks.has_voxel_size)
    context.log.note(fmt::format(
        "{} does not say how far its voxels are apart, so there is no "
        "scale bar{}; give --voxel-um Z,Y,X",
        file_.string(), planes > 1 ? " and planes may look thinner than they are" : ""));
  return stacks;
}

/// A picture has room for some frames of a movie: its first, its middle and its last.
std::vector<std::int64_t> Show::frames_of(const ShownStacks& stacks) const {
  if (input_.frame) return {*input_.frame};
  std::vector<std::int64_t> frames{0, stacks.frames / 2, stacks.frames - 1};
  frames.erase(std::unique(frames.begin(), frames.end()), frames.end());
  return frames;
}

void Show::print_made(const simulator::Canvas& canvas, std::int64_t frames,
                      Console& console) const {
  if (run_.json)
    return print_json(Json{{"picture", output_.string()},
                           {"width", canvas.width()},
                           {"height", canvas.height()},
                           {"frames", frames},
                           {"warnings", console.warnings()}});
  print_summary(fmt::format("{}: {}x{} pixels{}", output_.string(), canvas.width(), canvas.height(),
                            frames > 1 ? fmt::format(", {} frames", frames) : ""));
}

void Show::write_picture(const simulator::Canvas& canvas, Console& console) const {
  imageio::write_png(output_, canvas.width(), canvas.height(), canvas.pixels(), overwrite_);
  print_made(canvas, 1, console);
}

/// All frames of a movie, or all planes of a stack.
void Show::write_movie(const ShownStacks& stacks, Drawing& drawing, const RunContext& context,
                       Console& console) const {
  const bool is_of_frames = stacks.frames > 1 && !input_.frame;
  const std::int64_t frame = input_.frame.value_or(0);
  const std::int64_t count = is_of_frames ? stacks.frames : stacks.grid.extent.z;
  if (count == 1)
    throw InvalidSpec(
        fmt::format("show {}: it has one frame and one plane, which are no movie; "
                    "write -o {}.png",
                    file_.string(), output_.stem().string()));
  const auto picture = [&](std::int64_t i) {
    return is_of_frames ? drawing.draw({i}) : drawing.draw_plane(frame, i);
  };

  // Choose colours and brightness for the first, the middle and the last picture
  drawing.fix_brightness(frames_of(stacks));
  const simulator::Canvas first = picture(0);
  std::vector<std::uint8_t> pixels = first.pixels();
  const Reservation sampled =
      context.memory.reserve(4 * std::ssize(pixels), "samples of the movie's colours");
  for (const std::int64_t i : {count / 2, count - 1}) {
    const simulator::Canvas sample = picture(i);
    pixels.insert(pixels.end(), sample.pixels().begin(), sample.pixels().end());
  }
  const Palette palette{pixels};
  GifMovie movie{first.width(), first.height(), palette, frames_per_second_};
  std::vector<Reservation> held;
  context.progress.begin("movie", count);
  for (std::int64_t i = 0; i < count; ++i) {
    context.stop.check();
    const std::int64_t before = movie.bytes();
    movie.add(picture(i).pixels());
    held.push_back(context.memory.reserve(2 * (movie.bytes() - before), "the movie"));
    context.progress.advance(1);
  }
  console.finish();
  imageio::write_file_atomically(output_, movie.finish(), overwrite_);
  print_made(first, count, console);
}

void Show::run(const Invocation& invocation) {
  const auto columns = terminal_columns();
  require_output(columns.has_value());
  Session session{run_, invocation};
  const RunContext& context = session.context();
  const ShownStacks stacks = opened(context);
  Drawing drawing{stacks, drawing_, context};
  if (is_movie()) return write_movie(stacks, drawing, context, invocation.console);
  const simulator::Canvas canvas = drawing.draw(frames_of(stacks));
  invocation.console.finish();
  if (output_.empty()) return print_picture(half_blocks(canvas, *columns));
  write_picture(canvas, invocation.console);
}

}  // namespace

std::unique_ptr<Command> make_show() {
  return std::make_unique<Show>();
}

}  // namespace synthoscope::tools
