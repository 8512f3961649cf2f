// SPDX-License-Identifier: MIT
#include "imageio/run/counted_image.hpp"
#include <fmt/format.h>
#include <algorithm>

namespace synthoscope::imageio {
namespace {

/// As RunContext's memory allows.
OpenOptions counted(OpenOptions options, const RunContext& context) {
  constexpr std::int64_t kShareOfMemory = 16;
  options.cache_bytes = std::min(options.cache_bytes, context.memory.limit() / kShareOfMemory);
  options.limits.memory = &context.memory;
  return options;
}

CountedImage count(OpenImage image, std::int64_t held, const std::filesystem::path& path,
                   const RunContext& context) {
  return {std::move(image),
          context.memory.reserve(held, "strips, tiles or chunks of " + path.string())};
}

}  // namespace

CountedImage open_counted(const std::filesystem::path& path, OpenOptions options,
                          const RunContext& context) {
  auto image = open_image(path, counted(std::move(options), context));
  report_reading(path, image.info, context.log);
  const std::int64_t held = image.buffer_bytes;
  return count(std::move(image), held, path, context);
}

CountedStacks::CountedStacks(std::filesystem::path path, OpenOptions options,
                             const RunContext& context)
    : path_{std::move(path)}, stacks_{open_stacks(path_, counted(std::move(options), context))} {
  report_reading(path_, info(), context.log);
}

CountedImage CountedStacks::open(std::int64_t channel, std::int64_t frame, std::int64_t least_bytes,
                                 const RunContext& context) const {
  OpenImage image = stacks_.open(channel, frame);
  const std::int64_t held = std::max(least_bytes, image.buffer_bytes);
  return count(std::move(image), held, path_, context);
}

ImageInfo inspect_counted(const std::filesystem::path& path, OpenOptions options,
                          const RunContext& context) {
  options.limits.memory = &context.memory;
  return inspect(path, options);
}

void report_reading(const std::filesystem::path& path, const ImageInfo& info, Log& log) {
  for (const std::string& note : info.notes) log.warn(fmt::format("{}: {}", path.string(), note));
  const bool is_worth_a_look = info.channels > info.samples_per_pixel || info.frames > 1 ||
                               info.axes_source == "given by --axes";
  log.say(is_worth_a_look ? Severity::note : Severity::detail,
          fmt::format("{}: its axes are {}", path.string(), info.axes_text()));
}

Reservation reserve_writing(const ImageSpec& spec, const RunContext& context) {
  const bool is_tiff = spec.format == FileFormat::tiff;
  return context.memory.reserve(buffered_bytes(spec),
                                is_tiff ? "compressed strips" : "chunks that are written");
}

}  // namespace synthoscope::imageio
