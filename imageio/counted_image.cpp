// SPDX-License-Identifier: MIT
#include "imageio/counted_image.hpp"
#include <algorithm>

namespace synthoscope::imageio {

CountedImage open_counted(const std::filesystem::path& path, OpenOptions options,
                          const RunContext& context) {
  constexpr std::int64_t kShareOfMemory = 16;
  options.cache_bytes = std::min(options.cache_bytes, context.memory.limit() / kShareOfMemory);
  options.limits.memory = &context.memory;
  auto image = open_image(path, options);
  const std::int64_t held = image.buffer_bytes;
  return {std::move(image),
          context.memory.reserve(held, "strips, tiles or chunks of " + path.string())};
}

ImageInfo inspect_counted(const std::filesystem::path& path, InputLimits limits,
                          const RunContext& context) {
  limits.memory = &context.memory;
  return inspect(path, limits);
}

Reservation reserve_writing(const ImageSpec& spec, const RunContext& context) {
  const bool is_tiff = spec.format == FileFormat::tiff;
  return context.memory.reserve(buffered_bytes(spec),
                                is_tiff ? "compressed strips" : "chunks that are written");
}

}  // namespace synthoscope::imageio
