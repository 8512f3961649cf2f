// SPDX-License-Identifier: MIT
#include "simulator/phantom/nuclei/flat_nuclei.hpp"
#include "simulator/phantom/nuclei/nucleus_voxels.hpp"

namespace synthoscope::simulator::device {

NoiseField noise_of(const Nucleus& nucleus, const NucleiSpec& spec) {
  const auto octaves = static_cast<int>(spec.texture_octaves);
  return spec.texture == TextureKind::perlin
             ? perlin_field(nucleus.texture_seed(), spec.texture_wavelength_um, octaves)
             : chromatin_field(nucleus.texture_seed(), spec.texture_wavelength_um, octaves);
}

void FlatNuclei::reserve(const NucleusParts& parts, const NucleiSpec& spec) {
  all.reserve(parts.nuclei);
  if (spec.texture != TextureKind::none) noise.reserve(parts.stained);
  lobes.reserve(parts.lobes);
  voxels.reserve(parts.lobes);
  nucleoli.reserve(parts.nucleoli);
  before.reserve(parts.before);
  if (is_warped(spec)) warps.reserve(parts.stained);
}

/// Appends the parts of a nucleus to the arrays.
PlainNucleus FlatNuclei::laid_out(const Nucleus& nucleus, const Vector3& pitch) {
  const auto place = [](const auto& array) { return static_cast<int>(array.size()); };
  const NucleusShape shape = nucleus.shape();
  PlainNucleus plain{shape.centre,
                     shape.turn,
                     place(lobes),
                     shape.lobe_count,
                     place(nucleoli),
                     shape.nucleolus_count,
                     place(before),
                     0,
                     -1,
                     shape.chromatin};
  if (shape.warp) {
    plain.warp = place(warps);
    warps.push_back(*shape.warp);
  }
  lobes.insert(lobes.end(), nucleus.lobes().begin(), nucleus.lobes().end());
  nucleoli.insert(nucleoli.end(), nucleus.nucleoli().begin(), nucleus.nucleoli().end());
  for (const Lobe& lobe : nucleus.lobes()) voxels.push_back(lobe.voxel_shape(pitch));
  return plain;
}

void FlatNuclei::append(const Nucleus& nucleus, const Vector3& pitch, const NucleiSpec* spec) {
  all.push_back(laid_out(nucleus, pitch));
  if (spec && spec->texture != TextureKind::none) noise.push_back(noise_of(nucleus, *spec));
}

void FlatNuclei::lay_out(const std::vector<Nucleus>& nuclei,
                         const std::vector<std::vector<std::size_t>>& lower_neighbours,
                         const NucleiSpec& spec, const LightSpec& light, const Vector3& pitch) {
  figures.stain = stain_figures(spec);
  figures.nucleolus_warp = spec.nucleolus_roughness;
  figures.photons = spec.photons_per_um3 * light.nuclei * (pitch[0] * pitch[1] * pitch[2]);
  for (std::size_t i = 0; i < nuclei.size(); ++i) {
    PlainNucleus plain = laid_out(nuclei[i], pitch);
    if (!lower_neighbours.empty())
      for (const std::size_t other : lower_neighbours[i])
        before.push_back(static_cast<std::int32_t>(other));
    plain.before_count = static_cast<int>(before.size()) - plain.first_before;
    all.push_back(plain);
    if (spec.texture != TextureKind::none) noise.push_back(noise_of(nuclei[i], spec));
  }
}

std::int64_t flat_nucleus_bytes(const NucleiSpec& spec) {
  return std::int64_t{sizeof(PlainNucleus)} +
         (spec.texture != TextureKind::none ? std::int64_t{sizeof(NoiseField)} : 0) +
         most_lobes_and_bridges(spec) * std::int64_t{sizeof(Lobe) + sizeof(VoxelShape)} +
         most_nucleolus_parts(spec) * std::int64_t{sizeof(Nucleolus)} +
         (is_warped(spec) ? std::int64_t{sizeof(WarpField)} : 0) +
         (spec.gap_um < 0 ? kMaxNeighbours * std::int64_t{sizeof(std::int32_t)} : 0);
}

}  // namespace synthoscope::simulator::device
