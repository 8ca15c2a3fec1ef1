"""Keys of the meta of requests and pages that are the traps'."""

#: Of a request that a person exempts.
EXEMPT = "polite_trap_exempt"
#: Of a request that a page led to.
FOUND = "polite_found"
#: Of a request that is to be queued although it has been.
AGAIN = "polite_queue_again"
#: Of a request that an audit would have refused, and of what that led to.
WOULD_REFUSE = "polite_would_refuse"
#: Of a page: the URL of the one that said the same before.
DUPLICATE = "polite_duplicate_of"
