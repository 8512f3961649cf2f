// SPDX-License-Identifier: MIT
// multigpu/mpi_team.hpp — the ranks of an MPI job as a team.
#pragma once
#include <memory>
#include "fftconv/team.hpp"

namespace synthoscope::multigpu {

/// Starts MPI, which one process does once, for calls from this thread. It ends with the team;
/// where that ends by a failure it does not, so that the launcher, which sees a rank go without a
/// word, ends the others.
/// @throws InvalidSpec  this program was built without MPI.
std::unique_ptr<fftconv::Team> make_mpi_team();

}  // namespace synthoscope::multigpu
