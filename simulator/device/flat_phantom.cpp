// SPDX-License-Identifier: MIT
#include "simulator/device/flat_phantom.hpp"
#include <array>
#include <variant>
#include "simulator/phantom/reach.hpp"
#include "simulator/phantom/stain.hpp"

namespace synthoscope::simulator::device {
namespace {

constexpr std::int64_t kMostCubes = std::int64_t{1} << 20, kMostPlaces = std::int64_t{1} << 22;

constexpr ObjectKind kind_of(const Nucleus&) {
  return kNucleus;
}
constexpr ObjectKind kind_of(const Bead&) {
  return kBead;
}
constexpr ObjectKind kind_of(const PointTarget&) {
  return kPoint;
}
constexpr ObjectKind kind_of(const LineTarget&) {
  return kLine;
}
constexpr ObjectKind kind_of(const ShellTarget&) {
  return kShell;
}
constexpr ObjectKind kind_of(const StarTarget&) {
  return kStar;
}

/// The cubes that an object lies in, along each axis.
struct CubeRange {
  std::array<std::int64_t, 3> begin{}, end{};

  CubeRange(const PlainObject& o, int bits) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if (o.begin[axis] >= o.end[axis]) return;  // no voxel
      begin[axis] = o.begin[axis] >> bits;
      end[axis] = ((o.end[axis] - 1) >> bits) + 1;
    }
  }
  [[nodiscard]] std::int64_t count() const {
    return (end[0] - begin[0]) * (end[1] - begin[1]) * (end[2] - begin[2]);
  }
};

template <class Visit>
void for_each_cube(const CubeRange& range, const PlainIndex& index, Visit&& visit) {
  for (std::int64_t z = range.begin[0]; z < range.end[0]; ++z)
    for (std::int64_t y = range.begin[1]; y < range.end[1]; ++y)
      for (std::int64_t x = range.begin[2]; x < range.end[2]; ++x)
        visit(static_cast<std::size_t>((z * index.cubes_y + y) * index.cubes_x + x));
}

NoiseField noise_of(const Nucleus& nucleus, const NucleiSpec& spec) {
  const auto octaves = static_cast<int>(spec.texture_octaves);
  return spec.texture == TextureKind::chromatin
             ? chromatin_field(nucleus.texture_seed(), spec.texture_wavelength_um, octaves)
             : perlin_field(nucleus.texture_seed(), spec.texture_wavelength_um, octaves);
}

}  // namespace

FlatPhantom::FlatPhantom(const Phantom& phantom) : beads{phantom.beads} {
  const NucleiSpec& spec = phantom.spec.nuclei;
  figures.pitch = vector_of(phantom.grid.pitch);
  figures.voxel_um3 = figures.pitch[0] * figures.pitch[1] * figures.pitch[2];
  figures.stain = stain_figures(spec);
  figures.nucleus_photons = spec.photons_per_um3 * figures.voxel_um3;
  lay_out_nuclei(phantom);
  if (const auto* all = std::get_if<0>(&phantom.target)) points = *all;
  if (const auto* all = std::get_if<1>(&phantom.target)) lines = *all;
  if (const auto* all = std::get_if<2>(&phantom.target)) shells = *all;
  if (const auto* all = std::get_if<3>(&phantom.target)) stars = *all;
  lay_out_objects(phantom);
  index(phantom.grid.extent);
}

void FlatPhantom::lay_out_nuclei(const Phantom& phantom) {
  const NucleiSpec& spec = phantom.spec.nuclei;
  const auto place = [](const auto& all) { return static_cast<int>(all.size()); };
  for (std::size_t i = 0; i < phantom.nuclei.size(); ++i) {
    const Nucleus& nucleus = phantom.nuclei[i];
    const NucleusShape shape = nucleus.shape();
    PlainNucleus plain{shape.centre,    shape.turn,
                       place(lobes),    shape.lobe_count,
                       place(nucleoli), shape.nucleolus_count,
                       place(before),   0};
    lobes.insert(lobes.end(), nucleus.lobes().begin(), nucleus.lobes().end());
    nucleoli.insert(nucleoli.end(), nucleus.nucleoli().begin(), nucleus.nucleoli().end());
    for (const Lobe& lobe : nucleus.lobes()) voxels.push_back(lobe.voxel_shape(figures.pitch));
    if (!phantom.overlapped.empty())
      for (const std::size_t other : phantom.overlapped[i])
        before.push_back(static_cast<std::int32_t>(other));
    plain.before_count = place(before) - plain.first_before;
    nuclei.push_back(plain);
    if (spec.texture != TextureKind::none) noise.push_back(noise_of(nucleus, spec));
  }
}

void FlatPhantom::lay_out_objects(const Phantom& phantom) {
  int number = 0, last_kind = 0;
  for_each_object(phantom, [&](std::int64_t, const auto& body) {
    const Box3 near = voxels_reached(body.bounds(), phantom.grid.pitch, whole(phantom.grid.extent));
    const int kind = kind_of(body);
    number = kind == last_kind ? number + 1 : 0;
    last_kind = kind;
    kinds |= kind;
    const auto [z, y, x] = near.origin;
    objects.push_back(
        {kind, number, {z, y, x}, {z + near.size.z, y + near.size.y, x + near.size.x}});
  });
}

/// Cubes as small as the number of places that objects take in them allows.
void FlatPhantom::index(const Extent3& grid) {
  PlainIndex& made = figures.index;
  std::int64_t cubes = 0, places = 0;
  for (made.cube_bits = 4;; ++made.cube_bits) {
    const auto along = [&](std::int64_t size) { return ((size - 1) >> made.cube_bits) + 1; };
    made.cubes_y = along(grid.y);
    made.cubes_x = along(grid.x);
    cubes = along(grid.z) * made.cubes_y * made.cubes_x;
    places = 0;
    for (const PlainObject& o : objects) places += CubeRange{o, made.cube_bits}.count();
    if ((cubes <= kMostCubes && places <= kMostPlaces) || cubes == 1) break;
  }

  starts.assign(static_cast<std::size_t>(cubes) + 1, 0);
  for (const PlainObject& o : objects)
    for_each_cube({o, made.cube_bits}, made, [&](std::size_t cube) { ++starts[cube + 1]; });
  for (std::size_t i = 1; i < starts.size(); ++i) starts[i] += starts[i - 1];
  ids.resize(static_cast<std::size_t>(places));
  std::vector<std::int64_t> next{starts.begin(), starts.end() - 1};
  for (std::size_t id = 0; id < objects.size(); ++id)
    for_each_cube({objects[id], made.cube_bits}, made, [&](std::size_t cube) {
      ids[static_cast<std::size_t>(next[cube]++)] = static_cast<std::int32_t>(id);
    });
}

PlainPhantom FlatPhantom::view() const {
  PlainPhantom p = figures;
  p.index.starts = starts.data();
  p.index.ids = ids.data();
  p.objects = objects.data();
  p.nuclei = nuclei.data();
  p.noise = noise.data();
  p.lobes = lobes.data();
  p.voxels = voxels.data();
  p.nucleoli = nucleoli.data();
  p.before = before.data();
  p.beads = beads.data();
  p.points = points.data();
  p.lines = lines.data();
  p.shells = shells.data();
  p.stars = stars.data();
  return p;
}

}  // namespace synthoscope::simulator::device
