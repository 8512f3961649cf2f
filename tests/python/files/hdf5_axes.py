# SPDX-License-Identifier: MIT
# tests/python/files/hdf5_axes.py — axes of HDF5 data sets: named, in any order, given, or refused.
import json

from hdf5_files import SHAPE, Hdf5Test, h5py
from program import main, numpy
from tiff_files import pattern


class Axes(Hdf5Test):
    def test_axes_that_are_refused(self):
        for shape, axes, words in (((2, 3, *SHAPE), None, "(2 x 3 x 5 x 37 x 29) are not named"),
                                   ((2, *SHAPE), None, "(2 x 5 x 37 x 29) are not named"),
                                   (SHAPE, "yx", "named by its attribute 'axes' as YX"),
                                   (SHAPE, "yyx", "axis Y is named twice"),
                                   (SHAPE, "pyx", "axis P is not one of")):
            with self.subTest(axes=axes):
                self.make(numpy.zeros(shape, "uint8"), attributes={"axes": axes} if axes else ())
                self.refusal(3, words, "such as --axes")

    def test_axes_in_any_order(self):
        """Rows along x need not be contiguous: vigra stores channels last, others x first."""
        for letters in ("yxc", "tzyxc", "xyz", "zyxc", "cxyzt", "yxt"):
            sizes = {"t": 2, "c": 3, "z": 5, "y": 37, "x": 29}
            voxels = pattern(tuple(sizes[letter] for letter in letters), "uint16")
            order = [letters.index(letter) for letter in "tczyx" if letter in letters]
            cut = numpy.transpose(voxels, order)
            for axis, letter in enumerate("tcz"):
                if letter not in letters:
                    cut = numpy.expand_dims(cut, axis)
            for options in ({}, {"chunks": tuple(min(n, 8) for n in voxels.shape)},
                            {"chunks": tuple(min(n, 8) for n in voxels.shape),
                             "compression": "gzip"}):
                for ends in "<>":
                    with self.subTest(letters=letters, ends=ends, **options):
                        self.make(voxels.astype(f"{ends}u2"), attributes={"axes": letters},
                                  **options)
                        t, c = cut.shape[0] - 1, cut.shape[1] - 1
                        numpy.testing.assert_array_equal(self.stack("a.h5", c, t), cut[t, c])

    def test_converted_numbers_in_any_order(self):
        voxels = (numpy.arange(20 * 24 * 3) % 2000).reshape(20, 24, 3)
        for kind in ("<f2", ">f2", "<i8", ">i8"):
            for options in ({}, {"chunks": (8, 8, 2)},
                            {"chunks": (8, 8, 2), "compression": "gzip"}):
                with self.subTest(kind=kind, **options):
                    self.make(voxels.astype(kind), attributes={"axes": "yxc"}, **options)
                    numpy.testing.assert_array_equal(self.stack("a.h5", 1)[0], voxels[..., 1])

    def test_axes_that_other_programs_name(self):
        voxels = pattern((20, 24, 2), "float32")
        tags = json.dumps({"axes": [{"key": key, "typeFlags": 2, "resolution": 0,
                                     "description": ""} for key in "yxc"]})
        self.make(voxels, attributes={"axistags": tags}, chunks=True)
        for channel in range(2):
            numpy.testing.assert_array_equal(self.stack("a.h5", channel)[0], voxels[..., channel])
        self.assertEqual(self.info("a.h5")["axes"],
                         "Y=20, X=24, C=2, named by its attribute 'axistags'")
        for labels in ("tyx", ("time", "y", "x")):
            with h5py.File(self.path("a.h5"), "w") as file:
                made = file.create_dataset("image", data=pattern(SHAPE, "uint8"))
                for axis, label in zip(made.dims, labels):
                    axis.label = label
            numpy.testing.assert_array_equal(self.stack("a.h5", 0, 3)[0],
                                             pattern(SHAPE, "uint8")[3])

    def test_axes_that_are_given(self):
        voxels = pattern((2, 3, *SHAPE), "uint8")
        self.make(voxels)
        numpy.testing.assert_array_equal(self.stack("a.h5", 2, 1, "TCZYX"), voxels[1, 2])
        self.make(voxels, attributes={"axes": "tczyx"})
        numpy.testing.assert_array_equal(self.stack("a.h5", 1, 2, "CTZYX"), voxels[1, 2])


if __name__ == "__main__":
    main()
