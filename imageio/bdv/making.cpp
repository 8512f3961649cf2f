// SPDX-License-Identifier: MIT
#include "imageio/bdv/making.hpp"
#include <fmt/format.h>
#include <hdf5.h>
#include <array>
#include "imageio/chunks/pyramid.hpp"
#include "imageio/hdf5/bdv_layout.hpp"
#include "imageio/hdf5/writing/data_set.hpp"

namespace synthoscope::imageio {
namespace {

/// One row of three numbers for each level, x first.
void write_table(const Hdf5Making& file, const char* name, hid_t type, hid_t in_memory,
                 const std::vector<std::array<double, 3>>& rows) {
  const std::array<hsize_t, 2> shape{rows.size(), 3};
  const Hdf5Handle space{H5Screate_simple(2, shape.data(), nullptr), H5Sclose};
  const Hdf5Handle creation{H5Pcreate(H5P_DATASET_CREATE), H5Pclose};
  H5Pset_obj_track_times(creation.get(), false);
  const Hdf5Handle table{
      H5Dcreate2(file.get(), name, type, space.get(), H5P_DEFAULT, creation.get(), H5P_DEFAULT),
      H5Dclose};
  file.check(
      table && H5Dwrite(table.get(), in_memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, rows.data()) >= 0,
      "write how large levels and chunks are");
}

/// Readers take what has none for uint16. They expect a text of fixed length.
void write_data_type(const Hdf5Making& file, const Hdf5Handle& setup, PixelType type) {
  if (type == PixelType::int16) return;
  const std::string_view name = name_of(type);
  const Hdf5Handle text{H5Tcopy(H5T_C_S1), H5Tclose}, space{H5Screate(H5S_SCALAR), H5Sclose};
  H5Tset_size(text.get(), name.size());
  H5Tset_strpad(text.get(), H5T_STR_NULLPAD);
  const Hdf5Handle attribute{
      H5Acreate2(setup.get(), "dataType", text.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT),
      H5Aclose};
  file.check(attribute && H5Awrite(attribute.get(), text.get(), name.data()) >= 0,
             "write the type of voxels");
}

std::array<double, 3> xyz(const Extent3& e) {
  return {static_cast<double>(e.x), static_cast<double>(e.y), static_cast<double>(e.z)};
}

void write_tables(const Hdf5Making& file, const std::vector<ImageSpec>& levels) {
  std::vector<std::array<double, 3>> factors, chunks;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    factors.push_back(xyz(pyramid_factor(levels.front().extent, i)));
    chunks.push_back(xyz(grid_of(levels[i]).chunk));
  }
  write_table(file, "/s00/resolutions", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, factors);
  write_table(file, "/s00/subdivisions", H5T_STD_I32LE, H5T_NATIVE_DOUBLE, chunks);
}

}  // namespace

std::vector<ImageSpec> bdv_level_specs(const ImageSpec& spec) {
  std::vector<ImageSpec> levels;
  const auto extents = pyramid_extents(spec.extent);
  const auto times = [](std::optional<double> um, std::int64_t factor) {
    return um ? std::optional{*um * static_cast<double>(factor)} : um;
  };
  for (std::size_t i = 0; i < extents.size(); ++i) {
    ImageSpec level = spec;
    const Extent3 factor = pyramid_factor(spec.extent, i);
    level.extent = extents[i];
    level.chunks = grid_of(extents[i], grid_of(spec).chunk, spec.type).chunk;
    level.z_um = times(spec.z_um, factor.z);
    level.y_um = times(spec.y_um, factor.y);
    level.x_um = times(spec.x_um, factor.x);
    if (spec.type == PixelType::uint16) level.type = PixelType::int16;  // bit for bit
    if (i > 0) level.kernel_center.reset();
    if (i > 0) level.provenance.clear();
    levels.push_back(std::move(level));
  }
  return levels;
}

std::int64_t bdv_chunks(std::span<const ImageSpec> levels) {
  std::int64_t count = 0;
  for (const ImageSpec& level : levels) count += grid_of(level).chunks();
  return count;
}

void build_bdv(PartialFile& file, const std::vector<ImageSpec>& levels, std::int64_t stored_bytes,
               const StoredChunk& stored) {
  constexpr std::int64_t kMetadata = std::int64_t{1} << 16;
  const Hdf5Lock lock;
  const NoHdf5PlugIns no_plug_ins;  // equal bytes, whatever is installed
  file.allocate(stored_bytes + kMetadata);
  Hdf5Making making{file};
  {
    const Hdf5Handle setup = making.make_group("/s00");
    write_data_type(making, setup, levels.front().type);
    write_tables(making, levels);
    static_cast<void>(making.make_group("/t00000"));
    static_cast<void>(making.make_group("/t00000/s00"));
    std::int64_t number = 0;
    for (std::size_t i = 0; i < levels.size(); ++i) {
      static_cast<void>(making.make_group(fmt::format("/t00000/s00/{}", i)));
      const BdvPlace place{0, 0, static_cast<std::int64_t>(i)};
      const Hdf5Handle cells = make_data_set(making, bdv_cells(place), levels[i]);
      describe_data_set(making, cells, levels[i]);
      const ChunkGrid grid = grid_of(levels[i]);
      for (std::int64_t chunk = 0; chunk < grid.chunks(); ++chunk)
        store_chunk(making, cells, grid.box(chunk).origin, stored(number++));
    }
  }
  making.finish();
}

}  // namespace synthoscope::imageio
