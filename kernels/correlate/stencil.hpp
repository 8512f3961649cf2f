// SPDX-License-Identifier: MIT
// kernels/correlate/stencil.hpp — the weights of a neighbourhood, whole or as products of weights
// along axes.
#pragma once
#include <string_view>
#include <vector>
#include "core/volume/extent.hpp"

namespace synthoscope::kernels {

/// result(p) = sum over k of weights[k] image(p + k - centre).
struct Stencil {
  Extent3 extent;
  std::vector<double> weights;  ///< in z, y, x order
  Index3 centre;                ///< anywhere, inside or not
  friend bool operator==(const Stencil&, const Stencil&) = default;
};

/// Returns the stencil of scipy.ndimage.correlate: its centre is at K / 2 of each axis.
Stencil correlation_stencil(const Extent3& extent, std::vector<double> weights);

/// Returns the stencil of scipy.ndimage.convolve:
/// result(p) = sum of weights[k] image(p - k + K / 2).
Stencil convolution_stencil(const Extent3& extent, std::vector<double> weights);

/// Turns correlation into convolution and back: reverses the weights, and moves the centre with
/// them.
Stencil flipped(Stencil stencil);

/// A stencil that is a sum of products of weights along the axes:
///   weights(z, y, x) = sum over terms of z_t[z] * sum over its planes of y_s[y] x_s[x].
struct SeparableStencil {
  struct Plane {
    std::vector<double> y, x;
  };
  struct Term {
    std::vector<double> z;
    std::vector<Plane> planes;
  };
  Extent3 extent;
  std::vector<Term> terms;
  Index3 centre;
};

/// Returns one product with its centre at K / 2 of each axis. An axis of weights {1} is not
/// filtered.
SeparableStencil separable_stencil(std::vector<double> z, std::vector<double> y,
                                   std::vector<double> x);

SeparableStencil flipped(SeparableStencil stencil);

/// Returns a minus b, of odd extents with centres in the middle.
SeparableStencil difference_of(const SeparableStencil& a, const SeparableStencil& b);

/// Returns all weights of a sum of products.
Stencil product(const SeparableStencil& stencil);

/// @throws InvalidSpec  sizes that do not match, or weights that are NaN or infinite.
void require_usable(const Stencil& stencil);
void require_usable(const SeparableStencil& stencil);

}  // namespace synthoscope::kernels
