"""The list of checks. Each is a function of a sandbox that raises `Failed` where a promise does not hold."""

CHECKS = []


def promise(check):
    CHECKS.append(check)
    return check
