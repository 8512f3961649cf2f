// SPDX-License-Identifier: MIT
// fftconv/host/parts/run.hpp — one run of a plan in parts: fold, convolve, keep; then unfold all.
#pragma once
#include <filesystem>
#include "fftconv/executor.hpp"
#include "fftconv/team.hpp"

namespace synthoscope::fftconv {

/// As run_on_host, for a plan of strategy `parts` with one term and a sink that takes any box. What
/// does not fit memory is written to an unnamed file in `scratch_folder`.
/// @param team  processes that share the run, including this one: each convolves some parts, sends
///              their planes to the others, unfolds and stores its own; null: this process does
///              everything
/// @throws PlanError  also if the budget has no space for messages in addition to the plan.
template <class Real>
RunReport run_in_parts(const Plan& plan, const Term& term, Epilogue& epilogue, Sink& sink,
                       const std::filesystem::path& scratch_folder, Team* team,
                       const RunContext& context);

extern template RunReport run_in_parts<float>(const Plan&, const Term&, Epilogue&, Sink&,
                                              const std::filesystem::path&, Team*,
                                              const RunContext&);
extern template RunReport run_in_parts<double>(const Plan&, const Term&, Epilogue&, Sink&,
                                               const std::filesystem::path&, Team*,
                                               const RunContext&);

}  // namespace synthoscope::fftconv
