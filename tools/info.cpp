// SPDX-License-Identifier: MIT
// Says what an image file holds: size, type, voxel size, notes and statistics.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include "core/json.hpp"
#include "imageio/statistics.hpp"
#include "tools/commands.hpp"
#include "tools/image_options.hpp"
#include "tools/option_rows.hpp"
#include "tools/result.hpp"
#include "tools/run_options.hpp"
#include "tools/visible_text.hpp"

namespace synthoscope::tools {
namespace {

std::string voxel_size_text(const imageio::ImageInfo& info) {
  if (!info.z_um && !info.y_um && !info.x_um) return "unknown";
  const auto axis = [](const std::optional<double>& um) {
    return um ? fmt::format("{:g}", *um) : "unknown";
  };
  return fmt::format("{}, {}, {} um (z, y, x)", axis(info.z_um), axis(info.y_um), axis(info.x_um));
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
              {"notes", info.notes}};
  if (!info.data_set.empty()) object["data_set"] = info.data_set;
  if (info.chunks) object["chunks"] = json_of(*info.chunks);
  for (const Extent3& level : info.levels) object["levels"].push_back(json_of(level));
  if (!info.labels.empty()) object["labels"] = info.labels;
  if (info.kernel_center) object["kernel_center"] = json_of(*info.kernel_center);
  return object;
}

Json statistics_json(const imageio::Statistics& s) {
  return {{"voxels", s.count}, {"not_finite", s.nonfinite},
          {"min", s.min},      {"max", s.max},
          {"mean", s.mean},    {"standard_deviation", s.standard_deviation}};
}

std::string to_text(const imageio::ImageInfo& info) {
  std::string text = fmt::format(
      "file         {}\nformat       {}, compression {}\nsize         {} (z, y, x)\n"
      "voxels       {}\nvoxel size   {}\n",
      visible_line(info.path.string()), info.format, visible_line(info.compression), info.extent,
      name_of(info.type), voxel_size_text(info));
  if (!info.data_set.empty())
    text += fmt::format("data set     {}{}\n", visible_line(info.data_set),
                        info.chunks ? fmt::format(", in chunks of {}", *info.chunks) : "");
  if (!info.levels.empty()) text += fmt::format("levels       {}\n", fmt::join(info.levels, ", "));
  if (!info.labels.empty())
    text += fmt::format("labels       {}\n",
                        visible_line(fmt::format("{}", fmt::join(info.labels, ", "))));
  if (info.channels > 1) text += fmt::format("channels     {}\n", info.channels);
  if (info.frames > 1) text += fmt::format("frames       {}\n", info.frames);
  if (info.samples_per_pixel > 1)
    text += fmt::format("samples      {} per pixel\n", info.samples_per_pixel);
  if (info.kernel_center) text += fmt::format("centre       {} as a kernel\n", *info.kernel_center);
  for (const std::string& note : info.notes)
    text += fmt::format("note         {}\n", visible_line(note));
  return text;
}

std::string to_text(const imageio::Statistics& s) {
  std::string text = fmt::format("range        {:g} to {:g}\nmean         {:g}, deviation {:g}\n",
                                 s.min, s.max, s.mean, s.standard_deviation);
  if (s.nonfinite > 0) text += fmt::format("not finite   {} of {} voxels\n", s.nonfinite, s.count);
  return text;
}

class Info final : public Command {
 public:
  [[nodiscard]] std::string_view name() const override { return "info"; }
  [[nodiscard]] std::string_view summary() const override {
    return "Says what an image file holds. Size, type, voxel size, oddities and statistics.";
  }
  void describe(OptionTable& table) override {
    table.add_argument(required(path_row("FILE", "", file_, "image file to look at")));
    input_.describe(table);
    run_.describe_for_one_stage(table);
  }

 private:
  void run(const Invocation& invocation) override;
  void name_files(imageio::RunFiles& files) const override { files.reads("image", file_); }

  std::filesystem::path file_;
  InputOptions input_;
  RunOptions run_;
};

void Info::run(const Invocation& invocation) {
  Session session{run_, invocation};
  RunContext context = session.context();
  const imageio::ImageInfo info = imageio::inspect_counted(file_, input_.limits, context);

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
