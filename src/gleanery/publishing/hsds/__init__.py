"""HSDS 3, the Human Services Data Specification: services, organisations and locations as others read them."""
