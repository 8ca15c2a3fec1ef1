"""The queue of requests still to be made: a lane for each origin, and Scrapy's scheduler over them."""
