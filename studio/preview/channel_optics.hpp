// SPDX-License-Identifier: MIT
// studio/preview/channel_optics.hpp — the PSFs of a channel, and the window of its blur.
#pragma once
#include <array>
#include <filesystem>
#include <memory>
#include <optional>
#include <vector>
#include "core/run/run_context.hpp"
#include "simulator/imaging/lens.hpp"
#include "studio/preview/shown.hpp"

namespace synthoscope::studio {

inline constexpr Extent3 kMiddleOfPsf{65, 129, 129};

/// PSFs that a lens stores, in memory.
class PsfStacks final : public simulator::Stacks {
 public:
  explicit PsfStacks(MemoryBudget& memory) : memory_{memory} {}
  [[nodiscard]] const std::vector<std::shared_ptr<Stack>>& psfs() const { return psfs_; }

  [[nodiscard]] std::unique_ptr<Sink> create_psf(const Extent3& extent, const Index3& centre,
                                                 std::size_t channel,
                                                 std::size_t reference) const override;
  [[nodiscard]] std::unique_ptr<Source> open_psf(std::size_t channel,
                                                 std::size_t reference) const override;
  [[nodiscard]] std::filesystem::path scratch_folder() const override;
  /// A lens makes and opens no other stacks.
  [[nodiscard]] std::unique_ptr<Sink> create_stack(std::string_view name, std::int64_t frame,
                                                   PixelType type,
                                                   std::size_t channel) const override;
  [[nodiscard]] std::unique_ptr<Source> open_stack(std::string_view name, std::int64_t frame,
                                                   std::size_t channel) const override;

 private:
  MemoryBudget& memory_;
  mutable std::vector<std::shared_ptr<Stack>> psfs_;  ///< of references
};

/// Everything that is known of a channel before any object is.
class ChannelOptics {
 public:
  /// @param scene  of a channel
  /// @param psfs   may have the PSF of an earlier scene
  /// @throws as simulate
  ChannelOptics(const simulator::SceneSpec& scene, simulator::PsfMemory& psfs,
                const RunContext& context);

  [[nodiscard]] const simulator::References& references() const { return references_; }
  [[nodiscard]] const simulator::PsfSize& size() const { return size_; }
  [[nodiscard]] const std::vector<simulator::BlurTerm>& terms() const { return lens_.terms(); }
  /// Returns the PSF; the first of several.
  [[nodiscard]] SharedStack psf() const { return stacks_.psfs().front(); }
  /// Returns its middle, at most kMiddleOfPsf, which shows what can be seen of it.
  [[nodiscard]] SharedStack psf_middle() const { return psf_middle_; }
  /// Returns its full widths at half maximum along z, y and x.
  [[nodiscard]] const std::array<std::optional<double>, 3>& widths_um() const { return widths_um_; }

 private:
  simulator::References references_;
  simulator::PsfSize size_;
  Reservation held_;
  PsfStacks stacks_;
  simulator::Lens lens_;
  std::array<std::optional<double>, 3> widths_um_;
  SharedStack psf_middle_;
};

}  // namespace synthoscope::studio
