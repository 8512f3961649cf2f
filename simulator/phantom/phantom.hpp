// SPDX-License-Identifier: MIT
// simulator/phantom/phantom.hpp — the synthetic sample: objects of several kinds on a grid,
// rendered on demand.
#pragma once
#include <cstdint>
#include <memory>
#include <type_traits>
#include <variant>
#include <vector>
#include "core/run/run_context.hpp"
#include "core/stream/stream.hpp"
#include "simulator/base/grid.hpp"
#include "simulator/phantom/kinds.hpp"
#include "simulator/phantom/object_index.hpp"
#include "simulator/phantom/placed_strands.hpp"

namespace synthoscope::simulator {

/// The objects of a sample. Ids count from 1 through the kinds in the order of their list. While a
/// phantom is not changed, any thread can render any box of it, in any order, with the same voxels.
struct Phantom : PhantomObjects {
  Grid grid = {};
  PhantomSpec spec = {};
  double brightness = 1;  ///< share of its light that bleaching has left

  [[nodiscard]] std::int64_t count() const;
};

/// Calls `visit(bodies)` for the objects of each kind, in the order of ids.
template <class AnyPhantom, class Visit>
void for_each_kind(AnyPhantom& phantom, Visit&& visit) {
  Kinds::for_each([&]<class Kind>(Kind) {
    auto& bodies = Kind::bodies(phantom);
    if constexpr (requires { bodies.size(); })
      visit(bodies);
    else
      std::visit(visit, bodies);
  });
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

/// Completes a phantom whose grid, spec, nuclei and cells are given.
Phantom phantom_around(Phantom drawn, std::uint64_t seed, const RunContext& context);

/// Returns what the objects of a phantom are for others that keep away from them.
std::vector<Obstacles> obstacles_of(const Phantom& phantom);

/// Moves all objects by `way`, micrometres.
void shift(Phantom& phantom, const Vector3& way);

/// A source of photons per voxel and exposure that leave the phantom, float32: the sum over objects
/// of their light in the voxel. A nucleus adds
///
///     light.nuclei * photons_per_um3 * voxel volume * coverage * stain(centre)
///
/// with the coverage of what no nucleus of lower id covers; other kinds have their own weight. The
/// light of an imported volume is added last. The sum is multiplied by the phantom's brightness.
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
