// SPDX-License-Identifier: MIT
// simulator/run/dose.hpp — the dose of a channel whose scene asks for a signal-to-noise ratio.
#pragma once
#include <cstdint>
#include <functional>
#include "fftconv/executor.hpp"
#include "simulator/imaging/stacks.hpp"
#include "simulator/run/microscope.hpp"
#include "simulator/timelapse/timelapse.hpp"

namespace synthoscope::simulator {

/// Returns the frames that decide the dose: the first ones, but of a movie only the first, so that
/// it bleaches and moves as it would at that dose.
std::int64_t frames_for_dose(const SceneSpec& scene);

/// Returns the most objects that these frames have together.
std::int64_t objects_for_dose(const SceneSpec& scene);

/// Return the bytes that the search holds during the blur, and the bytes of its other steps. Both
/// are 0 if the scene gives a dose.
std::int64_t dose_bytes(const SceneSpec& scene);
std::int64_t dose_working_bytes(const SceneSpec& scene, int threads);

/// Takes the light of a frame as a volume of photons at dose 1, with the labels of its objects and
/// the background that is in it.
using LookAtLight =
    std::function<void(Source& photons, Source& ids, const std::vector<std::uint16_t>& labels,
                       const Background& background, const RunContext& context)>;

/// Blurs the first frames, and hands their photons to `look`. They are kept in a scratch file.
/// @throws what the executor and the scratch folder throw.
void look_at_light(Microscope& microscope, const SceneSpec& scene, std::int64_t frames,
                   const Timelapse& timelapse, const Stacks& stacks, fftconv::Executor& blur,
                   const RunContext& context, const LookAtLight& look);

/// If the scene of the channel asks for a signal-to-noise ratio, finds the dose, logs it and sets
/// the microscope to it.
/// @throws as dose_for_snr and look_at_light.
void find_dose(Microscope& microscope, const SceneSpec& scene, const Timelapse& timelapse,
               const Stacks& stacks, fftconv::Executor& blur, Stopwatch& watch,
               const RunContext& context);

}  // namespace synthoscope::simulator
