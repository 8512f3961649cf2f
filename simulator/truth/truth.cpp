// SPDX-License-Identifier: MIT
#include "simulator/truth/truth.hpp"
#include "core/stream/carry.hpp"
#include "core/stream/device_stream.hpp"
#include "core/stream/store_as.hpp"
#include "simulator/phantom/flat/flat_phantom.hpp"
#include "simulator/phantom/structure_source.hpp"

namespace synthoscope::simulator {
namespace {

/// Returns whether a GPU can make these masks, and host and GPU have the memory for it.
bool can_make_masks(const device::DeviceWorkspace& gpu, const Phantom& phantom, Source& masks,
                    const StreamFormat& made, const MemoryBudget& memory) {
  if (!masks.make_on_device()) return false;
  const std::int64_t objects =
      device::flat_phantom_bytes(phantom.spec, phantom.grid, phantom.grid.extent) +
      phantom.count() * std::int64_t{sizeof(std::uint16_t)} + std::int64_t{sizeof(HarmonicFactors)};
  const device::CarriedPlane plane = device::carried_plane(masks, made);
  return objects + plane.device <= gpu.memory.limit() - gpu.memory.used() &&
         objects + plane.host <= memory.limit() - memory.used();
}

}  // namespace

std::vector<LabelCount> write_truth(std::int64_t frame, const Phantom& phantom,
                                    const FrameLabels& names, Source& masks, const Stacks& stacks,
                                    TruthTables& tables, const device::DeviceWorkspace* gpu,
                                    const RunContext& context) {
  StoreAs as_they_are{PixelType::uint16};
  const auto stack = stacks.create_stack("labels", frame, PixelType::uint16);
  CountingSink counted{*stack, names.labels};
  if (gpu &&
      can_make_masks(*gpu, phantom, masks, as_they_are.format(phantom.grid.extent), context.memory))
    device::carry_on_device("labels", masks, as_they_are, counted, *gpu, context);
  else
    carry("labels", masks, as_they_are, counted, context);
  counted.close();
  tables.objects.add(frame, phantom, names, counted.counts());
  tables.spots.add(frame, names, phantom);
  return counted.counts();
}

void write_structures(std::int64_t frame, const Phantom& phantom, const Stacks& stacks,
                      const RunContext& context) {
  StructureSource structures{phantom};
  StoreAs as_they_are{PixelType::uint8};
  const auto stack = stacks.create_stack("structures", frame, PixelType::uint8);
  carry("structures", structures, as_they_are, *stack, context);
  stack->close();
}

}  // namespace synthoscope::simulator
