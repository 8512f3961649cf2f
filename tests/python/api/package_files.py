# SPDX-License-Identifier: MIT
# tests/python/api/package_files.py — convolution of files and of arrays that are read in pieces.
"""Usage: package_files.py FOLDER PROGRAM; FOLDER holds the package synthoscope."""
import os
import signal
import subprocess
import sys
import tempfile
import threading
import unittest
import warnings

from package import or_skipped
from process_memory import most_anonymous

with or_skipped():
    import h5py
    import numpy as np
    import tifffile
    from synthoscope import convolve_file

PROGRAM = sys.argv[2]
HANG_SECONDS = 3600  # a guard, and never a measurement
RANDOM = np.random.default_rng(1)
IMAGE = RANDOM.integers(0, 1000, (20, 45, 50)).astype(np.uint16)
KERNEL = np.exp(-sum(axis**2 for axis in np.ogrid[-2:3, -4:5, -5:6]) / 8).astype(np.float32)

# Options, and the name of the result.
OPTIONS = (
    ({}, "out.ome.tif"),
    ({"shape": "full"}, "out.tif"),
    ({"boundary": "mirror"}, "out.tif"),
    ({"shape": "valid", "correlate": True}, "out.tif"),
    ({"normalize_kernel": "sum"}, "out.tif"),
    ({"normalize_kernel": "sum", "output_type": "float32"}, "out.tif"),
    ({"precision": "double"}, "out.tif"),
    ({"kernel_background": "auto", "kernel_center": "peak"}, "out.tif"),
    ({"kernel_background": 0.001, "kernel_center": (2, 4, 4)}, "out.tif"),
    ({"compression": "deflate"}, "out.tif"),
    ({"compression": "deflate", "chunks": (4, 16, 16)}, "out.h5"),
    ({"tiff_flavor": "imagej"}, "out.tif"),
    ({"strategy": "ring"}, "out.tif"),
    ({"strategy": "tiles", "boundary": "wrap"}, "out.tif"),
    ({"strategy": "parts"}, "out.tif"),
    ({"strategy": "direct"}, "out.tif"),
)


class Slices:
    """The least that an array must have; keeps which boxes it was asked for."""

    def __init__(self, voxels, chunks=None):
        self.voxels, self.shape, self.dtype = voxels, voxels.shape, voxels.dtype
        self.read, self.written = [], []
        if chunks:
            self.chunks = chunks

    def __getitem__(self, place):
        self.read.append(place)
        return self.voxels[place].copy()

    def __setitem__(self, place, values):
        self.written.append(place)
        self.voxels[place] = values


class Lazy(Slices):
    """Assigns when it is asked for its voxels, as arrays of dask do."""

    def __init__(self, voxels, chunks=None):
        super().__init__(voxels, chunks)
        self.waiting = []

    def __setitem__(self, place, values):
        self.waiting.append((place, values))

    def assigned(self):
        for place, values in self.waiting:
            self.voxels[place] = values
        return self.voxels


class InFolder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        tifffile.imwrite(self.path("image.tif"), IMAGE)
        tifffile.imwrite(self.path("kernel.tif"), KERNEL)
        warnings.simplefilter("ignore")
        self.addCleanup(warnings.resetwarnings)

    def path(self, name):
        return os.path.join(self.folder, name)


def as_words(key, value):
    """An option of the command line."""
    option = "--" + key.replace("_", "-")
    if value is True:
        return [option]
    return [option, ",".join(map(str, value)) if isinstance(value, tuple) else str(value)]


def bytes_of(path):
    with open(path, "rb") as file:
        return file.read()


class Files(InFolder):
    def test_have_the_programs_bytes(self):
        for number, (options, name) in enumerate(OPTIONS):
            with self.subTest(options=options):
                theirs = self.path(f"theirs{number}" + name)
                ours = self.path(f"ours{number}" + name)
                words = [word for key, value in options.items() for word in as_words(key, value)]
                subprocess.run([PROGRAM, "convolve", self.path("image.tif"),
                                self.path("kernel.tif"), "-o", theirs, "--memory", "1G",
                                "--quiet", *words], check=True, capture_output=True)
                done = convolve_file(self.path("image.tif"), self.path("kernel.tif"), ours,
                                     memory="1G", **options)
                self.assertEqual(bytes_of(ours), bytes_of(theirs))
                self.assertTrue(os.path.exists(ours + ".json"))
                self.assertEqual(list(done.stages)[:3], ["open files", "kernel", "plan"])
                self.assertLessEqual(sum(done.stages.values()), done.wall_seconds)
                if "strategy" in options:
                    self.assertEqual(done.strategy, options["strategy"])

    def test_are_replaced_where_that_is_said(self):
        out = self.path("out.tif")
        convolve_file(IMAGE, KERNEL, out)
        with self.assertRaisesRegex(ValueError, "overwrite=True"):
            convolve_file(IMAGE, KERNEL, out)
        convolve_file(IMAGE, KERNEL, out, overwrite=True)

    def test_have_channels_and_frames(self):
        stacks = np.stack([IMAGE, IMAGE[::-1]], axis=1)  # z, c, y, x
        tifffile.imwrite(self.path("two.tif"), stacks, imagej=True, metadata={"axes": "ZCYX"})
        result = np.empty(IMAGE.shape, np.float32)
        convolve_file(self.path("two.tif"), KERNEL, result, channel=1)
        expected = np.empty_like(result)
        convolve_file(IMAGE[::-1], KERNEL, expected)
        np.testing.assert_array_equal(result, expected)


class Arrays(InFolder):
    def setUp(self):
        super().setUp()
        convolve_file(self.path("image.tif"), self.path("kernel.tif"), self.path("out.tif"))
        self.expected = tifffile.imread(self.path("out.tif"))

    def convolved(self, image, result=None, kernel=KERNEL, **options):
        result = np.empty(self.expected.shape, np.float32) if result is None else result
        convolve_file(image, kernel, result, **options)
        return result

    def test_of_every_kind_give_the_voxels_of_files(self):
        memmap = np.memmap(self.path("image.raw"), np.uint16, "w+", shape=IMAGE.shape)
        memmap[:] = IMAGE
        file = h5py.File(self.path("image.h5"), "w")
        self.addCleanup(file.close)
        with h5py.File(self.path("stack.h5"), "w") as other:
            other["there"] = IMAGE
        chunked = file.create_dataset("image", data=IMAGE, chunks=(4, 16, 16), compression="gzip")
        for name, image in (
                ("in C order", IMAGE), ("in another order", np.asfortranarray(IMAGE)),
                ("in other bytes", IMAGE.astype(">u2")), ("mapped", memmap),
                ("of h5py", chunked), ("what has slices", Slices(IMAGE)),
                ("in layers", Slices(IMAGE, (4, 8, 8))),
                ("in layers, as dask says it", Slices(IMAGE, ((8, 8, 4), (45,), (50,)))),
                ("a data set of a file", self.path("stack.h5") + ":/there"),
                ("in one layer", Slices(IMAGE, (20, 45, 50))), ("a file", self.path("image.tif"))):
            with self.subTest(image=name):
                np.testing.assert_array_equal(self.convolved(image), self.expected)

    def test_of_every_kind_are_written(self):
        file = h5py.File(self.path("out.h5"), "w")
        self.addCleanup(file.close)
        shape = IMAGE.shape
        for name, result in (
                ("mapped", np.memmap(self.path("out.raw"), np.float32, "w+", shape=shape)),
                ("of h5py", file.create_dataset("a", shape, "f4", chunks=(8, 16, 16),
                                                compression="gzip")),
                ("without chunks", file.create_dataset("b", shape, "f4")),
                ("in layers", Slices(np.empty(shape, "f4"), (6, 5, 5))),
                ("in other bytes", np.empty(shape, ">f4"))):
            with self.subTest(result=name):
                written = self.convolved(IMAGE, result)
                written = written.voxels if isinstance(written, Slices) else written[:]
                np.testing.assert_array_equal(written, self.expected)

    def test_that_assign_later_have_the_voxels_of_their_slices(self):
        for chunks in (None, (6, 5, 5)):
            for options in ({"strategy": "ring"}, {"strategy": "tiles"}, {"memory": "6M"}):
                with self.subTest(chunks=chunks, options=options):
                    expected = self.convolved(IMAGE, **options)
                    lazy = Lazy(np.zeros(IMAGE.shape, "f4"), chunks)
                    self.convolved(IMAGE, lazy, **options)
                    np.testing.assert_allclose(lazy.assigned(), expected, rtol=1e-4)
                    whole = sum(values.nbytes for _, values in lazy.waiting)
                    self.assertEqual(whole, lazy.voxels.nbytes)

    def test_of_planes_and_of_switches(self):
        mask = IMAGE[0] > 500
        expected, result = np.empty((2,) + mask.shape, np.float32)
        convolve_file(mask.astype(np.uint8)[None], KERNEL[2:3], expected[None])
        convolve_file(mask, KERNEL[2], result)
        np.testing.assert_array_equal(result, expected)

    def test_cut_in_every_way_give_the_voxels_of_files(self):
        for strategy in ("ring", "tiles", "parts", "direct"):
            with self.subTest(strategy=strategy):
                out = self.path(strategy + ".tif")
                convolve_file(self.path("image.tif"), KERNEL, out, strategy=strategy)
                sink = Slices(np.empty(IMAGE.shape, "f4"))
                self.convolved(Slices(IMAGE, (4, 8, 8)), sink, strategy=strategy)
                np.testing.assert_array_equal(sink.voxels, tifffile.imread(out))

    def test_in_layers_are_unpacked_and_packed_once(self):
        image = Slices(IMAGE, (6, 45, 50))
        result = Slices(np.empty(IMAGE.shape, "f4"), (5, 45, 50))
        self.convolved(image, result, strategy="ring", nan="propagate", workers=1)
        layers = [(place[0].start, place[0].stop) for place in image.read]
        self.assertEqual(layers, [(0, 6), (6, 12), (12, 18), (18, 20)])
        layers = [(place[0].start, place[0].stop) for place in result.written]
        self.assertEqual(layers, [(0, 5), (5, 10), (10, 15), (15, 20)])

    def test_in_layers_that_have_no_room_are_met_again_with_a_warning(self):
        image = Slices(IMAGE, (16, 45, 50))
        layer = 2 * 16 * 45 * 50 * IMAGE.itemsize
        with self.assertWarnsRegex(UserWarning, 'the image .* give memory="[0-9.]+K" or more'):
            warnings.simplefilter("always")
            result = self.convolved(image, memory=4 * layer - 1)
        np.testing.assert_allclose(result, self.expected, atol=0.1)
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            self.convolved(image, memory=4 * layer)
        self.assertNotIn("layers", " ".join(str(one.message) for one in told))

    def test_have_a_type_of_their_own(self):
        result = np.empty(IMAGE.shape, np.uint8)
        done = convolve_file(IMAGE, KERNEL, result, normalize_kernel="sum")
        self.assertEqual(done.dtype, "uint8")
        self.assertGreater(done.clipped, 0)
        self.assertEqual(done.shape, IMAGE.shape)
        with self.assertWarnsRegex(UserWarning, "were clipped to the range of uint8"):
            warnings.simplefilter("always")
            convolve_file(IMAGE, KERNEL, result, normalize_kernel="sum")


class Refuses(InFolder):
    def test_what_is_wrong_in_a_sentence(self):
        out = np.empty(IMAGE.shape, np.float32)
        nan = np.full(IMAGE.shape, np.nan, np.float32)
        for says, error, arguments, options in (
                ("use one of same", ValueError, (IMAGE, KERNEL, out), {"shape": "chips"}),
                ("has 20x45x50 voxels, but shape full gives", ValueError, (IMAGE, KERNEL, out),
                 {"shape": "full"}),
                ("voxels are int32", ValueError, (IMAGE, KERNEL, out.astype("i4")), {}),
                ("an array of uint8", ValueError, (IMAGE, KERNEL, out), {"output_type": "uint8"}),
                ("neither a file's name nor an array", ValueError, (3, KERNEL, out), {}),
                ("its voxels are int64", ValueError, (IMAGE.astype(int), KERNEL, out), {}),
                ("its shape is", ValueError, (IMAGE[None], KERNEL, out), {}),
                ("1 to 3 axes", ValueError, (IMAGE, np.ones((1,) * 4), out), {}),
                ("which the run reads", ValueError, (self.path("image.tif"), KERNEL,
                                                     self.path("image.tif")), {"overwrite": True}),
                ("no such file", OSError, (self.path("none.tif"), KERNEL, out), {}),
                ('nan="zero"', ValueError, (nan, KERNEL, out), {}),
                ("a voxel inside it", ValueError, (IMAGE, KERNEL, out),
                 {"kernel_center": (9, 9, 9)}),
                (r'memory="[\d.]+K" or more', MemoryError, (IMAGE, KERNEL, out), {"memory": 1000}),
                (r"kernel_center is \(1, 2\); give a name or a voxel", ValueError,
                 (IMAGE, KERNEL, out), {"kernel_center": (1, 2)}),
                (r"chunks is \(1, 2\); give three", ValueError,
                 (IMAGE, KERNEL, self.path("out.h5")), {"chunks": (1, 2)}),
                ("shape is None; give a str", ValueError, (IMAGE, KERNEL, out), {"shape": None}),
                ("correlate is 'no'; give True or False", ValueError, (IMAGE, KERNEL, out),
                 {"correlate": "no"}),
                ("channel is 'red'; give a whole number", ValueError,
                 (self.path("image.tif"), KERNEL, out), {"channel": "red"}),
                ("channel is for files, and the image", ValueError, (IMAGE, KERNEL, out),
                 {"channel": 3}),
                ("frame is for files, and the image", ValueError,
                 (IMAGE, KERNEL, self.path("out.tif")), {"frame": 9}),
                ("compression is for files, and the result", ValueError, (IMAGE, KERNEL, out),
                 {"compression": "zstd"}),
                ("format is for files", ValueError, (IMAGE, KERNEL, out), {"format": "hdf5"}),
                ("overwrite is for files", ValueError, (IMAGE, KERNEL, out), {"overwrite": True}),
                ("chunks is for files", ValueError, (IMAGE, KERNEL, out), {"chunks": (1, 2, 2)}),
                ("tiff_flavor is for files", ValueError, (IMAGE, KERNEL, out),
                 {"tiff_flavor": "plain"}),
        ):
            with self.subTest(says=says):
                self.assertRaisesRegex(error, says, convolve_file, *arguments, **options)
        self.assertEqual(sorted(os.listdir(self.folder)), ["image.tif", "kernel.tif"])


    def test_a_result_that_is_read_while_it_is_written(self):
        both = np.zeros((2, 20, 45, 50), np.float32)
        both.tofile(self.path("both.raw"))
        one, other = (np.memmap(self.path("both.raw"), np.float32, "r+", shape=both.shape)
                      for _ in range(2))
        tifffile.imwrite(self.path("mapped.tif"), both[0])
        tiff = tifffile.memmap(self.path("mapped.tif"))
        file = h5py.File(self.path("both.h5"), "w")
        self.addCleanup(file.close)
        file["image"], file["result"] = both[0], both[0]
        slices = Slices(both[0])
        for name, image, kernel, result in (
                ("one array", both[0], KERNEL, both[0]),
                ("a view", both[0], KERNEL, both[0].view()),
                ("a part", both[0, ::2], KERNEL, both[0, :10]),
                ("the kernel", both[0], both[1], both[1]),
                ("one object", slices, KERNEL, slices),
                ("maps of one file", one[0], KERNEL, other[1]),
                ("one map", one[0], KERNEL, one[0]),
                ("a file that is mapped", self.path("mapped.tif"), KERNEL, tiff),
                ("one data set", file["image"], KERNEL, file["image"])):
            with self.subTest(result=name):
                with self.assertRaisesRegex(ValueError, "the result shares voxels with the"):
                    convolve_file(image, kernel, result)
        for name, image, result in (
                ("halves of an array", both[0], both[1]), ("halves of a map", one[0], one[1]),
                ("every second plane", both[0, ::2], both[0, 1::2]),
                ("two data sets", file["image"], file["result"])):
            with self.subTest(result=name):
                convolve_file(image, KERNEL, result)


class LongWork(InFolder):
    """What happens while it takes its time."""

    class Waiting(Slices):
        """Is read layer by layer; all but the first of them wait for what is to come between."""

        def __init__(self):
            super().__init__(np.ones((60, 50, 50), np.uint16), (1, 50, 50))
            self.has_come = threading.Event()
            self.before_it_waits = lambda: None

        def __getitem__(self, place):
            if self.read:
                self.before_it_waits()
                self.has_come.wait(HANG_SECONDS)
            return super().__getitem__(place)

    def test_ends_where_an_array_raises_with_what_it_raised(self):
        class Broken(Slices):
            def __getitem__(self, place):
                if len(self.read) == 2:
                    raise KeyError("gone")
                return super().__getitem__(place)

        class Full(Slices):
            def __setitem__(self, place, values):
                raise OSError(28, "no space")

        sink = np.empty(IMAGE.shape, np.float32)
        for strategy in ("ring", "tiles"):
            with self.assertRaisesRegex(KeyError, "gone"):
                convolve_file(Broken(IMAGE, (2, 9, 9)), KERNEL, sink, strategy=strategy)
            with self.assertRaisesRegex(OSError, "no space"):
                convolve_file(IMAGE, KERNEL, Full(sink), strategy=strategy)
            with self.assertRaisesRegex(KeyError, "gone"):
                convolve_file(Broken(IMAGE, (2, 9, 9)), KERNEL, self.path("out.tif"))
        self.assertEqual(sorted(os.listdir(self.folder)), ["image.tif", "kernel.tif"])

    def test_ends_where_an_array_gives_other_voxels_than_were_asked_for(self):
        class Short(Slices):
            def __getitem__(self, place):
                return super().__getitem__(place)[..., 1:]

        with self.assertRaisesRegex(ValueError, "read the image: .* bytes instead of"):
            convolve_file(Short(IMAGE), KERNEL, np.empty(IMAGE.shape, np.float32))

    def test_tells_its_progress_and_ends_where_the_listener_raises(self):
        class Enough(Exception):
            pass

        def listen(done, total, stage):
            told.append((threading.get_ident(), done, total, stage))
            image.has_come.set()
            if ends:
                raise Enough

        for ends in (False, True):
            told, image = [], self.Waiting()
            call = (image, KERNEL, self.path("out.tif"))
            options = dict(progress=listen, workers=1, strategy="ring", overwrite=True)
            if ends:
                self.assertRaises(Enough, convolve_file, *call, **options)
                self.assertEqual(len(told), 1)
            else:
                convolve_file(*call, **options)
                self.assertEqual(told[-1][1], told[-1][2])
                os.remove(self.path("out.tif"))
                os.remove(self.path("out.tif.json"))
            for thread, done, total, stage in told:
                self.assertEqual(thread, threading.get_ident())
                self.assertTrue(0 <= done <= total and stage)
        self.assertEqual(sorted(os.listdir(self.folder)), ["image.tif", "kernel.tif"])

    def test_ends_by_a_signal_and_leaves_no_file(self):
        def interrupt(*_):
            image.has_come.set()
            raise KeyboardInterrupt

        image = self.Waiting()
        image.before_it_waits = lambda: (
            image.has_come.is_set() or signal.raise_signal(signal.SIGALRM))
        before = signal.signal(signal.SIGALRM, interrupt)
        self.addCleanup(signal.signal, signal.SIGALRM, before)
        with self.assertRaises(KeyboardInterrupt):
            convolve_file(image, KERNEL, self.path("out.tif"), workers=1, strategy="ring")
        self.assertEqual(sorted(os.listdir(self.folder)), ["image.tif", "kernel.tif"])

    def test_keeps_to_its_memory(self):
        shape = (64, 600, 600)
        image = np.memmap(self.path("image.raw"), np.uint16, "w+", shape=shape)
        for z in range(shape[0]):
            image[z] = z
        result = np.memmap(self.path("out.raw"), np.float32, "w+", shape=shape)
        kernel = np.ones((7, 31, 31), np.float32)
        convolve_file(image[:8], kernel, np.empty((8, 600, 600), np.float32))  # loads what it needs
        for source in (image, Slices(image, (8, 64, 64))):
            peak = most_anonymous(lambda s=source: convolve_file(s, kernel, result, memory="32M"))
            self.assertLess(peak, (32 << 20) + (6 << 20))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
