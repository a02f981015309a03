"""Colours of pictures: patches that are known, in each format, with a profile, with another one and without, at each size that is kept."""

import io
import struct

import pytest
from PIL import Image, ImageCms

from hostile import Person, ask, check

PATCHES = [(0, 0, 255), (255, 0, 0), (0, 255, 0), (64, 64, 64), (200, 120, 40), (255, 255, 255), (10, 10, 10), (128, 128, 128)]
SRGB = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB"))
# How far a colour may be away after it was compressed twice.
NEAR = 12


def wide_profile():
    """A display with the primaries of P3 and a plain gamma of 2.2 (ICC.1:2001-04), as telephones have one."""
    def fixed(*values):
        return b"".join(struct.pack(">i", round(value * 65536)) for value in values)

    def xyz(*values):
        return b"XYZ \0\0\0\0" + fixed(*values)

    name = b"wide\0"
    description = b"desc\0\0\0\0" + struct.pack(">I", len(name)) + name + bytes(78)
    tags = {
        b"desc": description, b"cprt": b"text\0\0\0\0none\0", b"wtpt": xyz(0.9642, 1, 0.8249), b"rXYZ": xyz(0.5151, 0.2412, -0.0011), b"gXYZ": xyz(0.2919, 0.6922, 0.0419),
        b"bXYZ": xyz(0.1572, 0.0666, 0.7841), **{name: b"curv\0\0\0\0" + struct.pack(">IH", 1, round(2.2 * 256)) + b"\0\0" for name in (b"rTRC", b"gTRC", b"bTRC")},
    }
    table, data, at = struct.pack(">I", len(tags)), b"", 128 + 4 + 12 * len(tags)
    for tag, value in tags.items():
        value += bytes(-len(value) % 4)
        table += tag + struct.pack(">II", at + len(data), len(value))
        data += value
    size = at + len(data)
    head = struct.pack(">I4sI4s4s4s", size, b"lcms", 0x02100000, b"mntr", b"RGB ", b"XYZ ") + struct.pack(">6H", 2026, 1, 1, 0, 0, 0) + b"acsp" + bytes(28) + fixed(0.9642, 1, 0.8249)
    return head.ljust(128, b"\0") + table + data


def patches(mode="RGB"):
    picture = Image.new("RGB", (1200, 600))
    for number, colour in enumerate(PATCHES):
        left, top = number % 4 * 300, number // 4 * 300
        picture.paste(colour, (left, top, left + 300, top + 300))
    return picture.convert(mode)


def encoded(picture, kind, **more):
    file = io.BytesIO()
    picture.save(file, kind, **more)
    return file.getvalue()


FINE = {"JPEG": {"quality": 95, "subsampling": 0}, "WEBP": {"quality": 95}, "AVIF": {"quality": 95, "subsampling": "4:4:4"}, "PNG": {}, "GIF": {}}
PROFILES = {"none": None, "sRGB": SRGB.tobytes(), "wide": wide_profile()}
TYPES = {"JPEG": "image/jpeg", "WEBP": "image/webp", "AVIF": "image/avif", "PNG": "image/png", "GIF": "image/gif"}
COLOURED = [(kind, profile) for kind in FINE for profile in PROFILES if kind != "GIF" or profile == "none"]
GREY = [(kind, mode, profile) for kind in ("JPEG", "PNG") for mode in (("L",) if kind == "JPEG" else ("L", "LA")) for profile in ("none", "sRGB")]


@pytest.fixture(scope="module")
def sender():
    return Person("Pia Falk")


def seen(sender, data, kind):
    """The patches of each size that is kept."""
    answer = check(sender.ask("POST", "/v1/photos", data, {"Content-Type": TYPES[kind]}), 201).json()
    for size in ("full", "medium", "thumb"):
        kept = Image.open(io.BytesIO(check(ask("GET", f"/photos/{answer['id']}/{size}"), 200).body)).convert("RGB")
        width, height = kept.size
        yield size, [kept.getpixel((int((number % 4 + 0.5) * width / 4), int((number // 4 + 0.5) * height / 2))) for number in range(len(PATCHES))]


def hold(found, expected, what):
    far = [(right, is_) for right, is_ in zip(expected, found) if max(abs(one - other) for one, other in zip(right, is_)) > NEAR]
    assert not far, (what, far)


@pytest.mark.parametrize("kind, profile", COLOURED)
def test_colours_stay_what_they_are(sender, kind, profile):
    given = PROFILES[profile]
    picture, expected = patches(), PATCHES
    if profile == "wide":
        wide = ImageCms.profileToProfile(picture, ImageCms.ImageCmsProfile(io.BytesIO(given)), SRGB)
        expected = [wide.getpixel((number % 4 * 300 + 150, number // 4 * 300 + 150)) for number in range(len(PATCHES))]
    for size, found in seen(sender, encoded(picture, kind, **FINE[kind], **({"icc_profile": given} if given else {})), kind):
        hold(found, expected, (kind, profile, size))


@pytest.mark.parametrize("kind, mode, profile", GREY)
def test_grey_stays_grey(sender, kind, mode, profile):
    """Also where it says that it has the colours of something that is none."""
    expected = [(grey,) * 3 for grey in patches("L").resize((4, 2), Image.NEAREST).tobytes()]
    for size, found in seen(sender, encoded(patches(mode), kind, **FINE[kind], **({"icc_profile": PROFILES[profile]} if PROFILES[profile] else {})), kind):
        hold(found, expected, (kind, mode, profile, size))


def test_a_picture_that_says_much_of_itself_is_one(sender):
    """More words than anybody reads."""
    answer = sender.ask("POST", "/v1/photos", encoded(patches(), "JPEG", comment=b"x" * 60_000, **FINE["JPEG"]), {"Content-Type": "image/jpeg"})
    check(answer, 201)
    exif = Image.Exif()
    exif[0x010E] = "x" * 60_000
    exif[0x013B] = "y" * 4000
    check(sender.ask("POST", "/v1/photos", encoded(patches(), "JPEG", exif=exif, **FINE["JPEG"]), {"Content-Type": "image/jpeg"}), 201)
