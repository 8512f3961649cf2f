// SPDX-License-Identifier: MIT
#include "imageio/tiff/writing/strip_coder.hpp"
#include <fmt/format.h>
#include <tiffio.h>
#include <algorithm>
#include "core/base/error.hpp"
#include "imageio/chunks/codec.hpp"
#include "imageio/tiff/client.hpp"
#include "imageio/tiff/writing/directory.hpp"

namespace synthoscope::imageio {
namespace {

/// A TIFF in memory that libtiff writes one strip to; what follows the strip is not kept.
class StripFile final : public TiffClient {
 public:
  explicit StripFile(std::vector<std::byte>& bytes) : bytes_{bytes} {}
  void end_here() { is_whole_ = true; }

  std::size_t read(std::int64_t, std::span<std::byte>) override { return 0; }
  void write(std::int64_t at, std::span<const std::byte> bytes) override {
    if (is_whole_) return;
    const auto begin = static_cast<std::size_t>(at);
    if (begin + bytes.size() > bytes_.size()) bytes_.resize(begin + bytes.size());
    std::copy(bytes.begin(), bytes.end(), bytes_.data() + begin);
  }
  [[nodiscard]] std::int64_t size() const override { return std::ssize(bytes_); }

 private:
  std::vector<std::byte>& bytes_;
  bool is_whole_ = false;
};

}  // namespace

std::uint16_t compression_code(Compression compression) {
  if (compression == Compression::none) return COMPRESSION_NONE;
  if (compression == Compression::lzw) return COMPRESSION_LZW;
  if (compression == Compression::zstd) return COMPRESSION_ZSTD;
  return COMPRESSION_ADOBE_DEFLATE;
}

std::uint16_t predictor_code(const ImageSpec& spec) {
  // ImageJ and others read no floating-point predictor
  return spec.compression == Compression::none || is_floating(spec.type) ? PREDICTOR_NONE
                                                                         : PREDICTOR_HORIZONTAL;
}

std::int64_t rows_per_strip(const ImageSpec& spec) {
  constexpr std::int64_t kStripBytes = std::int64_t{1} << 18;
  const std::int64_t row = spec.extent.x * size_of(spec.type);
  return std::clamp<std::int64_t>(kStripBytes / row, 1, spec.extent.y);
}

bool can_compress(Compression compression) {
  return TIFFIsCODECConfigured(compression_code(compression)) != 0;
}

std::int64_t largest_strip(Compression compression, std::int64_t bytes) {
  // LZW makes a code of up to 12 bits of every byte that it meets for the first time
  const std::int64_t growth = compression == Compression::lzw ? bytes / 2 : bytes / 128;
  return bytes + growth + 1024;
}

std::int64_t codec_bytes(Compression compression) {
  // Measured with libtiff 4.5: zlib's and LZW's tables; ZSTD_estimateCStreamSize(3) is 3.5 MiB
  if (compression == Compression::zstd) return std::int64_t{4} << 20;
  return compression == Compression::none ? 0 : std::int64_t{300} << 10;
}

void compress_strip(const ImageSpec& spec, std::int64_t rows, std::span<std::byte> voxels,
                    std::vector<std::byte>& out) {
  out.clear();
  StripFile file{out};
  TiffHandle handle = open_tiff(file, "strip", "w8m");
  const auto check = [&](bool is_done) {
    if (file.failure) std::rethrow_exception(file.failure);
    if (!is_done)
      throw IoError(fmt::format("compress voxels: libtiff refused ({}); try another --compression",
                                file.message));
  };
  check(handle != nullptr);
  const auto set = [&](std::uint32_t tag, auto value) {
    check(TIFFSetField(handle.get(), tag, value) == 1);
  };
  set(TIFFTAG_IMAGEWIDTH, static_cast<std::uint32_t>(spec.extent.x));
  set(TIFFTAG_IMAGELENGTH, static_cast<std::uint32_t>(rows));
  set(TIFFTAG_ROWSPERSTRIP, static_cast<std::uint32_t>(rows));
  set(TIFFTAG_BITSPERSAMPLE, static_cast<int>(8 * size_of(spec.type)));
  set(TIFFTAG_SAMPLESPERPIXEL, 1);
  set(TIFFTAG_SAMPLEFORMAT, int{sample_format_of(spec.type)});
  set(TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
  set(TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
  set(TIFFTAG_COMPRESSION, int{compression_code(spec.compression)});
  set(TIFFTAG_PREDICTOR, int{predictor_code(spec)});
  if (spec.compression == Compression::deflate) set(TIFFTAG_ZIPQUALITY, kDeflateLevel);
  if (spec.compression == Compression::zstd) set(TIFFTAG_ZSTD_LEVEL, kZstdLevel);
  const auto bytes = static_cast<tmsize_t>(voxels.size());
  check(TIFFWriteEncodedStrip(handle.get(), 0, voxels.data(), bytes) == bytes);
  const auto first = static_cast<std::ptrdiff_t>(TIFFGetStrileOffset(handle.get(), 0));
  const auto count = static_cast<std::ptrdiff_t>(TIFFGetStrileByteCount(handle.get(), 0));
  file.end_here();
  handle.reset();
  out.erase(out.begin() + first + count, out.end());
  out.erase(out.begin(), out.begin() + first);
}

}  // namespace synthoscope::imageio
