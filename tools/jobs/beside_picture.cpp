// SPDX-License-Identifier: MIT
#include "tools/jobs/beside_picture.hpp"
#include <fmt/format.h>
#include "core/base/error.hpp"
#include "imageio/run/new_output.hpp"
#include "imageio/small/png_preview.hpp"
#include "tools/show/drawing.hpp"

namespace synthoscope::tools {

void require_picture(const std::filesystem::path& picture, const jobs::DeconvolveJob& job,
                     bool is_one_of_several) {
  const std::filesystem::path folder = picture.parent_path();
  if (is_one_of_several && folder.extension() == ".png")
    throw InvalidSpec(fmt::format(
        "deconvolve: --preview {} would be one picture of several images; give the name of a "
        "folder, such as that of the results",
        folder.string()));
  if (picture.extension() != ".png")
    throw InvalidSpec(fmt::format("deconvolve: {} is not the name of a PNG; write --preview {}.png",
                                  picture.string(), picture.stem().string()));
  if (!job.saving.resume) imageio::require_new_output(picture, job.file.overwrite);
  const bool will_be_made = is_one_of_several && folder == job.output.parent_path();
  if (!folder.empty() && !will_be_made && !std::filesystem::is_directory(folder))
    throw IoError(fmt::format("write {}: there is no folder {}; make it, or give another name",
                              picture.string(), folder.string()));
}

void draw_beside(const jobs::DeconvolveJob& job, const std::filesystem::path& picture,
                 const RunContext& context) {
  if (job.saving.resume && !job.file.overwrite && std::filesystem::exists(picture)) return;
  imageio::OpenOptions of_result;
  of_result.limits = job.opening.limits;
  ShownStacks stacks = stacks_to_show(job.output, of_result, context);
  const simulator::Colour white{1, 1, 1};
  const auto opener = [&context](const std::filesystem::path& file,
                                 const imageio::OpenOptions& options) {
    return [file, options, &context](std::int64_t) {
      return imageio::open_counted(file, options, context);
    };
  };
  stacks.channels = {{"image", white, opener(job.image.file, job.opening)},
                     {"deconvolved", white, opener(job.output, of_result)}};
  DrawingSettings settings;
  settings.sight = Sight::projection;
  settings.together = false;
  Drawing drawing{stacks, settings, context};
  const simulator::Canvas canvas = drawing.draw({0});
  imageio::write_png(picture, canvas.width(), canvas.height(), canvas.pixels(), job.file.overwrite);
}

}  // namespace synthoscope::tools
