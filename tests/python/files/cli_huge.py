# SPDX-License-Identifier: MIT
# tests/python/files/cli_huge.py — with --full, images of more than 2^31 voxels are right at both
# ends.
#
#   cli_huge.py PROGRAM [--full yes] [unittest arguments]
#
# --full: the real sizes: sparse files, but minutes of work and up to 5 GB of results each. Without
# it, as in every run of the tests, the same steps on small images, which pass no such limit: they
# keep this script from rotting and prove nothing about large images.
import numpy
import scipy.signal
import tifffile

from program import ProgramTest, main, random_volume, taken

FULL = taken("--full", "no") == "yes"
CORNER = 40  # voxels along each axis that are not zero, at the first and the last end


class Huge(ProgramTest):
    def corner(self, shape, end):
        """Slices of the first (end 0) or the last (end 1) corner."""
        return tuple(slice(0, min(CORNER, n)) if end == 0 else slice(max(0, n - CORNER), n)
                     for n in shape)

    def assert_both_ends_are_right(self, shape, size, memory, *options):
        blocks = [random_volume(tuple(min(CORNER, n) for n in shape), seed, numpy.uint8)
                  for seed in (1, 2)]
        image = tifffile.memmap(self.path("image.tif"), shape=shape, dtype="u1", bigtiff=True,
                                photometric="minisblack")
        for end, block in enumerate(blocks):
            image[self.corner(shape, end)] = block
        image.flush()
        del image
        kernel = random_volume(size, 3)
        self.write("kernel.tif", kernel)
        self.succeed("convolve", "image.tif", "kernel.tif", "-o", "out.tif", "--memory", memory,
                     "--normalize-kernel", "sum", "--output-type", "uint8", *options)

        result = tifffile.memmap(self.path("out.tif"), mode="r").reshape(shape)
        kernel = kernel / kernel.sum()
        for end, block in enumerate(blocks):
            # Away from the block's inner faces the corner knows nothing of what lies between
            expected = scipy.signal.convolve(block.astype(float), kernel, mode="same",
                                             method="direct")
            found = result[self.corner(shape, end)]
            self.assertLessEqual(numpy.abs(found - numpy.rint(expected)).max(), 1)
            self.assertGreater(found.max(), 0)
        middle = tuple(slice(n // 2, n // 2 + 1) for n in shape)
        if min(n for n in shape if n > CORNER) > 3 * CORNER:
            self.assertEqual(result[middle].max(), 0)

    def test_a_stack(self):
        self.assert_both_ends_are_right((2200, 1024, 1024) if FULL else (220, 102, 104),
                                        (5, 7, 8), "200M" if FULL else "30M")

    def test_a_plane(self):
        self.assert_both_ends_are_right((1, 50000, 50000) if FULL else (1, 1000, 1100),
                                        (1, 9, 9), "1G" if FULL else "30M")

    def test_a_stack_of_large_planes(self):
        self.assert_both_ends_are_right((2, 50000, 50000) if FULL else (2, 1000, 1100),
                                        (2, 9, 9), "1G" if FULL else "30M")


if __name__ == "__main__":
    main()
