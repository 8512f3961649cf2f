// SPDX-License-Identifier: MIT
#include "simulator/device/flat_phantom.hpp"
#include <algorithm>
#include <array>
#include <variant>
#include "simulator/phantom/reach.hpp"
#include "simulator/phantom/stain.hpp"

namespace synthoscope::simulator::device {
namespace {

constexpr std::int64_t kMostCubes = std::int64_t{1} << 20, kMostPlaces = std::int64_t{1} << 22;
constexpr int kFewestBits = 4;

/// Cubes along an axis.
std::int64_t cubes_along(std::int64_t voxels, int bits) {
  return ((voxels - 1) >> bits) + 1;
}

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

constexpr ObjectKind kind_of(const Region&) {
  return kRegion;
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

FlatPhantom::FlatPhantom(const Phantom& phantom)
    : beads{phantom.beads}, regions{phantom.regions}, volume{phantom.volume} {
  const NucleiSpec& spec = phantom.spec.nuclei;
  figures.pitch = vector_of(phantom.grid.pitch);
  figures.voxel_um3 = figures.pitch[0] * figures.pitch[1] * figures.pitch[2];
  figures.stain = stain_figures(spec);
  figures.nucleus_photons = spec.photons_per_um3 * figures.voxel_um3;
  figures.brightness = phantom.brightness;
  lay_out_nuclei(phantom);
  if (const auto* all = std::get_if<0>(&phantom.target)) points = *all;
  if (const auto* all = std::get_if<1>(&phantom.target)) lines = *all;
  if (const auto* all = std::get_if<2>(&phantom.target)) shells = *all;
  if (const auto* all = std::get_if<3>(&phantom.target)) stars = *all;
  if (volume) {
    figures.labelled = volume->labelled;
    figures.volume_light = volume->light;
    if (volume->light.values) kinds |= kVolumeLight;
  }
  lay_out_objects(phantom);
  index(phantom.grid.extent);
}

/// Arrays that grow step by step would take up to three times their size.
void FlatPhantom::reserve_for_nuclei(const Phantom& phantom) {
  std::size_t lobe_count = 0, nucleolus_count = 0, before_count = 0;
  for (const Nucleus& nucleus : phantom.nuclei) {
    lobe_count += nucleus.lobes().size();
    nucleolus_count += nucleus.nucleoli().size();
  }
  for (const auto& others : phantom.overlapped) before_count += others.size();
  nuclei.reserve(phantom.nuclei.size());
  if (phantom.spec.nuclei.texture != TextureKind::none) noise.reserve(phantom.nuclei.size());
  lobes.reserve(lobe_count);
  voxels.reserve(lobe_count);
  nucleoli.reserve(nucleolus_count);
  before.reserve(before_count);
}

void FlatPhantom::lay_out_nuclei(const Phantom& phantom) {
  const NucleiSpec& spec = phantom.spec.nuclei;
  reserve_for_nuclei(phantom);
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
  objects.reserve(static_cast<std::size_t>(phantom.count()));
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
  for (made.cube_bits = kFewestBits;; ++made.cube_bits) {
    made.cubes_y = cubes_along(grid.y, made.cube_bits);
    made.cubes_x = cubes_along(grid.x, made.cube_bits);
    cubes = cubes_along(grid.z, made.cube_bits) * made.cubes_y * made.cubes_x;
    places = 0;
    for (const PlainObject& o : objects) places += CubeRange{o, made.cube_bits}.count();
    if ((cubes <= kMostCubes && places <= kMostPlaces) || cubes == 1) break;
  }

  starts.assign(static_cast<std::size_t>(cubes) + 1, 0);
  for (const PlainObject& o : objects)
    for_each_cube({o, made.cube_bits}, made, [&](std::size_t cube) { ++starts[cube + 1]; });
  for (std::size_t i = 1; i < starts.size(); ++i) starts[i] += starts[i - 1];
  ids.resize(static_cast<std::size_t>(places));
  // Every start moves to the end of its cube, which is where the next one starts
  for (std::size_t id = 0; id < objects.size(); ++id)
    for_each_cube({objects[id], made.cube_bits}, made, [&](std::size_t cube) {
      ids[static_cast<std::size_t>(starts[cube]++)] = static_cast<std::int32_t>(id);
    });
  std::copy_backward(starts.begin(), starts.end() - 1, starts.end());
  starts.front() = 0;
}

std::int64_t FlatPhantom::bytes() const {
  const auto of = [](const auto& all) {
    return static_cast<std::int64_t>(all.capacity() * sizeof all[0]);
  };
  return of(starts) + of(ids) + of(objects) + of(nuclei) + of(noise) + of(lobes) + of(voxels) +
         of(nucleoli) + of(before) + of(beads) + of(points) + of(lines) + of(shells) + of(stars) +
         of(regions);
}

std::int64_t flat_phantom_bytes(const PhantomSpec& spec, const Grid& placed,
                                const Extent3& rendered) {
  const NucleiSpec& n = spec.nuclei;
  // Bridges lie between lobes
  const std::int64_t lobes = n.most_lobes == 1 ? 1 : 2 * n.most_lobes - 1;
  const std::int64_t nucleus =
      std::int64_t{sizeof(PlainNucleus)} +
      (n.texture != TextureKind::none ? std::int64_t{sizeof(NoiseField)} : 0) +
      lobes * std::int64_t{sizeof(Lobe) + sizeof(VoxelShape)} +
      n.nucleoli * std::int64_t{sizeof(Nucleolus)} +
      (n.gap_um < 0 ? kMostNeighbours * std::int64_t{sizeof(std::int32_t)} : 0);
  const std::int64_t objects = number_of(spec, placed);
  const std::int64_t cubes = cubes_along(rendered.z, kFewestBits) *
                             cubes_along(rendered.y, kFewestBits) *
                             cubes_along(rendered.x, kFewestBits);
  return number_of(n, placed) * nucleus +
         number_of(spec.beads, placed) * std::int64_t{sizeof(Bead)} +
         number_of(spec.target, placed) * std::int64_t{sizeof(StarTarget)} +
         number_of(spec.volume) * std::int64_t{sizeof(Region)} + volume_bytes(spec.volume) +
         objects * std::int64_t{sizeof(PlainObject)} +
         (std::min(cubes, kMostCubes) + 1) * std::int64_t{sizeof(std::int64_t)} +
         std::min(objects * cubes, kMostPlaces) * std::int64_t{sizeof(std::int32_t)};
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
  p.regions = regions.data();
  return p;
}

}  // namespace synthoscope::simulator::device
