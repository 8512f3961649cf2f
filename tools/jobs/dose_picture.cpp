// SPDX-License-Identifier: MIT
#include "tools/jobs/dose_picture.hpp"
#include <fmt/format.h>
#include <algorithm>
#include "core/base/json.hpp"
#include "imageio/run/new_output.hpp"
#include "imageio/small/png_preview.hpp"
#include "simulator/pictures/orthogonal_view.hpp"
#include "simulator/run/dose_series.hpp"
#include "tools/options/rows.hpp"
#include "tools/show/half_blocks.hpp"
#include "tools/terminal/result.hpp"

namespace synthoscope::tools {
namespace {

using simulator::DosedPlane;

/// Returns "DOSE 0.1 SNR 3.2", or "DOSE 0.1" without objects.
std::string title_of(const DosedPlane& plane) {
  return plane.snr ? fmt::format("DOSE {:.3g} SNR {:.3g}", plane.dose, *plane.snr)
                   : fmt::format("DOSE {:.3g}", plane.dose);
}

/// Returns the planes of a row: rows of equal length, of eight at most.
std::int64_t columns_for(std::int64_t doses) {
  constexpr std::int64_t kMost = 8;
  const std::int64_t rows = (doses + kMost - 1) / kMost;
  return (doses + rows - 1) / rows;
}

simulator::Canvas drawn(const std::vector<DosedPlane>& planes, std::int64_t columns,
                        const RunContext& context) {
  constexpr double kWidth = 1500, kSmallest = 220, kLargest = 500;
  const simulator::Slice& first = planes.front().counts;
  const simulator::Grid grid{{1, first.rows, first.columns}, {1, first.row_um, first.column_um}};
  const simulator::PanelSize size{
      grid, std::clamp(kWidth / static_cast<double>(columns), kSmallest, kLargest)};
  const auto count = std::ssize(planes);
  const auto held =
      context.memory.reserve(simulator::OrthogonalView::bytes(size, count, columns), "the picture");
  simulator::OrthogonalView view{size, count, columns};
  const simulator::Slice none{1, 1, 1, 1, {0}};
  for (std::int64_t i = 0; i < count; ++i) {
    const DosedPlane& plane = planes[static_cast<std::size_t>(i)];
    const std::string title = title_of(plane);
    view.draw(i, {plane.counts, none, none}, {none, none, none}, {title, simulator::grey},
              context.pool);
  }
  view.scale_bar();
  return view.canvas();
}

void print_made(const std::vector<DosedPlane>& planes, const DosePicture::Output& output,
                const Invocation& invocation) {
  if (output.json) {
    Json rows = Json::array();
    for (const DosedPlane& plane : planes) {
      Json row{{"dose", plane.dose}, {"snr", {{"median", plane.snr ? Json(*plane.snr) : Json()}}}};
      if (!plane.channel.empty()) row["channel"] = plane.channel;
      rows.push_back(std::move(row));
    }
    return print_json(Json{{"picture", output.picture.string()},
                           {"doses", rows},
                           {"warnings", invocation.console.warnings()}});
  }
  for (const DosedPlane& plane : planes)
    print_summary(fmt::format(
        "{}dose {:.4g}: {}",
        plane.channel.empty() ? "" : fmt::format("channel {}, ", plane.channel), plane.dose,
        plane.snr ? fmt::format("signal to noise {:.3g}, the median of all objects", *plane.snr)
                  : "no object has a voxel"));
}

}  // namespace

void DosePicture::describe(OptionTable& table) {
  table.add(
      {"doses", "N,N,...", "", "",
       "make no data set, but a picture of the first frame at these values of "
       "illumination.dose, to choose one by eye; illumination.snr is left out; -o names a PNG, "
       "without it the picture is drawn in the terminal",
       [this](std::string_view text) {
         doses_ = parse_reals(text);
         for (const double dose : doses_)
           if (!(dose > 0 && dose <= 1e6))
             throw InvalidSpec(
                 fmt::format("dose {} is outside the range; give doses above 0, up to 1e6", dose));
       }});
}

void DosePicture::require_output(const std::filesystem::path& picture, bool overwrite) {
  if (picture.empty()) {
    if (terminal_columns()) return;
    throw InvalidSpec(
        "simulate: --output is missing, and standard output is no terminal to draw in; write -o "
        "PICTURE.png");
  }
  if (picture.extension() != ".png")
    throw InvalidSpec(
        fmt::format("simulate: {} is not the name of a PNG, which --doses draws; write -o {}.png",
                    picture.string(), picture.stem().string()));
  imageio::require_new_output(picture, overwrite);
  if (const auto folder = picture.parent_path();
      !folder.empty() && !std::filesystem::is_directory(folder))
    throw IoError(fmt::format("write {}: there is no folder {}; make it, or give another name",
                              picture.string(), folder.string()));
}

void DosePicture::draw(const simulator::SceneSpec& scene, const std::optional<std::string>& channel,
                       const Output& output, fftconv::Executor& blur, const RunContext& context,
                       const Invocation& invocation) const {
  const auto planes = record_doses(scene, doses_, channel, blur, context);
  const auto held = context.memory.reserve(
      std::ssize(planes) * std::ssize(planes.front().counts.values) * std::int64_t{sizeof(float)},
      "planes at several doses");
  // Several channels have a row each
  const bool has_one = std::ssize(planes) == std::ssize(doses_);
  const std::int64_t columns = has_one ? columns_for(std::ssize(doses_)) : std::ssize(doses_);
  const simulator::Canvas canvas = drawn(planes, columns, context);
  invocation.console.finish();
  if (output.picture.empty()) return print_picture(half_blocks(canvas, *terminal_columns()));
  imageio::write_png(output.picture, canvas.width(), canvas.height(), canvas.pixels(),
                     output.overwrite);
  print_made(planes, output, invocation);
}

}  // namespace synthoscope::tools
