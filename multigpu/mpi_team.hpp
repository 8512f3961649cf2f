// SPDX-License-Identifier: MIT
// multigpu/mpi_team.hpp — the ranks of an MPI job as a team.
#pragma once
#include <memory>
#include "fftconv/team.hpp"

namespace synthoscope::multigpu {

/// Initialises MPI, once per process, for calls from this thread. The destructor of the team calls
/// MPI_Finalize, unless an exception is in flight: then the rank exits without it, so that the
/// launcher ends the other ranks.
/// @throws InvalidSpec  this program was built without MPI.
std::unique_ptr<fftconv::Team> make_mpi_team();

}  // namespace synthoscope::multigpu
