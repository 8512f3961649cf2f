// SPDX-License-Identifier: MIT
// Prints what an image file contains: size, type, voxel size, notes and statistics; and the data
// sets of a sweep.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include "core/base/json.hpp"
#include "imageio/image/statistics.hpp"
#include "tools/commands/commands.hpp"
#include "tools/jobs/sweep_sets.hpp"
#include "tools/options/image.hpp"
#include "tools/options/rows.hpp"
#include "tools/options/run.hpp"
#include "tools/terminal/result.hpp"
#include "tools/terminal/visible_text.hpp"

namespace synthoscope::tools {
namespace {

std::string voxel_size_text(const imageio::ImageInfo& info) {
  if (!info.z_um && !info.y_um && !info.x_um) return "unknown";
  const auto axis = [](const std::optional<double>& um) {
    return um ? fmt::format("{:g}", *um) : "unknown";
  };
  return fmt::format("{}, {}, {} um (z, y, x)", axis(info.z_um), axis(info.y_um), axis(info.x_um));
}

Json channel_json(const imageio::ImageChannel& channel) {
  const auto number = [](const std::optional<double>& nm) { return nm ? Json(*nm) : Json(); };
  return {{"name", channel.name},
          {"color", channel.rgb ? Json(imageio::print_colour(*channel.rgb)) : Json()},
          {"emission_nm", number(channel.emission_nm)},
          {"excitation_nm", number(channel.excitation_nm)}};
}

/// "GFP, shown in 00FF00, emission 509 nm".
std::string channel_text(const imageio::ImageChannel& channel) {
  std::string text = channel.name.empty() ? "without a name" : channel.name;
  if (channel.rgb) text += fmt::format(", shown in {}", imageio::print_colour(*channel.rgb));
  if (channel.emission_nm) text += fmt::format(", emission {:g} nm", *channel.emission_nm);
  if (channel.excitation_nm) text += fmt::format(", excitation {:g} nm", *channel.excitation_nm);
  return text;
}

Json image_json(const imageio::ImageInfo& info) {
  Json object{{"path", info.path.string()},
              {"format", info.format},
              {"extent", json_of(info.extent)},
              {"type", name_of(info.type)},
              {"channels", info.channels},
              {"frames", info.frames},
              {"samples_per_pixel", info.samples_per_pixel},
              {"voxel_um", voxel_size_json(info)},
              {"compression", info.compression},
              {"axes", info.axes_text()},
              {"notes", info.notes}};
  if (!info.images.empty()) {
    object["image"] = info.image;
    object["images"] = info.images;
  }
  for (const imageio::ImageChannel& channel : info.channel_names)
    object["channel_names"].push_back(channel_json(channel));
  if (!info.data_set.empty()) object["data_set"] = info.data_set;
  if (info.chunks) object["chunks"] = json_of(*info.chunks);
  for (const Extent3& level : info.levels) object["levels"].push_back(json_of(level));
  if (!info.labels.empty()) object["labels"] = info.labels;
  if (info.kernel_center) object["kernel_center"] = json_of(*info.kernel_center);
  return object;
}

/// Without a finite voxel there is no smallest one, and no mean.
Json statistics_json(const imageio::Statistics& s) {
  const auto known = [&](double value) { return s.has_finite() ? Json(value) : Json(); };
  return {{"voxels", s.count},
          {"not_finite", s.nonfinite},
          {"nan", s.nan},
          {"min", known(s.min)},
          {"max", known(s.max)},
          {"mean", known(s.mean)},
          {"standard_deviation", known(s.standard_deviation)}};
}

std::string to_text(const imageio::ImageInfo& info) {
  std::string text = fmt::format(
      "file         {}\nformat       {}, compression {}\nsize         {} (z, y, x)\n"
      "voxels       {}\nvoxel size   {}\n",
      visible_line(info.path.string()), info.format, visible_line(info.compression), info.extent,
      name_of(info.type), voxel_size_text(info));
  if (!info.data_set.empty())
    text += fmt::format("array        {}{}\n", visible_line(info.data_set),
                        info.chunks ? fmt::format(", in chunks of {}", *info.chunks) : "");
  if (!info.levels.empty()) text += fmt::format("levels       {}\n", fmt::join(info.levels, ", "));
  if (!info.labels.empty())
    text += fmt::format("labels       {}\n",
                        visible_line(fmt::format("{}", fmt::join(info.labels, ", "))));
  if (!info.axes.empty()) text += fmt::format("axes         {}\n", visible_line(info.axes_text()));
  for (std::size_t i = 0; i < info.images.size(); ++i)
    text += fmt::format("image {:<6} {}\n", i, visible_line(info.images[i]));
  if (info.channels > 1) text += fmt::format("channels     {}\n", info.channels);
  for (std::size_t i = 0; i < info.channel_names.size(); ++i)
    text += fmt::format("channel {:<4} {}\n", i, visible_line(channel_text(info.channel_names[i])));
  if (info.frames > 1) text += fmt::format("frames       {}\n", info.frames);
  if (info.samples_per_pixel > 1)
    text += fmt::format("samples      {} per pixel\n", info.samples_per_pixel);
  if (info.kernel_center) text += fmt::format("centre       {} as a kernel\n", *info.kernel_center);
  for (const std::string& note : info.notes)
    text += fmt::format("note         {}\n", visible_line(note));
  return text;
}

std::string to_text(const imageio::Statistics& s) {
  std::string text =
      s.has_finite() ? fmt::format("range        {:g} to {:g}\nmean         {:g}, deviation {:g}\n",
                                   s.min, s.max, s.mean, s.standard_deviation)
                     : "range        no voxel is finite\n";
  if (s.nonfinite > 0)
    text +=
        fmt::format("not finite   {} of {} voxels, {} of them NaN\n", s.nonfinite, s.count, s.nan);
  return text;
}

class Info final : public Command {
 public:
  [[nodiscard]] std::string_view name() const override { return "info"; }
  [[nodiscard]] std::string_view summary() const override {
    return "Prints what an image file contains. Size, type, voxel size, statistics and anything "
           "unusual. Of the folder of a sweep, it lists the data sets.";
  }
  void describe(OptionTable& table) override {
    table.add_argument(
        required(path_row("FILE", "", file_, "image file, or folder of a sweep, to read")));
    input_.describe(table);
    run_.describe_for_one_stage(table);
  }

 private:
  void run(const Invocation& invocation) override;
  void print_image(const Invocation& invocation);
  void print_sweep() const;
  void name_files(imageio::RunFiles& files) const override { files.add_reference("image", file_); }

  std::filesystem::path file_;
  InputOptions input_;
  RunOptions run_;
};

void Info::run(const Invocation& invocation) {
  if (is_sweep(file_)) return print_sweep();
  print_image(invocation);
}

void Info::print_sweep() const {
  const Json sweep = sweep_json(file_);
  if (!run_.json) return print_text(sweep_text(file_, sweep));
  Json object{{"path", file_.string()}};
  object.update(sweep);
  print_json(object);
}

void Info::print_image(const Invocation& invocation) {
  Session session{run_, invocation};
  RunContext context = session.context();
  const imageio::ImageInfo info = imageio::inspect_counted(file_, input_.open_options(), context);

  // A file of several stacks is described without choosing one; statistics need a choice
  const bool several = info.channels * info.frames * info.samples_per_pixel > 1;
  const bool chosen = input_.channel || input_.frame;
  std::optional<imageio::Statistics> statistics;
  if (!several || chosen) {
    const CountedImage image = open_counted(file_, input_.open_options(), context);
    statistics = imageio::statistics(*image.source, context);
  }

  invocation.console.finish();
  if (run_.json) {
    Json object = image_json(info);
    object["statistics"] = statistics ? statistics_json(*statistics) : Json(nullptr);
    return print_json(object);
  }
  print_text(to_text(info) + (statistics ? to_text(*statistics)
                                         : "statistics   choose a stack with --channel and "
                                           "--frame\n"));
}

}  // namespace

std::unique_ptr<Command> make_info() {
  return std::make_unique<Info>();
}

}  // namespace synthoscope::tools
