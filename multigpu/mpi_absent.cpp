// SPDX-License-Identifier: MIT
// multigpu/mpi_absent.cpp — what is said where the program was built without MPI.
#include "core/base/error.hpp"
#include "multigpu/mpi_team.hpp"

namespace synthoscope::multigpu {

std::unique_ptr<fftconv::Team> make_mpi_team() {
  throw InvalidSpec(
      "--mpi: this program was built without MPI; install OpenMPI's development files and build it "
      "again with -DSYNTHOSCOPE_MPI=ON");
}

}  // namespace synthoscope::multigpu
