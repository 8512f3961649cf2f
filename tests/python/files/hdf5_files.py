# SPDX-License-Identifier: MIT
# tests/python/files/hdf5_files.py — HDF5 files against h5py, in both directions.
import json
import os
import sys

from held_run import HeldTest, later, needs_held_runs
from program import SKIPPED, main, numpy
from tiff_files import TYPES, pattern

try:
    import h5py
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(SKIPPED)

SHAPE = (5, 37, 29)


class Hdf5Test(HeldTest):
    def info(self, name):
        return json.loads(self.succeed("info", name))

    def stack(self, name, *chosen):
        info = json.loads(self.succeed("read", name, "raw", *chosen))
        return numpy.fromfile(self.path("raw"), info["type"]).reshape(info["extent"])

    def make(self, voxels, name="a.h5", data_set="image", attributes=(), **options):
        with h5py.File(self.path(name), "w", **options.pop("file", {})) as file:
            made = file.create_dataset(data_set, data=voxels, **options)
            for key, value in dict(attributes).items():
                made.attrs[key] = value
        return name

    def expect_same(self, voxels, **options):
        numpy.testing.assert_array_equal(self.stack(self.make(voxels, **options)), voxels)

    def refusal(self, code, *words, name="a.h5", do="info"):
        result = self.command(*(["info", name] if do == "info" else ["read", name, "raw"]))
        self.assertEqual(result.returncode, code, result.stderr)
        self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)
        for word in words:
            self.assertIn(word, result.stderr)


class FilesOfH5py(Hdf5Test):
    """What h5py writes is read here as h5py reads it."""

    def test_every_pixel_type_in_both_byte_orders(self):
        for dtype in TYPES:
            for order in "<>":
                with self.subTest(dtype=dtype, order=order):
                    voxels = pattern(SHAPE, dtype)
                    stored = voxels.astype(numpy.dtype(dtype).newbyteorder(order))
                    self.expect_same(stored)
                    self.expect_same(stored, chunks=(2, 16, 16), compression="gzip", shuffle=True)

    def test_every_layout(self):
        for options in ({}, {"chunks": (2, 16, 16)}, {"chunks": (5, 37, 29)},
                        {"chunks": (1, 37, 29), "compression": "gzip"},
                        {"chunks": (3, 10, 10), "shuffle": True},
                        {"chunks": (3, 10, 7), "compression": "gzip", "shuffle": True},
                        {"chunks": (4, 16, 16), "maxshape": (None, None, None)},
                        {"chunks": (2, 16, 16), "fletcher32": True},
                        {"chunks": (2, 16, 16), "fletcher32": True, "compression": "gzip"},
                        {"chunks": (3, 10, 7), "fletcher32": True, "compression": "gzip",
                         "shuffle": True},
                        {"chunks": (2, 16, 16), "scaleoffset": 0},
                        {"file": {"libver": "latest"}},
                        {"file": {"libver": "latest"}, "chunks": (2, 16, 16)},
                        {"file": {"libver": "latest"}, "chunks": (2, 16, 16),
                         "compression": "gzip"},
                        {"file": {"userblock_size": 512}},
                        {"file": {"userblock_size": 2048}, "chunks": (2, 16, 16)}):
            with self.subTest(**options):
                self.expect_same(pattern(SHAPE, "uint16"), **options)

    def test_checksums_tell_what_was_damaged(self):
        for voxels in (pattern((4, 300, 301), "uint16"), numpy.full((3, 99, 77), 255, "uint8")):
            self.make(voxels, chunks=voxels.shape, fletcher32=True)
            numpy.testing.assert_array_equal(self.stack("a.h5"), voxels)
            with h5py.File(self.path("a.h5")) as file:
                place = file["image"].id.get_chunk_info(0)
            for at in (0, place.size // 2, place.size - 1):
                with self.subTest(shape=voxels.shape, at=at):
                    self.make(voxels, chunks=voxels.shape, fletcher32=True)
                    with open(self.path("a.h5"), "r+b") as file:
                        file.seek(place.byte_offset + at)
                        byte = file.read(1)[0]
                        file.seek(place.byte_offset + at)
                        file.write(bytes([byte ^ 1]))
                    self.refusal(3, "does not have its checksum", do="read")

    @needs_held_runs
    def test_many_chunks_are_found_without_walks_over_all(self):
        voxels = numpy.full((72, 74, 76), 9, "uint16")  # 50,616 chunks, half of them never written
        voxels[:, :, :38] = pattern((72, 74, 38), "uint16")
        with h5py.File(self.path("a.h5"), "w") as file:
            made = file.create_dataset("image", voxels.shape, "u2", fillvalue=9, chunks=(2, 2, 2))
            made[:, :, :38] = voxels[:, :, :38]
        numpy.testing.assert_array_equal(self.stack("a.h5"), voxels)
        self.assertEqual(self.calls_of("read", "a.h5", "raw", calls="chunk-walk"), 0)
        # One that makes a file asks for its first chunk and its last: the counter counts
        spec = {"extent": voxels.shape, "type": "uint16", "chunks": [2, 2, 2]}
        self.assertEqual(self.calls_of("write", "b.h5", "raw", json.dumps(spec),
                                       calls="chunk-walk"), 2)

    def test_large_chunks_that_were_never_written_have_the_fill_value(self):
        with h5py.File(self.path("a.h5"), "w") as file:
            file.create_dataset("image", (3, 501, 999), "u2", chunks=(3, 501, 999), fillvalue=513)
        self.assertTrue((self.stack("a.h5") == 513).all())

    def test_more_chunks_than_are_looked_up_ahead(self):
        voxels = pattern((20, 60, 40), "uint16")  # 6000 chunks of 2x2x2
        self.expect_same(voxels, chunks=(2, 2, 2))
        self.expect_same(voxels, chunks=(2, 2, 2), compression="gzip", shuffle=True)

    def test_chunks_that_were_never_written_among_many(self):
        for never_fill in (False, True):
            for options in ({}, {"compression": "gzip"}):
                for user_block in (0, 512):
                    with self.subTest(never_fill=never_fill, user_block=user_block, **options):
                        properties = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
                        if never_fill:
                            properties.set_fill_time(h5py.h5d.FILL_TIME_NEVER)
                        expected = numpy.full((20, 60, 40), 9, "uint16")
                        expected[6:10, 10:20, 12:20] = pattern((4, 10, 8), "uint16")
                        with h5py.File(self.path("a.h5"), "w", userblock_size=user_block) as file:
                            made = file.create_dataset("image", expected.shape, "u2", fillvalue=9,
                                                       chunks=(2, 2, 2), dcpl=properties, **options)
                            made[6:10, 10:20, 12:20] = expected[6:10, 10:20, 12:20]
                        numpy.testing.assert_array_equal(self.stack("a.h5"), expected)

    def test_info(self):
        self.make(pattern(SHAPE, "uint8"), data_set="group/image", chunks=(2, 16, 16),
                  compression="gzip", shuffle=True,
                  attributes={"element_size_um": [0.3, 0.1, 0.065], "kernel_center": [2, 18, 14]})
        info = self.info("a.h5")
        self.assertEqual(info["format"], "HDF5")
        self.assertEqual(info["data_set"], "/group/image")
        self.assertEqual(info["extent"], list(SHAPE))
        self.assertEqual(info["chunks"], [2, 16, 16])
        self.assertEqual(info["compression"], "shuffle, deflate")
        self.assertEqual(info["voxel_um"], [0.3, 0.1, 0.065])
        self.assertEqual(info["kernel_center"], [2, 18, 14])
        self.assertEqual(info["notes"], [])

    def test_sizes_that_make_no_sense_are_passed_over(self):
        for sizes in ([0.3, 0.1], [0.3, 0, 0.1], [numpy.nan, 1, 1], "large"):
            with self.subTest(sizes=sizes):
                self.make(pattern(SHAPE, "uint8"), attributes={"element_size_um": sizes})
                self.assertEqual(self.info("a.h5")["voxel_um"], [None, None, None])

    def test_planes_and_named_axes(self):
        self.expect_same_stack(pattern((37, 29), "float32"), None, lambda v: v[None])
        self.expect_same_stack(pattern(SHAPE, "float32"), "tyx", lambda v: v[2:3], 0, 2)
        self.expect_same_stack(pattern((3, *SHAPE), "uint16"), "czyx", lambda v: v[2], 2)
        self.expect_same_stack(pattern((2, 3, *SHAPE), "uint8"), "TCZYX", lambda v: v[1, 2], 2, 1)
        self.expect_same_stack(pattern((2, 3, *SHAPE), "uint8"), "ztcyx",
                               lambda v: v[:, 1, 4], 4, 1)

    def expect_same_stack(self, voxels, axes, cut, *chosen):
        chunk = tuple(min(n, 2 if i < voxels.ndim - 2 else 16) for i, n in enumerate(voxels.shape))
        for options in ({}, {"chunks": chunk}, {"chunks": chunk, "compression": "gzip"}):
            with self.subTest(axes=axes, **options):
                self.make(voxels, attributes={"axes": axes} if axes else (), **options)
                numpy.testing.assert_array_equal(self.stack("a.h5", *chosen), cut(voxels))

    def test_values_that_were_never_written(self):
        with h5py.File(self.path("a.h5"), "w") as file:
            file.create_dataset("all", SHAPE, "u2", fillvalue=7)
            part = file.create_dataset("part", SHAPE, ">i2", chunks=(2, 16, 16), fillvalue=-300)
            part[0:2, 0:16, 0:16] = 5
            expected = part[:]
        numpy.testing.assert_array_equal(self.stack("a.h5:/all"), numpy.full(SHAPE, 7))
        numpy.testing.assert_array_equal(self.stack("a.h5:/part"), expected)

    def test_one_of_several_data_sets(self):
        voxels = pattern(SHAPE, "uint8")
        with h5py.File(self.path("a.h5"), "w") as file:
            file["table"] = numpy.arange(5, dtype="u2")
            file["words"] = ["a", "b"]
            file["photo"] = voxels[0]
            file["raw/image"] = voxels
        numpy.testing.assert_array_equal(self.stack("a.h5"), voxels)
        numpy.testing.assert_array_equal(self.stack("a.h5:/photo")[0], voxels[0])
        with h5py.File(self.path("a.h5"), "a") as file:
            file["raw/other"] = voxels
        self.refusal(2, "2 images (/raw/image, /raw/other)", "choose one", "a.h5:/raw/image")
        self.refusal(2, "no array /image", "/photo, /raw/image", name="a.h5:/image")
        self.refusal(2, "no array /raw/", "/raw/image", name="a.h5:/raw/")
        self.refusal(3, "has 1 axes", name="a.h5:/table")

    def test_what_names_can_look_like(self):
        voxels = pattern(SHAPE, "uint8")
        for name in ("a.h5", "a.HDF5", "no_ending", "a.h5:b"):
            with self.subTest(name=name):
                self.make(voxels, name=name, data_set="p/q")
                numpy.testing.assert_array_equal(self.stack(name), voxels)
                numpy.testing.assert_array_equal(self.stack(name + ":/p/q"), voxels)

    def test_types_that_are_read_as_others(self):
        numbers = pattern(SHAPE, "int32")
        for voxels, becomes in ((pattern(SHAPE, "float32").astype("float16"), "float32"),
                                (numbers > 0, "uint8"), (numbers.astype("int64"), "int32"),
                                (pattern(SHAPE, "uint32").astype("uint64"), "uint32")):
            for order in "<>":
                for options in ({}, {"chunks": (2, 16, 16), "fillvalue": 1},
                                {"chunks": (2, 16, 16), "compression": "gzip", "shuffle": True},
                                {"chunks": (2, 16, 16), "compression": "lzf"}):
                    with self.subTest(dtype=voxels.dtype, order=order, **options):
                        self.make(voxels.astype(voxels.dtype.newbyteorder(order)), **options)
                        read = self.stack("a.h5")
                        self.assertEqual(read.dtype, becomes)
                        numpy.testing.assert_array_equal(read, voxels)

    def test_fill_values_of_types_that_are_read_as_others(self):
        for dtype, value in (("float16", 2.5), ("int64", -3), ("uint64", 7), ("bool", True)):
            for options in ({}, {"chunks": (2, 16, 16)}):
                with self.subTest(dtype=dtype, **options):
                    with h5py.File(self.path("a.h5"), "w") as file:
                        file.create_dataset("image", SHAPE, dtype, fillvalue=value, **options)
                    numpy.testing.assert_array_equal(self.stack("a.h5"),
                                                     numpy.full(SHAPE, value, dtype))

    def test_integers_that_do_not_fit_are_refused_by_their_value(self):
        for options in ({}, {"chunks": (2, 16, 16)}):
            voxels = numpy.zeros(SHAPE, "int64")
            voxels[1, 2, 3] = 1 << 40
            self.make(voxels, **options)
            self.refusal(3, "a.h5", "the value 1099511627776", do="read")

    def test_lzf(self):
        repeated = numpy.tile(numpy.arange(29, dtype="uint16"), (5, 37, 1))
        for voxels in (repeated, pattern(SHAPE, "uint16"), numpy.zeros(SHAPE, "uint16")):
            for options in ({}, {"shuffle": True}, {"fletcher32": True}):
                self.expect_same(voxels, chunks=(2, 37, 29), compression="lzf", **options)
        self.assertEqual(self.info("a.h5")["compression"], "lzf, fletcher32")

    def test_what_is_empty_or_no_image_is_refused_by_what_it_is(self):
        self.make(numpy.zeros((0, 20, 24), "uint16"))
        self.refusal(3, "one of its axes has no voxels")
        kinds = h5py.enum_dtype({"NUCLEUS": 1, "CELL": 2}, "i1")
        self.make(numpy.zeros(SHAPE, "i1").astype(kinds))
        self.refusal(3, "/image", "enumerations of 8 bits")

    def test_types_that_are_refused(self):
        for voxels, words in ((numpy.zeros(SHAPE, "complex64"), "compound types of 64 bits"),):
            with self.subTest(dtype=voxels.dtype):
                self.make(voxels)
                self.refusal(3, words, "convert it", name="a.h5:/image")

    def test_voxels_that_lie_elsewhere(self):
        self.make(pattern(SHAPE, "uint8"), name="other.h5")
        with h5py.File(self.path("a.h5"), "w") as file:
            file["link"] = h5py.ExternalLink("other.h5", "/image")
            file["soft"] = h5py.SoftLink("/link")
            file.create_dataset("raw", SHAPE, "u1", external=[("voxels.raw", 0, 5 * 37 * 29)])
            virtual = h5py.VirtualLayout(SHAPE, "u1")
            virtual[:] = h5py.VirtualSource("other.h5", "image", SHAPE)
            file.create_virtual_dataset("virtual", virtual)
        for name, words in (("link", "link into another file"), ("soft", "link into another file"),
                            ("raw", "in other files"), ("virtual", "an HDF5 virtual dataset")):
            with self.subTest(name=name):
                self.refusal(3, words, name=f"a.h5:/{name}")

    def test_plug_in_filters_are_refused(self):
        with h5py.File(self.path("a.h5"), "w") as file:
            properties = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
            properties.set_chunk(SHAPE)
            properties.set_filter(32004, h5py.h5z.FLAG_OPTIONAL, ())
            h5py.h5d.create(file.id, b"image", h5py.h5t.NATIVE_UINT8,
                            h5py.h5s.create_simple(SHAPE), properties)
        self.refusal(3, "number 32004", "save it with deflate, lzf, zstd or blosc")

    def test_broken_files(self):
        self.make(pattern((8, 64, 64), "uint16"), name="whole.h5", chunks=(2, 32, 32),
                  compression="gzip", shuffle=True)
        with open(self.path("whole.h5"), "rb") as file:
            content = file.read()
        with h5py.File(self.path("whole.h5")) as file:
            place = file["image"].id.get_chunk_info(3)
        damaged = bytearray(content)
        damaged[place.byte_offset + 40] ^= 0xFF
        for name, bytes_, do, words in (
                ("cut", content[:-500], "info", "truncated"),
                ("signature", content[:8], "info", "truncated or damaged"),
                ("other", b"PK\3\4" + content, "info", "a ZIP archive"),
                ("empty", b"", "info", "it is empty"),
                ("chunk", bytes(damaged), "read", "does not decompress")):
            with self.subTest(name=name), open(self.path("a.h5"), "wb") as file:
                file.write(bytes_)
                file.flush()
                self.refusal(3, words, do=do)
        self.refusal(4, "no such file", name="missing.h5:/image")
        with open(self.path("note.txt"), "w", encoding="utf-8") as file:
            file.write("II*")
        self.refusal(3, "not an HDF5 file", "/image", name="note.txt:/image")

    def test_groups_in_groups(self):
        for depth, is_read in ((64, True), (65, False), (20000, False)):
            with self.subTest(depth=depth):
                with h5py.File(self.path("a.h5"), "w") as file:
                    group = file
                    for _ in range(depth):
                        group = group.create_group("g")
                    group["image"] = pattern(SHAPE, "uint8")
                if is_read:
                    self.assertEqual(self.info("a.h5")["data_set"], depth * "/g" + "/image")
                else:
                    self.refusal(3, "nested deeper than 64", "the name of the array")
                numpy.testing.assert_array_equal(self.stack("a.h5:" + depth * "/g" + "/image"),
                                                 pattern(SHAPE, "uint8"))

    def test_links_that_lead_back(self):
        with h5py.File(self.path("a.h5"), "w") as file:
            file["outer/image"] = pattern(SHAPE, "uint8")
            file["same"] = file["outer/image"]
            file["outer/root"] = file["/"]
            file["outer/self"] = file["outer"]
            file["soft"] = h5py.SoftLink("/soft")
        self.assertEqual(self.info("a.h5")["data_set"], "/outer/image")
        self.refusal(2, "choose one of its arrays: /outer/image", name="a.h5:/soft")

    def test_a_file_that_is_being_written(self):
        self.make(pattern(SHAPE, "uint8"))
        with h5py.File(self.path("a.h5"), "a"):
            self.refusal(4, "another program is writing it")
        self.info("a.h5")

    def test_a_file_that_claims_more_than_it_can_hold(self):
        with h5py.File(self.path("a.h5"), "w") as file:
            file.create_dataset("image", (4096, 4096, 4096), "u1", chunks=(16, 256, 256))
        self.refusal(3, "64.0 GiB", "--max-ratio")

    def test_both_ends_of_a_large_sparse_data_set(self):
        shape = (2049, 1024, 1025)
        space = h5py.h5s.create_simple(shape)
        for chunks in (None, (64, 256, 256)):
            with self.subTest(chunks=chunks):
                with h5py.File(self.path("a.h5"), "w") as file:
                    properties = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
                    properties.set_alloc_time(h5py.h5d.ALLOC_TIME_EARLY)
                    properties.set_fill_time(h5py.h5d.FILL_TIME_NEVER)
                    if chunks:
                        properties.set_chunk(chunks)
                    made = h5py.h5d.create(file.id, b"image", h5py.h5t.NATIVE_UINT8, space,
                                           properties)
                    h5py.Dataset(made)[0, 0, :3] = (1, 2, 3)
                    h5py.Dataset(made)[-1, -1, -3:] = (4, 5, 6)
                ends = json.loads(self.succeed("ends", "a.h5"))
                self.assertEqual(ends, [[1, 2, 3], [4, 5, 6]])


class FilesForH5py(Hdf5Test):
    """What is written here is read by h5py with the right type, layout and attributes."""

    LAYOUTS = ({}, {"chunks": [2, 16, 16]}, {"chunks": [100, 100, 100]},
               {"compression": "deflate"}, {"compression": "deflate", "chunks": [2, 16, 16]})

    def create(self, voxels, name="b.h5", environment=(), **spec):
        voxels.tofile(self.path("raw"))
        spec = {"extent": voxels.shape, "type": voxels.dtype.name, **spec}
        made = self.command("write", name, "raw", json.dumps(spec),
                            env={**self.environment(), **dict(environment)})
        self.assertEqual(made.returncode, 0, made.stderr)
        os.remove(self.path("raw"))

    def test_every_pixel_type_and_layout(self):
        for dtype in TYPES:
            for number, spec in enumerate(self.LAYOUTS):
                with self.subTest(dtype=dtype, **spec):
                    voxels, name = pattern(SHAPE, dtype), f"{dtype}{number}.h5"
                    self.create(voxels, name, **spec)
                    self.assertEqual(self.listing(), [name])
                    with h5py.File(self.path(name)) as file:
                        self.assertEqual(list(file), ["image"])
                        self.assertEqual(file["image"].dtype, voxels.dtype)
                        self.assertEqual(file["image"].fletcher32, False)
                        numpy.testing.assert_array_equal(file["image"][:], voxels)
                    numpy.testing.assert_array_equal(self.stack(name), voxels)
                    os.remove(self.path("raw"))
                    os.remove(self.path(name))

    def test_layouts_are_those_that_were_asked_for(self):
        voxels = pattern((20, 300, 400), "uint16")
        for spec, chunks, compression in (
                ({}, None, None), ({"chunks": [1, 64, 64]}, (1, 64, 64), None),
                ({"chunks": [64, 64, 1000]}, (20, 64, 400), None),
                ({"compression": "deflate"}, (16, 256, 256), "gzip"),
                ({"compression": "deflate", "chunks": [3, 300, 7]}, (3, 300, 7), "gzip")):
            with self.subTest(**spec):
                self.create(voxels, name="b.h5", **spec)
                with h5py.File(self.path("b.h5")) as file:
                    self.assertEqual(file["image"].chunks, chunks)
                    self.assertEqual(file["image"].compression, compression)
                    self.assertEqual(file["image"].shuffle, compression is not None)
                    numpy.testing.assert_array_equal(file["image"][:], voxels)
                os.remove(self.path("b.h5"))

    def test_attributes(self):
        provenance = json.dumps({"seed": 7, "text": "µ" + 70000 * "x"})
        for number, layout in enumerate(self.LAYOUTS):
            with self.subTest(**layout):
                name = f"{number}.h5:/group/inner/psf"
                self.create(pattern(SHAPE, "float32"), name, voxel_um=[0.3, 0.1, 0.065],
                            kernel_center=[2, 18, 14], provenance=provenance, **layout)
                with h5py.File(self.path(f"{number}.h5")) as file:
                    attributes = dict(file["group/inner/psf"].attrs)
                self.assertEqual(list(attributes["element_size_um"]), [0.3, 0.1, 0.065])
                self.assertEqual(attributes["axes"], "zyx")
                self.assertEqual(list(attributes["kernel_center"]), [2, 18, 14])
                self.assertEqual(attributes["provenance"], provenance)
                info = self.info(f"{number}.h5")
                self.assertEqual(info["voxel_um"], [0.3, 0.1, 0.065])
                self.assertEqual(info["kernel_center"], [2, 18, 14])
                self.assertEqual(info["data_set"], "/group/inner/psf")

    def test_what_is_not_known_is_not_written(self):
        self.create(pattern(SHAPE, "uint8"))
        with h5py.File(self.path("b.h5")) as file:
            self.assertEqual(dict(file["image"].attrs), {"axes": "zyx"})
        self.assertEqual(self.info("b.h5")["voxel_um"], [None, None, None])

    @needs_held_runs
    def test_equal_requests_give_equal_bytes(self):
        voxels = pattern((9, 70, 50), "uint16")
        for layout in self.LAYOUTS:
            with self.subTest(**layout):
                contents = []
                for name, seconds in (("c.h5", 0), ("d.h5", 5)):  # HDF5 knows seconds
                    self.create(voxels, name + ":/a/b", later(seconds), provenance='{"seed":7}',
                                **layout)
                    with open(self.path(name), "rb") as file:
                        contents.append(file.read())
                    os.remove(self.path(name))
                self.assertEqual(contents[0], contents[1])


if __name__ == "__main__":
    main()
