"""Check by captcha whether a person sent the form. Only proven abuse is rejected; an unavailable provider rejects nothing."""
