// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <tiffio.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <vector>
#include "core/assert.hpp"
#include "core/error.hpp"
#include "imageio/partial_file.hpp"
#include "imageio/tiff_directory.hpp"
#include "imageio/tiff_layout.hpp"
#include "imageio/tiff_writer.hpp"

namespace synthoscope::imageio {
namespace {

/// What libtiff's callbacks see of the growing file.
struct Stream {
  PartialFile* file;
  std::int64_t position = 0, size = 0;
  std::exception_ptr failure;
  std::string message;
};

tmsize_t read_bytes(thandle_t client, void* out, tmsize_t size) {
  auto& stream = *static_cast<Stream*>(client);
  const auto got =
      ::pread(stream.file->descriptor(), out, static_cast<std::size_t>(size), stream.position);
  if (got > 0) stream.position += got;
  return got;
}

/// An exception must not pass through libtiff: it is kept and thrown again behind it.
tmsize_t write_bytes(thandle_t client, void* bytes, tmsize_t size) {
  auto& stream = *static_cast<Stream*>(client);
  try {
    stream.file->write_at(stream.position,
                          {static_cast<const std::byte*>(bytes), static_cast<std::size_t>(size)});
  } catch (...) {
    stream.failure = std::current_exception();
    return -1;
  }
  stream.position += size;
  stream.size = std::max(stream.size, stream.position);
  return size;
}

toff_t seek(thandle_t client, toff_t offset, int whence) {
  auto& stream = *static_cast<Stream*>(client);
  const auto distance = static_cast<std::int64_t>(offset);
  if (whence == SEEK_SET) stream.position = distance;
  if (whence == SEEK_CUR) stream.position += distance;
  if (whence == SEEK_END) stream.position = stream.size + distance;
  return static_cast<toff_t>(stream.position);
}

int close_nothing(thandle_t) {
  return 0;
}

toff_t size_of_file(thandle_t client) {
  return static_cast<toff_t>(static_cast<Stream*>(client)->size);
}

int keep_message(TIFF*, void* user, const char*, const char* format, va_list arguments) {
  char text[256];
  std::vsnprintf(text, sizeof text, format, arguments);
  static_cast<Stream*>(user)->message = text;
  return 1;
}

std::uint16_t tiff_code(Compression compression) {
  if (compression == Compression::lzw) return COMPRESSION_LZW;
  if (compression == Compression::zstd) return COMPRESSION_ZSTD;
  return COMPRESSION_ADOBE_DEFLATE;
}

struct CloseTiff {
  void operator()(TIFF* handle) const { TIFFClose(handle); }
};

class CompressedTiffSink final : public ImageFile {
 public:
  CompressedTiffSink(const std::filesystem::path& path, const ImageSpec& spec)
      : spec_{spec}, file_{path, spec.overwrite}, stream_{&file_, 0, 0, nullptr, {}} {
    if (!TIFFIsCODECConfigured(tiff_code(spec.compression)))
      throw InvalidSpec(
          fmt::format("create {}: this libtiff was built without the compression; "
                      "choose --compression none or deflate",
                      path.string()));
    // What does not compress grows a little
    const std::int64_t payload = volume(spec.extent) * size_of(spec.type);
    const bool is_big = needs_bigtiff(spec, payload + payload / 100);
    const std::unique_ptr<TIFFOpenOptions, decltype(&TIFFOpenOptionsFree)> options{
        TIFFOpenOptionsAlloc(), TIFFOpenOptionsFree};
    TIFFOpenOptionsSetErrorHandlerExtR(options.get(), keep_message, &stream_);
    TIFFOpenOptionsSetWarningHandlerExtR(options.get(), keep_message, &stream_);
    handle_.reset(TIFFClientOpenExt(path.c_str(), is_big ? "w8m" : "w4m", &stream_, read_bytes,
                                    write_bytes, seek, close_nothing, size_of_file, nullptr,
                                    nullptr, options.get()));
    check(handle_ != nullptr);
  }

  [[nodiscard]] Extent3 extent() const override { return spec_.extent; }
  [[nodiscard]] PixelType pixel_type() const override { return spec_.type; }
  [[nodiscard]] BoxOrder accepts() const override { return BoxOrder::planes_in_order; }

  void write(const Box3& box, ConstVoxelView voxels) override {
    SYNTHOSCOPE_ASSERT(box, ==,
                       (Box3{{next_z_, 0, 0}, {box.size.z, spec_.extent.y, spec_.extent.x}}));
    SYNTHOSCOPE_ASSERT(box.size, ==, voxels.extent());
    SYNTHOSCOPE_ASSERT(name_of(spec_.type), ==, name_of(voxels.type()));
    for (std::int64_t z = 0; z < box.size.z; ++z, ++next_z_) {
      set_tags();
      write_plane(voxels, z);
      check(TIFFWriteDirectory(handle_.get()) == 1);
    }
  }

  [[nodiscard]] std::string settle() override { return {}; }
  void sync() override { file_.sync(); }
  void keep() noexcept override { file_.keep(); }

  void close() override {
    SYNTHOSCOPE_ASSERT(next_z_, ==, spec_.extent.z);
    check(TIFFFlush(handle_.get()) == 1);
    handle_.reset();
    check(!stream_.failure);
    file_.commit();
  }

 private:
  void set_tags() {
    const auto set = [this](std::uint32_t tag, auto value) {
      check(TIFFSetField(handle_.get(), tag, value) == 1);
    };
    set(TIFFTAG_IMAGEWIDTH, static_cast<std::uint32_t>(spec_.extent.x));
    set(TIFFTAG_IMAGELENGTH, static_cast<std::uint32_t>(spec_.extent.y));
    set(TIFFTAG_BITSPERSAMPLE, static_cast<int>(8 * size_of(spec_.type)));
    set(TIFFTAG_SAMPLESPERPIXEL, 1);
    set(TIFFTAG_SAMPLEFORMAT, int{sample_format_of(spec_.type)});
    set(TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
    set(TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
    set(TIFFTAG_COMPRESSION, int{tiff_code(spec_.compression)});
    // ImageJ and others read no floating-point predictor
    set(TIFFTAG_PREDICTOR, is_floating(spec_.type) ? PREDICTOR_NONE : PREDICTOR_HORIZONTAL);
    set(TIFFTAG_ROWSPERSTRIP, static_cast<std::uint32_t>(rows_per_strip()));
    const auto resolution = resolution_of(spec_);
    const auto value = [](TiffRational r) { return static_cast<double>(r.first) / r.second; };
    if (resolution.x) set(TIFFTAG_XRESOLUTION, value(*resolution.x));
    if (resolution.y) set(TIFFTAG_YRESOLUTION, value(*resolution.y));
    if (resolution.x || resolution.y) set(TIFFTAG_RESOLUTIONUNIT, int{resolution.unit});
    if (next_z_ == 0)
      set(TIFFTAG_IMAGEDESCRIPTION, describe(spec_, file_.path().filename().string(), {}).c_str());
  }

  [[nodiscard]] std::int64_t rows_per_strip() const {
    // Small enough to decode a part of a plane, large enough to compress
    constexpr std::int64_t kStripBytes = std::int64_t{1} << 20;
    const std::int64_t row = spec_.extent.x * size_of(spec_.type);
    return std::clamp<std::int64_t>(kStripBytes / row, 1, spec_.extent.y);
  }

  /// libtiff differences the strip in place, so it gets a copy.
  void write_plane(ConstVoxelView voxels, std::int64_t z) {
    const std::int64_t voxel = size_of(spec_.type), row_bytes = spec_.extent.x * voxel;
    const std::int64_t rows = rows_per_strip();
    std::uint32_t strip = 0;
    for (std::int64_t y = 0; y < spec_.extent.y; y += rows, ++strip) {
      strip_.clear();
      for (std::int64_t i = y; i < std::min(y + rows, spec_.extent.y); ++i) {
        const auto* row = voxels.data() + (z * spec_.extent.y + i) * voxels.pitch() * voxel;
        strip_.insert(strip_.end(), row, row + row_bytes);
      }
      const auto bytes = static_cast<tmsize_t>(strip_.size());
      check(TIFFWriteEncodedStrip(handle_.get(), strip, strip_.data(), bytes) == bytes);
    }
  }

  void check(bool is_done) {
    if (stream_.failure) std::rethrow_exception(stream_.failure);
    if (!is_done)
      throw IoError(fmt::format("write {}: libtiff refused ({}); try another --compression",
                                file_.path().string(), stream_.message));
  }

  ImageSpec spec_;
  PartialFile file_;
  Stream stream_;
  std::unique_ptr<TIFF, CloseTiff> handle_;
  std::vector<std::byte> strip_;
  std::int64_t next_z_ = 0;
};

}  // namespace

std::unique_ptr<ImageFile> create_compressed_tiff(const std::filesystem::path& path,
                                                  const ImageSpec& spec) {
  return std::make_unique<CompressedTiffSink>(path, spec);
}

}  // namespace synthoscope::imageio
