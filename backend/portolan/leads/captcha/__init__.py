"""Whether a person sent a form, as far as a captcha can tell. No answer never costs a lead: only proven abuse is refused."""
