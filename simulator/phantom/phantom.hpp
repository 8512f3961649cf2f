// SPDX-License-Identifier: MIT
// simulator/phantom/phantom.hpp — the synthetic sample: objects of several kinds on a grid,
// rendered on demand.
#pragma once
#include <cstdint>
#include <memory>
#include <vector>
#include "core/run/run_context.hpp"
#include "core/stream/stream.hpp"
#include "simulator/base/grid.hpp"
#include "simulator/phantom/adherent/adherent_cell.hpp"
#include "simulator/phantom/beads/bead.hpp"
#include "simulator/phantom/cells/cell.hpp"
#include "simulator/phantom/kind/light_spec.hpp"
#include "simulator/phantom/kind/object_light.hpp"
#include "simulator/phantom/neurons/neuron.hpp"
#include "simulator/phantom/nuclei/nucleus.hpp"
#include "simulator/phantom/object_index.hpp"
#include "simulator/phantom/phantom_spec.hpp"
#include "simulator/phantom/placed_strands.hpp"
#include "simulator/phantom/target/target.hpp"
#include "simulator/phantom/tissue/tissue.hpp"
#include "simulator/phantom/volume/imported_volume.hpp"
#include "simulator/phantom/volume/region.hpp"

namespace synthoscope::simulator {

/// The objects of a sample. Ids count from 1 through the kinds in the order of their list. While a
/// phantom is not changed, any thread can render any box of it, in any order, with the same voxels.
struct Phantom {
  Grid grid = {};
  PhantomSpec spec = {};
  std::vector<Nucleus> nuclei = {};
  /// For each nucleus, the nuclei of lower number that may overlap it; empty if none may.
  std::vector<std::vector<std::size_t>> lower_neighbours = {};
  std::vector<Bead> beads = {};
  Target target = {};
  std::shared_ptr<const ImportedVolume> volume = {};  ///< null without a volume
  std::vector<Region> regions = {};                   ///< of `volume`
  std::vector<Cell> cells = {};
  std::vector<TissueCell> tissue = {};
  std::vector<Neuron> neurons = {};
  std::vector<AdherentCell> adherent = {};
  double brightness = 1;                 ///< fraction of the light that remains after bleaching
  std::vector<ObjectLight> lights = {};  ///< of each object, by id; empty if all are 1

  [[nodiscard]] std::int64_t count() const;
};

/// Returns the bytes that making and keeping the objects of `spec` takes, without shared_bytes.
std::int64_t phantom_bytes(const PhantomSpec& spec, const Grid& grid);

/// Returns the bytes of what copies of a phantom share: voxels of an imported volume.
std::int64_t shared_bytes(const PhantomSpec& spec);

/// Draws and places the objects of `spec`; the result is a function of (spec, grid, seed). Kinds
/// are made in the order of their list, but obstacles before what keeps away from them.
/// @throws InvalidSpec  `spec` or `grid` is out of range, or the objects cannot be placed: the
///                      message says how many fit.
/// @throws Interrupted  context.stop was set.
Phantom make_phantom(const PhantomSpec& spec, const Grid& grid, std::uint64_t seed,
                     const RunContext& context);

/// Returns `given`, which has a grid, a spec, nuclei and cells, with the objects of all other
/// kinds.
Phantom completed_phantom(Phantom given, std::uint64_t seed, const RunContext& context);

/// Returns the same objects on another grid, whose corner lies at `corner_um` of the present one.
Phantom on_grid(Phantom phantom, const Grid& grid, const Vector3& corner_um);

/// Moves all objects by `displacement_um`.
void shift(Phantom& phantom, const Vector3& displacement_um);

/// A source of photons per voxel and exposure that leave the phantom, float32: the sum over objects
/// of their light in the voxel. A nucleus adds
///
///     light.nuclei * photons_per_um3 * voxel volume * coverage * stain(centre)
///
/// with the coverage of what no nucleus of lower id covers; other kinds have their own weight. The
/// light of an imported volume is added last. The light of an object is multiplied by its
/// ObjectLight, that of strands by its factor alone, and all by the phantom's brightness.
/// Terms are added in the order of ids, in double.
class PhantomSource final : public Source {
 public:
  explicit PhantomSource(const Phantom& phantom, const LightSpec& light = {});
  [[nodiscard]] Extent3 extent() const override { return phantom_.grid.extent; }
  [[nodiscard]] PixelType pixel_type() const override { return PixelType::float32; }
  void read(const Box3& box, VoxelView out) override;

  /// Returns a source that makes the same voxels on a device, bit for bit.
  [[nodiscard]] std::unique_ptr<cuda::DeviceSource> make_on_device() override;

 private:
  [[nodiscard]] ObjectLight light_of_object(std::int64_t id) const;
  void add_light_of_no_object(const Box3& box, HostView3<float> photons) const;

  const Phantom& phantom_;
  LightSpec light_;
  ObjectIndex index_;
  PlacedStrands strands_;
};

/// A source of labels, uint16: the label of the object that contains the voxel's centre, of the
/// lowest id among several, 0 for none.
class LabelSource final : public Source {
 public:
  /// Labels are ids.
  explicit LabelSource(const Phantom& phantom) : LabelSource{phantom, ids_of(phantom)} {}
  /// @param labels  the label of each object
  LabelSource(const Phantom& phantom, std::vector<std::uint16_t> labels);
  [[nodiscard]] Extent3 extent() const override { return phantom_.grid.extent; }
  [[nodiscard]] PixelType pixel_type() const override { return PixelType::uint16; }
  void read(const Box3& box, VoxelView out) override;

  /// Returns a source that makes the same voxels on a device, bit for bit.
  [[nodiscard]] std::unique_ptr<cuda::DeviceSource> make_on_device() override;

 private:
  static std::vector<std::uint16_t> ids_of(const Phantom& phantom);

  const Phantom& phantom_;
  std::vector<std::uint16_t> labels_;
  ObjectIndex index_;
  PlacedStrands strands_;
};

}  // namespace synthoscope::simulator
