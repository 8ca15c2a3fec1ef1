"""How fast a host may be asked: pure rules that move its gate. They know neither Scrapy nor store nor clock."""
