// SPDX-License-Identifier: MIT
// fftconv/host/parts/unfold.hpp — the parts of a convolution become its result.
#pragma once
#include <optional>
#include "core/run/run_context.hpp"
#include "core/stream/scratch_volume.hpp"
#include "core/volume/interval.hpp"
#include "fftconv/fft/lane_functions.hpp"
#include "fftconv/plan/cuts/decimation.hpp"
#include "fftconv/planes/finish.hpp"

namespace synthoscope::fftconv {

/// Adds up all parts (decimation.hpp, unfold) and hands the result out piece by piece of its rows,
/// all positions that share a plane of the parts at once: every part is read once. Sums run over
/// the parts in their order, whatever computed them.
///
/// `parts` holds the real and the imaginary plane of every plane of every part, one part after the
/// other, cropped to `result`; the sink takes any box. Takes no more than `bytes`, which are at
/// least unfold_bytes of one voxel for every thread.
/// @param planes  that `parts` holds of every part; what they unfold to is made. Absent: all
template <class Real>
void unfold(const Decimation& decimation, const Extent3& result, ScratchVolume& parts,
            const PlaneOutput& output, const WorkAxes& axes, const LaneFunctions<Real>& functions,
            std::int64_t bytes, const RunContext& context,
            const std::optional<Interval>& planes = {});

extern template void unfold(const Decimation&, const Extent3&, ScratchVolume&, const PlaneOutput&,
                            const WorkAxes&, const LaneFunctions<float>&, std::int64_t,
                            const RunContext&, const std::optional<Interval>&);
extern template void unfold(const Decimation&, const Extent3&, ScratchVolume&, const PlaneOutput&,
                            const WorkAxes&, const LaneFunctions<double>&, std::int64_t,
                            const RunContext&, const std::optional<Interval>&);

}  // namespace synthoscope::fftconv
