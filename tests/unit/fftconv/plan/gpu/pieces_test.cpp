// SPDX-License-Identifier: MIT
#include "fftconv/plan/gpu/pieces.hpp"
#include <gtest/gtest.h>
#include <vector>
#include "core/volume/batches.hpp"

namespace synthoscope::fftconv::device {
namespace {

struct BatchCase {
  std::int64_t planes, rows, row_bytes;
};
constexpr BatchCase kBatchCases[] = {{1, 1, 1},      {7, 1536, 6144}, {3, 1537, 6146},
                                     {900, 30, 60},  {5, 1, 100},     {2, 20000, 4000},
                                     {1, 512, 4096}, {1, 513, 4096},  {64, 3, kPieceBytes}};

TEST(PieceCut, HasEveryRowOnceAndNoPieceTooLarge) {
  for (const BatchCase& c : kBatchCases) {
    const PieceCut cut{c.planes, c.rows, c.row_bytes};
    std::vector<int> seen(static_cast<std::size_t>(c.planes * c.rows));
    for (std::int64_t i = 0; i < cut.count(); ++i) {
      const PieceCut::Piece p = cut[i];
      EXPECT_LE(p.planes * p.rows * c.row_bytes, kPieceBytes);
      EXPECT_TRUE(p.planes == 1 || p.rows == c.rows) << "rows of one plane, or whole planes";
      for (std::int64_t z = p.plane; z < p.plane + p.planes; ++z)
        for (std::int64_t y = p.row; y < p.row + p.rows; ++y)
          ++seen.at(static_cast<std::size_t>(z * c.rows + y));
    }
    EXPECT_EQ(seen, std::vector<int>(seen.size(), 1)) << c.planes << ' ' << c.rows;
  }
}

TEST(PieceCut, HasNoPiecesOfNothing) {
  EXPECT_EQ(PieceCut{}.count(), 0);
  EXPECT_EQ((PieceCut{0, 5, 8}.count()), 0);
}

TEST(Pieces, TakeNoMoreMemoryThanTheBatchesInFlight) {
  EXPECT_EQ(piece_count(0), 0);
  for (const std::int64_t batch : {16LL, 4096LL, 2LL << 20, 3LL << 20, 64LL << 20, 1LL << 30}) {
    EXPECT_GE(piece_count(batch), 1);
    EXPECT_LE(piece_count(batch) * piece_bytes(batch), kBatches * batch) << batch;
    EXPECT_LE(piece_count(batch), kPieces);
  }
}

}  // namespace
}  // namespace synthoscope::fftconv::device
