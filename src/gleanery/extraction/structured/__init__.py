"""What pages say to machines: JSON-LD, microdata, RDFa, Open Graph, read as things of schema.org. Pure."""
