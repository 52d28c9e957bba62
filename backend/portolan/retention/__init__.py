"""When personal data may go by itself because its time is over, and when a person has to say yes first."""
