// SPDX-License-Identifier: MIT
// tools/options/convolution.hpp — options of convolve: what its kernel file means, whether it
// resumes, and what it checks.
#pragma once
#include "core/base/json_fwd.hpp"
#include "fftconv/kernel/use.hpp"
#include "jobs/output/certified_output.hpp"
#include "jobs/output/resumable_output.hpp"
#include "tools/options/table.hpp"

namespace synthoscope::tools {

void describe(OptionTable& table, fftconv::KernelUse& use);

/// Adds --kernel-background and --kernel-center alone. @param center  what it is by default
void describe_place(OptionTable& table, fftconv::KernelUse& use, const std::string& center);

struct ResumeOptions : jobs::ResumeChoice {
  void describe(OptionTable& table);
};

struct CertifyOptions : jobs::CertifyChoice {
  void describe(OptionTable& table);
};

/// What direct sums found.
Json json_of(const fftconv::Certificate& certificate);
/// What another library found.
Json json_of_library(const fftconv::Certificate& certificate);

}  // namespace synthoscope::tools
