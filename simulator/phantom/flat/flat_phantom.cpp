// SPDX-License-Identifier: MIT
#include "simulator/phantom/flat/flat_phantom.hpp"
#include <algorithm>
#include <utility>
#include <variant>
#include "simulator/phantom/geometry/reach.hpp"
#include "simulator/phantom/nuclei/stain.hpp"

namespace synthoscope::simulator::device {
namespace {

/// Returns the least size of cubes, in bits: pieces of strands are small, and so are cubes.
int fewest_bits(bool has_strands) {
  return has_strands ? 3 : 4;
}

constexpr ObjectKind kind_of(const Nucleus&) {
  return kNucleus;
}
constexpr ObjectKind kind_of(const Cell&) {
  return kCell;
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

constexpr ObjectKind kind_of(const TissueCell&) {
  return kTissueCell;
}

NoiseField noise_of(const Nucleus& nucleus, const NucleiSpec& spec) {
  const auto octaves = static_cast<int>(spec.texture_octaves);
  return spec.texture == TextureKind::chromatin
             ? chromatin_field(nucleus.texture_seed(), spec.texture_wavelength_um, octaves)
             : perlin_field(nucleus.texture_seed(), spec.texture_wavelength_um, octaves);
}

}  // namespace

FlatPhantom::FlatPhantom(const Phantom& phantom, const LightSpec& light)
    : beads{phantom.beads}, regions{phantom.regions}, volume{phantom.volume} {
  const NucleiSpec& spec = phantom.spec.nuclei;
  figures.pitch = vector_of(phantom.grid.pitch);
  figures.voxel_um3 = figures.pitch[0] * figures.pitch[1] * figures.pitch[2];
  figures.stain = stain_figures(spec);
  figures.nucleus_photons = spec.photons_per_um3 * light.nuclei * figures.voxel_um3;
  figures.brightness = phantom.brightness;
  lay_out_nuclei(phantom);
  lay_out_tissue(phantom, light);
  lay_out_cells(phantom, light);
  if (const auto* all = std::get_if<0>(&phantom.target)) points = *all;
  if (const auto* all = std::get_if<1>(&phantom.target)) lines = *all;
  if (const auto* all = std::get_if<2>(&phantom.target)) shells = *all;
  if (const auto* all = std::get_if<3>(&phantom.target)) stars = *all;
  if (volume) {
    figures.labelled = volume->labelled;
    figures.volume_light = volume->light;
    if (volume->light.values && light.volume > 0) kinds |= kVolumeLight;
  }
  lay_out_objects(phantom, light);
  scale(light);
  index = CubeIndex{phantom.grid.extent, fewest_bits(!pieces.empty()),
                    static_cast<std::int64_t>(objects.size()),
                    [&](std::int64_t i) { return objects[static_cast<std::size_t>(i)].range; }};
}

/// Reserves space: arrays that grow step by step would take up to three times their size.
void FlatPhantom::reserve_for_nuclei(const Phantom& phantom) {
  std::size_t count = 0, lobe_count = 0, nucleolus_count = 0, before_count = 0;
  const auto reckon = [&](const Nucleus& nucleus) {
    ++count;
    lobe_count += nucleus.lobes().size();
    nucleolus_count += nucleus.nucleoli().size();
  };
  for (const Nucleus& nucleus : phantom.nuclei) reckon(nucleus);
  for (const TissueCell& cell : phantom.tissue)
    if (cell.nucleus) reckon(*cell.nucleus);
  for (const auto& others : phantom.overlapped) before_count += others.size();
  std::size_t cell_nuclei = 0;
  for (const Cell& cell : phantom.cells) {
    ++lobe_count;  // its surface
    if (!cell.nucleus()) continue;
    ++cell_nuclei;
    ++lobe_count;
    nucleolus_count += cell.nucleus()->nucleoli().size();
  }
  nuclei.reserve(count + cell_nuclei);
  if (phantom.spec.nuclei.texture != TextureKind::none) noise.reserve(count);
  lobes.reserve(lobe_count);
  voxels.reserve(lobe_count);
  nucleoli.reserve(nucleolus_count);
  before.reserve(before_count);
}

/// Appends the parts of a nucleus to the arrays.
PlainNucleus FlatPhantom::laid_out(const Nucleus& nucleus) {
  const auto place = [](const auto& all) { return static_cast<int>(all.size()); };
  const NucleusShape shape = nucleus.shape();
  const PlainNucleus plain{shape.centre,    shape.turn,
                           place(lobes),    shape.lobe_count,
                           place(nucleoli), shape.nucleolus_count,
                           place(before),   0};
  lobes.insert(lobes.end(), nucleus.lobes().begin(), nucleus.lobes().end());
  nucleoli.insert(nucleoli.end(), nucleus.nucleoli().begin(), nucleus.nucleoli().end());
  for (const Lobe& lobe : nucleus.lobes()) voxels.push_back(lobe.voxel_shape(figures.pitch));
  return plain;
}

void FlatPhantom::lay_out_nuclei(const Phantom& phantom) {
  const NucleiSpec& spec = phantom.spec.nuclei;
  reserve_for_nuclei(phantom);
  for (std::size_t i = 0; i < phantom.nuclei.size(); ++i) {
    PlainNucleus plain = laid_out(phantom.nuclei[i]);
    if (!phantom.overlapped.empty())
      for (const std::size_t other : phantom.overlapped[i])
        before.push_back(static_cast<std::int32_t>(other));
    plain.before_count = static_cast<int>(before.size()) - plain.first_before;
    nuclei.push_back(plain);
    if (spec.texture != TextureKind::none) noise.push_back(noise_of(phantom.nuclei[i], spec));
  }
}

/// Lays out tissue; its nuclei follow separate nuclei and precede the nuclei of cells.
void FlatPhantom::lay_out_tissue(const Phantom& phantom, const LightSpec& light) {
  const NucleiSpec& spec = phantom.spec.nuclei;
  figures.tissue_stain = lit(tissue_stain(phantom.spec.tissue, figures.voxel_um3), light);
  std::size_t side_count = 0;
  for (const TissueCell& cell : phantom.tissue) side_count += cell.sides().size();
  tissue.reserve(phantom.tissue.size());
  sides.reserve(side_count);
  for (const TissueCell& cell : phantom.tissue) {
    PlainTissueCell plain{static_cast<int>(sides.size()), static_cast<int>(cell.sides().size())};
    sides.insert(sides.end(), cell.sides().begin(), cell.sides().end());
    if (cell.nucleus) {
      plain.nucleus = static_cast<int>(nuclei.size());
      nuclei.push_back(laid_out(*cell.nucleus));
      if (spec.texture != TextureKind::none) noise.push_back(noise_of(*cell.nucleus, spec));
      if (weight_of(light, cell) > 0) kinds |= kNucleus;  // compiles code for its nucleus
    }
    tissue.push_back(plain);
  }
}

/// Lays out cells; their nuclei follow all others.
void FlatPhantom::lay_out_cells(const Phantom& phantom, const LightSpec& light) {
  const NucleiSpec its = nuclei_of(phantom.spec.cells);
  figures.cell_figures = lit(cell_figures(phantom.spec.cells, figures.pitch), light);
  cells.reserve(phantom.cells.size());
  chromatin.reserve(phantom.cells.size());
  cytoplasm.reserve(phantom.cells.size());
  for (const Cell& cell : phantom.cells) {
    const Nucleus& surface = cell.surface();
    PlainCell plain{surface.centre(), surface.own_axes(), static_cast<int>(lobes.size()), -1};
    lobes.push_back(surface.lobes().front());
    voxels.push_back({});  // keeps indices equal to lobes; its coverage is not used
    if (const Nucleus* nucleus = cell.nucleus()) {
      plain.nucleus = static_cast<int>(nuclei.size());
      nuclei.push_back(laid_out(*nucleus));
    }
    cells.push_back(plain);
    chromatin.push_back(cell.nucleus() && its.texture != TextureKind::none
                            ? noise_of(*cell.nucleus(), its)
                            : NoiseField{RandomStream{0, RandomStage::texture}, 0, 1, 1, {}});
    cytoplasm.push_back(
        chromatin_field(cell.cytoplasm_seed(), kCytoplasmWavelengthUm, kCytoplasmOctaves));
  }
}

/// Multiplies light as PhantomSource does. Nuclei share one figure; strands are multiplied as they
/// are laid out.
void FlatPhantom::scale(const LightSpec& light) {
  const auto scale_all = [](auto& all, double weight) {
    for (auto& one : all) one.photons_per_um3 *= weight;
  };
  scale_all(beads, light.beads);
  for (PointTarget& point : points) point.photons *= light.target;
  scale_all(lines, light.target);
  scale_all(shells, light.target);
  scale_all(stars, light.target);
  scale_all(regions, light.volume);
  figures.volume_light.photons_per_value *= light.volume;
}

void FlatPhantom::lay_out_objects(const Phantom& phantom, const LightSpec& light) {
  StrandPieces laid{phantom};
  strands = std::move(laid.strands);
  pieces = std::move(laid.pieces);
  objects.reserve(static_cast<std::size_t>(phantom.count()) + pieces.size());
  std::int32_t number = 0, strand = 0, piece = 0;
  const auto strand_at = [&](std::int32_t i) -> PlainStrand& {
    return strands[static_cast<std::size_t>(i)];
  };
  int last_kind = 0;
  for_each_object(phantom, [&]<class T>(std::int64_t id, const T& body) {
    const auto narrow_id = static_cast<std::int32_t>(id);
    if constexpr (!IsStrands<T>) {
      const double weight = weight_of(light, body);
      const int kind = kind_of(body);
      number = kind == last_kind ? number + 1 : 0;
      last_kind = kind;
      if (weight > 0) {
        kinds |= kind;
        objects.push_back({kind, number, narrow_id,
                           range_of(voxels_reached(core_bounds(body), phantom.grid.pitch,
                                                   whole(phantom.grid.extent)))});
      }
    }
    if constexpr (HasStrands<T>) {
      for (; strand < std::ssize(strands) && strand_at(strand).object == id; ++strand)
        strand_at(strand).photons *= weight_of(light, body, strand_at(strand).structure);
      for (; piece < std::ssize(pieces) && strand_of(piece).object == id; ++piece) {
        if (weight_of(light, body, strand_of(piece).structure) == 0) continue;
        kinds |= kStrand;
        objects.push_back(
            {kStrand, piece, narrow_id, laid.ranges[static_cast<std::size_t>(piece)]});
      }
    }
  });
}

/// Returns the strand of a piece.
const PlainStrand& FlatPhantom::strand_of(std::int32_t piece) const {
  const std::int32_t strand = pieces[static_cast<std::size_t>(piece)].strand;
  return strands[static_cast<std::size_t>(strand)];
}

std::int64_t FlatPhantom::bytes() const {
  const auto of = [](const auto& all) {
    return static_cast<std::int64_t>(all.capacity() * sizeof all[0]);
  };
  return index.bytes() + of(objects) + of(nuclei) + of(noise) + of(lobes) + of(voxels) +
         of(nucleoli) + of(before) + of(cells) + of(chromatin) + of(cytoplasm) + of(beads) +
         of(points) + of(lines) + of(shells) + of(stars) + of(regions) + of(strands) + of(pieces) +
         of(tissue) + of(sides);
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
  const auto [strands, pieces] = strands_of(spec, placed);
  const std::int64_t cell =
      std::int64_t{sizeof(PlainCell) + sizeof(PlainNucleus) + 2 * sizeof(NoiseField)} +
      2 * std::int64_t{sizeof(Lobe) + sizeof(VoxelShape)} +
      spec.cells.nucleoli * std::int64_t{sizeof(Nucleolus)};
  const std::int64_t tissue_cell =
      std::int64_t{sizeof(PlainTissueCell)} + kMostSides * std::int64_t{sizeof(HalfSpace)};
  return number_of(n, placed) * nucleus + number_of(spec.cells, placed) * cell +
         number_of(spec.tissue, placed) * (tissue_cell + nucleus) +
         number_of(spec.beads, placed) * std::int64_t{sizeof(Bead)} +
         number_of(spec.target, placed) * std::int64_t{sizeof(StarTarget)} +
         number_of(spec.volume) * std::int64_t{sizeof(Region)} + volume_bytes(spec.volume) +
         strand_pieces_bytes(strands, pieces) +
         (objects + pieces) * std::int64_t{sizeof(PlainObject)} +
         CubeIndex::bytes(rendered, fewest_bits(pieces > 0), objects + pieces);
}

PlainPhantom FlatPhantom::view() const {
  PlainPhantom p = figures;
  p.index = index.lists();
  p.objects = objects.data();
  p.nuclei = nuclei.data();
  p.noise = noise.data();
  p.lobes = lobes.data();
  p.voxels = voxels.data();
  p.nucleoli = nucleoli.data();
  p.before = before.data();
  p.cells = cells.data();
  p.chromatin = chromatin.data();
  p.cytoplasm = cytoplasm.data();
  p.beads = beads.data();
  p.points = points.data();
  p.lines = lines.data();
  p.shells = shells.data();
  p.stars = stars.data();
  p.regions = regions.data();
  p.strands = strands.data();
  p.pieces = pieces.data();
  p.tissue = tissue.data();
  p.sides = sides.data();
  return p;
}

}  // namespace synthoscope::simulator::device
