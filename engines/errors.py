"""The one exception for everything a user can get wrong."""


class InputError(ValueError):
    """A mistake in what the user gave.

    Its text is one line: what is wrong, where, and what was expected. The command line prints it
    and exits with code 2.
    """
