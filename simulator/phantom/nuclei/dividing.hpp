// SPDX-License-Identifier: MIT
// simulator/phantom/nuclei/dividing.hpp — nuclei in mitosis: their poses, and those of still
// scenes.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>
#include "simulator/phantom/mitosis/mitosis.hpp"
#include "simulator/phantom/nuclei/nucleus.hpp"

namespace synthoscope::simulator {

/// The own axis of a nucleus in anaphase or telophase that lies along the line to its sister.
inline constexpr int kAxisOfSisters = 1;

/// How a nucleus of one lobe divides.
struct Division {
  Mitosis mitosis;
  double interphase_um3 = 0;  ///< its volume would be that in interphase
  Matrix3 turn{};             ///< from the grid's axes to its own
  int axis = 2;               ///< of its own axes, along which it divides
  double most_z_um = 0;       ///< its semi-axis z does not become longer than this
};

/// Returns the pose, at the origin, in which a nucleus, as it was drawn, has the form of its state.
Pose pose_in(const Division& division, const Nucleus& drawn);

/// Returns the amount of stain of a nucleus of one lobe, um^3: the integral over its body of the
/// density relative to nuclei.photons_per_um3. Computed at 4096 points, which are at the same
/// places of any pose of a nucleus, so that the ratio of two amounts is more accurate than either.
double amount_of_stain(const Nucleus& nucleus, const NucleiSpec& spec);

/// Returns the amount of stain of a nucleus in interphase that has grown to a volume.
double interphase_stain(const Nucleus& drawn, double volume_um3, const NucleiSpec& spec);

/// Sets the density of the chromatin of a nucleus in mitosis. Its amount of stain becomes that of
/// interphase. Both amounts are computed: gaps in the chromatin depend on the texture. The result
/// depends on the nucleus alone. It changes continuously with its state. The rendered light was
/// constant within 0.7 % (rms) in voxels of 0.1 um.
/// @param posed      `drawn` in the pose and with the state of its division
/// @param born_with  the amount that it had as a plate, over its own of interphase: chromatin keeps
///                   it as long as it is condensed
void keep_amount_of_stain(Nucleus& posed, const Nucleus& drawn, const NucleiSpec& spec,
                          double born_with = 1);

/// Returns how high a nucleus may become above its middle in a grid of this depth; infinity for
/// nuclei that are turned any way.
double tallest_um(const NucleiSpec& spec, double depth_um);

/// Returns the turn of sisters whose mother has the turn `mother` and divides along her own axis
/// `axis`, 1 or 2: their own y axis lies along it, so that they are long across.
Matrix3 turn_of_sisters(const Matrix3& mother, int axis);

/// Two nuclei that are one body while they are placed.
struct Sisters {
  std::size_t first = 0;  ///< the number of the one; the other has the next
  Nucleus one, other;
  Vector3 way_um{};  ///< from the middle between both to the other
};

/// Lets each of `nuclei`, which are as they were drawn, be in mitosis with the probability
/// spec.mitotic_fraction, at any time of it with equal probability. From anaphase on, it and the
/// next one are sisters; a last one without a next is in metaphase. Draws, fixed by contract: stage
/// `phantom`, index = number, draw 210: word 0 decides whether, word 1 when.
/// @returns the sisters, in order: the body of each pair replaces the first, and the second is left
///          out of `nuclei`.
std::vector<Sisters> let_some_divide(std::vector<Nucleus>& nuclei, const NucleiSpec& spec,
                                     double depth_um, std::uint64_t seed);

/// Makes two nuclei of the body of each pair, where it is now.
void separate(std::vector<Nucleus>& nuclei, const std::vector<Sisters>& pairs);

}  // namespace synthoscope::simulator
