"""What schemathesis needs to know of this API that its description cannot say."""

import re
import uuid

import schemathesis


@schemathesis.hook
def before_call(context, case, kwargs):
    """A key that was used before rightly gets the answer of then: to the row of then, which may be gone."""
    key = (case.headers or {}).get("Idempotency-Key")
    if key is not None and re.fullmatch("[!-~]{1,128}", key):
        case.headers["Idempotency-Key"] = str(uuid.uuid4())
