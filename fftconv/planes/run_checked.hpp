// SPDX-License-Identifier: MIT
// fftconv/planes/run_checked.hpp — what every executor does around a run: checks, and order for
// sinks that want it.
#pragma once
#include <filesystem>
#include <functional>
#include "fftconv/executor.hpp"

namespace synthoscope::fftconv {

/// Checks that plan, terms, epilogue and sink belong together, and calls `run` with a sink that
/// takes what the plan gives: where results come in pieces of planes and `sink` wants whole planes,
/// they wait in a nameless file in `scratch_folder` until all are there.
/// @throws PlanError  they do not belong together.
RunReport run_checked(const Plan& plan, std::span<const Term> terms, const Epilogue& epilogue,
                      Sink& sink, const std::filesystem::path& scratch_folder,
                      const RunContext& context,
                      const std::function<RunReport(Sink&, const RunContext&)>& run);

}  // namespace synthoscope::fftconv
