// SPDX-License-Identifier: MIT
// simulator/phantom/mitosis/mitosis.hpp — the chromatin of a dividing nucleus: its phases, and what
// form it has in each.
#pragma once
#include <array>
#include <string_view>
#include "core/base/names.hpp"
#include "simulator/phantom/geometry/vector3.hpp"
#include "simulator/phantom/mitosis/condensed_chromatin.hpp"

namespace synthoscope::simulator {

/// Phases of the chromatin of a nucleus. interphase: between divisions; prophase: it condenses into
/// threads; prometaphase: the envelope is gone, and chromosomes gather; metaphase: they form a
/// plate; anaphase: two plates move apart; telophase: each becomes a nucleus.
enum class MitoticPhase { interphase, prophase, prometaphase, metaphase, anaphase, telophase };
inline constexpr NameTable<MitoticPhase, 6> kMitoticPhaseNames{{
    {MitoticPhase::interphase, "interphase"},
    {MitoticPhase::prophase, "prophase"},
    {MitoticPhase::prometaphase, "prometaphase"},
    {MitoticPhase::metaphase, "metaphase"},
    {MitoticPhase::anaphase, "anaphase"},
    {MitoticPhase::telophase, "telophase"},
}};

/// The state of the chromatin of one nucleus. Plain data.
struct Mitosis {
  MitoticPhase phase = MitoticPhase::interphase;
  double progress = 0;  ///< within the phase, 0 ... 1
  friend bool operator==(const Mitosis&, const Mitosis&) = default;
};

/// The duration of each phase from prophase on, as a part of a cell cycle: 22, 14, 29, 9 and 29
/// minutes of 24 hours. From the onset of anaphase on, a cell has two nuclei.
/// @source Chromatin of HeLa cells in time lapse: Held et al., Nat. Methods 7 (2010) 747,
///         doi:10.1038/nmeth.1486 (phases and their order); durations typical of cultured cells.
inline constexpr std::array<double, 5> kPhaseParts{0.015, 0.010, 0.020, 0.006, 0.020};

/// Parts of the cell cycle: mitosis before the onset of anaphase, and after it.
inline constexpr double kBeforeAnaphase = kPhaseParts[0] + kPhaseParts[1] + kPhaseParts[2];
inline constexpr double kAfterAnaphase = kPhaseParts[3] + kPhaseParts[4];

/// The volume of a nucleus that is about to divide, over the mean volume of nuclei that grow.
inline constexpr double kDividingVolume = 2 / 1.525;

/// Returns the state of a nucleus that divides when `progress`, a part of its cycle, is 1.
/// @param progress    0 ... 1
/// @param has_mother  it began as one of two plates; otherwise its cycle begins with interphase
Mitosis mitosis_at(double progress, bool has_mother);

/// Returns the state at a part, 0 ... 1, of the whole of mitosis, from prophase to telophase.
Mitosis mitosis_at_part(double part);

/// What condensing does to the chromatin of a nucleus.
struct ChromatinForm {
  double volume = 1;     ///< relative to the nucleus in interphase
  double roundness = 0;  ///< 0: the proportions of interphase; 1: those of a ball
  double flatness = 1;   ///< thickness of a plate over its width, along the axis of division
  double apart = 0;      ///< half the distance of sister plates, over the radius of the mother
  double condensed = 0;  ///< 0: the stain of interphase; 1: that of condensed chromatin
  double threads = 0;    ///< contrast of the threads of condensed chromatin
  double arms = 0;       ///< 0: a smooth surface; 1: arms of chromosomes reach out of it
};

/// Returns the form of a state; continuous in time, and across the phases.
ChromatinForm form_of(const Mitosis& mitosis);

/// Returns how a state changes the stain. The density rises as the volume falls.
/// @param denser  a further factor of the density in mitosis, for the stain that would lie between
///                threads and arms of chromosomes; an even stain keeps its amount with 1
CondensedChromatin chromatin_of(const Mitosis& mitosis, double denser = 1);

/// Returns the factors, of product 1, that turn a body with these semi-axes into one of this form.
/// @param axis    of the body, along which it divides: 0, 1 or 2
/// @param most_z  its semi-axis z does not become longer than this, in the unit of the semi-axes
Vector3 reshaping_of(const ChromatinForm& form, const Vector3& semi_axes, int axis, double most_z);

}  // namespace synthoscope::simulator
