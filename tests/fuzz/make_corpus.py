# SPDX-License-Identifier: MIT
# tests/fuzz/make_corpus.py — makes the seeds of the corpora, by our program and by others' writers:
#
#   make_corpus.py SYNTHOSCOPE IMAGE_TOOL
#
# Files named finding-* are inputs that once failed; they are not made here and stay.
import json
import os
import shutil
import struct
import subprocess
import sys
import tempfile
import zlib

import h5py
import numpy
import PIL.Image
import tifffile

PROGRAM, IMAGE_TOOL = (os.path.abspath(word) for word in sys.argv[1:3])
HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.normpath(os.path.join(HERE, "..", ".."))
PIXELS = numpy.arange(3 * 9 * 11, dtype="uint16").reshape(3, 9, 11)

TINY_SCENE = """seed = 7
[grid]
size = [4, 24, 24]
pitch_nm = [300, 150, 150]
[nuclei]
count = 1
radius_um = 0.6
[optics]
na = 1.1
size = [3, 7, 7]
"""


def place(target, name):
    folder = os.path.join(HERE, "corpus", target)
    os.makedirs(folder, exist_ok=True)
    return os.path.join(folder, name)


def put(target, name, content):
    with open(place(target, name), "wb") as file:
        file.write(content.encode() if isinstance(content, str) else content)


def by_us(target, name, pixels=PIXELS, **spec):
    """What our own writer makes of `pixels`."""
    with tempfile.TemporaryDirectory() as folder:
        raw = os.path.join(folder, "raw")
        pixels.tofile(raw)
        spec = {"extent": pixels.shape, "type": str(pixels.dtype), "voxel_um": [0.3, 0.1, 0.1],
                **spec}
        suffix = ".h5" if target == "hdf5" else ".tif"
        made = os.path.join(folder, "made" + suffix)
        subprocess.run([IMAGE_TOOL, "write", made, raw, json.dumps(spec)], check=True)
        shutil.copy(made, place(target, name))


def tiff():
    for flavor in ("ome", "imagej", "plain"):
        by_us("tiff", flavor, flavor=flavor)
    for compression in ("deflate", "lzw", "zstd"):
        by_us("tiff", compression, compression=compression, bigtiff=compression == "lzw")
    by_us("tiff", "float", PIXELS.astype("float32"), kernel_center=[1, 4, 5])

    def by_tifffile(name, pixels=PIXELS, **options):
        tifffile.imwrite(place("tiff", name), pixels, **options)

    by_tifffile("tiles", tile=(16, 16), byteorder=">", photometric="minisblack")
    by_tifffile("deflated_tiles", tile=(16, 16), compression="zlib", predictor=True,
                photometric="minisblack")
    by_tifffile("strips", rowsperstrip=2, metadata=None, photometric="miniswhite")
    by_tifffile("rgb", PIXELS.reshape(9, 11, 3), photometric="rgb")
    by_tifffile("planes_of_rgb", PIXELS, photometric="rgb", planarconfig="separate",
                compression="zlib")
    by_tifffile("hyperstack", numpy.tile(PIXELS, (2, 1, 2, 1, 1)).reshape(2, 3, 2, 9, 11),
                imagej=True, metadata={"axes": "TZCYX", "spacing": 0.3, "unit": "um"})
    by_tifffile("channels.ome", PIXELS.reshape(1, 3, 1, 9, 11), ome=True,
                metadata={"axes": "TCZYX"}, photometric="minisblack")
    by_tifffile("shaped", PIXELS, metadata={"axes": "CYX", "unit": "um", "spacing": 0.3},
                photometric="minisblack")
    by_tifffile("shaped_one_page", PIXELS.reshape(3, 1, 9, 11), metadata={"axes": "TZYX"},
                photometric="minisblack", truncate=True)
    with tifffile.TiffWriter(place("tiff", "shaped_series")) as file:
        for axes in ("CYX", "TYX"):
            file.write(PIXELS, metadata={"axes": axes}, photometric="minisblack")
    by_tifffile("signed", PIXELS, imagej=True,
                metadata={"axes": "ZYX", "cf": 0, "c0": -32768.0, "c1": 1.0, "zunit": "nm"})
    by_tifffile("bigtiff", bigtiff=True, photometric="minisblack")
    by_tifffile("bytes", PIXELS.astype("uint8"), photometric="minisblack")
    PIL.Image.fromarray(PIXELS[0].astype("uint8")).save(place("tiff", "packbits"), "TIFF",
                                                        compression="packbits")
    PIL.Image.fromarray(PIXELS[0].astype("uint8")).convert("P").save(place("tiff", "palette"),
                                                                     "TIFF")


def hdf5():
    by_us("hdf5", "plain")
    by_us("hdf5", "deflated", compression="deflate", chunks=[2, 4, 8])
    options = {"deflate": {"chunks": (2, 4, 8), "compression": 4, "shuffle": True},
               "checksums": {"chunks": (2, 4, 8), "fletcher32": True},
               "scaled": {"chunks": (2, 4, 8), "scaleoffset": True},
               "refused-lzf": {"chunks": (2, 4, 8), "compression": "lzf"},
               "grows": {"chunks": (2, 4, 8), "maxshape": (None, 9, 11)}}
    for name, how in options.items():
        with h5py.File(place("hdf5", name), "w") as file:
            file.create_dataset("image", data=PIXELS, **how)
    with h5py.File(place("hdf5", "latest"), "w", libver="latest", userblock_size=512) as file:
        data = file.create_dataset("a/b/image", data=PIXELS[None].astype(">f4"),
                                   chunks=(1, 2, 4, 8))
        data.attrs["axes"] = "czyx"
        data.attrs["element_size_um"] = [0.3, 0.1, 0.1]
        file["link"] = h5py.SoftLink("/a/b/image")
        file["other"] = h5py.ExternalLink("other.h5", "/image")
    with h5py.File(place("hdf5", "compact"), "w") as file:
        properties = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
        properties.set_layout(h5py.h5d.COMPACT)
        data = h5py.h5d.create(file.id, b"image", h5py.h5t.STD_U16LE,
                               h5py.h5s.create_simple((3, 9, 11)), properties)
        data.write(h5py.h5s.ALL, h5py.h5s.ALL, PIXELS)
        file["names"] = numpy.array(["a", "b"], dtype=h5py.string_dtype())
        file["pairs"] = numpy.zeros(3, dtype=[("id", "i4"), ("at", "f8", 3)])


def ics():
    header = ("\t\nics_version\t{version}\nfilename\timage\nlayout\tparameters\t4\n"
              "layout\torder\tbits\tx\ty\tz\nlayout\tsizes\t{bits}\t11\t9\t3\n"
              "layout\tcoordinates\tvideo\nlayout\tsignificant_bits\t{bits}\n"
              "representation\tformat\t{format}\nrepresentation\tsign\tunsigned\n"
              "representation\tcompression\t{packed}\nrepresentation\tbyte_order\t{order}\n"
              "parameter\tscale\t1\t0.1\t0.1\t0.3\n"
              "parameter\tunits\trelative\tmicrometers\tmicrometers\tmicrometers\nend\n")
    raw = PIXELS.tobytes()

    def gzipped(voxels):
        packer = zlib.compressobj(wbits=31)
        return packer.compress(voxels.tobytes()) + packer.flush()

    both = {"bits": 16, "format": "integer", "order": "1\t2"}
    plain = header.format(version="2.0", packed="uncompressed", **both)
    put("ics", "one_file", plain.encode() + raw)
    put("ics", "packed", header.format(version="2.0", packed="gzip", **both).encode()
        + gzipped(PIXELS))
    put("ics", "pair", header.format(version="1.0", packed="uncompressed", **both).encode() + raw)
    swapped = {"bits": 32, "format": "real", "order": "4\t3\t2\t1"}
    put("ics", "swapped", header.format(version="1.0", packed="gzip", **swapped).encode()
        + gzipped(PIXELS.astype(">f4")))


def png():
    grey = PIXELS[0].astype("uint8")
    pictures = {"grey": PIL.Image.fromarray(grey), "deep": PIL.Image.fromarray(PIXELS[0]),
                "bits": PIL.Image.fromarray(grey % 2 == 0),
                "rgb": PIL.Image.fromarray(numpy.stack([grey] * 3, -1)),
                "rgba": PIL.Image.fromarray(numpy.stack([grey] * 4, -1)),
                "palette": PIL.Image.fromarray(grey).convert("P")}
    for name, picture in pictures.items():
        picture.save(place("png", name), "PNG", dpi=(50800, 50800))


def texts():
    for c, z, t in ((1, 12, 1), (2, 3, 2), (3, 2, 2)):
        put("imagej_description", f"{c}x{z}x{t}",
            f"images=12\nchannels={c}\nslices={z}\nframes={t}\nhyperstack=true\nunit=um\n"
            "spacing=0.5\nloop=false\nkernel_center=1,2,3\nmin=0.0\nmax=255.0\n")
    put("imagej_description", "twenty", "images=4\nslices=4\nunit=\\u00B5m\nspacing=-1e3\n")
    xml = ('<?xml version="1.0" encoding="UTF-8"?><OME UUID="urn:uuid:7" xmlns="http://www.'
           'openmicroscopy.org/Schemas/OME/2016-06"><Image ID="Image:0"><Pixels ID="Pixels:0" '
           'DimensionOrder="{order}" Type="uint8" SizeX="4" SizeY="3" SizeZ="{z}" SizeC="{c}" '
           'SizeT="{t}" PhysicalSizeX="0.1" PhysicalSizeY="100" PhysicalSizeYUnit="nm" '
           'PhysicalSizeZ="0.3" PhysicalSizeZUnit="&#181;m">{data}</Pixels></Image>'
           '<StructuredAnnotations><MapAnnotation ID="Annotation:0"><Value>'
           '<M K="kernel_center">1,2,3</M></Value></MapAnnotation></StructuredAnnotations></OME>')
    put("ome_xml", "stack", xml.format(order="XYZCT", z=12, c=1, t=1, data="<TiffData/>"))
    put("ome_xml", "hyperstack", xml.format(
        order="XYCTZ", z=2, c=3, t=2,
        data='<TiffData IFD="0" PlaneCount="6"/><TiffData IFD="6" PlaneCount="6" FirstZ="1"/>'))
    put("ome_xml", "files", xml.format(
        order="XYTZC", z=1, c=2, t=6,
        data='<TiffData IFD="0" PlaneCount="12"><UUID FileName="a.tif">urn:uuid:7</UUID>'
             "</TiffData>"))
    put("ome_xml", "companion", '<OME:OME xmlns:OME="x"><BinaryOnly MetadataFile="a.ome" '
        'UUID="urn:uuid:8"/></OME:OME>')


def journal():
    request = json.dumps({"image": {"path": "a.tif", "hash": "0123"}, "threads": 2, "list": [1, 2]})
    head = {"format": 3, "program": "synthoscope", "version": "0.1.0", "request": request,
            "plan": "{}"}
    entries = [{"finished": [[0, 4]], "file": "state", "counts": "{}", "synced": True,
                "boot": "this boot"},
               {"finished": [[0, 4], [7, 2], [100, 3]], "file": "", "counts": "", "synced": False,
                "boot": "this boot", "whole": [1, 2, 3]}]
    put("journal", "two", "\n".join(json.dumps(line) for line in [head] + entries) + "\n")
    put("journal", "other_boot", "\n".join(json.dumps(line) for line in (
        head, entries[0], {**entries[1], "boot": "another", "whole": None})))


def scenes():
    for name in sorted(os.listdir(os.path.join(ROOT, "examples"))):
        if name.endswith(".toml"):
            refused = "refused-" if name == "neuron.toml" else ""  # its tracing is not there
            shutil.copy(os.path.join(ROOT, "examples", name), place("scene", refused + name))
    sweep = os.path.join(ROOT, "examples", "cluster", "sweep.toml")
    shutil.copy(sweep, place("scene", "sweep.toml"))
    for name in ("two_colours", "low_light"):
        shutil.copy(os.path.join(ROOT, "examples", name + ".toml"), place("camera", name + ".toml"))
    put("camera", "plain.toml", "quantum_efficiency = 0.8\nread_noise_electrons = 1.5\n"
        "gain_dn_per_electron = 2.0\noffset_dn = 100\nbit_depth = 12\nbinning = 2\n")
    put("camera", "emccd.toml", '[camera]\nkind = "emccd"\nem_gain = 300\nfull_well_electrons = '
        '30000\nclock_induced_charge_electrons = 0.002\nexposure_seconds = 0.05\n')
    with open(os.path.join(ROOT, "examples", "neuron.swc")) as file:
        put("swc", "neuron", "".join(file.readlines()[:40]))
    put("swc", "short", "# a comment\n1 1 0 0 0 5.0 -1\n2 3,1.5 2 3 +1e0 1\n\n3 2 -4 0 9 0.2 2\n")


def zarr_seed(image):
    """What the fuzz target takes apart: the version, the group, the array and its only chunk."""
    is_3 = os.path.exists(os.path.join(image, "zarr.json"))
    names = (["zarr.json", "0/zarr.json", "0/c/0/0/0"] if is_3 else
             [".zattrs", "0/.zarray", "0/0/0/0"])
    parts = []
    for name in names:
        with open(os.path.join(image, name), "rb") as file:
            parts.append(file.read().rstrip(b"\n") if name.endswith(("json", "rray", "ttrs"))
                         else file.read())
    return (b"3" if is_3 else b"2") + b"\n---\n".join(parts)


def folders(run, path):
    """OME-Zarr and BigDataViewer's XML; `run` runs the program in the folder of `path`."""
    tifffile.imwrite(path("small.tif"), PIXELS, imagej=True, resolution=(10, 10),
                     metadata={"axes": "ZYX", "spacing": 0.3, "unit": "um"})
    tifffile.imwrite(path("delta.tif"), numpy.ones((1, 1, 1), "float32"), metadata=None)
    same = ("convolve", "small.tif", "delta.tif", "--output-type", "same", "-o")
    for form in ("zarr", "zarr3"):
        for compression in ("none", "deflate", "zstd", "blosc"):
            name = f"{form}_{compression}"
            run(*same, name, "--format", form, "--compression", compression)
            put("zarr", name, zarr_seed(path(name)))
    run(*same, "series.h5", "--format", "bdv")
    with open(path("series.xml"), encoding="utf-8") as file:
        text = file.read().replace("series.h5", "image.h5")
    put("bdv_xml", "ours", text)
    times = text[text.index("<Timepoints"):text.index("</Timepoints>")]
    for name, said in {
            "pattern": '<Timepoints type="pattern"><integerpattern>0-0:2, 0</integerpattern>',
            "list": '<Timepoints type="list"><timepoint><id>0</id></timepoint>'}.items():
        put("bdv_xml", name, text.replace(times, said))


def by_program():
    """What takes a run of the program: plans, tables of what a data set holds, models of words."""
    with tempfile.TemporaryDirectory() as folder:
        def run(*words):
            done = subprocess.run([PROGRAM, *words], cwd=folder, check=True, capture_output=True)
            return done.stdout

        def path(name):
            return os.path.join(folder, name)

        tifffile.imwrite(path("image.tif"), numpy.tile(PIXELS, (4, 8, 8)),
                         photometric="minisblack")
        tifffile.imwrite(path("kernel.tif"), numpy.ones((3, 5, 5), "float32"),
                         photometric="minisblack")
        for strategy in ("in-core", "ring", "tiles", "parts", "direct"):
            told = run("plan", "convolve", "image.tif", "kernel.tif", "-o", "out.tif", "--json",
                       "--strategy", strategy, "--gpus", "none")
            put("plan", strategy, told)
        with open(path("scene.toml"), "w") as file:
            file.write(TINY_SCENE)
        run("simulate", "scene.toml", "-o", "set")
        shutil.copy(path("set/world.h5"), place("hdf5_tables", "world"))
        generator = numpy.random.default_rng(1)
        for kind in ("fine", "coarse"):
            os.makedirs(path(f"words/{kind}"))
            for i in range(3):
                pixels = generator.integers(0, 255, (32, 32), dtype="uint8")
                if kind == "coarse":
                    pixels = numpy.kron(pixels[:8, :8], numpy.ones((4, 4), "uint8"))
                tifffile.imwrite(path(f"words/{kind}/{i}.tif"), pixels)
        folders(run, path)
        run("words", "train", "words", "-o", "model.h5", "--words", "3", "--seed", "1")
        shutil.copy(path("model.h5"), place("texture_model", "model"))


if __name__ == "__main__":
    for make in (tiff, hdf5, ics, png, texts, journal, scenes, by_program):
        make()
