// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include "imageio/hdf5/records.hpp"
#include "imageio/run/counted_image.hpp"
#include "score/run/score_tracks.hpp"
#include "simulator/pictures/slices.hpp"
#include "tools/score/request.hpp"
#include "tools/show/label_image.hpp"

namespace synthoscope::tools {
namespace {

bool is_spot_table(const std::filesystem::path& file) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(file, ignored)) return false;
  if (file.extension() == ".csv" || file.extension() == ".txt") return true;
  if (!imageio::is_hdf5_file(file)) return false;
  try {
    return imageio::describe_records(file, "locs", "").rows >= 0;
  } catch (const Error&) {  // it holds images
    return false;
  }
}

/// Returns whether the middle plane of the first frame looks like labels.
bool holds_labels(const std::filesystem::path& file, const imageio::ImageInfo& info,
                  imageio::OpenOptions open, const RunContext& context) {
  if (info.frames > 1 && !open.frame) open.frame = 0;
  if (info.channels > 1 && !open.channel) open.channel = 0;
  const imageio::CountedImage image = imageio::open_counted(file, open, context);
  const Extent3& e = image.info.extent;
  const auto held = context.memory.reserve(simulator::slices_bytes(e), "slices of the result");
  const auto slices =
      simulator::read_slices(*image.source, {1, 1, 1}, {e.z / 2, e.y / 2, e.x / 2}, context.pool);
  return are_labels(slices.yx);
}

}  // namespace

ScoreKind kind_of_result(const std::filesystem::path& result, const imageio::OpenOptions& open,
                         const RunContext& context) {
  if (is_spot_table(result)) return ScoreKind::spots;
  if (score::has_tracks(result)) return ScoreKind::tracks;
  if (std::filesystem::is_directory(result)) return ScoreKind::labels;
  const imageio::ImageInfo info = imageio::inspect_counted(result, open, context);
  if (info.type != PixelType::float32 && info.type != PixelType::float64) return ScoreKind::labels;
  if (holds_labels(result, info, open, context)) return ScoreKind::labels;
  context.log.note(
      fmt::format("{} holds real numbers that are no labels and is scored as an image; --kind "
                  "labels takes them for labels",
                  result.string()));
  return ScoreKind::image;
}

}  // namespace synthoscope::tools
