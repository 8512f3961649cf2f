// SPDX-License-Identifier: MIT
// simulator/preview.hpp — preview.png: truth, blurred and recorded side by side.
#pragma once
#include "simulator/data_set.hpp"
#include "simulator/phantom/phantom.hpp"

namespace synthoscope::simulator {

/// Draws orthogonal slices (y-x, below it z-x, beside it y-z) through the object nearest to the
/// grid's middle: the phantom in one colour per object, the noise-free photons, the recorded
/// counts; outlines of the labels over the latter two; a scale bar. Reads the finished stacks of
/// `files`. Lengths are true along all axes; brightness runs from each stack's 1 % quantile to its
/// 99.9 % quantile.
/// @throws IoError
void write_preview(const Phantom& phantom, const DataSet& files);

}  // namespace synthoscope::simulator
