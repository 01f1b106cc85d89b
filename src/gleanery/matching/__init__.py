"""How two things are found to be one: what is compared, what it tells, and what adds up to a probability."""
