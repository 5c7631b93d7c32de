"""Data that a schema can not describe: without it no request would get past the first check."""

from datetime import datetime, timedelta, timezone

import schemathesis
from hypothesis import strategies

# Numbers that are in use in Finland (+358 40), and so in the sandbox.
schemathesis.openapi.format("phone", strategies.integers(0, 9_999_999).map(lambda n: f"+35840{n:07d}"))

# Times round now: many are possible, some are past.
schemathesis.openapi.format(
    "date-time",
    strategies.integers(-3600, 3 * 24 * 3600).map(
        lambda seconds: (datetime.now(timezone.utc) + timedelta(seconds=seconds)).isoformat(timespec="milliseconds")
    ),
)
