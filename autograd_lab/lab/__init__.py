"""The command line's rooms: the course's files, the learner's work folder, the server, the doctor.

Nothing here is needed to record or differentiate; `cli.py` is the only caller. Read `work_folder.py`
first: it holds the promise that a file which the learner changed is never overwritten.
"""


class Trouble(Exception):
    """What went wrong and what to do, as one text for the person at the terminal.

    >>> raise Trouble("The folder is full. Choose another one.")
    Traceback (most recent call last):
    autograd_lab.lab.Trouble: The folder is full. Choose another one.
    """
