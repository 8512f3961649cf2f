// SPDX-License-Identifier: MIT
#include "imageio/create.hpp"
#include <fmt/format.h>
#include <cmath>
#include <limits>
#include "core/base/error.hpp"
#include "imageio/bdv/writer.hpp"
#include "imageio/hdf5/writing/layout.hpp"
#include "imageio/hdf5/writing/writer.hpp"
#include "imageio/image/name.hpp"
#include "imageio/tiff/writing/writer.hpp"
#include "imageio/zarr/writer.hpp"

namespace synthoscope::imageio {
namespace {

void check_sizes(const std::filesystem::path& path, const ImageSpec& spec) {
  constexpr std::int64_t kLargestAxis = std::numeric_limits<std::int32_t>::max();
  const Extent3& e = spec.extent;
  if (!is_positive(e) || e.z > kLargestAxis || e.y > kLargestAxis || e.x > kLargestAxis)
    throw InvalidSpec(
        fmt::format("create {}: {} voxels were requested, but each axis has 1 ... {}; "
                    "choose another size",
                    path.string(), e, kLargestAxis));
  std::int64_t bytes = 0;
  if (__builtin_mul_overflow(volume(e), size_of(spec.type), &bytes) || bytes > kLargestAxis << 31)
    throw InvalidSpec(
        fmt::format("create {}: {} voxels of {} are more than a file can hold; "
                    "choose a smaller size",
                    path.string(), e, name_of(spec.type)));
  for (const auto& um : {spec.z_um, spec.y_um, spec.x_um})
    if (um && !(std::isfinite(*um) && *um > 0))
      throw InvalidSpec(
          fmt::format("create {}: a voxel of {} um was requested; give a finite "
                      "number above 0",
                      path.string(), *um));
}

void check_imagej(const std::filesystem::path& path, const ImageSpec& spec) {
  const bool is_known = spec.type == PixelType::uint8 || spec.type == PixelType::uint16 ||
                        spec.type == PixelType::float32;
  if (!is_known)
    throw InvalidSpec(
        fmt::format("create {}: ImageJ files hold uint8, uint16 and float32, not {}; "
                    "choose another --output-type or --tiff-flavor ome",
                    path.string(), name_of(spec.type)));
  if (spec.compression != Compression::none)
    throw InvalidSpec(
        fmt::format("create {}: ImageJ files are written uncompressed; choose "
                    "--compression none or --tiff-flavor ome",
                    path.string()));
}

constexpr std::int64_t kMostChunkBytes = std::int64_t{1} << 30;

void check_chunks(const std::filesystem::path& path, const ImageSpec& spec) {
  const auto refuse = [&](const std::string& found, const char* advice) {
    throw InvalidSpec(fmt::format("create {}: {}; {}", path.string(), found, advice));
  };
  if (const Extent3 wanted = spec.chunks.value_or(Extent3{1, 1, 1}); !is_positive(wanted))
    refuse(fmt::format("chunks of {} voxels were requested", wanted), "give at least 1x1x1");
  if (grid_of(spec).chunk_bytes() > kMostChunkBytes)
    refuse(fmt::format("chunks of {} voxels of {} pass 1 GiB", grid_of(spec).chunk,
                       name_of(spec.type)),
           "choose smaller --chunks");
}

void check_zarr(const std::filesystem::path& path, const ImageSpec& spec) {
  if (spec.flavor != TiffFlavor::ome)
    throw InvalidSpec(fmt::format(
        "create {}: OME-Zarr has no flavour; leave --tiff-flavor out or choose --format tiff",
        path.string()));
  if (spec.compression == Compression::lzw)
    throw InvalidSpec(fmt::format(
        "create {}: OME-Zarr is not packed by lzw; choose --compression zstd, blosc, deflate or "
        "none",
        path.string()));
  if (spec.labels && is_floating(spec.type))
    throw InvalidSpec(fmt::format(
        "create {}: labels are integers in OME-Zarr, not {}; choose an integer --output-type",
        path.string(), name_of(spec.type)));
  check_chunks(path, spec);
}

void check_hdf5(const ImageName& name, const ImageSpec& spec) {
  const auto refuse = [&](const std::string& found, const char* advice) {
    throw InvalidSpec(fmt::format("create {}: {}; {}", name.file.string(), found, advice));
  };
  if (spec.flavor != TiffFlavor::ome)
    refuse("HDF5 files have no flavour", "leave --tiff-flavor out or choose --format tiff");
  if (spec.compression == Compression::lzw)
    refuse("HDF5 is not packed by lzw",
           "choose --compression deflate, which all readers know, zstd, blosc or none");
  const std::string& set = name.data_set;
  if (set.ends_with('/') || set.find("//") != std::string::npos ||
      (set + '/').find("/./") != std::string::npos)
    refuse(fmt::format("'{}' is not the name of a data set", set),
           "give one such as :/group/image");
  if (!spec.chunks && spec.compression == Compression::none) return;
  check_chunks(name.file, spec);
}

void check_bdv(const ImageName& name, const ImageSpec& spec) {
  const auto refuse = [&](const std::string& found, const char* advice) {
    throw InvalidSpec(fmt::format("create {}: {}; {}", name.file.string(), found, advice));
  };
  if (!name.data_set.empty())
    refuse("BigDataViewer prescribes the names of its data sets",
           "leave it out after the file's name");
  if (!has_hdf5_name(name.file))
    refuse("files of BigDataViewer end in .h5, with an .xml next to them",
           "give a name that ends in .h5");
  if (spec.type != PixelType::uint8 && spec.type != PixelType::uint16 &&
      spec.type != PixelType::float32)
    refuse(fmt::format("BigDataViewer's HDF5 holds uint8, uint16 and float32, not {}",
                       name_of(spec.type)),
           "choose another --output-type or another --format");
  check_hdf5({name.file, "/image"}, spec);
  check_chunks(name.file, spec);
}

void check_tiff(const std::filesystem::path& path, const ImageSpec& spec) {
  if (spec.compression == Compression::blosc)
    throw InvalidSpec(fmt::format(
        "create {}: TIFF is not packed by blosc; choose --compression zstd, deflate, lzw or none",
        path.string()));
  if (spec.flavor == TiffFlavor::imagej) check_imagej(path, spec);
  if (const ImageName name = image_name(path); !name.data_set.empty())
    throw InvalidSpec(
        fmt::format("create {}: TIFF files have no data sets; leave {} out or choose --format hdf5",
                    path.string(), name.data_set));
  if (spec.chunks)
    throw InvalidSpec(fmt::format(
        "create {}: TIFF files have no chunks; leave --chunks out or choose --format hdf5",
        path.string()));
}

/// Returns the file and data set that `path` names, after checking that the spec is possible.
ImageName checked(const std::filesystem::path& path, const ImageSpec& spec) {
  check_sizes(path, spec);
  if (format_of(path, spec.format) == FileFormat::tiff) {
    check_tiff(path, spec);
    return {path, ""};
  }
  if (is_zarr(format_of(path, spec.format))) {
    check_zarr(path, spec);
    return image_name(path);
  }
  ImageName name = image_name(path);
  if (spec.format == FileFormat::bdv) {
    check_bdv(name, spec);
    return name;
  }
  if (name.data_set.empty()) name.data_set = "/image";
  check_hdf5(name, spec);
  return name;
}

bool is_compressed(const ImageSpec& spec) {
  return spec.compression != Compression::none;
}

}  // namespace

std::unique_ptr<ImageFile> create_image(const std::filesystem::path& path, const ImageSpec& spec) {
  const ImageName name = checked(path, spec);
  if (is_zarr(format_of(path, spec.format))) return create_zarr(name.file, spec);
  if (spec.format == FileFormat::bdv) return create_bdv(name.file, spec);
  if (!name.data_set.empty())
    return is_compressed(spec) ? create_compressed_hdf5(name, spec)
                               : create_laid_out_hdf5(name, spec);
  return is_compressed(spec) ? create_compressed_tiff(path, spec)
                             : create_laid_out_tiff(path, spec);
}

std::unique_ptr<ImageFile> resume_image(const std::filesystem::path& path, const ImageSpec& spec,
                                        const std::string& state) {
  const ImageName name = checked(path, spec);
  if (is_zarr(format_of(path, spec.format))) return resume_zarr(name.file, spec, state);
  if (spec.format == FileFormat::bdv) return resume_bdv(name.file, spec, state);
  if (!name.data_set.empty())
    return is_compressed(spec) ? resume_compressed_hdf5(name, spec, state)
                               : resume_laid_out_hdf5(name, spec, state);
  return is_compressed(spec) ? resume_compressed_tiff(path, spec, state)
                             : resume_laid_out_tiff(path, spec, state);
}

std::int64_t buffered_bytes(const ImageSpec& spec) {
  if (is_zarr(spec.format)) return zarr_bytes(spec);
  if (spec.format == FileFormat::bdv) return bdv_bytes(spec);
  if (!is_compressed(spec)) return 0;
  return spec.format == FileFormat::hdf5 ? compressed_hdf5_bytes(spec)
                                         : compressed_tiff_bytes(spec);
}

}  // namespace synthoscope::imageio
