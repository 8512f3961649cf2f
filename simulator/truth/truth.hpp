// SPDX-License-Identifier: MIT
// simulator/truth/truth.hpp — the masks of a frame, and what is known of its objects.
#pragma once
#include <vector>
#include "simulator/base/carry_on_device.hpp"
#include "simulator/imaging/stacks.hpp"
#include "simulator/truth/objects.hpp"

namespace synthoscope::simulator {

/// What is known of the objects of the frames that were added.
struct TruthTables {
  /// @param channels  as for ObjectTable
  explicit TruthTables(std::vector<std::string> channels) : objects{std::move(channels)} {}
  ObjectTable objects;
  SpotTable spots;
};

/// Writes the labels of a frame, and adds its objects to the tables.
/// @param masks  of the phantom, with the labels of `names`
/// @param gpu  makes masks if it can and has the memory; may be null
/// @returns the voxels of each object
/// @throws what the stacks throw; PlanError, Interrupted  as carry.
std::vector<LabelCount> write_truth(std::int64_t frame, const Phantom& phantom,
                                    const FrameLabels& names, Source& masks, const Stacks& stacks,
                                    TruthTables& tables, const device::DeviceWorkspace* gpu,
                                    const RunContext& context);

/// Writes the structures of the objects of a frame, for scenes that have any
/// (Timelapse::has_structures), also if this frame has no object.
/// @throws as write_truth
void write_structures(std::int64_t frame, const Phantom& phantom, const Stacks& stacks,
                      const RunContext& context);

}  // namespace synthoscope::simulator
