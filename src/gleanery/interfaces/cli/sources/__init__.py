"""Commands about sources: topics, sessions, judgements, domains, feeds, crawls."""
