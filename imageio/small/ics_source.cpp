// SPDX-License-Identifier: MIT
#include "imageio/small/ics_source.hpp"
#include <fmt/format.h>
#include <libdeflate.h>
#include <cstring>
#include <vector>
#include "core/base/error.hpp"
#include "core/volume/box.hpp"
#include "imageio/input/byte_order.hpp"
#include "imageio/small/ics_header.hpp"

namespace synthoscope::imageio {
namespace {

/// Less than 2^60 where no axis passes 2^20 voxels; limits that were raised are caught here.
std::int64_t voxel_bytes(const IcsHeader& header) {
  const Extent3& e = header.info.extent;
  std::int64_t bytes = size_of(header.info.type);
  for (const std::int64_t size : {e.z, e.y, e.x})
    if (__builtin_mul_overflow(bytes, size, &bytes))
      throw InvalidInput(
          fmt::format("open {}: it declares {} voxels, more than can be counted; is "
                      "its header damaged?",
                      header.info.path.string(), e));
  return bytes;
}

[[noreturn]] void refuse(const IcsHeader& header, std::string_view problem) {
  throw InvalidInput(
      fmt::format("open {}: {}; copy or write it again", header.data.string(), problem));
}

class IcsSource final : public Source {
 public:
  IcsSource(const IcsHeader& header, const InputLimits& limits)
      : header_{header}, file_{header.data} {
    const std::int64_t wanted = voxel_bytes(header), there = file_.size() - header.offset;
    if (!header.is_packed && there < wanted)
      refuse(header, fmt::format("it has {} bytes of voxels, and its header declares {}",
                                 std::max<std::int64_t>(there, 0), wanted));
    if (header.is_packed) unpack(wanted, there, limits);
  }
  [[nodiscard]] Extent3 extent() const override { return header_.info.extent; }
  [[nodiscard]] PixelType pixel_type() const override { return header_.info.type; }

  void read(const Box3& box, VoxelView out) override {
    const std::int64_t voxel = size_of(header_.info.type);
    for_each_run(header_.info.extent, box, out.pitch(), [&](auto first, auto at, auto count) {
      std::byte* const to = out.data() + at * voxel;
      const auto bytes = static_cast<std::size_t>(count * voxel);
      if (header_.is_packed)
        std::memcpy(to, voxels_.data() + first * voxel, bytes);
      else
        file_.read_at(header_.offset + first * voxel, {to, bytes});
      if (header_.is_swapped) swap_elements(to, count, voxel);
    });
  }

 private:
  void unpack(std::int64_t wanted, std::int64_t there, const InputLimits& limits) {
    constexpr double kSmall = 1 << 30;
    if (there <= 0) refuse(header_, "it holds no voxels");
    if (static_cast<double>(wanted) > kSmall &&
        static_cast<double>(wanted) / static_cast<double>(there) > limits.declared_to_file_ratio)
      throw InvalidInput(fmt::format(
          "open {}: it declares {} bytes of voxels in {}, the limit is {} to 1; raise it with "
          "--max-ratio if you trust the file",
          header_.info.path.string(), wanted, there, limits.declared_to_file_ratio));
    std::vector<std::byte> packed(static_cast<std::size_t>(there));
    file_.read_at(header_.offset, packed);
    voxels_.resize(static_cast<std::size_t>(wanted));
    const std::unique_ptr<libdeflate_decompressor, decltype(&libdeflate_free_decompressor)> reader{
        libdeflate_alloc_decompressor(), &libdeflate_free_decompressor};
    if (!reader) throw IoError("decompress an ICS file: no memory is left; free some");
    if (libdeflate_gzip_decompress(reader.get(), packed.data(), packed.size(), voxels_.data(),
                                   voxels_.size(), nullptr) != LIBDEFLATE_SUCCESS)
      refuse(header_,
             fmt::format(
                 "its voxels are not the {} bytes, compressed by gzip, that its header declares",
                 wanted));
  }

  IcsHeader header_;
  InputFile file_;
  std::vector<std::byte> voxels_;  ///< of packed files
};

}  // namespace

ImageStacks read_ics(ImageInput input, const OpenOptions& options) {
  const IcsHeader header = read_ics_header(*input.file, options.limits);
  return {header.info, [header, limits = options.limits](std::int64_t, std::int64_t) {
            const std::int64_t held = header.is_packed ? voxel_bytes(header) : 0;
            return OpenImage{header.info, std::make_unique<IcsSource>(header, limits), held};
          }};
}

}  // namespace synthoscope::imageio
