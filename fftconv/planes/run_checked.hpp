// SPDX-License-Identifier: MIT
// fftconv/planes/run_checked.hpp — what every executor does around a run: checks, and planes in
// order for sinks that take them so.
#pragma once
#include <filesystem>
#include <functional>
#include "fftconv/executor.hpp"

namespace synthoscope::fftconv {

/// Checks that plan, terms, epilogue and sink fit together, and calls `run`. If the plan makes
/// pieces of planes and `sink` takes whole planes in order, `run` writes to a temporary file in
/// `scratch_folder`, which is copied to `sink` at the end.
/// @throws PlanError  they do not belong together.
RunReport run_checked(const Plan& plan, std::span<const Term> terms, const Epilogue& epilogue,
                      Sink& sink, const std::filesystem::path& scratch_folder,
                      const RunContext& context,
                      const std::function<RunReport(Sink&, const RunContext&)>& run);

}  // namespace synthoscope::fftconv
