"""Exit codes of `gelenk`, the same for every command."""

OK = 0
MISSED = 1  # it ran, but missed its acceptance figure
IMPOSSIBLE = 2  # the request cannot be met: bad file, bad option
INTERRUPTED = 130  # 128 + SIGINT, as shells expect
BROKEN_PIPE = 141  # 128 + SIGPIPE: the reader left early
DEFECT = 70  # our mistake (EX_SOFTWARE of sysexits.h)
