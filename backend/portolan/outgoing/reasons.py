"""Find the reason of a failed connection without data of the request."""

import ssl


def reason_of(error: BaseException) -> str:
    """Return the reason from TLS or the system, or an empty text."""
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, ssl.SSLCertVerificationError):
            return cause.verify_message
        if isinstance(cause, OSError) and cause.strerror:
            return cause.strerror
        cause = cause.__cause__ or cause.__context__
    return ""
