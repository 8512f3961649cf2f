// SPDX-License-Identifier: MIT
// fftconv/unfold.hpp — the parts of a convolution become its result.
#pragma once
#include "core/run_context.hpp"
#include "core/scratch_volume.hpp"
#include "fftconv/decimation.hpp"
#include "fftconv/fft/lane_kernels.hpp"
#include "fftconv/finish.hpp"

namespace synthoscope::fftconv {

/// Bytes of one thread that unfolds `rows` rows of `columns` voxels at once.
std::int64_t unfold_bytes(const Decimation& decimation, std::int64_t rows, std::int64_t columns,
                          std::int64_t real_bytes);

/// Adds up all parts (decimation.hpp, unfold) and hands the result out row slab by row slab, all
/// positions that share a plane of the parts at once: every part is read once. Sums run over the
/// parts in their order, whatever computed them.
///
/// `parts` holds the real and the imaginary plane of every plane of every part, one part after the
/// other, cropped to `result`; the sink takes any box. Takes about `bytes` of memory, at least what
/// single rows need.
template <class Real>
void unfold(const Decimation& decimation, const Extent3& result, ScratchVolume& parts,
            const PlaneOutput& output, const WorkAxes& axes, const LaneKernels<Real>& kernels,
            std::int64_t bytes, const RunContext& context);

extern template void unfold(const Decimation&, const Extent3&, ScratchVolume&, const PlaneOutput&,
                            const WorkAxes&, const LaneKernels<float>&, std::int64_t,
                            const RunContext&);
extern template void unfold(const Decimation&, const Extent3&, ScratchVolume&, const PlaneOutput&,
                            const WorkAxes&, const LaneKernels<double>&, std::int64_t,
                            const RunContext&);

}  // namespace synthoscope::fftconv
