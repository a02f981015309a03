"""Pictures that are bombs, something else, or two things at once."""

import io
import os
import struct
import threading
import zipfile
import zlib

import pytest
from PIL import Image

from hostile import Person, ask, check


def picture(kind="JPEG", size=(64, 48), **more):
    target = io.BytesIO()
    Image.effect_noise(size, 60).convert("RGB").save(target, kind, **more)
    return target.getvalue()


def chunk(name, data):
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def png(width, height, rows=b"", depth=8, colour=2, more=b""):
    head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + head + more + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b"")


def send(person, data, kind="image/jpeg"):
    return person.ask("POST", "/v1/photos", data, headers={"Content-Type": kind}, timeout=60)


def zipped():
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        archive.writestr("evil.html", "<script>alert(1)</script>")
    return target.getvalue()


BOMBS = {
    "a hundred thousand wide": png(100_000, 100_000), "a billion pixels": png(32_000, 32_000, b"\0" * (4001 * 32_000), depth=1, colour=0),
    "just beyond": png(8001, 5000), "the most a header can say": png(0x7FFFFFFF, 0x7FFFFFFF),
    "a gif of a gigapixel": b"GIF89a" + struct.pack("<HHBBB", 65535, 65535, 0, 0, 0) + b",\0\0\0\0" + struct.pack("<HH", 65535, 65535) + b"\0\x02\x01\x44\0;",
}


@pytest.mark.parametrize("what", BOMBS)
def test_a_bomb_is_refused_by_its_header(ada, what):
    check(send(ada, BOMBS[what], "image/png"), (413, 422), {"too_large", "invalid"})


def test_text_that_unpacks_to_gigabytes_does_no_harm(ada):
    """A small picture with much nothing squeezed into its metadata, many times over."""
    bomb = chunk(b"zTXt", b"a\0\0" + zlib.compress(b"\0" * (64 << 20))) * 20
    check(send(ada, png(64, 64, b"\0" * (193 * 64), more=bomb), "image/png"), (201, 413, 422))


def test_many_frames_are_one_picture(ada):
    frames = [Image.new("P", (400, 400), n % 255) for n in range(300)]
    target = io.BytesIO()
    frames[0].save(target, "GIF", save_all=True, append_images=frames[1:])
    answer = check(send(ada, target.getvalue(), "image/gif"), (201, 413, 422))
    if answer.status == 201:
        assert answer.json()["height"] <= 400


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "GIF"])
def test_a_polyglot_is_only_the_picture_afterwards(ada, kind):
    """A picture that is a script, a page and an archive too: what is served is made anew, and none of that is in it."""
    tail = b"<script>alert(1)</script><?php system('id'); ?>" + zipped()
    answer = check(send(ada, picture(kind) + tail), 201).json()
    for size in ("thumb", "medium", "full"):
        served = check(ask("GET", f"/photos/{answer['id']}/{size}"), 200)
        assert served["Content-Type"] == "image/webp" and served["X-Content-Type-Options"] == "nosniff"
        assert served.body[:4] == b"RIFF" and Image.open(io.BytesIO(served.body)).format == "WEBP"
        for trace in (b"<script", b"<?php", b"PK\x03\x04", b"evil"):
            assert trace not in served.body


def test_comments_and_places_are_not_kept(ada):
    exif = Image.Exif()
    exif[0x010E] = "<script>alert(1)</script>"
    exif.get_ifd(0x8825)[1] = "N"
    data = picture("JPEG", exif=exif, comment=b"<script>alert(2)</script>")
    answer = check(send(ada, data), 201).json()
    served = ask("GET", f"/photos/{answer['id']}/full").body
    assert b"<script" not in served and b"Exif" not in served and b"EXIF" not in served


FOREIGN = {
    "svg": b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>', "svg with entities": b'<?xml version="1.0"?><!DOCTYPE s [<!ENTITY a "aaa">]><svg>&a;</svg>',
    "html": b"<html><script>alert(1)</script></html>", "pdf": b"%PDF-1.7\n1 0 obj\n", "postscript": b"%!PS-Adobe-3.0 EPSF-3.0\n", "zip": zipped(), "elf": b"\x7fELF" + b"\0" * 200,
    "bmp": picture("BMP"), "tiff": picture("TIFF"), "ico": picture("ICO"), "magick": b"push graphic-context\nimage over 0,0 0,0 'url(http://127.0.0.1/)'\n", "mvg": b"viewbox 0 0 1 1",
    "jpeg 2000": b"\x00\x00\x00\x0cjP  \r\n\x87\n", "openexr": b"\x76\x2f\x31\x01" + b"\0" * 60, "matlab": b"MATLAB 5.0 MAT-file" + b" " * 200, "fits": b"SIMPLE  =                    T" + b" " * 2000,
    "video": b"\x00\x00\x00\x20ftypisom" + b"\0" * 200, "empty": b"", "a byte": b"\xff", "text": b"just text",
}


@pytest.mark.parametrize("what", FOREIGN)
def test_what_is_no_picture_of_ours_is_refused(ada, what):
    for kind in ("image/jpeg", "image/svg+xml", "image/png"):
        check(send(ada, FOREIGN[what], kind), 415, "unsupported_media_type")


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "GIF"])
@pytest.mark.parametrize("share", [0.02, 0.5, 0.97])
def test_half_a_picture_is_none(ada, kind, share):
    data = picture(kind, (600, 400))
    check(send(ada, data[: max(16, int(len(data) * share))]), 422, "invalid")


def test_a_head_of_one_kind_and_a_body_of_another(ada):
    for head in (b"\xff\xd8\xff\xe0", b"\x89PNG\r\n\x1a\n", b"RIFF\x00\x00\x00\x00WEBP", b"GIF89a", b"\x00\x00\x00\x18ftypheic"):
        for body in (b"<svg onload=alert(1)>", b"%!PS\n", b"\0" * 5000, b"\xff" * 5000, picture("PNG")):
            check(send(ada, head + body), (413, 422), {"invalid", "too_large"})


BOUNDARY = "multipart/form-data; boundary=b"
PART = b'--b\r\nContent-Disposition: form-data; name="file"; filename="x.jpg"\r\n\r\n'
FORMS = {
    "no end": PART + picture(), "no blank line": b'--b\r\nContent-Disposition: form-data; name="file"\r\n--b--\r\n', "nothing": b"", "only an end": b"--b--\r\n",
    "another boundary": b"--c\r\n\r\n\r\n--c--\r\n", "many parts": (PART + b"x\r\n") * 5000 + b"--b--\r\n", "a long header": b"--b\r\nX: " + b"a" * 100_000 + b"\r\n\r\nx\r\n--b--\r\n",
    "no name": b"--b\r\nContent-Disposition: form-data\r\n\r\nx\r\n--b--\r\n", "boundaries in boundaries": b"--b" * 100_000, "line breaks": b"\r\n" * 200_000,
    "a nested form": b'--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\nContent-Type: multipart/mixed; boundary=c\r\n\r\n--c\r\n\r\nx\r\n--c--\r\n--b--\r\n',
}


@pytest.mark.parametrize("what", FORMS)
def test_a_form_that_is_none(ada, what):
    check(send(ada, FORMS[what], BOUNDARY), (400, 413, 415, 422), {"malformed", "too_large", "unsupported_media_type", "invalid"})


@pytest.mark.parametrize("kind", [
    "multipart/form-data", "multipart/form-data; boundary=", "multipart/form-data; boundary=" + "b" * 71, 'multipart/form-data; boundary="', "multipart/mixed; boundary=b",
    "application/json", "", "image", "multipart/form-data; boundary=b; boundary=c",
])
def test_a_type_that_says_nothing(ada, kind):
    check(send(ada, PART + picture() + b"\r\n--b--\r\n", kind), (201, 400, 415, 422))
    assert send(ada, b"x", kind).status in (400, 415, 422)


def test_a_name_of_a_file_is_never_a_path(ada):
    name = b"../../../../../../tmp/hostile-kampong-photo.jpg\\0.webp"
    form = b'--b\r\nContent-Disposition: form-data; name="file"; filename="' + name + b'"\r\n\r\n' + picture() + b"\r\n--b--\r\n"
    check(send(ada, form, BOUNDARY), 201)
    assert not os.path.exists("/tmp/hostile-kampong-photo.jpg")


@pytest.mark.alone
def test_many_large_pictures_at_once_are_worked_off_or_sent_away(stack):
    """Two dozen with eleven megabytes each: served or told to come back, within the memory that there is for bodies."""
    people = [Person(f"Uploader {n}") for n in range(8)]
    data = b"\xff\xd8\xff\xe0" + b"\0" * (11 << 20)
    before, seen = stack.now()["gateway"], []

    def upload(person):
        seen.append(send(person, data))

    threads = [threading.Thread(target=upload, args=(people[n % 8],)) for n in range(24)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    assert len(seen) == 24
    for answer in seen:
        check(answer, (422, 503), {"invalid", "unavailable"})
        assert answer.status == 422 or answer["Retry-After"]
    assert stack.peaks()["gateway"] - before < 500
