// SPDX-License-Identifier: MIT
// studio/preview/sample.hpp — the objects of the frame that a preview shows, in their places.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>
#include "core/run/run_context.hpp"
#include "simulator/timelapse/timelapse.hpp"
#include "studio/preview/shown.hpp"

namespace synthoscope::studio {

class Sample {
 public:
  /// Places all objects. @throws as simulate
  Sample(const simulator::SceneSpec& scene, std::int64_t frame, const RunContext& context);

  [[nodiscard]] const simulator::Timelapse& timelapse() const { return timelapse_; }

  /// Returns the objects where the objective sees them, on the grid of the scene.
  [[nodiscard]] const simulator::Phantom& seen() const { return shifted_ ? *shifted_ : phantom_; }

  /// Returns the labels of all objects.
  [[nodiscard]] const std::vector<std::uint16_t>& labels() const { return names_.labels; }

  /// Renders the masks in a region. @throws PlanError  the budget has no space for them.
  [[nodiscard]] std::shared_ptr<Stack> masks(const Box3& region, const RunContext& context) const;

 private:
  Reservation held_;
  simulator::Timelapse timelapse_;
  simulator::Phantom phantom_;
  std::optional<simulator::Phantom> shifted_;
  simulator::FrameLabels names_;
};

}  // namespace synthoscope::studio
