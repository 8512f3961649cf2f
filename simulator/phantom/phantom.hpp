// SPDX-License-Identifier: MIT
// simulator/phantom/phantom.hpp — what is there: objects of several kinds on a grid, rendered on
// demand.
#pragma once
#include <cstdint>
#include <memory>
#include <variant>
#include <vector>
#include "core/run/run_context.hpp"
#include "core/stream/stream.hpp"
#include "simulator/grid.hpp"
#include "simulator/phantom/bead.hpp"
#include "simulator/phantom/cell.hpp"
#include "simulator/phantom/imported_volume.hpp"
#include "simulator/phantom/light_spec.hpp"
#include "simulator/phantom/neuron.hpp"
#include "simulator/phantom/nucleus.hpp"
#include "simulator/phantom/object_index.hpp"
#include "simulator/phantom/phantom_spec.hpp"
#include "simulator/phantom/placed_strands.hpp"
#include "simulator/phantom/target.hpp"
#include "simulator/phantom/tissue.hpp"

namespace synthoscope::simulator {

/// A world of objects. Ids count from 1 through nuclei, cells, beads, the target, the regions of an
/// imported volume, the cells of a tissue and neurons, in this order. Immutable; any box of it can
/// be rendered, by any thread, in any order, with the same voxels.
struct Phantom {
  Grid grid;
  PhantomSpec spec;
  std::vector<Nucleus> nuclei = {};
  std::vector<Bead> beads = {};
  Target target = {};
  /// For each nucleus those of lower number that may overlap it; empty if none may.
  std::vector<std::vector<std::size_t>> overlapped = {};
  std::shared_ptr<const ImportedVolume> volume = {};  ///< null without one
  std::vector<Region> regions = {};                   ///< of `volume`
  std::vector<TissueCell> tissue = {};
  std::vector<Neuron> neurons = {};
  std::vector<Cell> cells = {};
  double brightness = 1;  ///< share of its light that bleaching has left

  [[nodiscard]] std::int64_t count() const;
};

/// Calls `visit(bodies)` for the objects of each kind, in the order of ids.
template <class AnyPhantom, class Visit>
void for_each_kind(AnyPhantom& phantom, Visit&& visit) {
  visit(phantom.nuclei);
  visit(phantom.cells);
  visit(phantom.beads);
  std::visit(visit, phantom.target);
  visit(phantom.regions);
  visit(phantom.tissue);
  visit(phantom.neurons);
}

/// Calls `visit(id, body)` for every object in the order of ids; `body` has the object's own type.
template <class Visit>
void for_each_object(const Phantom& phantom, Visit&& visit) {
  std::int64_t id = 0;
  for_each_kind(phantom, [&](const auto& bodies) {
    for (const Body auto& body : bodies) visit(++id, body);
  });
}

/// Calls `visit(id, body)` for one object, 1 <= id <= phantom.count().
template <class Visit>
void visit_object(const Phantom& phantom, std::int64_t id, Visit&& visit) {
  std::int64_t place = id - 1;
  for_each_kind(phantom, [&](const auto& bodies) {
    if (place >= 0 && place < std::ssize(bodies))
      visit(id, bodies[static_cast<std::size_t>(place)]);
    place -= std::ssize(bodies);
  });
}

/// More nuclei of lower number than one can touch; of a list that grows by doubling, its room.
inline constexpr std::int64_t kMostNeighbours = 32;

/// What making and keeping the objects of `spec` takes, in bytes; the voxels of an imported volume,
/// which copies share, are counted by volume_bytes.
std::int64_t phantom_bytes(const PhantomSpec& spec, const Grid& grid);

/// Draws and places the objects of `spec`; the result is a function of (spec, grid, seed). Nuclei
/// come first, beads keep away from them. A target is laid over both: its place is its truth. An
/// imported volume is laid under all.
/// @throws InvalidSpec  `spec` or `grid` is out of range, or the objects cannot be placed: says how
///                      many fit.
/// @throws Interrupted  context.stop was set.
Phantom make_phantom(const PhantomSpec& spec, const Grid& grid, std::uint64_t seed,
                     const RunContext& context);

/// The same with nuclei and cells that are placed already.
Phantom phantom_around(std::vector<Nucleus> nuclei, std::vector<Cell> cells,
                       const PhantomSpec& spec, const Grid& grid, std::uint64_t seed,
                       const RunContext& context);

/// Moves all objects, by micrometres. What the grid held of a tissue's cell is what it holds now; a
/// tissue that has no side towards a face of the grid reaches on beyond it.
void shift(Phantom& phantom, const Vector3& way);

/// Photons per voxel and exposure that leave the phantom, float32: the sum over objects of what
/// glows in the voxel. A nucleus adds
///
///     light.nuclei * photons_per_um3 * voxel volume * coverage * stain(centre)
///
/// with the coverage of what no nucleus of lower id has too; other kinds have their own weight. The
/// light of an imported volume comes last. All of it times the phantom's brightness.
/// Terms are added in the order of ids, in double.
class PhantomSource final : public Source {
 public:
  explicit PhantomSource(const Phantom& phantom, const LightSpec& light = {});
  [[nodiscard]] Extent3 extent() const override { return phantom_.grid.extent; }
  [[nodiscard]] PixelType pixel_type() const override { return PixelType::float32; }
  void read(const Box3& box, VoxelView out) override;

  /// The same voxels, bit for bit.
  [[nodiscard]] std::unique_ptr<cuda::DeviceSource> make_on_device() override;

 private:
  void add_volume(const Box3& box, HostView3<float> photons) const;

  const Phantom& phantom_;
  LightSpec light_;
  ObjectIndex index_;
  PlacedStrands strands_;
};

/// Labels as uint16: that of the object that contains the voxel's centre, of the lowest id among
/// several, 0 for none.
class LabelSource final : public Source {
 public:
  /// Labels are ids.
  explicit LabelSource(const Phantom& phantom) : LabelSource{phantom, ids_of(phantom)} {}
  /// @param labels  of each object
  LabelSource(const Phantom& phantom, std::vector<std::uint16_t> labels);
  [[nodiscard]] Extent3 extent() const override { return phantom_.grid.extent; }
  [[nodiscard]] PixelType pixel_type() const override { return PixelType::uint16; }
  void read(const Box3& box, VoxelView out) override;

  /// The same voxels, bit for bit.
  [[nodiscard]] std::unique_ptr<cuda::DeviceSource> make_on_device() override;

 private:
  static std::vector<std::uint16_t> ids_of(const Phantom& phantom);

  const Phantom& phantom_;
  std::vector<std::uint16_t> labels_;
  ObjectIndex index_;
  PlacedStrands strands_;
};

}  // namespace synthoscope::simulator
