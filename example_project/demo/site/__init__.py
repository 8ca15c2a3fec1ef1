"""The demo web site: some 460 linked pages on 22 origins, with every kind of robots.txt and pace that the Web has."""
