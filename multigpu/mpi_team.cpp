// SPDX-License-Identifier: MIT
#include "multigpu/mpi_team.hpp"
#include <fmt/format.h>
#include <mpi.h>
#include <exception>
#include <string>
#include "core/base/error.hpp"

namespace synthoscope::multigpu {
namespace {

void check(int status, const char* step) {
  if (status == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING] = {};
  int length = 0;
  MPI_Error_string(status, text, &length);
  throw IoError(fmt::format("{} between the ranks: {}", step, std::string(text, text + length)));
}

class MpiTeam final : public fftconv::Team {
 public:
  MpiTeam() {
    int level = 0;
    check(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &level), "start MPI");
    if (level < MPI_THREAD_FUNNELED)
      throw IoError("start MPI: it allows no threads; use an MPI with MPI_THREAD_FUNNELED");
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    int rank = 0, size = 1;
    check(MPI_Comm_rank(MPI_COMM_WORLD, &rank), "find the rank");
    check(MPI_Comm_size(MPI_COMM_WORLD, &size), "count the ranks");
    member_ = {rank + 1, size};
  }
  MpiTeam(const MpiTeam&) = delete;
  MpiTeam& operator=(const MpiTeam&) = delete;
  ~MpiTeam() override {
    if (std::uncaught_exceptions() == 0) MPI_Finalize();
  }

  [[nodiscard]] Shard member() const override { return member_; }

  void exchange(std::int64_t to, std::span<const std::byte> out, std::int64_t from,
                std::span<std::byte> in) override {
    const auto rank_of = [](std::int64_t member, std::size_t bytes) {
      return bytes == 0 ? MPI_PROC_NULL : static_cast<int>(member - 1);
    };
    check(MPI_Sendrecv(out.data(), static_cast<int>(out.size()), MPI_BYTE, rank_of(to, out.size()),
                       0, in.data(), static_cast<int>(in.size()), MPI_BYTE,
                       rank_of(from, in.size()), 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE),
          "exchange parts");
  }

  void wait_for_all() override { check(MPI_Barrier(MPI_COMM_WORLD), "wait"); }

 private:
  Shard member_;
};

}  // namespace

std::unique_ptr<fftconv::Team> make_mpi_team() {
  return std::make_unique<MpiTeam>();
}

}  // namespace synthoscope::multigpu
