"""schemathesis against the OpenAPI document: no server error, no undocumented answer, nothing wrong taken and nothing right refused; with all of
its checks, signed in and not."""

import pytest

from document_fuzzer import WHO

pytestmark = pytest.mark.last


@pytest.mark.parametrize("who", WHO)
def test_the_document_is_kept_to(who, fuzzers):
    status, said = fuzzers[who].result()
    assert status == 0, said[-14_000:]
    assert " generated" in said and " passed" in said, said[-2000:]
