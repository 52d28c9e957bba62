"""Why a connection failed, in a few words that say nothing of what was sent."""

import ssl


def reason_of(error: BaseException) -> str:
    """What TLS or the system says of it; empty where neither does."""
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, ssl.SSLCertVerificationError):
            return cause.verify_message
        if isinstance(cause, OSError) and cause.strerror:
            return cause.strerror
        cause = cause.__cause__ or cause.__context__
    return ""
