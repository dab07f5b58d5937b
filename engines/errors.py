"""The one exception for everything a user can get wrong."""


class InputError(ValueError):
    """A mistake in what the user gave.

    Its text is one line: what is wrong, where, and what was expected. The command line prints it
    and exits with code 2.
    """


def short(value: object) -> str:
    """Return what a user gave for a message: always one line, and never long."""
    if isinstance(value, int):
        return str(value) if abs(value) < 10**18 else "a huge number"
    text = value if isinstance(value, str) else type(value).__name__
    return repr(text if len(text) <= 40 else text[:37] + "...")


def one_line(text: object, most: int = 100) -> str:
    """Return the beginning of a message that came from elsewhere, on one line."""
    return " ".join(str(text).split())[:most]
