// SPDX-License-Identifier: MIT
#include "imageio/hdf5/writing/writer.hpp"
#include <fmt/format.h>
#include <string>
#include "core/base/error.hpp"
#include "imageio/chunks/grid.hpp"
#include "imageio/hdf5/writing/data_set.hpp"
#include "imageio/hdf5/writing/sinks.hpp"

namespace synthoscope::imageio {
namespace {

ImageName hdf5_name(const std::filesystem::path& path) {
  ImageName name = image_name(path);
  if (name.data_set.empty()) name.data_set = "/image";
  return name;
}

}  // namespace

void check_hdf5(const std::filesystem::path& path, const ImageSpec& spec) {
  const ImageName name = hdf5_name(path);
  const auto refuse = [&](const std::string& found, const char* advice) {
    throw InvalidSpec(fmt::format("create {}: {}; {}", name.file.string(), found, advice));
  };
  if (spec.flavor != TiffFlavor::ome)
    refuse("HDF5 files have no variants of metadata",
           "leave --tiff-flavor out or choose --format tiff");
  if (spec.compression == Compression::lzw)
    refuse("HDF5 does not support lzw compression",
           "choose --compression zstd, blosc, none or deflate, which all readers support");
  const std::string& set = name.data_set;
  if (set.ends_with('/') || set.find("//") != std::string::npos ||
      (set + '/').find("/./") != std::string::npos)
    refuse(fmt::format("'{}' is not the name of an HDF5 array", set),
           "give one such as :/group/image");
  if (spec.chunks || spec.is_compressed()) check_chunks(name.file, spec);
}

std::unique_ptr<ImageFile> create_hdf5(const std::filesystem::path& path, const ImageSpec& spec) {
  return spec.is_compressed() ? create_compressed_hdf5(hdf5_name(path), spec)
                              : create_laid_out_hdf5(hdf5_name(path), spec);
}

std::unique_ptr<ImageFile> resume_hdf5(const std::filesystem::path& path, const ImageSpec& spec,
                                       const std::string& state) {
  return spec.is_compressed() ? resume_compressed_hdf5(hdf5_name(path), spec, state)
                              : resume_laid_out_hdf5(hdf5_name(path), spec, state);
}

std::int64_t hdf5_bytes(const ImageSpec& spec) {
  return spec.is_compressed() ? compressed_hdf5_bytes(spec) : 0;
}

std::int64_t hdf5_reading_bytes(const ImageSpec& spec) {
  return is_contiguous_hdf5(spec) ? 0 : hdf5_chunk_reading_bytes(spec);  // rows go to their place
}

}  // namespace synthoscope::imageio
