"""The demo web site: some 360 linked pages on 17 origins, and a robots.txt of every kind that the Web has to offer."""
