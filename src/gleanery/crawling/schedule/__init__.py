"""What is crawled without anybody asking, and when each page is looked at again."""
