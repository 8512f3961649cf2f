// SPDX-License-Identifier: MIT
// fftconv/host/run.hpp — one run of a plan on the host: tiles, turns, planes, columns, planes.
#pragma once
#include <span>
#include "fftconv/executor.hpp"

namespace synthoscope::fftconv {

/// Takes all memory, then computes; see Executor::run for what is written and thrown. The plan
/// must belong to the terms.
template <class Real>
RunReport run_on_host(const Plan& plan, std::span<const Term> terms, Epilogue& epilogue, Sink& sink,
                      const RunContext& context);

extern template RunReport run_on_host<float>(const Plan&, std::span<const Term>, Epilogue&, Sink&,
                                             const RunContext&);
extern template RunReport run_on_host<double>(const Plan&, std::span<const Term>, Epilogue&, Sink&,
                                              const RunContext&);

}  // namespace synthoscope::fftconv
