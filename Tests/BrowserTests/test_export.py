"""One's own data: asked for, gathered from every service, and fetched as one archive."""

import json
import zipfile

import pytest
from playwright.sync_api import expect

from kampong import DESKTOP, URL, look_at
from test_friends import newcomer


@pytest.mark.parametrize("script", [True, False], ids=["with scripts", "without scripts"])
def test_an_archive_is_gathered_and_fetched(window, tmp_path, script):
    ada, _ = newcomer(window, "Adaeze Obi", script=script)
    ada.goto(URL + "/me")
    ada.get_by_role("link", name="Get my data").click()
    expect(ada.get_by_role("heading", name="My data")).to_be_visible()
    if script:
        look_at(ada, "export-phone-light")
    ada.get_by_role("button", name="Gather my data").click()
    expect(ada.get_by_text("Your archive is ready.")).to_be_visible(timeout=60_000)
    if script:
        look_at(ada, "export-ready-phone-light")
        ada.set_viewport_size(DESKTOP)
        look_at(ada, "export-ready-desktop-light")
    with ada.expect_download() as download:
        ada.get_by_role("link", name="Fetch the archive").click()
    path = tmp_path / "my-data.zip"
    download.value.save_as(path)
    with zipfile.ZipFile(path) as archive:
        assert archive.testzip() is None
        account = json.loads(archive.read("auth/account.json"))
    assert [one["name"] for one in account] == ["Adaeze Obi"]
