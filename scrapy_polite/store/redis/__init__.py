"""A store on a Redis or Valkey server: shared by the processes of many machines, who agree on the server's clock.

Each call is one script, an atomic step. What is kept under which key (all with the prefix `polite:{store:NAME}:`):

    schema, id, run, seq     version of this table, which store it is, which run of the server, the number of changes
    restarted                when a run of the server ended, of which leases may be forgotten; for a week
    r:ORIGIN                 hash: by token copy (c:), body, compressed (b:), times and fencing token (n:) of robots.txt
    robots                   sorted set: origin and token, by the time of the last update
    l:ORIGIN                 hash: who may fetch its robots.txt, and for which User-Agent; goes by itself
    t:PACE KEY               hash: the lease of a host, and when its next request may leave; goes by itself
    g:PACE KEY               hash: embargo, level of back-off, what a budget has spent
    gates                    sorted set: pace keys, by the number of their last change
    dead                     sorted set: status and URL, by the time at which it was seen
    q:SITE\\nPLACE            hash: a quarantine
    quarantines              sorted set: site and place, by the number of their last change
    p:KEY, pl:KEY, pb:KEY    strings: a page to come back to (see `page_record`), its links and its body, compressed
    ph:HOST                  set: keys of a host's pages
    pages                    sorted set: hosts, by a time before which none of their pages is due
    lying                    sorted set: hosts that have said 304 for what had changed, by the time
    c:CLIENT:BATCH           hash: replies of calls that must not be carried out twice; for a minute

The server is trusted to keep what it is given, not with what it says: whatever does not parse is dropped, and its key
told.
"""
