// SPDX-License-Identifier: MIT
// simulator/phantom/nuclei/flat_nuclei.hpp — nuclei laid out in arrays for a device.
#pragma once
#include <vector>
#include "simulator/phantom/kind/light_spec.hpp"
#include "simulator/phantom/nuclei/nuclei_kind.hpp"
#include "simulator/phantom/nuclei/plain_nuclei.hpp"

namespace synthoscope::simulator::device {

/// Numbers of nuclei and of their parts.
struct NucleusParts {
  std::size_t nuclei = 0, stained = 0, lobes = 0, nucleoli = 0, before = 0;

  void add(const Nucleus& nucleus) {
    ++nuclei;
    lobes += nucleus.lobes().size();
    nucleoli += nucleus.nucleoli().size();
  }
};

/// Returns the texture of a nucleus as [nuclei] or a kind like it describes.
NoiseField noise_of(const Nucleus& nucleus, const NucleiSpec& spec);

inline NucleusBody plain_body_of(const Nucleus&) {
  return {};
}

/// Returns the bytes of a nucleus that [nuclei] stains.
std::int64_t flat_nucleus_bytes(const NucleiSpec& spec);

struct FlatNuclei {
  PlainNuclei figures;
  std::vector<PlainNucleus> all;
  std::vector<NoiseField> noise;
  std::vector<Lobe> lobes;
  std::vector<VoxelShape> voxels;
  std::vector<Nucleolus> nucleoli;
  std::vector<std::int32_t> before;
  std::vector<WarpField> warps;

  static void count_nuclei(const auto& phantom, NucleusParts& parts) {
    for (const Nucleus& nucleus : phantom.nuclei) parts.add(nucleus);
    parts.stained += phantom.nuclei.size();
    for (const auto& others : phantom.lower_neighbours) parts.before += others.size();
  }
  void lay_out(const auto& phantom, const LightSpec& light, const auto& flat) {
    lay_out(phantom.nuclei, phantom.lower_neighbours, phantom.spec.nuclei, light,
            flat.figures.pitch);
  }
  void for_each_array(auto& view, auto&& visit) const {
    visit(all, view.all);
    visit(noise, view.noise);
    visit(lobes, view.lobes);
    visit(voxels, view.voxels);
    visit(nucleoli, view.nucleoli);
    visit(before, view.before);
    visit(warps, view.warps);
  }
  static std::int64_t bytes(const auto& spec, const Grid& grid) {
    return number_of(spec.nuclei, grid) * flat_nucleus_bytes(spec.nuclei);
  }

  /// Reserves space: arrays that grow step by step would take up to three times their size.
  void reserve(const NucleusParts& parts, const NucleiSpec& spec);
  /// Appends a nucleus within another object, and its texture if `spec` stains it.
  void append(const Nucleus& nucleus, const Vector3& pitch, const NucleiSpec* spec);

 private:
  void lay_out(const std::vector<Nucleus>& nuclei,
               const std::vector<std::vector<std::size_t>>& lower_neighbours,
               const NucleiSpec& spec, const LightSpec& light, const Vector3& pitch);
  [[nodiscard]] PlainNucleus laid_out(const Nucleus& nucleus, const Vector3& pitch);
};

}  // namespace synthoscope::simulator::device
