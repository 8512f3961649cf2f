// SPDX-License-Identifier: MIT
// simulator/phantom/flat/flat_phantom.hpp — a phantom laid out in arrays for a device.
#pragma once
#include <memory>
#include <vector>
#include "simulator/phantom/cube_index.hpp"
#include "simulator/phantom/flat/plain_phantom.hpp"
#include "simulator/phantom/phantom.hpp"

namespace synthoscope::simulator::device {

/// The arrays of a PlainPhantom. Refers to nothing of the phantom but voxels of an imported volume.
struct FlatPhantom {
  /// Lays out a phantom, with each kind's light multiplied; dark objects are in no cube.
  explicit FlatPhantom(const Phantom& phantom, const LightSpec& light = {});

  /// Returns a view of these arrays; members that are not pointers also suit copies of the arrays.
  [[nodiscard]] PlainPhantom view() const;

  /// Returns the bytes of all arrays.
  [[nodiscard]] std::int64_t bytes() const;

  int kinds = 0;  ///< bits of ObjectKind of all objects that are not dark
  PlainPhantom figures;
  CubeIndex index;  ///< of objects
  std::vector<PlainObject> objects;
  std::vector<PlainNucleus> nuclei;
  std::vector<NoiseField> noise;
  std::vector<Lobe> lobes;
  std::vector<VoxelShape> voxels;
  std::vector<Nucleolus> nucleoli;
  std::vector<std::int32_t> before;
  std::vector<PlainCell> cells;
  std::vector<NoiseField> chromatin, cytoplasm;
  std::vector<Bead> beads;
  std::vector<PointTarget> points;
  std::vector<LineTarget> lines;
  std::vector<ShellTarget> shells;
  std::vector<StarTarget> stars;
  std::vector<Region> regions;
  std::vector<PlainTissueCell> tissue;
  std::vector<HalfSpace> sides;
  std::shared_ptr<const ImportedVolume> volume;  ///< not copied; null without one
  std::vector<PlainStrand> strands;
  std::vector<StrandPiece> pieces;

 private:
  void reserve_for_nuclei(const Phantom& phantom);
  void lay_out_nuclei(const Phantom& phantom);
  void lay_out_tissue(const Phantom& phantom, const LightSpec& light);
  void lay_out_cells(const Phantom& phantom, const LightSpec& light);
  [[nodiscard]] PlainNucleus laid_out(const Nucleus& nucleus);
  void scale(const LightSpec& light);
  void lay_out_objects(const Phantom& phantom, const LightSpec& light);
  [[nodiscard]] const PlainStrand& strand_of(std::int32_t piece) const;
};

/// Returns at least FlatPhantom::bytes plus the voxels of an imported volume, for any phantom of
/// `spec` that is placed on the grid `placed` and rendered with the extent `rendered`.
std::int64_t flat_phantom_bytes(const PhantomSpec& spec, const Grid& placed,
                                const Extent3& rendered);

}  // namespace synthoscope::simulator::device
