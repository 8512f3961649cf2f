// SPDX-License-Identifier: MIT
// fftconv/host/run.hpp — one run of a plan on the host: for every tile and every turn of the ring,
// planes forward, columns along z, planes back; or sums over the kernel, brick by brick.
#pragma once
#include <span>
#include "fftconv/executor.hpp"

namespace synthoscope::fftconv {

/// Runs a plan, which must belong to the terms; allocates all memory first. @throws as
/// Executor::run
template <class Real>
RunReport run_on_host(const Plan& plan, std::span<const Term> terms, Epilogue& epilogue, Sink& sink,
                      const RunContext& context);

extern template RunReport run_on_host<float>(const Plan&, std::span<const Term>, Epilogue&, Sink&,
                                             const RunContext&);
extern template RunReport run_on_host<double>(const Plan&, std::span<const Term>, Epilogue&, Sink&,
                                              const RunContext&);

/// Runs a plan of is_by_sums, which must belong to the term, brick by brick. @throws as
/// Executor::run
RunReport run_sums(const Plan& plan, const Term& term, Epilogue& epilogue, Sink& sink,
                   const RunContext& context);

}  // namespace synthoscope::fftconv
