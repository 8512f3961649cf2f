// SPDX-License-Identifier: MIT
// fftconv/host/executor.hpp — runs plans on the processor, every vector lane a line.
#pragma once
#include <filesystem>
#include <memory>
#include <string_view>
#include "fftconv/executor.hpp"
#include "fftconv/team.hpp"

namespace synthoscope::fftconv {

/// Makes an executor for the host. Plans for it are made with the memory budget and the rates of
/// `machine`. Intermediate data that a plan keeps on disk goes to nameless files in
/// `scratch_folder`; empty: the system's folder for temporary files. With a `team`, which must
/// outlive the executor, its members carry out plans in frequency parts together: each makes its
/// planes of the result, as step `number - 1` of the checkpoint.
[[nodiscard]] std::unique_ptr<Executor> make_host_executor(
    const Machine& machine, const std::filesystem::path& scratch_folder = {}, Team* team = nullptr);

/// Returns the instruction set of the inner loops on this processor. Other instruction sets may
/// give results that differ in the last bits.
[[nodiscard]] std::string_view host_instruction_set(Precision precision);

}  // namespace synthoscope::fftconv
