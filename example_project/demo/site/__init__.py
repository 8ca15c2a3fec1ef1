"""The demo web site: some 550 linked pages on 26 origins, with every kind of robots.txt and pace that the Web has,
two endless spaces, an origin that is blacklisted and links that are not to be followed."""
