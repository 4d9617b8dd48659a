"""The one family of errors that profdb raises for its users."""


class ProfdbError(Exception):
    """Something a user can mend: the message names the thing, the value and the way out.

    The command line prints it as one line and ends with exit status 1; line ends inside, such as
    those of a file's name, become spaces.
    """

    def __init__(self, message: str) -> None:
        super().__init__(" ".join(message.splitlines()))
