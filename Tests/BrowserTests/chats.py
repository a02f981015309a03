"""Two people who chat, for the tests of messages and of what is told of them."""

import uuid

import pytest
from playwright.sync_api import expect

from conftest import newcomer
from kampong import DESKTOP, PHONE, URL, share_spot


@pytest.fixture(scope="module")
def tea(browser):
    return newcomer(browser, "Tea Lund")


@pytest.fixture(scope="module")
def sam(browser):
    return newcomer(browser, "Sam Okoro")


def share(page, somewhere, name):
    return share_spot(page, name, somewhere()).rsplit("/", 1)[1]


def said(page):
    return [row.inner_text() for row in page.locator("#messages .words").all()]


def numbers(page):
    return page.locator("#messages [data-number]").evaluate_all("rows => rows.map(row => Number(row.dataset.number))")


def write(page, words):
    page.get_by_role("textbox", name="Message to").fill(words)
    page.get_by_role("button", name="Send").click()


def there(page, words):
    """It has arrived at the server and is shown once."""
    expect(page.locator("#messages .message", has_text=words)).to_have_count(1, timeout=30_000)
    expect(page.locator("#waiting .message", has_text=words)).to_have_count(0)


class Pair:
    """Tea, who shares a spot, at a desk; Sam, who asks about it, with a phone; and the chat of the two."""

    def __init__(self, window, tea, sam, somewhere, **more):
        self.tea, self.sam, self.asker = window(tea, DESKTOP), window(sam, PHONE, **more), sam
        self.tea.goto(URL + "/")
        self.spot = share(self.tea, somewhere, f"By the fountain {uuid.uuid4().hex[:6]}")
        self.sam.goto(f"{URL}/spots/{self.spot}")
        self.sam.get_by_role("button", name="Message Tea Lund").click()
        expect(self.sam.get_by_role("heading", name="Tea Lund")).to_be_visible()
        self.room = self.sam.url.removeprefix(URL).split("#")[0]
        self.id = self.room.rsplit("/", 1)[1]

    def meet(self):
        """Both look at the chat."""
        self.tea.goto(URL + self.room)
        expect(self.tea.get_by_role("heading", name="Sam Okoro")).to_be_visible()
        return self


@pytest.fixture
def pair(window, tea, sam, somewhere):
    return Pair(window, tea, sam, somewhere)
